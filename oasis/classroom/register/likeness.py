"""Pairs of students whose moves agree more than chance lets moves agree, and what they did side by side.

A **choice** is a move that a student made at a goal, where others were possible, and that nobody had told them; the
same goal with other letters, names and order of hypotheses is the same (`state_spaces.Match`), whichever lemma it comes
up in, and whoever makes a move there again has made no other choice. How usual a choice is, all others of the class
say who were there: its share p(m) among theirs, drawn towards how often its rule was taken where it applied, the more
the fewer were there and the less alike the students of this class are (Pólya's urn). The other one of the pair is among
them, because of two who come where nobody else does not every agreement is copying.

Chance is a student who chooses by p(m)^θ, whatever others did; θ says how much they do as most do, from 0 (anything)
upwards, and is the one that explains this student best. Copying is to do with probability c as the other one did at
that goal, and else likewise. The evidence is how many times likelier all choices of the one are by copying from the
other, averaged over θ and c, than by chance. A choice of share p speaks by about -log p, a usual or forced one hardly,
and each at which the two differ speaks against. By chance this ratio is 1 at most in the mean (the universal inference
of Wasserman, Ramdas & Balakrishnan 2020), so that it exceeds x with probability 1/x at most; with N pairs it has to
exceed N/level, and then all pairs that are named in a class without copying come up with probability `level` at most.
That is exact if p is right; it comes from few students, and so it is measured by simulation too (docs/measurements.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.words import when
from oasis.classroom.register.mistakes import Work
from oasis.store import KeptEvent
from state_spaces import Match
from state_spaces.base import Key, Slot
from state_spaces.canonical import TooSymmetric
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.printer import Notation
from tactics.rules import legal_moves, spoken
from tactics.sequent import show_goal

LEVEL: Final = 0.001
"""How probable it may be that anybody is named in a class in which nobody copied, as far as p is right: at 0.05 classes
with strong habits in common are often wronged."""
WHAT_IT_DOES_NOT_SHOW: Final = (
    "This is no proof of copying. Who learned together, from one teacher or one book, or has talked about these lemmas "
    "before, may choose alike; and it does not say who has it from whom. Who copied little, or changed it, is not "
    "named. The probability is reckoned, and too small in a class whose students have much in common. Look at the "
    "moves and their times, and talk to both."
)
_TILTS: Final = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
"""The values of θ."""
_PLAIN: Final = 2
"""The place of θ = 1 among them."""
_COPYING: Final = np.array([0.3, 0.6, 0.9])
"""The values of c."""
_WEIGHTS: Final = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""For how many students' choices it may count how often a rule is taken anyway."""

Floats = NDArray[np.float64]


class Choice(NamedTuple):
    """A choice of a student: at which lemma by name, when, at which goal, which move, and its slot there."""

    lemma: str
    at: str
    goal: Goal
    move: Move
    key: Key
    slot: Slot
    offered: tuple[Slot, ...]


class Both(NamedTuple):
    """What two students chose at a goal at which both were.

    Attributes:
        one: the choice of the first.
        other: that of the second.
        same: how many others did as the first did.
        there: how many others were there.
    """

    one: Choice
    other: Choice
    same: int
    there: int

    @property
    def agree(self) -> bool:
        """Whether they chose the same."""
        return self.one.slot == self.other.slot

    def row(self) -> dict[str, str]:
        """The lemma, what each chose and when, and how many others did as the first did, for a table."""
        one, other = (f"{spoken(each.move)}, {when(each.at)}" for each in (self.one, self.other))
        return {
            "lemma": self.one.lemma,
            "one": one,
            "=": "=" if self.agree else "",
            "other": other,
            "others": f"{self.same} of {self.there}",
        }


