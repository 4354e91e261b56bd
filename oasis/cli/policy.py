"""`oasis policy`: what a policy is worth by itself."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import DATABASE, CertifyOption, DatabaseOption, JsonOption, Output, read_certifiers
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.experiments import Files, Levels, show, typed
from oasis.cli.options import Given, Only, command
from oasis.cli.proving import opened
from oasis.cli.render import minute, print_columns, print_json
from oasis.ground.names import POLICIES
from oasis.ground.plural import conjunction
from oasis.ground.settings import Setting, of_lemmas
from oasis.play.choices import Choices, Tries, Writing
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.lab.policies.groups import Tried

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class Played(Choices, Tries, Levels):
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
        of_lemmas(
            "What is to be proved: PropL's tests and sizes, iltp by family, or any curriculum.",
            "propl|CURRICULUM",
            positional=False,
        ),
    ] = "propl"
    calibration: Annotated[
        bool,
        Setting("Hold the values of goals that plays reach against the oracle as well."),
    ] = False
    device: Annotated[
        str, Setting("Where a network computes: auto takes a GPU if there is one.", metavar="auto|cpu|cuda")
    ] = "auto"


@app.command("eval")
@command
def evaluate(
    *,
    played: Given[Played],
    proofs: Given[Writing],
    files: Annotated[Given[Files], Only("csv", "paper")],
    certify: CertifyOption = "all",
    output: Output,
) -> None:
    """Let a policy play every theorem of a benchmark once, without taking back a move, and say how many it proves.

    Theorems are told apart by set, by the moves of a shortest proof, where these are known, and by size or family.
    Beside the shares stand 95 % intervals, and how many moves its proofs have, and have too many. Some of the proofs,
    drawn by lot, are shown to provers. Ctrl-C shows what was played so far.

    With --calibration the policy judges the goals in focus in its own play of each theorem and in one play of random
    legal moves: how often it is right, how well it tells provable goals from others, and whether seven in ten are
    provable of those that it gives 0.7.

    With --samples each theorem is also played so many times: how many plays it takes to a proof, and pass@k, how likely
    one of k plays proves it, without bias.

    With --written the policy also writes whole proofs. Each is cut at its first fault and, with --resumes, continued
    from the state that it reached. Shown are pass@k, tokens, calls of the policy, and the share of its claims that are
    right. A policy that is no language model writes down the moves that it plays.

    Every table also shows controls, which have learned nothing: uniform, first and shape for policies that choose or
    write moves, look for those that judge. One policy is compared with shape or look, theorem by theorem; two policies
    are compared with each other.

    Exit code 0 unless a prover rejects a proof: 1.
    """
    from curricula import parse_levels
    from curricula.benchmark import PROPL, PUBLISHED, benchmark
    from oasis.cli.progress import finished
    from oasis.lab.findings import Findings, intervals
    from oasis.lab.policies.calibration import JUDGED, Judgements
    from oasis.lab.policies.groups import compared, named, reports, side_by_side, tables, to_json
    from oasis.lab.policies.plays import DRAWN, PLAYED, WRITTEN, Evaluation, Proofs, Samples, certified, levels, said
    from oasis.lab.report import VERSION, write_rows
    from oasis.lab.written import write_paper
    from oasis.neural.policies import experienced, needs_store, placed, proposing
    from oasis.play.committed import Choosing
    from oasis.play.controls import controls
    from oasis.play.controls import told as besides

    asked, writing, provers, written = played.made(), proofs.made(), read_certifiers(certify), files.made()
    names = [asked.policy] if asked.against is None else [asked.policy, asked.against]
    if len({*names}) < len(names):
        raise InputError("A policy is named twice; name another one to compare it with.")
    choosing = asked.choosing
    with opened(output.db, needed=asked.experience or any(map(needs_store, names)), create=False) as store:
        theorems = benchmark(asked.benchmark, parse_levels(asked.levels) if asked.levels else None)
        players = {name: proposing(name, store, output.say) for name in names}
        for player in players.values():
            placed(player, asked.device)
        if asked.experience:
            players = {name: experienced(player, store, choosing) for name, player in players.items()}
        how: dict[str, Any] = {"lemmas": theorems.lemmas, "seed": asked.seed, "max_moves": asked.max_proof}
        beside, plain = controls(choosing, names), replace(choosing, writing="masked")
        everybody = {**players, **beside}
        plays = {
            name: Evaluation(player, choosing=choosing if name in players else plain, **how)
            for name, player in everybody.items()
        }
        tried: dict[str, Mapping[str, Tried[Any]]] = {PLAYED.noun: plays}
        if asked.calibration:
            judges = {**players, **controls(Choosing(judge=True), names)}
            own = {name: plays[name if name in players else names[0]].done for name in judges}
            tried[JUDGED.noun] = {name: Judgements(player, plays=own[name], **how) for name, player in judges.items()}
        if asked.samples is not None:
            how |= {"choosing": replace(choosing, temperature=writing.temperature), "ks": asked.k or ()}
            drawn = {name: Samples(player, samples=asked.samples, **how) for name, player in everybody.items()}
            tried[DRAWN.noun] = drawn
        if asked.written is not None:
            how |= {"ks": asked.k or (), "samples": asked.written}
            tried[WRITTEN.noun] = {
                name: Proofs(player, writing=writing if name in players else Writing(top_p=1), **how)
                for name, player in {**players, **controls(Choosing(), names)}.items()
            }
        total = len(theorems.lemmas)
        is_whole = all(
            finished(side_by_side(each), total, f"theorems: {noun} of {conjunction(each)}", quiet=output.quiet)
            for noun, each in tried.items()
        )
    verdicts = {name: certified(theorems, plays[name], provers, output.say) for name in names}
    found = {noun: reports(theorems, each, compared(names, [*each])) for noun, each in tried.items()}
    others = [*dict.fromkeys(name for each in tried.values() for name in each if name not in names)]
    remarks = {"published": PUBLISHED} if theorems.name == PROPL else {}
    how = {**choosing.to_json(), "experience": asked.experience, "seed": asked.seed, **asked.told(writing)}
    about = {"report": VERSION, "benchmark": theorems.name, "policies": names, "controls": others, **how}
    numbers = {noun: to_json(grouped) for noun, grouped in found.items()}
    every = named(found.values())
    title = f"{conjunction(names)} on {theorems.name}"
    came = Findings(
        {**about, **numbers, **remarks, "certificates": verdicts},
        [*(table for grouped in found.values() for table in tables(grouped)), *levels(theorems, plays)],
        [*besides(others), *remarks.values(), *said(verdicts)],
        {
            "csv": partial(write_rows, every.rows()),
            "paper": partial(write_paper, reports=every, title=title, command=typed()),
        },
        f"{title}: {len(theorems.lemmas):,} theorems{intervals(every)}; what each number is: --json.",
    )
    show(came, written if every else Files(), as_json=output.as_json)
    if not is_whole:
        left = [total - len(each.done) for policies in tried.values() for each in policies.values()]
        raise Stopped(f"Stopped; {sum(left):,} of {total * len(left):,} theorems were left.", EXIT_INTERRUPTED)
    if any(reason is not None for each in verdicts.values() for of in each.values() for reason in of.values()):
        raise typer.Exit(EXIT_REJECTED)


@app.command("list")
def list_policies(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the network that comes along, and the files that trainings wrote, oldest first.

    The state says whether the training is finished; or that the file is gone, or has been changed since. Hard theorems
    are played free, every move chosen, or eagerly, as the network practised; oasis policy eval plays all alike.
    """
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
