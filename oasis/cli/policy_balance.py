"""`oasis policy balance`: how much freedom a policy can bear, and how much help it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import Output
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Files, Levels, show, typed
from oasis.cli.options import Given, Only, command
from oasis.ground.plural import conjunction
from oasis.ground.settings import SEEDS, Setting
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, kw_only=True)
class Balanced(Levels):
    """Who is helped, and with what."""

    policies: Annotated[
        tuple[str, ...],
        Setting(
            "What --policy takes; networks of different rewards side by side.", metavar="POLICY...", positional=True
        ),
    ]
    benchmark: Annotated[
        tuple[str, ...],
        Setting("Whose theorems are to be proved; again and again for several.", metavar="CURRICULUM"),
    ] = ("propl-test-ordinary", "propl-test-hard", "iltp")
    levels: str | None = "1-4,none"
    count: Annotated[int, Setting("Theorems of each benchmark, the first ones.", within="[1, ∞)")] = 200
    expansions: Annotated[int, Setting("Of the search for a theorem.", within="[1, ∞)")] = 100
    max_proof: Annotated[int, Setting("Moves after which a theorem is given up.", within="[1, ∞)")] = 300
    seed: Annotated[int, Setting("Of lots.", within=SEEDS)] = 0
    along: Annotated[
        str,
        Setting(
            "Of the picture: position, from the least help to the most, or policy, as they are named; NAME-0 and "
            "NAME-1 are seeds of one training.",
            choices=("position", "policy"),
            metavar="AXIS",
        ),
    ] = "position"


@command
def balance(
    *,
    balanced: Given[Balanced],
    files: Annotated[Given[Files], Only("plot", "csv", "paper")],
    output: Output,
) -> None:
    """Help a policy more and more, from writing freely to a search that follows its order.

    free: it writes what it likes; tactics: a rule and a hypothesis; masked: it chooses among the legal moves; eager:
    moves that cannot lose are made without asking; judged: each move is tried, and it judges what is left; search:
    best-first search follows its order. An illegal move loses. Shown for each position: what it proves, how much more
    that is than at the position before, with 95 % intervals (of the differences for all positions of a policy on a
    benchmark at once), and its cost. Beside them stand controls, which have learned nothing: shape and look. Ctrl-C
    shows what was played to its end.
    """
    from curricula import parse_levels
    from curricula.benchmark import benchmark
    from oasis.cli.progress import finished
    from oasis.cli.proving import opened
    from oasis.lab.findings import Findings, intervals
    from oasis.lab.policies.balance import Balance, save_plot
    from oasis.lab.policies.groups import named
    from oasis.lab.report import write_rows
    from oasis.lab.written import write_paper
    from oasis.neural.policies import needs_store, policy_named
    from oasis.play.controls import HARDEST, told

    asked, written = balanced.made(), files.made()
    benchmarks = [
        benchmark(name, parse_levels(asked.levels) if asked.levels and not name.startswith("propl") else None)
        for name in asked.benchmark
    ]
    for place, each in enumerate(benchmarks):
        if each.name in [before.name for before in benchmarks[:place]]:
            raise InputError(f"Two benchmarks are called {each.name}; leave one out, or rename it.")
    with opened(output.db, needed=any(map(needs_store, asked.policies)), create=False) as store:
        made = {Path(name).stem: partial(policy_named, name, store) for name in asked.policies}
        if len(made) < len(asked.policies):
            is_twice = len({*asked.policies}) < len(asked.policies)
            raise InputError(
                "A policy is named twice; leave one out." if is_twice else "Two files have one name; rename one."
            )
        beside = {name: partial(policy_named, name, None) for name in HARDEST if name not in made}
        compared = Balance(
            {**made, **beside},
            {each.name: each.lemmas[: asked.count] for each in benchmarks},
            expansions=asked.expansions,
            seed=asked.seed,
            max_moves=asked.max_proof,
        )
        is_whole = finished(compared.run(), compared.total, "plays", quiet=output.quiet)
    found = compared.reports()
    every, title = named([found]), f"{conjunction(made)} on {conjunction(compared.benchmarks)}"
    came = Findings(
        {**compared.to_json(), "controls": [*beside]},
        [table for benchmarks in found.values() for table in benchmarks.tables()],
        told(beside),
        {
            "plot": lambda path: save_plot(path, found, along_policies=asked.along == "policy"),
            "csv": partial(write_rows, every.rows()),
            "paper": partial(write_paper, reports=every, title=title, command=typed()),
        },
        f"{title}{intervals(every)}; what each number is: --json.",
    )
    show(came, written if every else Files(), as_json=output.as_json)
    if not output.as_json:
        _tell_missing({name: compared.missing[name] for name in made}, output.say)
    if not is_whole:
        raise Stopped("Stopped; what was not played to its end is left out.", EXIT_INTERRUPTED)


def _tell_missing(lacking: Mapping[str, Sequence[str]], say: Callable[[str], None]) -> None:
    """Say which positions policies lack, and why."""
    reasons = {"free": "it does not write (a decoder does)", "judged": "it does not judge goals"}
    for policy, missing in lacking.items():
        if missing:
            why = " and ".join(reason for position, reason in reasons.items() if position in missing)
            say(f"{policy} cannot be asked to be {', '.join(missing)}: {why}.")