@dataclass(frozen=True)
class Pair:
    """Two students, and how much their choices speak for copying.

    Attributes:
        names: theirs.
        evidence: the natural logarithm of how many times likelier their choices are by copying than by chance.
        pairs: how many pairs there are in the class.
        both: what they chose where others chose otherwise, in the order in which the first did.
    """

    names: tuple[str, str]
    evidence: float
    pairs: int
    both: tuple[Both, ...]

    @property
    def chance(self) -> float:
        """At most how probable it is by chance that any pair of the class agrees as much; from 0 to 1."""
        return float(min(1.0, self.pairs * np.exp(-self.evidence)))

    def sentence(self) -> str:
        """Who they are, and how probable that is."""
        agreed = sum(both.agree for both in self.both)
        return (
            f"{' and '.join(self.names)} chose the same in {agreed} of {len(self.both)} places where not all do. By "
            f"how usual each choice is in this class, chance lets any two agree as much with probability "
            f"{self.chance:.1g}."
        )

    def to_json(self, notation: Notation) -> dict[str, Any]:
        """The same with the moves side by side."""
        moves = [
            {
                "lemma": both.one.lemma,
                "goal": show_goal(both.one.goal, notation),
                "moves": [str(both.one.move), str(both.other.move)],
                "at": [both.one.at, both.other.at],
                "agree": both.agree,
                "others_same": both.same,
                "others_there": both.there,
            }
            for both in self.both
        ]
        return {"students": list(self.names), "evidence": self.evidence, "chance": self.chance, "moves": moves}


def alike(choices: Mapping[str, Sequence[Choice]], level: float = LEVEL) -> list[Pair]:
    """Return the pairs of students that agree more than chance, those first that do so most.

    Args:
        choices: of each student by name, in order.
        level: how probable it may be that there is one although nobody copied.
    """
    usual = _Usual(choices.values())
    along = {name: list(usual.along(each)) for name, each in choices.items()}
    by_goal = {name: _by_goal(each) for name, each in choices.items()}
    pairs = list(combinations(choices, 2))
    found = []
    for one, other in pairs:
        forth, back = _evidence(by_goal[other], along[one]), _evidence(by_goal[one], along[other])
        evidence = float(np.logaddexp(forth, back)) - log(2)
        if evidence >= log(len(pairs) / level):
            both = tuple(_side_by_side(choices[one], choices[other], usual))
            found.append(Pair((one, other), evidence, len(pairs), both))
    return sorted(found, key=lambda pair: -pair.evidence)


def choices_of(works: Iterable[tuple[str, Work]], space: Match | None = None) -> list[Choice]:
    """Return the choices of a student in attempts, oldest first; each is given with the name of its lemma."""
    space, taken, found = space or Match(), set[tuple[Key, Slot]](), list[Choice]()
    for lemma, work in works:
        attempt, is_told = Attempt(work.formula), False
        for event in work.events:
            state = attempt.state
            try:
                attempt.happen([Event(event.kind, event.what)])
            except InputError:
                break  # what follows cannot be made again
            if event.kind == "move":
                choice = _choice(lemma, event, state[0], attempt.made[-1], work.rules, space)
                is_new = choice is not None and (choice.key, choice.slot) not in taken
                if choice is not None and is_new:
                    taken.add((choice.key, choice.slot))
                    found += [] if is_told or len(choice.offered) == 1 else [choice]
            is_told = event.kind in ("hint", "given", "asked") or (is_told and event.kind == "refused")
    return found


def _choice(
    lemma: str, event: KeptEvent, goal: Goal, move: Move, rules: Collection[str], space: Match
) -> Choice | None:
    """A choice; None at a goal that is too symmetric to be known again."""
    try:
        view = space.view((goal,))
    except TooSymmetric:
        return None
    offered = dict.fromkeys(view.slot(each) for each in legal_moves(goal) if each.rule in rules)
    return Choice(lemma, event.at, goal, move, view.key, view.slot(move), tuple(offered))


