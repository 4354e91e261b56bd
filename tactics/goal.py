"""Goals, states and moves: what is still to be proved, and what a person can say about it.

A goal is an ordered list of named hypotheses and a conclusion; a state is a tuple of goals, the first one focused.
Goals are interned while somebody holds them, so equality is identity and what the calculus computes for a goal is kept
with it. Which moves a goal allows and what they do is not known here (`tactics.rules`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from itertools import count
from typing import Any, Final, NamedTuple, Self
from weakref import WeakValueDictionary

from tactics.formula import Formula, atoms, renamed

_HYPOTHESIS_NAME: Final = re.compile(r"H(0|[1-9][0-9]*)?")


class Hypothesis(NamedTuple):
    """A named assumption, written `name : formula`."""

    name: str
    formula: Formula

    def __repr__(self) -> str:
        return f"{self.name} : {self.formula!r}"


class Move(NamedTuple):
    """A rule by its name, and the hypothesis it is applied to where it takes one."""

    rule: str
    hypothesis: str | None = None

    def __str__(self) -> str:
        return self.rule if self.hypothesis is None else f"{self.rule} {self.hypothesis}"

    def __repr__(self) -> str:
        return str(self)


class Goal:
    """A sequent: hypotheses, oldest first, and a conclusion.

    Attributes:
        hypotheses: named formulas, no name twice.
        conclusion: the formula to be proved.
        avoid: names that no hypothesis may get, because an atom of the lemma has them.
    """

    __slots__ = ("__weakref__", "_digest", "avoid", "conclusion", "hypotheses", "moves", "premises", "views")
    hypotheses: tuple[Hypothesis, ...]
    conclusion: Formula
    avoid: frozenset[str]
    _digest: bytes | None
    # What tactics.rules has worked out about this goal.
    moves: tuple[Move, ...] | None
    premises: dict[Move, tuple[Goal, ...]]
    # What a state space sees when this goal is focused, by the goals behind it.
    views: dict[tuple[Goal, ...], Any]

    def __new__(
        cls, hypotheses: tuple[Hypothesis, ...], conclusion: Formula, avoid: frozenset[str] = frozenset()
    ) -> Self:
        """The goal that shows this."""
        key = (hypotheses, conclusion, avoid)
        known = _interned.get(key)
        if known is None:
            with _interning:
                known = _interned.get(key)
                if known is None:
                    known = object.__new__(cls)
                    known.hypotheses, known.conclusion, known.avoid = key
                    known.moves, known.premises, known.views, known._digest = None, {}, {}, None
                    _interned[key] = known
        assert isinstance(known, cls)
        return known

    def __reduce__(self) -> tuple[object, ...]:
        return Goal, (self.hypotheses, self.conclusion, self.avoid)

    def __repr__(self) -> str:
        """The text that `tactics.sequent.parse_state` reads, unless a formula is too long to be written out."""
        return f"{', '.join(map(repr, self.hypotheses))} |- {self.conclusion!r}".lstrip()

    def fresh_name(self) -> str:
        """The name that Coq's `fresh "H"` gives here: the first of H, H0, H1, … that is free."""
        return fresh_name(self.avoid.union(hypothesis.name for hypothesis in self.hypotheses))

    def renamed(self, names: Mapping[str, str]) -> Goal:
        """The goal with other names for its atoms; hypotheses keep theirs."""
        hypotheses = tuple(Hypothesis(name, renamed(formula, names)) for name, formula in self.hypotheses)
        return Goal(hypotheses, renamed(self.conclusion, names), self.avoid)

    @property
    def digest(self) -> bytes:
        """16 bytes that depend on what the goal shows alone: the same in every process."""
        if self._digest is None:
            named = [formula.digest + name.encode() + b"\0" for name, formula in self.hypotheses]
            avoid = "\0".join(sorted(self.avoid)).encode()
            self._digest = blake2b(b"".join([self.conclusion.digest, *named, avoid]), digest_size=16).digest()
        return self._digest

    @property
    def weight(self) -> tuple[int, ...]:
        """The multiset of its formulas' weights, heaviest first; tuples compare as multisets do.

        Dyckhoff (1992), section 3; Dershowitz and Manna (1979) for the order.
        """
        weights = [hypothesis.formula.weight for hypothesis in self.hypotheses]
        return tuple(sorted([*weights, self.conclusion.weight], reverse=True))


def fresh_name(taken: Collection[str]) -> str:
    """The name that Coq's `fresh "H"` gives where some are taken."""
    if "H" not in taken:
        return "H"
    return next(name for number in count() if (name := f"H{number}") not in taken)


_interned: WeakValueDictionary[tuple[object, ...], Goal] = WeakValueDictionary()
_interning = threading.Lock()

State = tuple[Goal, ...]
"""Goals, the focused one first; the empty state is proved."""


Sequent = tuple[int, ...]
"""The ids of a goal's formulas: the conclusion's, then the hypotheses' in increasing order; they mean nothing when the
formulas are forgotten."""


def sequent(goal: Goal) -> Sequent:
    """A goal without the names and the order of its hypotheses."""
    return goal.conclusion.id, *sorted(formula.id for _, formula in goal.hypotheses)


def initial(formula: Formula) -> State:
    """The state in which a proof of `formula` starts: its atoms introduced, no hypothesis yet."""
    return (Goal((), formula, names_to_avoid(atom.name for atom in atoms(formula))),)


def names_to_avoid(atoms: Iterable[str]) -> frozenset[str]:
    """Those of the names of atoms that a hypothesis might otherwise get."""
    return frozenset(filter(_HYPOTHESIS_NAME.fullmatch, atoms))


def weight(state: State) -> tuple[tuple[int, ...], ...]:
    """The multiset of the goals' weights, heaviest first; every move makes it smaller, so every proof attempt ends."""
    return tuple(sorted((goal.weight for goal in state), reverse=True))


def principal(goal: Goal, move: Move) -> Formula:
    """The formula that a move works on: that of its hypothesis, or the conclusion where it takes none."""
    if move.hypothesis is None:
        return goal.conclusion
    for name, formula in goal.hypotheses:
        if name == move.hypothesis:
            return formula
    raise ValueError(f"{move}: no hypothesis has this name")
