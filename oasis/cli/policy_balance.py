"""`oasis policy balance`: how much freedom a policy can bear, and how much help it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import Output
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Levels, print_tables
from oasis.cli.options import Given, command
from oasis.ground.settings import SEEDS, Setting
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from oasis.lab.policies.balance import Balance


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
    plot: Annotated[Path | None, Setting("A picture as .png, .svg or .pdf (extra: plots).", metavar="FILE")] = None
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
    output: Output,
) -> None:
    """Help a policy more and more, from writing what it likes to a search that follows its order.

    free: it writes what it likes; tactics: a rule and a hypothesis; masked: it chooses among the legal moves; eager:
    moves that cannot lose are made without asking; judged: each move is tried, and it judges what is left; search:
    best-first search follows its order. What is no legal move loses. Each position is told with what it proves (95 %
    intervals), how much more that is than at the position before (for all positions of a policy on a benchmark at
    once), and its cost. Ctrl-C shows what was played to its end.
    """
    from curricula import parse_levels
    from oasis.cli.progress import finished
    from oasis.cli.proving import opened
    from oasis.cli.render import print_json
    from oasis.ground.pictures import check_plot
    from oasis.lab.policies.balance import Balance
    from oasis.lab.policies.benchmark import benchmark
    from oasis.lab.policies.groups import tables
    from oasis.neural.policies import needs_store, policy_named

    asked = balanced.made()
    if asked.plot is not None:
        check_plot(asked.plot)
    found = [
        benchmark(name, parse_levels(asked.levels) if asked.levels and not name.startswith("propl") else None)
        for name in asked.benchmark
    ]
    for place, each in enumerate(found):
        if each.name in [before.name for before in found[:place]]:
            raise InputError(f"Two benchmarks are called {each.name}; leave one out, or rename it.")
    with opened(output.db, needed=any(map(needs_store, asked.policies)), create=False) as store:
        named = {Path(name).stem: partial(policy_named, name, store) for name in asked.policies}
        if len(named) < len(asked.policies):
            is_twice = len({*asked.policies}) < len(asked.policies)
            raise InputError(
                "A policy is named twice; leave one out." if is_twice else "Two files have one name; rename one."
            )
        compared = Balance(
            named,
            {each.name: each.lemmas[: asked.count] for each in found},
            expansions=asked.expansions,
            seed=asked.seed,
            max_moves=asked.max_proof,
        )
        is_whole = finished(compared.run(), compared.total, "plays", quiet=output.quiet)
    if output.as_json:
        print_json(compared.to_json())
    else:
        print_tables(tables(compared.reports()))
        _tell_missing(compared, output.say)
    if asked.plot is not None and (rows := compared.rows()):
        from oasis.lab.policies.picture import save_plot

        save_plot(asked.plot, rows, along_policies=asked.along == "policy")
    if not is_whole:
        raise Stopped("Stopped; what was not played to its end is left out.", EXIT_INTERRUPTED)


def _tell_missing(compared: Balance, say: Callable[[str], None]) -> None:
    """Say which positions policies lack, and why."""
    reasons = {"free": "it does not write (a decoder does)", "judged": "it does not judge goals"}
    for policy, missing in compared.missing.items():
        if missing:
            why = " and ".join(reason for position, reason in reasons.items() if position in missing)
            say(f"{policy} cannot be asked to be {', '.join(missing)}: {why}.")
