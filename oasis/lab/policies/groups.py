"""Reports on the groups of a benchmark, and their tables: groups below one another, and within them policies.

Each group stands by itself: of twenty groups on which two policies are equal, about one tells them apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeVar

from curricula.lemma import Lemma
from oasis.ground.table import Table
from oasis.lab.measure import Family, Measure, Trial
from oasis.lab.policies.benchmark import Benchmark
from oasis.lab.report import Report
from oasis.lab.statistics import LEVEL, Interval
from oasis.play.committed import EAGER, Choosing, Committed, committed
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST

T = TypeVar("T")
Grouped = dict[str, dict[str, Report]]
"""Reports by part and group."""
_TITLES: Final = {
    "sets": "set",
    "lengths": "shortest proof",
    "sizes": "connectives",
    "longest": "connectives, the longest fifth",
    "families": "family",
}
TOGETHER: Final = 100
"""Lemmas that are tried side by side; what is done is told after so many."""


@dataclass
class Tried(ABC, Generic[T]):
    """A policy that is tried on lemmas; what was tried so far counts, even if somebody breaks it off.

    Attributes:
        policy: is asked.
        lemmas: in their order.
        choosing: how a move is chosen.
        seed: of lots.
        max_moves: moves after which a play is given up.
        done: what came of each lemma.
        family: what is measured of it.
    """

    family: ClassVar[Family]

    policy: Policy
    lemmas: Sequence[Lemma]
    choosing: Choosing = EAGER
    seed: int = 0
    max_moves: int = LONGEST
    done: dict[Lemma, T] = field(default_factory=dict, init=False)

    @abstractmethod
    def run(self) -> Iterator[int]:
        """Try every lemma; gives with how many that is done."""

    @abstractmethod
    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return the arrays of lemmas that were tried."""

    def played(self, lemmas: Sequence[Lemma], seed: int | None = None) -> Iterator[Committed]:
        """Play lemmas side by side."""
        formulas, seed = [lemma.formula for lemma in lemmas], self.seed if seed is None else seed
        how: dict[str, Any] = {"seed": seed, "max_moves": self.max_moves, "together": TOGETHER}
        return committed(self.policy, formulas, self.choosing, **how)


def reports(benchmark: Benchmark, policies: Mapping[str, Tried[Any]]) -> Grouped:
    """Report on each group of a benchmark that has lemmas on which every policy was tried, all of them in one way."""
    found: Grouped = {}
    family = next(iter(policies.values())).family
    for part, groups in benchmark.parts.items():
        for name, group in groups.items():
            lemmas = [lemma for lemma in group if all(lemma in each.done for each in policies.values())]
            if lemmas:
                trials = {policy: [each.trial(lemmas)] for policy, each in policies.items()}
                found.setdefault(part, {})[name] = Report(family, trials, [lemma.name for lemma in lemmas])
    return found


def to_json(grouped: Grouped) -> dict[str, Any]:
    """Return the form that `--json` prints."""
    return {part: {name: each.to_json() for name, each in groups.items()} for part, groups in grouped.items()}


def sentences(grouped: Grouped) -> list[str]:
    """Say what follows for each group of the first part, which is that of the sets if there are any."""
    groups = next(iter(grouped.values()), {})
    return [
        f"{group}: {sentence}" if len(groups) > 1 else sentence
        for group, report in groups.items()
        for sentence in report.sentences()
    ]


def tables(grouped: Grouped, kind: str = "policy") -> Iterator[Table]:
    """Yield what is measured of the groups of each part, how much kinds differ, and curves; `kind` is what they are."""
    for part, groups in grouped.items():
        title, some = _TITLES.get(part, part), next(iter(groups.values()))
        column, words = (kind,) * bool(some.pairs), 1 + bool(some.pairs)
        shown = sorted(some.numbers, key=lambda each: not each.tested)
        rows = tuple(
            (*place, f"{report.units:,}", *(_cell(each, report.number(each, name)) for each in shown))
            for place, report, name in _kinds(groups)
        )
        meaning = "; ".join(f"{each.name}: {each.says}" for each in shown)
        note = f"{meaning}. Bounds are those of 95 %: {shown[0].statistic.says}."
        header = (title, *column, "theorems", *(each.name for each in shown))
        yield Table("", header, rows, words, note if part == [*grouped][-1] else "")
        if differing := tuple(row for name, report in groups.items() for row in _pairs(name, report)):
            compared = (f"{shown[0].name}: first less second", "p", "first has more", "second has more")
            yield Table("", (title, "first – second", "theorems", *compared), differing, 2)
        for curve in some.curves:
            header = (title, *column, *(f"{point:g}" for point in some.points(curve, some.names[0])))
            rows = tuple(
                (*place, *(_cell(curve, Interval(*point)) for point in zip(*report.number(curve, name), strict=True)))
                for place, report, name in _kinds(groups)
            )
            yield Table(f"{curve.name}: {curve.says}", header, rows, words)


def _kinds(groups: Mapping[str, Report]) -> Iterator[tuple[tuple[str, ...], Report, str]]:
    """Yield each kind of each group with the words that its row begins with."""
    for group, report in groups.items():
        for name in report.names:
            yield ((group, name) if report.pairs else (group,)), report, name


def _pairs(group: str, report: Report) -> Iterator[tuple[str, ...]]:
    """Yield how much each two kinds differ in the headline, and on how many theorems either has more of it."""
    head = report.compared[0]
    for pair in report.pairs:
        gains, (gain, p) = report.gains(head, pair), report.difference(head, pair)
        more = (f"{int(where.sum()):,}" for where in (gains > 0, gains < 0))
        told = head.with_bounds(gain, "+") + " *" * (p <= LEVEL)
        yield group, " – ".join(pair), f"{report.units:,}", told, "<0.001" if p < 0.001 else f"{p:.3f}", *more


def _cell(measure: Measure, found: Interval) -> str:
    """A number, with its bounds if much depends on it."""
    return measure.with_bounds(found) if measure.tested or measure.better else measure.text(float(found.value))
