"""What R† counts while a student practises, and what counted terms pay by it.

Counted are uses of tactics, goals that were closed, and how small proofs got. What is paid stands still during a round,
and nothing depends on the order in which things are counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.beliefs.surprises import Surprises
from oasis.dagger.shapes import Tactic
from oasis.dagger.term import Context, Floats, Form, OfGoal, OfTries, OfUse, Used, asks_belief
from tactics.errors import InputError
from tactics.rules import RULES

Counts = NDArray[np.int64]
_Thing = TypeVar("_Thing", bound=Hashable)
_MOST = 2**62


class Tally(Generic[_Thing]):
    """How often things were tried, and with success, by their numbers, from 1; number 0 stands for none of them.

    Attributes:
        numbers: of the things that have one.
    """

    def __init__(self) -> None:
        self.numbers: dict[_Thing, int] = {}
        self._tried, self._closed = np.zeros(1, np.int64), np.zeros(1, np.int64)

    def number(self, thing: _Thing) -> int:
        """The number of a thing, which is new if it has none yet."""
        number = self.numbers.get(thing)
        if number is None:
            number = self.numbers[thing] = len(self.numbers) + 1
            if number == len(self._tried):
                self._tried, self._closed = (
                    np.append(each, np.zeros_like(each)) for each in (self._tried, self._closed)
                )
        return number

    @property
    def tried(self) -> Counts:
        """How often each was tried; shape (1 + things,)."""
        return self._tried[: len(self.numbers) + 1]

    @property
    def closed(self) -> Counts:
        """How often with success; shape (1 + things,)."""
        return self._closed[: len(self.numbers) + 1]

    def add(self, numbers: Sequence[int] | NDArray[Any], tried: Counts, closed: Counts) -> None:
        """Count more, in no particular order; shape (n,) each. What is counted for none is forgotten."""
        np.add.at(self._tried, numbers, tried)
        np.add.at(self._closed, numbers, closed)
        self._tried[0] = self._closed[0] = 0

    def rows(self) -> list[tuple[_Thing, int, int]]:
        """What was tried at all: each thing, how often it was tried and with success, by its number."""
        both = zip(self.numbers, self.tried[1:].tolist(), self.closed[1:].tolist(), strict=True)
        return [(thing, tried, closed) for thing, tried, closed in both if tried]

    def restore(self, rows: Sequence[tuple[_Thing, int, int]]) -> None:
        """Count what `rows` gave. Raises ValueError or TypeError if that cannot have been counted."""
        for thing, tried, closed in rows:
            if type(tried) is not int or type(closed) is not int or not 0 <= closed <= tried <= _MOST:
                raise ValueError(f"{closed} of {tried} for {thing}")
            number = self.number(thing)
            self._tried[number], self._closed[number] = tried, closed


class Counters:
    """All that one reward has counted.

    Attributes:
        tactics: uses of each tactic, and those of which the goal was closed in the same episode.
        goals: steps made on each goal in focus, by its key, likewise.
        best: bytes of the smallest proof of each lemma in the rounds that are over, by the lemma's digest.
    """

    def __init__(self) -> None:
        self.tactics: Tally[Tactic] = Tally()
        self.goals: Tally[bytes] = Tally()
        self.best: dict[bytes, int] = {}
        self._round: dict[bytes, int] = {}

    def proved(self, lemma: bytes, packed: int) -> None:
        """Take note of a proof in the round that is going on."""
        self._round[lemma] = min(packed, self._round.get(lemma, packed))

    def end_round(self) -> None:
        """From now on the smallest proofs are those known now."""
        for lemma, packed in self._round.items():
            self.best[lemma] = min(packed, self.best.get(lemma, packed))
        self._round.clear()

    def state(self) -> dict[str, Any]:
        """What `restore` takes, as JSON can hold it."""
        return {
            "tactics": [[*tactic, *counts] for tactic, *counts in self.tactics.rows()],
            "goals": [[key.hex(), *counts] for key, *counts in self.goals.rows()],
            "best": {lemma.hex(): packed for lemma, packed in self.best.items()},
            "round": {lemma.hex(): packed for lemma, packed in self._round.items()},
        }

    def restore(self, state: Any) -> None:
        """Go on with what `state` gave. Raises InputError if it is damaged."""
        try:
            tactics = [(Tactic(str(rule), str(shape)), *counts) for rule, shape, *counts in state["tactics"]]
            self.tactics.restore(tactics)
            self.goals.restore([(bytes.fromhex(key), *counts) for key, *counts in state["goals"]])
            self.best, self._round = (_sizes(state[name]) for name in ("best", "round"))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                f"What the reward R† had counted is damaged ({error}); put back a copy of the file, or train anew."
            ) from error


class Amounts:
    """What counted terms pay, by the numbers of what is counted; number 0 stands for nothing, and pays nothing.

    Args:
        counters: what is counted.
        context: what terms look up.
        forms: of terms, with their weights; those that count nothing are passed over.

    Attributes:
        uses: what it pays to use each tactic; shape (1 + tactics,), or longer.
        offers: Φ of each set of tactics that a goal offers, of all terms together; shape (1 + sets,), or longer.
        settles: what it pays to settle each goal; shape (1 + goals,), or longer.
        potentials: Φ of each goal in focus; shape (1 + goals,), or longer.
        surprises: what terms of p(QED) pay by a belief that learns; None if there is none.
    """

    def __init__(self, counters: Counters, context: Context, forms: Iterable[tuple[Form, float]]) -> None:
        self._counters, self._context, forms = counters, context, list(forms)
        of_uses = [(form, weight) for form, weight in forms if isinstance(form, OfUse)]
        of_goals = [(form, weight) for form, weight in forms if isinstance(form, OfGoal)]
        self._used = [each for each in of_uses if not each[0].differenced]
        self._offered = [each for each in of_uses if each[0].differenced]
        self._settling = [each for each in of_goals if not each[0].differenced]
        self._in_focus = [each for each in of_goals if each[0].differenced]
        self._trying = [(form, weight) for form, weight in forms if isinstance(form, OfTries)]
        asking = [each for each in forms if asks_belief(each[0])]
        self.surprises = Surprises(context, asking) if asking and context.belief.learns else None
        self._centrality = {rule: context.knowledge.centrality(rule) for rule in RULES}
        self._sets: dict[tuple[int, ...], int] = {}
        for each in context.knowledge.tactics:
            counters.tactics.number(each)
        self._known_from_start = len(counters.tactics.numbers)
        self.renew()

    def renew(self) -> None:
        """Pay by what is counted now."""
        tactics, goals = self._counters.tactics, self._counters.goals
        self._times, self._closed = tactics.tried.astype(np.float64), tactics.closed.astype(np.float64)
        known = self._known_from_start
        self._kinds = max(1, known + int(np.count_nonzero(tactics.tried[known + 1 :])))
        self._work_out_tactics()
        self.offers = np.zeros(1)
        for number, each in enumerate(self._sets, 1):
            self._keep_offer(number, each)
        closed = goals.closed.astype(np.float64)
        self.settles, self.potentials = np.zeros(0), np.zeros(0)
        self._keep_goals(closed, goals.tried - closed)

    def tactic(self, tactic: Tactic) -> int:
        """The number of a tactic; one that is new counts as never used until `renew`."""
        number = self._counters.tactics.number(tactic)
        self._extend()
        return number

    def offer(self, tactics: Iterable[Tactic]) -> int:
        """The number of a set of tactics; 0 of none."""
        numbers = tuple(sorted(map(self._counters.tactics.number, tactics)))
        self._extend()
        number = self._sets.get(numbers, 0)
        if numbers and not number:
            number = self._sets[numbers] = len(self._sets) + 1
            self._keep_offer(number, numbers)
        return number

    def goal(self, key: bytes) -> int:
        """The number of a goal by its key; one that is new counts as never tried until `renew`."""
        number = self._counters.goals.number(key)
        self._extend()
        return number

    def _extend(self) -> None:
        """Make room for all that has a number by now."""
        tactics, goals = len(self._counters.tactics.numbers), len(self._counters.goals.numbers)
        if len(self.uses) <= tactics:
            self._work_out_tactics()
        if len(self.settles) <= goals:
            self._keep_goals(*np.zeros((2, goals + 1)))  # twice as many, so that it is seldom done

    def of_tries(self, goals: NDArray[np.int32], closed: NDArray[np.bool_]) -> float:
        """What it pays in the end to have tried goals, by their numbers; `closed` says whether each was; (steps,)."""
        tried, of = np.unique(goals, return_inverse=True)
        done, failed = (np.bincount(of, each, len(tried)).astype(np.float64) for each in (closed, ~closed))
        tally = self._counters.goals
        before = tally.closed[tried].astype(np.float64), (tally.tried - tally.closed)[tried].astype(np.float64)
        return float(self._together(self._trying, len(tried), *before, done, failed).sum())

    def _work_out_tactics(self) -> None:
        numbers = self._counters.tactics.numbers
        times, closed = (
            np.append(each, np.zeros(len(numbers) + 1 - len(each))) for each in (self._times, self._closed)
        )
        central = np.array([0.0, *[self._centrality.get(rule, 0.0) for rule, _ in numbers]])
        used = Used(times, closed, central, float(self._times.sum()), self._kinds)
        self._values = [(form.value(self._context, used), weight) for form, weight in self._offered]
        self.uses = self._together(self._used, len(times), used)
        self.uses[0] = 0.0

    def _keep_offer(self, number: int, tactics: tuple[int, ...]) -> None:
        if number >= len(self.offers):
            self.offers = np.append(self.offers, np.zeros(len(self.offers)))
        self.offers[number] = sum(weight * float(values[[*tactics]].max()) for values, weight in self._values)

    def _keep_goals(self, closed: Floats, failed: Floats) -> None:
        """Make room for goals that were closed so often, and not."""
        settles, potentials = (
            self._together(forms, len(closed), closed, failed) for forms in (self._settling, self._in_focus)
        )
        self.settles, self.potentials = np.append(self.settles, settles), np.append(self.potentials, potentials)
        self.settles[0] = self.potentials[0] = 0.0

    def _together(self, forms: Iterable[tuple[Any, float]], size: int, *counts: Any) -> Floats:
        """Return the sum of what terms are worth by counts of so many things; shape (size,)."""
        amounts = np.zeros(size)
        for form, weight in forms:
            amounts += weight * form.value(self._context, *counts)
        return amounts


def _sizes(stored: dict[str, int]) -> dict[bytes, int]:
    if not all(type(size) is int and 0 < size <= _MOST for size in stored.values()):
        raise ValueError("a proof of no size")
    return {bytes.fromhex(lemma): size for lemma, size in stored.items()}
