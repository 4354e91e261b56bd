"""The tables of a comparison of searches, as text: the terminal and the page show the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from oasis.ground.table import Table
from oasis.lab.comparison.tables import percent, points, square
from oasis.lab.searching.summary import Comparison, Summary
from oasis.lab.statistics import STUDENTS_T, Interval, median_method
from oasis.lab.words import conjunction, methods, rounded, with_interval
from oasis.play.solving import Budget


def tables(comparison: Comparison) -> Iterator[Table]:
    """All tables of a comparison: what was solved at what cost, pass@k, each pair."""
    yield _searches(comparison)
    if any(summary.passes for summary in comparison.summaries):
        yield _passes(comparison)
    if comparison.pairs:
        names = [summary.variant.name for summary in comparison.summaries]
        fewer = {(pair.one, pair.other): (pair.fewer, pair.ranks) for pair in comparison.pairs}
        if any(summary.variant.experience for summary in comparison.summaries):
            yield from _experience(comparison)
        yield square("P(fewer): expansions until solved, row against column", names, fewer)


def said(budget: Budget) -> str:
    """A budget in words."""
    limits = [
        "" if budget.expansions is None else f"{budget.expansions:,} expansions",
        "" if budget.calls is None else f"{budget.calls:,} calls",
        "" if budget.seconds is None else f"{budget.seconds:g} s",
    ]
    return conjunction(filter(None, limits))


def _searches(comparison: Comparison) -> Table:
    plan = comparison.plan
    lemmas = f"{len(plan.lemmas)} lemmas, each" if len(plan.lemmas) > 1 else "one lemma,"
    return Table(
        f"{plan.name}: {lemmas} with at most {said(plan.budget)}",
        ("search", "solved", "proved", "refuted", "expansions", "95 % within", "moves", "shortest", "calls", "ms"),
        tuple(_row(plan.budget, summary) for summary in comparison.summaries),
        note=_methods(comparison),
    )


def _methods(comparison: Comparison) -> str:
    """Which intervals the columns have; of several lemmas they go over these, of one over its seeds."""
    plan = comparison.plan
    several = len(plan.lemmas) > 1
    units, number = ("lemmas", len(plan.lemmas)) if several else ("seeds", len(plan.seeds))
    solved = {summary.variant.name: summary.method for summary in comparison.summaries}
    means = dict.fromkeys(("moves", "calls", "ms"), STUDENTS_T)
    return methods({"solved": solved, "expansions": median_method(number, units), **means})


def _row(budget: Budget, summary: Summary) -> tuple[str, ...]:
    never = "never" if budget.expansions is None else f">{budget.expansions:,}"
    least, known = summary.shortest
    return (
        summary.variant.name,
        percent(summary.solved),
        rounded(summary.proved),
        rounded(summary.refuted),
        with_interval(summary.expansions, ",.0f", never=never),
        never if isinf(summary.most) else f"{summary.most:,.0f}",
        "–" if summary.moves is None else _times(summary.moves),
        f"{least / known:.0%}" if known else "–",
        with_interval(summary.calls, ",.0f"),
        with_interval(summary.seconds.scaled(1000)),
    )


def _experience(comparison: Comparison) -> Iterator[Table]:
    """What maxims were worth to each search that there is with and without them."""
    variants = {summary.variant.name: summary.variant for summary in comparison.summaries}
    rows = []
    for pair in comparison.pairs:
        one, other = variants[pair.one], variants[pair.other]
        if (one.search, one.policy) == (other.search, other.policy):
            solved, fewer = pair.solved, pair.fewer
            if other.experience:
                one, other, solved, fewer = other, one, solved.scaled(-1), 1 - fewer
            rows.append((one.name, other.name, points(solved), f"{fewer:.0%}"))
    if rows:
        yield Table(
            "What experience was worth",
            ("search", "against", "solved", "P(fewer)"),
            tuple(rows),
            words=2,
            note="Solved in percentage points, between searches of the same seed.",
        )


def _passes(comparison: Comparison) -> Table:
    return Table(
        "pass@k: theorems that at least one of k searches proves",
        ("search", *(f"pass@{k}" for k in comparison.tries)),
        tuple((summary.variant.name, *map(percent, summary.passes)) for summary in comparison.summaries),
        note="Without bias; the intervals are "
        + ("over lemmas and seeds at once." if len(comparison.plan.lemmas) > 1 else "over seeds."),
    )


def _times(moves: Interval) -> str:
    return f"× {with_interval(moves, '.2f')}"
