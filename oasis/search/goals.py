"""Goals up to renaming, by numbers, and what their moves leave: what all searches share, whatever each has found out.

Two goals are one here if a bijection of atoms makes them equal, whatever the names and the order of their hypotheses
(the state space Name), for then a proof of one is a proof of the other. What is known of a goal, proved or refuted, is
kept elsewhere (`oasis.search.graph`, `oasis.search.cache`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from operator import attrgetter

from state_spaces.canonical import Invariants, Labelling, TooSymmetric, Unnamed, label_unnamed, places
from tactics.formula import Formula
from tactics.goal import Goal, Move
from tactics.rules import legal_moves, premises
from tactics.unnamed import NONE, RULE_NAMES, Sequents

Slot = tuple[str, int | None]
"""A move up to renaming: its rule, and the canonical place of its hypothesis, None for a rule without."""


Edge = tuple[Slot, int, tuple[int, ...]]
"""A move and the goals that it leaves; moves that a symmetry of the goal exchanges are one.

What the move is called in every goal that is the same; for how many moves of the goal it stands, at least 1; and the
numbers of the goals that it leaves, the first one focused: none, one or two. Python's collector of garbage soon passes
over plain tuples of numbers and texts, but never over named ones.
"""


class Goals:
    """Goals up to renaming, numbered from 0 as they are met; they only grow."""

    def __init__(self) -> None:
        self._sequents = Sequents()
        self._invariant = Invariants(self._sequents.formulas)
        self._number: dict[int, int] = {}  # of a sequent by its own number
        self._first: dict[int, int] = {}  # the first goal with an invariant; the others have their keys
        self._by_key: dict[bytes, int] = {}
        self._keys: list[bytes | None] = []  # None before it is asked for
        self._representatives: list[int] = []  # the sequent under which each goal was first met
        self._places: dict[int, dict[int, int]] = {}  # of the formulas by ids, of goals with a key and without edges
        self._edges: list[tuple[Edge, ...] | None] = []
        self._even_shares: dict[int, list[float]] = {}
        self._named: list[Goal | int] = []  # with names, or the number of a goal with a move that leaves it

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, goal: Goal) -> int:
        """The number of a goal."""
        return self._numbered(self._sequents.add(goal), goal)

    def key(self, number: int) -> bytes:
        """16 bytes that stand for a goal in every process."""
        known = self._keys[number]
        return self._label(number, _labelled(self._unnamed(self._representatives[number]))) if known is None else known

    def edges(self, number: int) -> tuple[Edge, ...]:
        """The moves of a goal, in an order that depends on nothing but the goal up to renaming."""
        known = self._edges[number]
        if known is None:
            known = self._edges[number] = self._expanded(number)
        return known

    def even_shares(self, number: int) -> list[float]:
        """The probability of each of `edges` if every move of the goal is as likely as any other."""
        known = self._even_shares.get(number)
        if known is None:
            known = self._even_shares[number] = _even(tuple([times for _, times, _ in self.edges(number)]))
        return known

    def goal(self, number: int) -> Goal:
        """A goal of this number with names, to which moves lead from a goal that was added."""
        way = [number]
        while isinstance(named := self._named[way[-1]], int):
            way.append(named)
        for parent, reached in pairwise(reversed(way)):
            slot, _, left = next(edge for edge in self.edges(parent) if reached in edge[2])
            after = [premises(named, move)[left.index(reached)] for move in moves_at(named, slot)]
            named = next(goal for goal in after if len(after) == 1 or self.add(goal) == reached)
            self._named[reached] = named
        return named

    def _expanded(self, number: int) -> tuple[Edge, ...]:
        sequent = self._representatives[number]
        place_of = self._places.pop(number, None) or _places(self._unnamed(sequent))
        applied = self._sequents.expand(sequent)
        moves = sorted([(rule, place_of[on], times, one, other) for rule, on, times, one, other in applied])
        numbers = self._number
        edges: list[Edge] = []
        before: Slot | None = None  # the slot of the last edge
        for rule, place, times, one, other in moves:
            slot = _slot(rule, place)
            if slot is before:  # by a symmetry
                _, before_it, left = edges[-1]
                edges[-1] = slot, before_it + times, left
                continue
            before = slot
            left = ()
            for after in (one, other):
                if after != NONE:
                    known = numbers.get(after)
                    left += (self._met(after, number) if known is None else known,)
            edges.append((slot, times, left))
        return tuple(edges)

    def _numbered(self, sequent: int, named: Goal | int) -> int:
        """The number of the goal that a sequent is, and what `_named` needs if that is new."""
        number = self._number.get(sequent)
        return self._met(sequent, named) if number is None else number

    def _met(self, sequent: int, named: Goal | int) -> int:
        """Number a sequent that is met for the first time; it is labelled only if that may be no new goal."""
        new = len(self._keys)
        first = self._first.setdefault(self._invariant(self._sequents.goals[sequent]), new)
        if first != new:
            self.key(first)
            labelling = _labelled(self._unnamed(sequent))
            known = self._number[sequent] = self._by_key.get(labelling.key, new)
            if known != new:
                return known
        self._number[sequent] = new
        self._keys.append(None)
        self._representatives.append(sequent)
        self._edges.append(None)
        self._named.append(named)
        if first != new:
            self._label(new, labelling)
        return new

    def _unnamed(self, sequent: int) -> Unnamed:
        formulas = self._sequents.formulas
        conclusion, *hypotheses = [formulas[each] for each in self._sequents.goals[sequent]]
        return Unnamed(hypotheses, conclusion)

    def _label(self, number: int, labelling: Labelling) -> bytes:
        """Give a goal its key, and its formulas their places if these will be needed."""
        self._keys[number] = labelling.key
        self._by_key[labelling.key] = number
        if self._edges[number] is None:
            self._places[number] = _by_ids(zip(labelling.formulas, labelling.orbits, strict=True))
        return labelling.key


def _labelled(goal: Unnamed) -> Labelling:
    """The canonical labelling of a goal; where its symmetry is beyond the budget, one that keeps its atoms' names."""
    try:
        return label_unnamed((goal,))
    except TooSymmetric:
        text = b"".join([formula.digest for formula in _by_names(goal)])
        formulas = tuple(dict.fromkeys(_by_names(goal)))
        return Labelling(blake2b(text, digest_size=16).digest(), (), formulas, tuple(range(len(formulas))))


