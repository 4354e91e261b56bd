"""Policies that are tried on the groups of a benchmark, and the reports on each group.

Controls (`oasis.play.controls`) stand beside the policies that are named: a figure says little without them.

Each group stands by itself: of twenty groups on which two policies are equal, about one tells them apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, ClassVar, Final, Generic, TypeVar

from curricula.benchmark import Benchmark
from curricula.lemma import Lemma
from oasis.ground.table import Table
from oasis.lab.measure import Family, Trial
from oasis.lab.report import Pair, Report
from oasis.lab.reports import Reports
from oasis.play.committed import EAGER, Choosing, Committed, committed
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST

T = TypeVar("T")
Grouped = dict[str, Reports]
"""Reports on groups, by the part of the benchmark that they divide."""
_TITLES: Final = {
    "sets": "set",
    "lengths": "shortest proof",
    "sizes": "connectives",
    "longest": "connectives, the longest fifth",
    "families": "family",
}
TOGETHER: Final = 100
"""Lemmas that are tried side by side."""


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

    def run(self) -> Iterator[int]:
        """Try every lemma; gives with how many that is done."""
        for lemma, found in zip(self.lemmas, self.tried(), strict=False):  # what was not played is not judged
            self.done[lemma] = found
            yield len(self.done)

    @abstractmethod
    def tried(self) -> Iterator[T]:
        """Try the lemmas in their order; gives what came of each."""

    @abstractmethod
    def trial(self, lemmas: Sequence[Lemma]) -> Trial:
        """Return the arrays of lemmas that were tried."""

    def played(self, seed: int) -> Iterator[Committed]:
        """Play the lemmas side by side."""
        how: dict[str, Any] = {"seed": seed, "max_moves": self.max_moves, "together": TOGETHER}
        return committed(self.policy, [lemma.formula for lemma in self.lemmas], self.choosing, **how)


def side_by_side(policies: Mapping[str, Tried[Any]]) -> Iterator[int]:
    """Try every lemma by all policies; yield how many lemmas are done.

    The legal moves of a goal are worked out once for all policies that reach it.
    """
    for done in zip(*[each.run() for each in policies.values()], strict=True):
        yield done[0]


def compared(names: Sequence[str], everybody: Sequence[str]) -> list[Pair]:
    """Return the pairs to compare: two policies with each other, one with the last of its controls if it has any."""
    return list(pairwise(names if len(names) > 1 else dict.fromkeys([*names, everybody[-1]])))


def reports(benchmark: Benchmark, policies: Mapping[str, Tried[Any]], pairs: Sequence[Pair] | None = None) -> Grouped:
    """Report on each group of a benchmark that has lemmas on which every policy was tried, all of them in one way."""
    found: Grouped = {}
    family = next(iter(policies.values())).family
    for part, groups in benchmark.parts.items():
        for name, group in groups.items():
            lemmas = [lemma for lemma in group if all(lemma in each.done for each in policies.values())]
            if lemmas:
                trials = {policy: [each.trial(lemmas)] for policy, each in policies.items()}
                names = [lemma.name for lemma in lemmas]
                of_part = found.setdefault(part, Reports(of=_TITLES.get(part, part)))
                of_part[name] = Report(family, trials, names, pairs=pairs)
    return found


def to_json(grouped: Grouped) -> dict[str, Any]:
    """Return the form that `--json` prints."""
    return {part: groups.to_json() for part, groups in grouped.items()}


def named(families: Iterable[Grouped]) -> Reports:
    """Return all reports by the names of their family, part and group."""
    return Reports(
        {
            f"{report.family.noun}, {part}, {name}": report
            for grouped in families
            for part, groups in grouped.items()
            for name, report in groups.items()
        }
    )


def tables(grouped: Grouped) -> list[Table]:
    """Return the tables of all parts, and below the last one what follows from the groups of the first part.

    That is the part of the sets if there are any.
    """
    found = [*chain.from_iterable(groups.tables() for groups in grouped.values())]
    said = tuple(next(iter(grouped.values())).sentences()) if grouped else ()
    return [*found[:-1], *(each._replace(sentences=said) for each in found[-1:])]
