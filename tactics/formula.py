"""Formulas of intuitionistic propositional logic, hash-consed.

The ground floor: imports nothing of ours but to show itself. Structurally equal formulas are one object, so equality
is identity, a shared subformula is stored once, and every formula has a small int id. A formula is forgotten when
nobody holds it, and with it what was worked out about it. Negation, equivalence and truth are abbreviations
(`negation`, `equivalence`, `TRUTH`): they have no connective of their own.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any, ClassVar, Final, Self
from weakref import WeakValueDictionary

RESERVED_NAMES: Final = frozenset({"forall", "Prop", "True", "False"})
NAMING: Final = (
    f"use letters, digits, _ and ', starting with a letter or _, and none of {', '.join(sorted(RESERVED_NAMES))}"
)
"""What a name must look like, for people."""
_NAME: Final = re.compile(r"[^\W\d][\w']*")

# By class, and name or the ids of the sides; a key that held the sides would keep them until the whole is collected.
_interned: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()
_interning = threading.Lock()
_ids = count()


class Formula:
    """An immutable formula: an `Atom`, `FALSE`, an `And`, `Or` or `Implies` (also `a & b`, `a | b`, `a >> b`).

    Its `repr` is the text that `tactics.parser.parse` reads (`tactics.printer.readable`).

    Attributes:
        id: position in the order of creation, from 0; differs between processes, and is never given twice. A formula
            that was forgotten has another one when it is made again, so who keeps ids keeps the formulas too.
        weight: Dyckhoff's weight, at least 1: that of an atom or falsum is 1, of a disjunction or implication 1 more
            than its sides' together, of a conjunction 2 more (Dyckhoff 1992, section 3).
        size: number of nodes when written out as a tree, at least 1; may be exponential in the number of distinct
            subformulas.
    """

    __slots__ = ("__weakref__", "_digest", "as_conclusion", "as_hypothesis", "id", "shape", "size", "weight")
    id: int
    weight: int
    size: int
    _digest: bytes | None
    # What tactics.rules has worked out about this formula, and state_spaces.shape.
    as_conclusion: tuple[Any, ...] | None
    as_hypothesis: tuple[Any, ...] | None
    shape: Any

    @classmethod
    def _make(cls, key: tuple[object, ...], *parts: Any) -> Self:
        """The formula with this key, made from its parts unless another thread has just done so."""
        with _interning:
            known: Self | None = _interned.get(key)
            if known is None:
                known = object.__new__(cls)
                known._fill(*parts)
                known.as_conclusion = known.as_hypothesis = known.shape = known._digest = None
                known.id = next(_ids)
                _interned[key] = known
        return known

    def _fill(self, *parts: Any) -> None:
        raise NotImplementedError

    @property
    def digest(self) -> bytes:
        """16 bytes that depend on the structure alone, so they are the same in every process."""
        if self._digest is None:
            for node in subformulas(self):  # sides first, so that nothing recurses
                if node._digest is None:
                    node._digest = _digest(node)
            assert self._digest is not None
        return self._digest

    def __repr__(self) -> str:
        from tactics.printer import readable

        return readable(self)

    def _repr_latex_(self) -> str | None:
        from tactics.printer import mathematics

        return mathematics(self)

    def __and__(self, other: Formula) -> And:
        return And(self, other)

    def __or__(self, other: Formula) -> Or:
        return Or(self, other)

    def __rshift__(self, other: Formula) -> Implies:
        return Implies(self, other)

    def __invert__(self) -> Implies:
        return negation(self)

    def __reduce__(self) -> tuple[object, ...]:
        """A flat list of nodes, children before parents: deep and shared formulas pickle in linear space."""
        number: dict[Formula, int] = {}
        nodes: list[tuple[type[Formula], tuple[object, ...]]] = []
        for formula in subformulas(self):
            number[formula] = len(nodes)
            match formula:
                case Binary(left, right):
                    nodes.append((type(formula), (number[left], number[right])))
                case Atom(name):
                    nodes.append((Atom, (name,)))
                case _:
                    nodes.append((Falsum, ()))
        return _rebuild, (nodes,)


def is_name(text: str) -> bool:
    """Whether a text can name an atom, or a hypothesis."""
    return bool(_NAME.fullmatch(text)) and text not in RESERVED_NAMES


class Atom(Formula):
    """A propositional variable. Raises ValueError for a name that is no identifier or is reserved."""

    __slots__ = ("name",)
    __match_args__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Self:
        """The atom of that name."""
        key = cls, name
        known: Self | None = _interned.get(key)
        if known is None and not is_name(name):
            raise ValueError(f"{name!r} cannot name an atom: {NAMING}.")
        return cls._make(key, name) if known is None else known

    def _fill(self, name: str) -> None:
        self.name, self.weight, self.size = name, 1, 1


class Falsum(Formula):
    """The false proposition; its only instance is `FALSE`."""

    __slots__ = ()

    def __new__(cls) -> Self:
        """`FALSE`."""
        key = (cls,)
        known: Self | None = _interned.get(key)
        return cls._make(key) if known is None else known

    def _fill(self) -> None:
        self.weight, self.size = 1, 1


class Binary(Formula):
    """A formula with two sides; not built itself, only through its subclasses."""

    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    left: Formula
    right: Formula
    _own_weight: ClassVar[int]

    def __new__(cls, left: Formula, right: Formula) -> Self:
        """The formula with these sides."""
        key = cls, left.id, right.id
        known: Self | None = _interned.get(key)
        return cls._make(key, left, right) if known is None else known

    def _fill(self, left: Formula, right: Formula) -> None:
        self.left, self.right = left, right
        self.weight = self._own_weight + left.weight + right.weight
        self.size = 1 + left.size + right.size


class And(Binary):
    """A conjunction."""

    __slots__ = ()
    _own_weight = 2


class Or(Binary):
    """A disjunction."""

    __slots__ = ()
    _own_weight = 1


class Implies(Binary):
    """An implication."""

    __slots__ = ()
    _own_weight = 1


def _digest(formula: Formula) -> bytes:
    """The digest of a formula whose sides have theirs."""
    match formula:
        case Atom(name):
            parts = [b"atom", name.encode()]
        case Binary(left, right):
            parts = [type(formula).__name__.encode(), left.digest, right.digest]
        case _:
            parts = [b"false"]
    return blake2b(b"\0".join(parts), digest_size=16).digest()


def _rebuild(nodes: Sequence[tuple[type[Formula], tuple[object, ...]]]) -> Formula:
    built: list[Formula] = []
    for kind, parts in nodes:
        sides = [built[part] if isinstance(part, int) else part for part in parts]
        built.append(kind(*sides))
    return built[-1]


FALSE: Final = Falsum()
TRUTH: Final = Implies(FALSE, FALSE)


def negation(formula: Formula) -> Implies:
    """The formula that `~ formula` abbreviates."""
    return Implies(formula, FALSE)


def equivalence(left: Formula, right: Formula) -> And:
    """The formula that `left <-> right` abbreviates."""
    return And(Implies(left, right), Implies(right, left))


def nested(connective: type[Binary], parts: Iterable[Formula]) -> Formula:
    """One formula or more, joined by a connective and nested to the right."""
    *others, formula = parts
    for part in reversed(others):
        formula = connective(part, formula)
    return formula


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Every distinct subformula once, sides before the whole, left before right."""
    seen: set[Formula] = set()
    pending: list[tuple[Formula, bool]] = [(formula, False)]
    while pending:
        node, sides_done = pending.pop()
        if node in seen:
            continue
        if isinstance(node, Binary) and not sides_done:
            pending += [(node, True), (node.right, False), (node.left, False)]
        else:
            seen.add(node)
            yield node


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """The atoms of a formula, in the order of their first occurrence."""
    return tuple(node for node in subformulas(formula) if isinstance(node, Atom))


def renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with its atoms renamed; it keeps its form if distinct names stay distinct."""
    built: dict[Formula, Formula] = {}
    for node in subformulas(formula):
        match node:
            case Atom(name):
                built[node] = Atom(names.get(name, name))
            case Binary(left, right):
                built[node] = type(node)(built[left], built[right])
            case _:
                built[node] = node
    return built[formula]