class _Usual:
    """How usual choices are in a class.

    Args:
        choices: of each student.

    Attributes:
        times: by goal how many students made each choice.
        there: by goal how many students were there.
        weight: the one of `_WEIGHTS` by which the choices of each are foretold best from those of all others: the less,
            the more alike students of this class are wherever they come.
    """

    def __init__(self, choices: Collection[Sequence[Choice]]) -> None:
        self.times: dict[Key, Counter[Slot]] = {}
        self.there = Counter(key for each in choices for key in {choice.key for choice in each})
        taken, offered = Counter[str](), Counter[str]()
        for choice in (choice for each in choices for choice in each):
            self.times.setdefault(choice.key, Counter())[choice.slot] += 1
            taken[choice.slot[0]] += 1
            offered.update({rule for rule, _ in choice.offered})
        self._rate = {rule: (taken[rule] + 0.5) / (offered[rule] + 1.0) for rule in offered}
        foretold = dict.fromkeys(_WEIGHTS, 0.0)
        for self.weight in _WEIGHTS:
            for each in choices:
                foretold[self.weight] += sum(shares[_PLAIN] for _, _, shares in self.along(each))
        self.weight = max(foretold, key=foretold.__getitem__)

    def along(self, choices: Sequence[Choice]) -> Iterable[_Step]:
        """Yield each choice of a student with those made there before, and the logarithm of its share for each θ."""
        own, made = _by_goal(choices), dict[Key, list[Slot]]()
        for choice in choices:
            before = made.setdefault(choice.key, [])
            left = [slot for slot in choice.offered if slot not in before]
            shares = self.log_shares(choice, own[choice.key], left)
            yield choice, tuple(before), shares[:, left.index(choice.slot)]
            before.append(choice.slot)

    def log_shares(self, choice: Choice, without: Collection[Slot], left: Sequence[Slot]) -> Floats:
        """The logarithm of p(m)^θ, normed, for each θ and each move that is left; shape (tilts, moves).

        Args:
            choice: where.
            without: choices made there that do not count.
            left: the moves among which it was chosen.
        """
        rates = np.array([self._rate[rule] for rule, _ in choice.offered])
        rates *= self.weight / rates.sum()
        anyway = dict(zip(choice.offered, rates, strict=True))
        times, own = self.times[choice.key], Counter(without)
        usual = np.log([times[slot] - own[slot] + anyway[slot] for slot in left])
        tilted = _TILTS[:, None] * usual
        normed: Floats = tilted - np.logaddexp.reduce(tilted, axis=1, keepdims=True)
        return normed


_Step = tuple[Choice, Sequence[Slot], Floats]
"""A choice, those that were made there before, and the logarithm of its share for each θ; shape (tilts,)."""


def _by_goal(choices: Iterable[Choice]) -> dict[Key, list[Slot]]:
    """What was chosen at each goal, in order."""
    found: dict[Key, list[Slot]] = {}
    for choice in choices:
        found.setdefault(choice.key, []).append(choice.slot)
    return found


def _evidence(theirs: Mapping[Key, Sequence[Slot]], mine: Sequence[_Step]) -> float:
    """The logarithm of how many times likelier the choices of one are by copying from the other than by chance."""
    chance = np.zeros(len(_TILTS))
    copying = np.zeros((len(_TILTS), len(_COPYING)))
    for choice, before, shares in mine:
        chance += shares
        to_copy = next((slot for slot in theirs.get(choice.key, ()) if slot not in before), None)
        if to_copy is None:
            copying += shares[:, None]
        else:
            copied = np.log(_COPYING) if to_copy == choice.slot else -np.inf
            copying += np.logaddexp(copied, np.log1p(-_COPYING) + shares[:, None])
    return float(np.logaddexp.reduce(copying, axis=None) - log(copying.size) - chance.max())


def _side_by_side(mine: Sequence[Choice], theirs: Sequence[Choice], usual: _Usual) -> Iterable[Both]:
    """What both chose at each goal at which others chose otherwise, the choices there in their order."""
    by_goal: dict[Key, list[Choice]] = {}
    for choice in theirs:
        by_goal.setdefault(choice.key, []).append(choice)
    for choice in mine:
        there = by_goal.get(choice.key, [])
        if there:
            other = next((each for each in there if each.slot == choice.slot), there[0])
            same = usual.times[choice.key][choice.slot] - 1 - (other.slot == choice.slot)
            others = usual.there[choice.key] - 2
            if same < others or other.slot != choice.slot or not others:
                yield Both(choice, other, same, others)
