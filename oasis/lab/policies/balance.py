"""Where the balance lies between a policy's freedom and the calculus: one policy, helped more and more.

At one end a language model writes what it likes and the calculus only judges; at the other a search does the proving
and asks the policy for an order. Several policies, such as networks trained by different rewards, stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from re import sub
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.ground.pictures import save
from oasis.lab.measure import Measure, Trial, share
from oasis.lab.pictures import Point, along, called
from oasis.lab.policies.groups import Grouped, to_json
from oasis.lab.policies.plays import PLAYED, Evaluation
from oasis.lab.report import VERSION, Report
from oasis.lab.reports import Reports
from oasis.play.committed import EAGER, Choosing, Committed
from oasis.play.exam import has_values
from oasis.play.policy import Policy, Writer
from oasis.play.solving import Budget, solve
from oasis.search.solving import Searching

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXPANSIONS: Final = 100
"""Of the search for a lemma, unless told otherwise."""
HELPED: Final = replace(
    PLAYED,
    measures=(
        *PLAYED.measures,
        Measure("milliseconds", "of the processor, for a theorem", share("milliseconds"), least=0),
    ),
)
"""The measures of a policy at its positions."""


class Position(NamedTuple):
    """How much the calculus helps.

    Attributes:
        name: of the position.
        meaning: what it is, in words.
        choosing: how moves are chosen; None for a search.
    """

    name: str
    meaning: str
    choosing: Choosing | None

    @property
    def is_written(self) -> bool:
        """Whether moves are written, and may be illegal."""
        return self.choosing is not None and self.choosing.is_written


POSITIONS: Final = (
    Position("free", "it writes what it likes", Choosing(invertible="free", writing="free")),
    Position("tactics", "it writes a rule and a hypothesis", Choosing(invertible="free", writing="tactics")),
    Position("masked", "it chooses among the legal moves", Choosing(invertible="free")),
    Position("eager", "moves that cannot lose are made without asking it", EAGER),
    Position("judged", "each move is tried, and it judges what is left", Choosing(judge=True)),
    Position("search", "best-first search follows its order", None),
)
"""From the least help to the most."""


_NOT_DRAWN: Final = ("too many", "cut short")


@dataclass(kw_only=True)
class Searches(Evaluation):
    """Searches as if they were plays: their expansions are the moves that are tried, at most so many a lemma."""

    expansions: int

    def played(self, seed: int) -> Iterator[Committed]:
        """Search for a proof of each lemma in the order that the policy gives."""
        for lemma in self.lemmas:
            searching = Searching(name="best-first", policy=self.policy, seed=seed)
            came = solve(lemma.formula, searching, Budget(expansions=self.expansions))
            is_cut, script, cost = bool(came.reason), came.script or (), came.cost
            yield Committed(came.script is not None, is_cut, script, cost.calls, cost.expansions)


class Balance:
    """Policies at every position on every benchmark; what was played to its end counts, even if somebody breaks it off.

    Args:
        policies: makers by name; each position gets a new one, which remembers nothing. A policy that cannot write or
            has no values lacks the positions that ask for it.
        benchmarks: theorems by name.
        expansions: of the search for a lemma, at most.
        how: `seed` of lots, and `max_moves` after which a lemma is given up.
    """

    def __init__(
        self,
        policies: Mapping[str, Callable[[], Policy]],
        benchmarks: Mapping[str, Sequence[Lemma]],
        *,
        expansions: int = EXPANSIONS,
        **how: Any,
    ) -> None:
        self.policies, self.benchmarks, self.expansions, self._how = policies, benchmarks, expansions, how
        self._positions = {name: [*_possible(made())] for name, made in policies.items()}
        self._trials: dict[tuple[str, str], dict[str, list[Trial]]] = {}

    @property
    def total(self) -> int:
        """The number of plays that there are to be."""
        return sum(map(len, self.benchmarks.values())) * sum(map(len, self._positions.values()))

    @property
    def missing(self) -> dict[str, list[str]]:
        """For each policy the names of the positions that it cannot have."""
        return {name: [each.name for each in POSITIONS if each not in has] for name, has in self._positions.items()}

    def run(self) -> Iterator[int]:
        """Play everything; gives how many plays were made."""
        done = 0
        for name, made in self.policies.items():
            for benchmark, lemmas in self.benchmarks.items():
                for position in self._positions[name]:
                    played, began = self._at(position, made(), lemmas), process_time()
                    for number in played.run():
                        yield done + number
                    spent = np.array([1_000 * (process_time() - began) / len(lemmas)])
                    trial = {**played.trial(lemmas), "milliseconds": spent}
                    self._trials.setdefault((name, benchmark), {})[position.name] = [trial]
                    done += len(lemmas)
                    del played  # with its policy, before there is another one

    def reports(self) -> Grouped:
        """Report on what was played to its end, by policy and benchmark; each position is held against that before."""
        found: Grouped = {}
        for (policy, benchmark), trials in self._trials.items():
            names = [lemma.name for lemma in self.benchmarks[benchmark]]
            pairs = [(after, before) for before, after in pairwise(trials)]
            found.setdefault(policy, Reports(of=policy))[benchmark] = Report(HELPED, trials, names, pairs=pairs)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        positions = {position.name: position.meaning for position in POSITIONS}
        told = {"expansions": self.expansions, "positions": positions, "missing": self.missing}
        return {"report": VERSION, **told, "policies": to_json(self.reports())}

    def _at(self, position: Position, policy: Policy, lemmas: Sequence[Lemma]) -> Evaluation:
        if position.choosing is None:
            return Searches(policy, lemmas, expansions=self.expansions, **self._how)
        return Evaluation(policy, lemmas, position.choosing, **self._how)


def _possible(policy: Policy) -> Iterator[Position]:
    """The positions that a policy can have."""
    judges = has_values(policy)
    for position in POSITIONS:
        choosing = position.choosing or EAGER
        if (isinstance(policy, Writer) or not choosing.is_written) and (judges or not choosing.judge):
            yield position


def save_plot(path: Path, found: Grouped, *, along_policies: bool = False) -> None:
    """Write the picture of a balance in the format that the name ends in. Raises InputError if that fails."""
    save(path, lambda: (over_policies if along_policies else over_positions)(found))


def over_positions(found: Grouped) -> Figure:
    """Draw a panel for each measure, from the least help to the most; a curve is a policy on a benchmark."""
    points = [
        Point(called(each), f"{policy} on {benchmark}", position.name, each, report.number(each, position.name))
        for each in HELPED.measures
        for policy, benchmarks in found.items()
        for benchmark, report in benchmarks.items()
        for position in POSITIONS
        if position.name in report.names
        and each.name not in _NOT_DRAWN
        and (each.name != "illegal" or position.is_written)
    ]
    return along(points, [position.name for position in POSITIONS], lines=2)


def over_policies(found: Grouped) -> Figure:
    """Draw what is proved, over the policies in their order; a panel is a benchmark, a curve a position.

    Policies whose names differ in a last number alone, as in `sound-0` and `sound-1`, are seeds of one training: a
    point is their mean, with Student's t interval over seeds. Of a single one it has that over theorems.
    """
    head = HELPED.headline
    points = [
        Point(f"% proved of {benchmark}", position, training(policy), head, report.number(head, position))
        for policy, benchmarks in found.items()
        for benchmark, report in benchmarks.items()
        for position in report.names
    ]
    return along(points, list(dict.fromkeys(map(training, found))), lines=1)


def training(policy: str) -> str:
    """Return the name of the training that gave a policy: its own without a last number, which says the seed."""
    return sub(r"-\d+$", "", policy)
