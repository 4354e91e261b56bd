"""`oasis experience distill`: maxims from what rollouts that proved a lemma did where others did not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import Output, read_theorems
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Levels
from oasis.cli.options import Given, command
from oasis.cli.render import print_columns, print_json
from oasis.ground.names import POLICIES
from oasis.ground.settings import SEEDS, Setting, of_lemmas
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.experience.distilling import Adviser, Verdict


@dataclass(frozen=True, kw_only=True)
class Distilled(Levels):
    """What is played, and how proposals are put to the test."""

    curriculum: Annotated[
        tuple[str, ...],
        of_lemmas("Lemmas to play: textbook, SYJ202, a file, - (one standard input at most).", "CURRICULUM..."),
    ]
    policy: Annotated[
        str, Setting(f"Who plays: {POLICIES.told}.", metavar="NAME", complete="oasis.ground.names:POLICIES.complete")
    ] = "uniform"
    model: Annotated[
        str | None,
        Setting("A language model that is shown the plays, and proposes maxims as well.", metavar="hf:FOLDER"),
    ] = None
    held_out: Annotated[
        tuple[str, ...],
        Setting(
            "Lemmas for the held-out score; may be given again. A third of the lemmas, by lot, if left out.",
            metavar="CURRICULUM",
        ),
    ] = ()
    plays: Annotated[int, Setting("Rollouts of each lemma.", within="[2, ∞)")] = 100
    seeds: Annotated[int, Setting("Of the held-out score, at least 2; its interval is over them.", within="[2, ∞)")] = (
        10
    )
    exam_plays: Annotated[int, Setting("Plays of each held-out lemma for each of these seeds.", within="[1, ∞)")] = 10
    most: Annotated[int, Setting("Maxims that are proposed to be added.", within="[0, ∞)")] = 12
    max_steps: Annotated[int, Setting("Steps after which a play is cut short.", within="[1, ∞)")] = 200
    seed: Annotated[int, Setting("Of the rollouts, of the first exam, and of the lot.", within=SEEDS)] = 0


@command
def distill(
    *,
    distilled: Given[Distilled],
    output: Output,
) -> None:
    """Play lemmas, contrast those rollouts that proved a lemma with the others, and mend and add to the maxims by that.

    A maxim is added only if the held-out score, the mean share of proofs in exams of other lemmas, rises with all of a
    95 % interval above zero, which holds for all additions together; it is narrowed where an exception was met, widened
    where it held next door, merged, weighed or deleted as rollouts say if that does not make the score fall. What a
    language model proposes has to make it rise, and what it says amiss is left out. Lemmas that are known to be no
    theorems are left out. Ctrl-C keeps what was accepted by then.
    """
    from oasis.cli.progress import finished
    from oasis.experience.distilling import Distilling, Examiner, parted
    from oasis.experience.library import Library
    from oasis.neural.policies import policy_named
    from oasis.store import Store

    asked = distilled.made()
    others = read_theorems(asked.held_out, asked.levels) if asked.held_out else None
    practised, others = parted(read_theorems(asked.curriculum, asked.levels), others, asked.seed)
    if not output.db.exists():
        policy_named(asked.policy, None)  # what is wrong with it is said before a file is made
    with Store(output.db) as store:
        player = policy_named(asked.policy, store)
        exam_seeds, steps = range(asked.seed, asked.seed + asked.seeds), asked.max_steps
        examiner = Examiner(player, others, exam_seeds, asked.exam_plays, steps)
        adviser = None if asked.model is None else _adviser(asked.model)
        distilling = Distilling(Library(store), player, practised, examiner, adviser)
        games = distilling.play(plays=asked.plays, seed=asked.seed, most=asked.most, max_steps=steps)
        is_whole = finished(games, len(practised), "lemmas", quiet=output.quiet)
        if is_whole:
            is_whole = finished(distilling.judge(), distilling.proposals, "proposals", quiet=output.quiet)
    if output.as_json:
        how = {
            "policy": asked.policy,
            "lemmas": [each.name for each in practised],
            "held_out": [each.name for each in others],
        }
        verdicts = [verdict.to_json() for verdict in distilling.verdicts]
        print_json({**how, "model": asked.model, "verdicts": verdicts, "refused": distilling.refused})
    else:
        _print(distilling.verdicts)
    for sentence in distilling.refused:
        output.say(f"The language model: {sentence}")
    accepted = sum(verdict.accepted for verdict in distilling.verdicts)
    output.say(f"{accepted:,} of {distilling.proposals:,} proposals accepted; see oasis experience list.")
    if not is_whole:
        raise Stopped("Stopped; what was accepted is kept.", EXIT_INTERRUPTED)


def _adviser(name: str) -> Adviser:
    """A language model by its name. Raises InputError and LibraryMissing."""
    from functools import partial

    from oasis.experience.asking import TOKENS, asked
    from oasis.neural.causal.files import PREFIX, causal

    if not name.startswith(PREFIX):
        raise InputError(f"--model is {PREFIX}FOLDER, the folder of a language model, not {name!r}.")
    policy = causal(name, "--model")
    return partial(asked, lambda question: policy.reply(question, TOKENS))


def _print(verdicts: Sequence[Verdict]) -> None:
    def maxim(verdict: Verdict) -> str:
        proposed, gone = verdict.proposal.maxim, verdict.proposal.gone
        return proposed.content if proposed else ", ".join(map(str, gone))

    print_columns(
        verdicts,
        {
            "proposal": lambda each: each.proposal.operation,
            "maxim": maxim,
            "because": lambda each: each.proposal.reason,
            ">gain": lambda each: f"{each.gain:+.3f}",
            "95 %": lambda each: f"{each.low:+.3f} to {each.high:+.3f}",
            "accepted": lambda each: "yes" if each.accepted else "no",
        },
    )