def _places(goal: Unnamed) -> dict[int, int]:
    """The place of each formula of a goal by its id, and NONE for NONE; what the labelling says, without the key."""
    try:
        found = places((goal,))
    except TooSymmetric:
        found = {formula: place for place, formula in enumerate(dict.fromkeys(_by_names(goal)))}
    return _by_ids(found.items())


def _by_names(goal: Unnamed) -> list[Formula]:
    """The formulas of a goal in an order that depends on the names of its atoms."""
    return [goal.conclusion, *sorted(goal.hypotheses, key=attrgetter("digest"))]


def _by_ids(found: Iterable[tuple[Formula, int]]) -> dict[int, int]:
    by_id = {formula.id: place for formula, place in found}
    by_id[NONE] = NONE
    return by_id


def slots(goal: Goal) -> dict[Move, Slot]:
    """For each legal move of a goal what it is called up to renaming, in the order of `legal_moves`."""
    formulas = dict(goal.hypotheses)
    place_of = _places(Unnamed.of(goal))
    return {
        move: (move.rule, None if move.hypothesis is None else place_of[formulas[move.hypothesis].id])
        for move in legal_moves(goal)
    }


def moves_at(goal: Goal, slot: Slot) -> tuple[Move, ...]:
    """The legal moves of a goal that have a slot: none, or one and those that a symmetry exchanges with it."""
    return tuple(move for move, other in slots(goal).items() if other == slot)


@lru_cache(maxsize=4096)
def _even(times: tuple[int, ...]) -> list[float]:
    """Shares of 1 in proportion to some numbers."""
    total = sum(times)
    return [each / total for each in times]


@cache
def _slot(rule: int, place: int) -> Slot:
    return RULE_NAMES[rule], None if place == NONE else place
