"""`oasis experience distill`: maxims from what rollouts that proved a lemma did where others did not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    JsonOption,
    LevelsOption,
    QuietOption,
    complete_curriculum,
    read_theorems,
    seed_option,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curricula.lemma import Lemma
    from oasis.experience.distilling import Adviser, Verdict
    from oasis.play.policy import Floats


def distill(
    curriculum: Annotated[
        list[str],
        typer.Argument(
            metavar="CURRICULUM...",
            help="Lemmas to play: textbook, SYJ202, a file, - (one standard input at most).",
            autocompletion=complete_curriculum,
        ),
    ],
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who plays: uniform, the number of a run, a network, or module:object."),
    ] = "uniform",
    model: Annotated[
        str | None,
        typer.Option(
            metavar="hf:FOLDER", help="A language model that is shown the plays, and proposes maxims as well."
        ),
    ] = None,
    held_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CURRICULUM",
            help="Lemmas for the held-out score; may be given again. A third of the lemmas, by lot, if left out.",
        ),
    ] = None,
    plays: Annotated[int, typer.Option(help="Rollouts of each lemma.")] = 100,
    seeds: Annotated[int, typer.Option(help="Of the held-out score, at least 2; its interval is over them.")] = 10,
    exam_plays: Annotated[int, typer.Option(help="Plays of each held-out lemma for each of these seeds.")] = 10,
    most: Annotated[int, typer.Option(help="Maxims that are proposed to be added.")] = 12,
    max_steps: Annotated[int, typer.Option(help="Steps after which a play is cut short.")] = 200,
    seed: Annotated[int, seed_option("Of the rollouts, of the first exam, and of the lot.")] = 0,
    levels: LevelsOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play lemmas, contrast those rollouts that proved a lemma with the others, and mend and add to the maxims by that.

    A maxim is added or modified only if the held-out score, the mean share of proofs in exams of other lemmas, rises
    with all of a 95 % interval above zero, which holds for all proposals together; one is deleted if that does not make
    the score fall. What a language model proposes is put to the same test, and what it says amiss is left out. Lemmas
    that are known to be no theorems are left out. Ctrl-C keeps what was accepted by then.
    """
    from oasis.cli.progress import watch_count
    from oasis.cli.render import print_json
    from oasis.experience.distilling import Distilling, Examiner
    from oasis.experience.library import Library
    from oasis.lab.policies import policy_named
    from oasis.store import Store
    from tactics.errors import check_whole

    numbers = {"--plays": (plays, 2), "--seeds": (seeds, 2), "--exam-plays": (exam_plays, 1), "--most": (most, 0)}
    for name, (value, least) in {**numbers, "--max-steps": (max_steps, 1)}.items():
        check_whole(name, value, least)
    practised, others = _chosen(curriculum, held_out, levels, seed)
    if not db.exists():
        policy_named(policy, None)  # what is wrong with it is said before a file is made
    with Store(db) as store:
        player = policy_named(policy, store)
        exam_seeds = range(seed, seed + seeds)
        examiner = Examiner(player, [lemma.formula for lemma in others], exam_seeds, exam_plays, max_steps)
        adviser = None if model is None else _adviser(model)
        distilling = Distilling(Library(store), player, practised, examiner, _difference, adviser)
        stopped = False
        try:
            games = distilling.play(plays=plays, seed=seed, most=most, max_steps=max_steps)
            watch_count(games, len(practised), "lemmas", quiet=quiet)
            who = f" with {model}" if model is not None else ""
            judging = distilling.judge(by=f"distill {' '.join(curriculum)}{who}")
            watch_count(judging, distilling.proposals, "proposals", quiet=quiet)
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        how = {
            "policy": policy,
            "lemmas": [each.name for each in practised],
            "held_out": [each.name for each in others],
        }
        verdicts = [verdict.to_json() for verdict in distilling.verdicts]
        print_json({**how, "model": model, "verdicts": verdicts, "refused": distilling.refused})
    else:
        _print(distilling.verdicts)
    if not quiet:
        for sentence in distilling.refused:
            narrate(f"The language model: {sentence}")
        accepted = sum(verdict.accepted for verdict in distilling.verdicts)
        narrate(f"{accepted:,} of {distilling.proposals:,} proposals accepted; see oasis experience list.")
    if stopped:
        raise Stopped("Stopped; what was accepted is kept.", EXIT_INTERRUPTED)


def _adviser(name: str) -> Adviser:
    """A language model by its name. Raises InputError and LibraryMissing."""
    from functools import partial

    from oasis.experience.asking import TOKENS, asked
    from oasis.neural.causal.files import PREFIX, causal
    from tactics.errors import InputError

    if not name.startswith(PREFIX):
        raise InputError(f"--model is {PREFIX}FOLDER, the folder of a language model, not {name!r}.")
    policy = causal(name, "--model")
    return partial(asked, lambda question: policy.reply(question, TOKENS))


def _chosen(
    curriculum: Sequence[str], held_out: Sequence[str] | None, levels: str | None, seed: int
) -> tuple[list[Lemma], list[Lemma]]:
    """The lemmas to play, and the others. Raises InputError if there are none."""
    from oasis.ground.splitmix import SplitMix64
    from tactics.errors import InputError

    practised = read_theorems(curriculum, levels)
    if held_out is None:
        lot = list(practised)
        SplitMix64.seeded(seed).shuffle(lot)
        others = lot[: len(lot) // 3]
    else:
        others = read_theorems(held_out, levels)
    without = {lemma.formula for lemma in others}
    practised = [lemma for lemma in practised if lemma.formula not in without]
    if not others:
        raise InputError("No lemma is left for the held-out score; give three lemmas or more, or name --held-out.")
    if not practised:
        raise InputError("All lemmas are held out; name others to play.")
    return practised, others


def _difference(ours: Floats, theirs: Floats, family: int) -> tuple[float, float, float]:
    from oasis.lab.statistics import difference

    value, low, high = difference(ours, theirs, span=1.0, family=family)
    return float(value), float(low), float(high)


def _print(verdicts: Sequence[Verdict]) -> None:
    from oasis.cli.render import print_table

    print_table(
        ["proposal", "maxim", "because", "gain", "95 %", "accepted"],
        [
            [
                each.proposal.operation,
                each.proposal.maxim.content if each.proposal.maxim else ", ".join(map(str, each.proposal.gone)),
                each.proposal.reason,
                f"{each.gain:+.3f}",
                f"{each.low:+.3f} to {each.high:+.3f}",
                "yes" if each.accepted else "no",
            ]
            for each in verdicts
        ],
        numeric={"gain"},
    )
