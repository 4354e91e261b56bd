"""The tables of a figure, as text: the terminal and the page show the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Final

from oasis.ground.table import Table
from oasis.lab.statistics import Interval
from oasis.lab.students.plan import Plan
from oasis.lab.thesis.findings import Finding
from oasis.lab.thesis.measures import Summary, stretch
from oasis.lab.words import INTERVALS, with_interval

DEFINITIONS: Final = {
    "interval": f"in brackets and shaded: {INTERVALS}",
    "difference": "mean of the differences between students of the same seed, who draw the same random numbers, with "
    "Student's t interval. All intervals of one figure hold together in 95 % of experiments (Bonferroni).",
    "proofs": "share of a student's episodes that ended in a proof; mean. An episode without a proof ends when no "
    "action is left.",
    "first, last": "the same in the first and in the last episodes, so many as the head of the column says: a third of "
    "a few episodes, a tenth of many.",
    "actions": "actions in an episode, those that did not apply included; mean.",
    "states": "states in memory after the last episode; mean.",
    "greedy proof": "actions in the greedy policy's proof after the last episode; median, a student without one counts "
    "as longer than any; “never” if that is the median student.",
}


def tables(finding: Finding) -> Iterator[Table]:
    """A table for each part."""
    for part, plan in finding.figure.plans.items():
        yield _table(plan, finding.parts[part])


def part_title(plan: Plan) -> str:
    """What was done in a part."""
    return f"{plan.name}: {plan.episodes:,} episodes, {len(plan.seeds)} students of each kind"


def _table(plan: Plan, summaries: tuple[Summary, ...]) -> Table:
    length = f"{stretch(plan.episodes):,}"
    header = ("variant", "proofs", f"first {length}", f"last {length}", "actions", "states", "greedy proof")
    rows = [
        (
            summary.name,
            *map(_percent, (summary.proofs, summary.first, summary.last)),
            with_interval(summary.actions, ",.1f"),
            with_interval(summary.states, ",.0f"),
            *(() if summary.greedy is None else [_greedy(summary)]),
        )
        for summary in summaries
    ]
    return Table(part_title(plan), header[: len(rows[0])], tuple(rows))


def _percent(share: Interval) -> str:
    value, low, high = (f"{100 * bound:.1f}" for bound in share)
    return f"{value} % ({low}–{high})"


def _greedy(summary: Summary) -> str:
    assert summary.greedy is not None
    return with_interval(summary.greedy, "g") if any(map(isfinite, summary.greedy)) else "never"
