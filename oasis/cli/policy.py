"""`oasis policy`: what a policy is worth by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    DatabaseOption,
    ExperienceOption,
    JsonOption,
    LevelsOption,
    QuietOption,
    WritingOption,
    complete_curriculum,
    read_certifiers,
    seed_option,
)
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate, narrator

if TYPE_CHECKING:
    from oasis.lab.policy_eval import Evaluation, Score, Verdict
    from oasis.play.policy import Policy

app = typer.Typer()

_TITLES: Final = {"sets": "set", "lengths": "shortest proof", "sizes": "connectives", "families": "family"}
_COLUMNS: Final = ("theorems", "proved", "%", "95 %", "moves", "shortest", "calls", "trials", "illegal")


@app.command("eval")
def evaluate(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY", help="uniform, teacher, first, last, tiny, a file, hf:FOLDER, a run, module:object."
        ),
    ],
    against: Annotated[
        str | None,
        typer.Argument(metavar="[POLICY]", help="Another one, to be compared with it theorem by theorem."),
    ] = None,
    benchmark: Annotated[
        str,
        typer.Option(
            metavar="propl|CURRICULUM",
            help="What is to be proved: PropL's tests and sizes, iltp by family, or any curriculum.",
            autocompletion=complete_curriculum,
        ),
    ] = "propl",
    judge: Annotated[
        bool, typer.Option("--judge", help="Try each move, and make the one that leaves what the policy values most.")
    ] = False,
    invertible: Annotated[
        str, typer.Option(metavar="eager|free", help="Moves that cannot lose are made at once, or have to be chosen.")
    ] = "eager",
    writing: WritingOption = "masked",
    experience: ExperienceOption = False,
    seed: Annotated[int, seed_option("Of lots among equal moves.")] = 0,
    max_proof: Annotated[int, typer.Option(help="Moves after which a theorem is given up.")] = 10_000,
    calibration: Annotated[
        bool,
        typer.Option("--calibration", help="Hold the values of goals that plays reach against the oracle as well."),
    ] = False,
    samples: Annotated[
        int | None, typer.Option(help="Plays of each theorem with moves drawn by their probabilities, for pass@k.")
    ] = None,
    k: Annotated[str, typer.Option(metavar="K,...", help="Of pass@k; round numbers up to --samples if left out.")] = "",
    temperature: Annotated[
        float, typer.Option(help="Of those plays: moves are drawn by probability to the power of its inverse.")
    ] = 1.0,
    levels: LevelsOption = None,
    certify: CertifyOption = "all",
    device: Annotated[
        str, typer.Option(metavar="auto|cpu|cuda", help="Where a network computes: auto takes a GPU if there is one.")
    ] = "auto",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a policy play every theorem of a benchmark once, without taking back a move, and say how many it proves.

    Theorems are told apart by set, by the moves of a shortest proof, where these are known, and by size or family.
    Beside the shares stand 95 % intervals (Wilson's), and the mean moves of its proofs and of shortest ones. Some of
    the proofs, drawn by lot, are shown to provers. Ctrl-C shows what was played so far.

    With --calibration the policy judges the goals in focus in its own play of each theorem and in one play of random
    legal moves: how often it is right, how well it tells provable goals from others, and whether seven in ten are
    provable of those that it gives 0.7.

    With --samples each theorem is also played so many times, and pass@k is told, how likely one of k plays proves it:
    without bias, with 95 % intervals.

    With a second policy both play the same theorems, and what only one of them proves is told, with the interval of the
    difference theorem by theorem and McNemar's p.

    Exit code 0 unless a prover rejects a proof: 1.
    """
    from curricula import parse_levels
    from oasis.cli.policy_tables import show_calibrations, show_pairs, show_passes
    from oasis.cli.progress import watch_count
    from oasis.cli.proving import opened, proposing
    from oasis.cli.render import print_json
    from oasis.lab.policies import experienced, needs_store
    from oasis.lab.policy_calibration import Judgements
    from oasis.lab.policy_eval import Evaluation
    from oasis.lab.policy_eval import benchmark as benchmark_named
    from oasis.lab.policy_samples import Samples
    from oasis.play.committed import Choosing
    from tactics.errors import InputError

    if max_proof < 1:
        raise InputError("--max-proof must be at least 1.")
    if samples is None and (k or temperature != 1):
        raise InputError("--k and --temperature are about plays that --samples asks for; add it, or leave them out.")
    if against is not None and (calibration or samples is not None):
        raise InputError("--calibration and --samples are about one policy; leave them or the second policy out.")
    choosing = Choosing(judge, invertible, writing)
    provers = read_certifiers(certify)
    names = [policy] if against is None else [policy, against]
    with opened(db, needed=experience or any(map(needs_store, names)), create=False) as store:
        theorems = benchmark_named(benchmark, parse_levels(levels) if levels else None)
        players = [proposing(name, store, quiet=quiet) for name in names]
        for player in players:
            _place(player, device)
        if experience:
            players = [experienced(player, store, choosing) for player in players]
        evaluations = [Evaluation(player, theorems, choosing, seed=seed, max_moves=max_proof) for player in players]
        player, evaluation = players[0], evaluations[0]
        judgements = Judgements(player, evaluation, seed=seed, max_moves=max_proof) if calibration else None
        drawing = Choosing(judge, invertible, writing, 0.0 if samples is None else temperature)
        sampled = None
        if samples is not None:
            sampled = Samples(
                player, theorems, drawing, samples=samples, ks=_numbers(k), seed=seed, max_moves=max_proof
            )
        total, stopped = len(evaluation.benchmark.lemmas), False
        try:
            for each, name in zip(evaluations, names, strict=True):
                of_whom = "theorems" if against is None else f"theorems played by {name}"
                watch_count(each.play(), total, of_whom, quiet=quiet)
            if judgements is not None:
                watch_count(judgements.judge(), total, "theorems with their goals judged", quiet=quiet)
            if sampled is not None:
                watch_count(sampled.play(), total, f"theorems played {sampled.samples:,} times", quiet=quiet)
        except KeyboardInterrupt:
            stopped = True
    verdicts = [_certified(each, provers, quiet=quiet) for each in evaluations]
    cut = sum(each.cut for each in evaluations)
    if cut and not quiet:
        narrate(f"{cut:,} theorems were given up after {max_proof:,} moves; see --max-proof.")
    if as_json:
        how = {"policy": policy, **choosing.to_json(), "experience": experience, "seed": seed}
        more = {} if judgements is None else {"calibration": judgements.to_json()}
        if sampled is not None:
            more["pass"] = sampled.to_json()
        if against is not None:
            more |= _pairs_to_json(against, evaluations, verdicts[1])
        certificates = [verdict._asdict() for verdict in verdicts[0]]
        print_json({**how, **evaluation.to_json(), **more, "certificates": certificates})
    else:
        for name, each, words in zip(names, evaluations, verdicts, strict=True):
            if against is not None:
                print(f"{name}:")
            _show(each, words)
        if against is not None:
            show_pairs(names, evaluations)
        if judgements is not None:
            show_calibrations(judgements)
        if sampled is not None:
            show_passes(sampled, evaluation)
    if stopped:
        left = sum(total - each.done for each in evaluations)
        raise Stopped(f"Stopped; {left:,} of {total * len(names):,} theorems were left.", EXIT_INTERRUPTED)
    if any(verdict.rejected for words in verdicts for verdict in words):
        raise typer.Exit(EXIT_REJECTED)


