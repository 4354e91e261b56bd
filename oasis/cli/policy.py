"""`oasis policy`: what a policy is worth by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, CertifyOption, DatabaseOption, JsonOption, Output, read_certifiers
from oasis.cli.campaigns import Levels, print_tables
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.options import Given, command
from oasis.cli.proving import Choices, opened, proposing
from oasis.ground.names import POLICIES
from oasis.ground.settings import Setting
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.lab.policy_eval import Verdict
    from oasis.play.policy import Policy

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Played(Choices, Levels):
    """Who plays what, and what is told of it."""

    policy: Annotated[
        str,
        Setting(
            f"{POLICIES.told}.",
            complete="oasis.ground.names:POLICIES.complete",
            metavar="POLICY",
            positional=True,
        ),
    ]
    against: Annotated[
        str | None,
        Setting(
            "Another one, to be compared with it theorem by theorem.",
            names=("second policy",),
            metavar="[POLICY]",
            positional=True,
        ),
    ] = None
    benchmark: Annotated[
        str,
        Setting(
            "What is to be proved: PropL's tests and sizes, iltp by family, or any curriculum.",
            metavar="propl|CURRICULUM",
            complete="curricula:complete",
        ),
    ] = "propl"
    calibration: Annotated[
        bool,
        Setting(
            "Hold the values of goals that plays reach against the oracle as well.",
            not_with="against",
            about="one policy",
        ),
    ] = False
    samples: Annotated[
        int | None,
        Setting(
            "Plays of each theorem with moves drawn by their probabilities, for pass@k.",
            within="[2, ∞)",
            not_with="against",
            about="one policy",
        ),
    ] = None
    k: Annotated[
        tuple[int, ...] | None,
        Setting(
            "Of pass@k; round numbers up to --samples if left out.",
            within="[1, ∞)",
            metavar="K,...",
            only_with="samples",
        ),
    ] = None
    temperature: Annotated[
        float,
        Setting(
            "Of those plays: moves are drawn by probability to the power of its inverse.",
            within="[0, ∞)",
            only_with="samples",
        ),
    ] = 1.0
    device: Annotated[
        str, Setting("Where a network computes: auto takes a GPU if there is one.", metavar="auto|cpu|cuda")
    ] = "auto"


@app.command("eval")
@command
def evaluate(
    *,
    played: Given[Played],
    certify: CertifyOption = "all",
    output: Output,
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
    from oasis.cli.progress import finished
    from oasis.cli.render import print_json
    from oasis.lab import policy_tables
    from oasis.lab.policy_calibration import Judgements
    from oasis.lab.policy_eval import Evaluation, benchmark
    from oasis.lab.policy_pairs import paired_to_json
    from oasis.lab.policy_samples import Samples
    from oasis.neural.policies import experienced, needs_store

    asked, provers = played.made(), read_certifiers(certify)
    names = [asked.policy] if asked.against is None else [asked.policy, asked.against]
    how = {"seed": asked.seed, "max_moves": asked.max_proof}
    choosing, samples = asked.choosing, asked.samples
    with opened(output.db, needed=asked.experience or any(map(needs_store, names)), create=False) as store:
        theorems = benchmark(asked.benchmark, parse_levels(asked.levels) if asked.levels else None)
        players = [proposing(name, store, output.say) for name in names]
        for player in players:
            _place(player, asked.device)
        if asked.experience:
            players = [experienced(player, store, choosing) for player in players]
        evaluations = [Evaluation(player, theorems, choosing, **how) for player in players]
        evaluation, total = evaluations[0], len(theorems.lemmas)
        judgements = Judgements(players[0], evaluation, **how) if asked.calibration else None
        sampled = None
        if samples is not None:
            drawing = replace(choosing, temperature=asked.temperature)
            sampled = Samples(players[0], theorems, drawing, samples=samples, ks=asked.k or (), **how)

        def plays() -> Iterator[tuple[Iterator[int], str]]:
            for name, each in zip(names, evaluations, strict=True):
                yield each.play(), "theorems" if asked.against is None else f"theorems played by {name}"
            if judgements is not None:
                yield judgements.judge(), "theorems with their goals judged"
            if sampled is not None:
                yield sampled.play(), f"theorems played {sampled.samples:,} times"

        is_whole = all(finished(numbers, total, noun, quiet=output.quiet) for numbers, noun in plays())
    verdicts = [each.certify(provers, output.say) for each in evaluations]
    cut = sum(each.cut for each in evaluations)
    if cut:
        output.say(f"{cut:,} theorems were given up after {asked.max_proof:,} moves; see --max-proof.")
    if output.as_json:
        content = {"policy": asked.policy, **choosing.to_json(), "experience": asked.experience, "seed": asked.seed}
        content |= evaluation.to_json()
        content |= {} if judgements is None else {"calibration": judgements.to_json()}
        content |= {"pass": sampled.to_json()} if sampled is not None else {}
        words = [{"certificates": [verdict._asdict() for verdict in each]} for each in verdicts]
        if asked.against is not None:
            content["against"] = {"policy": asked.against, **evaluations[1].to_json(), **words[1]}
            content["pairs"] = paired_to_json(*evaluations)
        print_json({**content, **words[0]})
    else:
        for name, each, verdict in zip(names, evaluations, verdicts, strict=True):
            if asked.against is not None:
                print(f"{name}:")
            print_tables(policy_tables.scores(each), policy_tables.remark(each), "")
            _print_verdicts(verdict)
        if asked.against is not None:
            print_tables(policy_tables.pairs(names, evaluations))
        if judgements is not None:
            print_tables(policy_tables.calibrations(judgements))
        if sampled is not None:
            print_tables(policy_tables.passes(sampled, evaluation))
    if not is_whole:
        left = sum(total - each.done for each in evaluations)
        raise Stopped(f"Stopped; {left:,} of {total * len(names):,} theorems were left.", EXIT_INTERRUPTED)
    if any(each.rejected for verdict in verdicts for each in verdict):
        raise typer.Exit(EXIT_REJECTED)


@app.command("list")
def list_policies(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the network that comes along, and the files that trainings wrote, oldest first.

    The state says whether the training is finished; or that the file is gone, or has been changed since. Hard theorems
    are played free, every move chosen, or eagerly, as the network practised; oasis policy eval plays all alike.
    """
    from oasis.cli.render import minute, print_columns, print_json
    from oasis.neural.checkpoints import known
    from oasis.store import Store

    with Store(db, create=False) if db.exists() else nullcontext() as store:
        found = known(store)
    if as_json:
        print_json({"policies": [each.to_json() for each in found]})
        return
    print_columns(
        found,
        {
            "policy": "policy",
            "written": lambda each: minute(each.written) or "comes along",
            "network": "network",
            ">parameters": "parameters",
            "training": "training",
            ">seed": lambda each: str(each.settings.get("seed", "?")),
            ">steps": lambda each: each.steps if each.step == each.steps else f"{each.step:,}/{each.steps:,}",
            ">hard solved": lambda each: "–" if each.solved is None else f"{each.solved:.0%} {each.invertible}",
            "data": lambda each: each.data[:8] or "–",
            "state": "state",
        },
    )


def _place(player: Policy, device: str) -> None:
    """Have a network compute where it is to. Raises InputError for another policy, unless it may stay where it is."""
    compute_on = getattr(player, "compute_on", None)
    if compute_on is not None:
        compute_on(device)
    elif device != "auto":
        raise InputError("--device is about networks; leave it out for another policy.")


def _print_verdicts(verdicts: Sequence[Verdict]) -> None:
    from oasis.cli.render import print_text

    for verdict in verdicts:
        of_all = verdict.accepted + len(verdict.rejected)
        print(f"{verdict.version} accepts {verdict.accepted:,} of {of_all:,} proofs drawn by lot.")
        for name, reason in verdict.rejected.items():
            print_text(f"{name}: {reason}", "  ")
