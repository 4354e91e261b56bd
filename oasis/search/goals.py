"""Goals up to renaming, by numbers, and what their moves leave: what all searches share, whatever each has found out.

Two goals are one here if a bijection of atoms makes them equal, whatever the names and the order of their hypotheses
(the state space Name), for then a proof of one is a proof of the other. What is known of a goal, proved or refuted, is
kept elsewhere (`oasis.search.graph`, `oasis.search.cache`).
"""

from __future__ import annotations

from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from state_spaces.canonical import Labelling, TooSymmetric, Unnamed, label
from tactics.goal import Goal, Move
from tactics.rules import legal_moves, premises
from tactics.unnamed import FIELDS, NONE, RULE_NAMES, Sequents

Slot = tuple[str, int | None]
"""A move up to renaming: its rule, and the canonical place of its hypothesis, None for a rule without."""


class Edge(NamedTuple):
    """A move and the goals that it leaves; moves that a symmetry of the goal exchanges are one.

    Attributes:
        slot: what the move is called in every goal that is the same.
        times: for how many moves of the goal it stands, at least 1.
        premises: the numbers of the goals that it leaves, the first one focused; none, one or two.
    """

    slot: Slot
    times: int
    premises: tuple[int, ...]


class _Origin(NamedTuple):
    """Where a goal was first seen: as one of the premises of a move."""

    parent: int
    slot: Slot
    premise: int


class Goals:
    """Goals up to renaming, numbered from 0 as they are met; they only grow."""

    def __init__(self) -> None:
        self._sequents = Sequents()
        self._number: dict[int, int] = {}  # of a sequent by its own number
        self._by_key: dict[bytes, int] = {}
        self._keys: list[bytes] = []
        self._representatives: list[int] = []  # the sequent under which each goal was first met
        self._places: list[dict[int, int] | None] = []  # of its formulas by their ids; not needed behind its expansion
        self._edges: list[tuple[Edge, ...] | None] = []
        self._even_shares: dict[int, list[float]] = {}
        self._named: list[Goal | _Origin] = []

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, goal: Goal) -> int:
        """The number of a goal."""
        return self._numbered(self._sequents.add(goal), goal)

    def key(self, number: int) -> bytes:
        """16 bytes that stand for a goal in every process."""
        return self._keys[number]

    def edges(self, number: int) -> tuple[Edge, ...]:
        """The moves of a goal, in an order that depends on nothing but the goal up to renaming."""
        known = self._edges[number]
        if known is None:
            known = self._edges[number] = self._expanded(number)
            self._places[number] = None
        return known

    def even_shares(self, number: int) -> list[float]:
        """The probability of each of `edges` if every move of the goal is as likely as any other."""
        known = self._even_shares.get(number)
        if known is None:
            times = [edge.times for edge in self.edges(number)]
            total = sum(times)
            known = self._even_shares[number] = [each / total for each in times]
        return known

    def goal(self, number: int) -> Goal:
        """A goal of this number with names, to which moves lead from a goal that was added."""
        way: list[int] = []
        while isinstance(origin := self._named[number], _Origin):
            way.append(number)
            number = origin.parent
        named = origin
        for reached in reversed(way):
            origin = self._named[reached]
            assert isinstance(origin, _Origin)
            after = [premises(named, move)[origin.premise] for move in moves_at(named, origin.slot)]
            named = next(goal for goal in after if len(after) == 1 or self.add(goal) == reached)
            self._named[reached] = named
        return named

    def _expanded(self, number: int) -> tuple[Edge, ...]:
        places = self._places[number]
        assert places is not None
        flat = self._sequents.expand(self._representatives[number])
        found: dict[tuple[int, int], list[int]] = {}
        for first in range(0, len(flat), FIELDS):
            rule, principal, times, one, other = flat[first : first + FIELDS]
            slot = rule, NONE if principal == NONE else places[principal]
            same = found.get(slot)
            if same is None:
                found[slot] = [times, one, other]
            else:
                same[0] += times
        number_of = self._number
        edges: list[Edge] = []
        for (rule, place), (times, one, other) in sorted(found.items()):
            name: Slot = RULE_NAMES[rule], None if place == NONE else place
            left: list[int] = []
            for premise, sequent in enumerate((one, other)):
                if sequent != NONE:
                    known = number_of.get(sequent)
                    if known is None:
                        known = self._numbered(sequent, _Origin(number, name, premise))
                    left.append(known)
            edges.append(Edge(name, times, tuple(left)))
        return tuple(edges)

    def _numbered(self, sequent: int, named: Goal | _Origin) -> int:
        number = self._number.get(sequent)
        if number is None:
            formulas = self._sequents.formulas
            conclusion, *hypotheses = self._sequents.goals[sequent]
            unnamed = Unnamed(tuple([("", formulas[each]) for each in hypotheses]), formulas[conclusion])
            labelling = labelled(unnamed)
            number = self._by_key.setdefault(labelling.key, len(self._keys))
            self._number[sequent] = number
            if number == len(self._keys):
                self._keys.append(labelling.key)
                self._representatives.append(sequent)
                self._places.append(_places(labelling))
                self._edges.append(None)
                self._named.append(named)
        return number


def labelled(goal: Goal | Unnamed) -> Labelling:
    """The canonical labelling of a goal; where its symmetry is beyond the budget, one that keeps its atoms' names."""
    try:
        return label((goal,))
    except TooSymmetric:
        hypotheses = sorted((formula for _, formula in goal.hypotheses), key=attrgetter("digest"))
        text = b"".join(formula.digest for formula in (goal.conclusion, *hypotheses))
        formulas = tuple(dict.fromkeys((goal.conclusion, *hypotheses)))
        return Labelling(blake2b(text, digest_size=16).digest(), (), formulas, tuple(range(len(formulas))))


def slots(goal: Goal) -> dict[Move, Slot]:
    """For each legal move of a goal what it is called up to renaming, in the order of `legal_moves`."""
    places = _places(labelled(goal))
    formulas = dict(goal.hypotheses)
    return {
        move: (move.rule, None if move.hypothesis is None else places[formulas[move.hypothesis].id])
        for move in legal_moves(goal)
    }


def moves_at(goal: Goal, slot: Slot) -> tuple[Move, ...]:
    """The legal moves of a goal that have a slot: none, or one and those that a symmetry exchanges with it."""
    return tuple(move for move, other in slots(goal).items() if other == slot)


def _places(labelling: Labelling) -> dict[int, int]:
    return {formula.id: place for formula, place in zip(labelling.formulas, labelling.orbits, strict=True)}