def _pairs_to_json(against: str, evaluations: list[Evaluation], verdicts: list[Verdict]) -> dict[str, Any]:
    """What the second policy proved, and how the two compare."""
    from oasis.lab.policy_pairs import paired

    certificates = [verdict._asdict() for verdict in verdicts]
    pairs = {
        part: {name: each.to_json() for name, each in groups.items()} for part, groups in paired(*evaluations).items()
    }
    return {
        "against": {"policy": against, **evaluations[1].to_json(), "certificates": certificates},
        "pairs": pairs,
    }


def _place(player: Policy, device: str) -> None:
    """Have a network compute where it is to. Raises InputError for another policy, unless it may stay where it is."""
    from tactics.errors import InputError

    compute_on = getattr(player, "compute_on", None)
    if compute_on is not None:
        compute_on(device)
    elif device != "auto":
        raise InputError("--device is about networks; leave it out for another policy.")


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of --k."""
    from tactics.errors import InputError

    try:
        return tuple(int(number) for number in text.split(",")) if text else ()
    except ValueError:
        raise InputError(f"--k is {text!r}; give whole numbers with commas, as in 1,8,32.") from None


def _certified(evaluation: Evaluation, provers: tuple[str, ...], *, quiet: bool) -> list[Verdict]:
    """What provers say of a sample of proofs; one that fails now costs a remark and not the table."""
    return evaluation.certify(provers, narrator(quiet=quiet))


def _show(evaluation: Evaluation, verdicts: list[Verdict]) -> None:
    from oasis.cli.render import print_table, print_text
    from oasis.lab.policy_eval import PROPL, PUBLISHED, differences

    published = PUBLISHED if evaluation.benchmark.name == PROPL and evaluation.scores("sets") else ()
    for part in evaluation.benchmark.parts:
        scores, longest, levels = evaluation.scores(part), evaluation.longest(part), evaluation.levels(part)
        header = [_TITLES[part], *_COLUMNS, *(["levels proved"] if part == "families" else [])]
        rows = []
        for name, score in scores.items():
            proved = [", ".join(map(str, levels[name]))] if part == "families" else []
            rows.append([name, *_cells(score), *proved])
            if part == "sizes" and name in longest:
                rows.append(["  the longest fifth", *_cells(longest[name])])
        for each in published if part == "sets" else ():
            calls = "–" if each.calls is None else f"≈ {each.calls}"
            rows.append(
                [f"{each.name}, {each.theorems}*", "", "", f"{100 * each.share:.1f}", "", "", "", calls, "", ""]
            )
        if scores:
            print_table(header, rows, numeric=_COLUMNS)
    if published:
        print_text(f"* {differences(evaluation.choosing)}")
    for verdict in verdicts:
        of_all = verdict.accepted + len(verdict.rejected)
        print(f"{verdict.version} accepts {verdict.accepted:,} of {of_all:,} proofs drawn by lot.")
        for name, reason in verdict.rejected.items():
            print_text(f"{name}: {reason}", "  ")


def _cells(score: Score) -> list[str]:
    low, high = (f"{100 * float(bound):.1f}" for bound in score.share[1:])
    return [
        f"{score.theorems:,}",
        f"{score.proved:,}",
        f"{100 * float(score.share.value):.1f}",
        f"{low}–{high}",
        *map(_number, (score.moves, score.shortest, score.calls, score.trials)),
        f"{score.illegal:,}",
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"
