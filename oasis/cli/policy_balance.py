"""`oasis policy balance`: how much freedom a policy can bear, and how much help it needs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, LevelsOption, QuietOption, seed_option
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.lab.policy_balance import Balance

_AXES: Final = ("position", "policy")
BENCHMARKS: Final = ["propl-test-ordinary", "propl-test-hard", "iltp"]


def balance(
    policies: Annotated[
        list[str],
        typer.Argument(metavar="POLICY...", help="What --policy takes; networks of different rewards side by side."),
    ],
    benchmark: Annotated[
        list[str],
        typer.Option(metavar="CURRICULUM", help="Whose theorems are to be proved; again and again for several."),
    ] = BENCHMARKS,
    levels: LevelsOption = "1-4,none",
    count: Annotated[int, typer.Option(help="Theorems of each benchmark, the first ones.")] = 200,
    expansions: Annotated[int, typer.Option(help="Of the search for a theorem.")] = 100,
    max_proof: Annotated[int, typer.Option(help="Moves after which a theorem is given up.")] = 300,
    seed: Annotated[int, seed_option("Of lots.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A picture as .png, .svg or .pdf (extra: plots).")
    ] = None,
    along: Annotated[
        str,
        typer.Option(
            metavar="AXIS",
            help="Of the picture: position, from the least help to the most, or policy, as they are named; NAME-0 and "
            "NAME-1 are seeds of one training.",
        ),
    ] = "position",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Help a policy more and more, from writing what it likes to a search that follows its order.

    free: it writes what it likes; tactics: a rule and a hypothesis; masked: it chooses among the legal moves; eager:
    moves that cannot lose are made without asking; judged: each move is tried, and it judges what is left; search:
    best-first search follows its order. What is no legal move loses. Each position is told with what it proves (95 %
    intervals), how much more that is than at the position before (all of these intervals hold together), and its cost.
    Ctrl-C shows what was played to its end.
    """
    from curricula import parse_levels
    from oasis.cli.progress import watch_count
    from oasis.cli.proving import opened
    from oasis.cli.render import print_json
    from oasis.lab.plots.style import check_plot
    from oasis.lab.policies import needs_store, policy_named
    from oasis.lab.policy_balance import Balance
    from oasis.lab.policy_eval import benchmark as benchmark_named
    from tactics.errors import InputError, check_choice

    check_choice("--along", along, _AXES)
    if count < 1 or max_proof < 1:
        raise InputError("--count and --max-proof must be at least 1.")
    if plot is not None:
        check_plot(plot)
    benchmarks: dict[str, tuple[Lemma, ...]] = {}
    for name in benchmark:
        found = benchmark_named(name, parse_levels(levels) if levels and not name.startswith("propl") else None)
        if found.name in benchmarks:
            raise InputError(f"Two benchmarks are called {found.name}; leave one out, or rename it.")
        benchmarks[found.name] = found.lemmas[:count]
    with opened(db, needed=any(map(needs_store, policies)), create=False) as store:
        named = {Path(name).stem: partial(policy_named, name, store) for name in policies}
        if len(named) < len(policies):
            same = "A policy is named twice; leave one out."
            raise InputError(same if len({*policies}) < len(policies) else "Two files have one name; rename one.")
        compared = Balance(named, benchmarks, expansions=expansions, seed=seed, max_moves=max_proof)
        stopped = False
        try:
            watch_count(compared.play(), compared.total, "plays", quiet=quiet)
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        print_json(compared.to_json())
    else:
        _show(compared, quiet=quiet)
    if plot is not None and compared.rows:
        from oasis.lab.plots.balance import save_plot

        save_plot(plot, compared.rows, along_policies=along == "policy")
    if stopped:
        raise Stopped("Stopped; what was not played to its end is left out.", EXIT_INTERRUPTED)


_NOTE: Final = (
    "proved: with Wilson's 95 % interval. more: points more than in the row above, on the same theorems; intervals "
    "that hold together in 95 % of experiments (Student's t; where all theorems differ alike, what one that was not "
    "drawn may change). ms: of processor time, for a theorem. Theorems are the first of each benchmark."
)


def _show(compared: Balance, *, quiet: bool) -> None:
    from oasis.cli.render import print_section
    from oasis.lab.comparison.tables import percent, points

    header = ("position", "proved", "more", "illegal, %", "moves", "shortest", "calls", "trials", "ms")
    rows = compared.rows
    groups = list(dict.fromkeys((row.policy, row.benchmark) for row in rows))
    for policy, benchmark in groups:
        found = [row for row in rows if (row.policy, row.benchmark) == (policy, benchmark)]
        print_section(
            f"{policy} on {found[0].score.theorems:,} theorems of {benchmark}",
            header,
            [
                (
                    row.position.name,
                    percent(row.score.share),
                    "" if row.gain is None else points(row.gain),
                    f"{100 * float(row.illegal.value):.1f}" if row.position.is_written else "–",
                    *("–" if mean is None else f"{mean:.1f}" for mean in (row.score.moves, row.score.shortest)),
                    f"{row.score.calls:.1f}",
                    f"{row.score.trials:.1f}",
                    f"{1_000 * row.seconds:.1f}",
                )
                for row in found
            ],
            note=_NOTE if (policy, benchmark) == groups[-1] else "",
        )
    if not quiet:
        for policy, missing in compared.missing.items():
            if missing:
                reasons = {"free": "it does not write (a decoder does)", "judged": "it does not judge goals"}
                why = " and ".join(reason for position, reason in reasons.items() if position in missing)
                narrate(f"{policy} cannot be asked to be {', '.join(missing)}: {why}.")
