"""Where the balance lies between a policy's freedom and the calculus: one policy, helped more and more.

At one end a language model writes what it likes and the calculus only judges; at the other a search does the proving
and asks the policy for an order. Several policies, such as networks trained by different rewards, stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from re import sub
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Lemma
from oasis.lab.policy_eval import Score, Theorem
from oasis.lab.statistics import Interval, difference, mean_interval, wilson_interval
from oasis.play.committed import EAGER, Choosing, Committed, committed
from oasis.play.exam import has_values
from oasis.play.policy import Policy, Writer
from oasis.play.solving import LONGEST, Budget
from oasis.search.best_first import BestFirst
from tactics.errors import InputError
from tactics.goal import initial

EXPANSIONS: Final = 100
"""Of the search for a lemma, unless told otherwise."""
_TOGETHER: Final = 50
"""Lemmas that are played side by side; what is done is told after so many."""


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


@dataclass(frozen=True)
class Row:
    """What a policy came to at a position on a benchmark.

    Attributes:
        policy: its name.
        benchmark: its name.
        position: how it was helped.
        score: what was proved; `trials` counts the expansions of a search.
        outcomes: for each lemma whether it was proved; shape (lemmas,).
        seconds: of processor time, for a lemma.
        gain: the share that it proves more than at the position before; None at the first, and for a single lemma.
    """

    policy: str
    benchmark: str
    position: Position
    score: Score
    outcomes: np.ndarray[Any, np.dtype[np.float64]]
    seconds: float
    gain: Interval | None = None

    @property
    def training(self) -> str:
        """The name of the training that gave the policy: its own without a last number, which says the seed."""
        return sub(r"-\d+$", "", self.policy)

    @property
    def illegal(self) -> Interval:
        """The share of lemmas that were lost by writing what is no legal move."""
        return wilson_interval(self.score.illegal, self.score.theorems)

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "policy": self.policy,
            "benchmark": self.benchmark,
            "position": self.position.name,
            **self.score.to_json(),
            "seconds": round(self.seconds, 6),
            "gain": None if self.gain is None else self.gain.to_json(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Row:
        """The row that `to_json` wrote, but for its outcomes. Raises KeyError or ValueError if it is none."""
        (position,) = (each for each in POSITIONS if each.name == stored["position"])
        score = Score(**{each.name: stored[each.name] for each in fields(Score)})
        gain = None
        if stored["gain"] is not None:
            gain = Interval(**{name: np.asarray(bound) for name, bound in stored["gain"].items()})
        return cls(stored["policy"], stored["benchmark"], position, score, np.empty(0), stored["seconds"], gain)


def over_seeds(shares: Sequence[Interval]) -> Interval:
    """The mean of what seeds of one training prove, with Student's t interval; of a single one what it has."""
    if len(shares) == 1:
        return shares[0]
    return mean_interval(np.array([float(each.value) for each in shares]), least=0.0, most=1.0)


class Balance:
    """Policies at every position on every benchmark; what was played so far counts, even if somebody breaks it off.

    Args:
        policies: makers by name; each position gets a new one, which remembers nothing. A policy that cannot write or
            has no values lacks the positions that ask for it.
        benchmarks: theorems by name.
        expansions: of the search for a lemma, at most.
        seed: of lots.
        max_moves: moves after which a lemma is given up.

    Raises InputError if there is nothing to play.
    """

    def __init__(
        self,
        policies: Mapping[str, Callable[[], Policy]],
        benchmarks: Mapping[str, Sequence[Lemma]],
        *,
        expansions: int = EXPANSIONS,
        seed: int = 0,
        max_moves: int = LONGEST,
    ) -> None:
        if not policies or not all(benchmarks.values()):
            raise InputError("There is nothing to play; name a policy, and benchmarks that have theorems.")
        if expansions < 1:
            raise InputError(f"A search of {expansions} expansions finds nothing; give a number from 1 on.")
        self.policies, self.benchmarks, self.expansions = policies, benchmarks, expansions
        self._seed, self._max_moves = seed, max_moves
        self._positions = {name: [*_possible(made())] for name, made in policies.items()}
        self._rows: list[Row] = []

    @property
    def total(self) -> int:
        """The number of plays that there are to be."""
        lemmas = sum(map(len, self.benchmarks.values()))
        return lemmas * sum(map(len, self._positions.values()))

    @property
    def missing(self) -> dict[str, list[str]]:
        """For each policy the names of the positions that it cannot have."""
        return {
            name: [each.name for each in POSITIONS if each not in positions]
            for name, positions in self._positions.items()
        }

    def play(self) -> Iterator[int]:
        """Play everything; gives how many plays were made."""
        done = 0
        for name, made in self.policies.items():
            for benchmark, lemmas in self.benchmarks.items():
                for position in self._positions[name]:
                    policy, played = made(), []
                    began = process_time()
                    for play in self._plays(policy, position, lemmas):
                        played.append(play)
                        done += 1
                        yield done
                    seconds = (process_time() - began) / len(lemmas)
                    score = Score.of([Theorem(*each) for each in zip(lemmas, played, strict=True)])
                    outcomes = np.array([float(play.proved) for play in played])
                    self._rows.append(Row(name, benchmark, position, score, outcomes, seconds))
                    del policy  # before there is another one

    @property
    def rows(self) -> list[Row]:
        """What was played to its end, with what each position adds; the intervals of all gains are one family."""
        steps = [
            (before, after)
            for before, after in zip(self._rows, self._rows[1:], strict=False)
            if (before.policy, before.benchmark) == (after.policy, after.benchmark) and len(after.outcomes) > 1
        ]
        gains = {
            id(after): difference(after.outcomes, before.outcomes, span=1, family=len(steps)) for before, after in steps
        }
        return [replace(each, gain=gains.get(id(each))) for each in self._rows]

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "expansions": self.expansions,
            "positions": {position.name: position.meaning for position in POSITIONS},
            "missing": self.missing,
            "rows": [row.to_json() for row in self.rows],
        }

    def _plays(self, policy: Policy, position: Position, lemmas: Sequence[Lemma]) -> Iterator[Committed]:
        if position.choosing is None:
            yield from (self._searched(policy, lemma) for lemma in lemmas)
            return
        formulas = (lemma.formula for lemma in lemmas)
        how: dict[str, Any] = {"seed": self._seed, "max_moves": self._max_moves, "together": _TOGETHER}
        yield from committed(policy, formulas, position.choosing, **how)

    def _searched(self, policy: Policy, lemma: Lemma) -> Committed:
        """A search as if it were a play: its expansions are the moves that were tried."""
        (goal,) = initial(lemma.formula)
        search = BestFirst(goal, policy, seed=self._seed)
        for event in search.run(Budget(expansions=self.expansions)):
            last = event
        script = search.script()
        return Committed(script is not None, bool(search.reason), script or (), last.calls, last.expansions)


def _possible(policy: Policy) -> Iterator[Position]:
    """The positions that a policy can have."""
    judges = has_values(policy)
    for position in POSITIONS:
        choosing = position.choosing or EAGER
        if (isinstance(policy, Writer) or not choosing.is_written) and (judges or not choosing.judge):
            yield position
