"""Training data: goals from plays of ordinary PropL theorems, labelled by the oracle, in numbered portions.

The examples of a portion depend on the settings and its number alone, so any process may make it, and a training that
is resumed goes on with the same data; each network has them in its own form. Theorems that are the same up to renaming
as one of the fixed test sets are left out. No torch.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from curricula import propl
from curricula.propl_lemmas import published
from oasis.neural.encoding.form import Encoding, Form
from oasis.neural.encoding.moves import Formulas, Option
from oasis.neural.labels import Labelled, Oracle, shortest_length
from state_spaces.canonical import label
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import initial
from tactics.uncollected import uncollected

LONGEST: Final = 6
"""Moves in the shortest proof of a theorem to learn from, at most."""
MIXED: Final = (*[propl.CONNECTIVES] * 5, 2 * propl.CONNECTIVES)
"""Connectives of the theorems, portion after portion; with some larger ones, networks judge large goals better."""
TRAINING_SET: Final = "propl-train"
"""The one published set that is not for tests."""

_Unordered = tuple[Formula, frozenset[Formula]]


@dataclass(frozen=True)
class DataSettings:
    """What is learned from.

    Attributes:
        seed: of the theorems and of the plays.
        theorems: in each portion, those that have a goal with a losing move.
        plays: of each theorem.
        eager: share of the plays in which rules that cannot lose come first.
        connectives: of the theorems, a number for each portion in turn.

    Raises InputError for what cannot be.
    """

    seed: int = 0
    theorems: int = 400
    plays: int = 3
    eager: float = 0.5
    connectives: tuple[int, ...] = MIXED

    def __post_init__(self) -> None:
        for name, number in (("theorems", self.theorems), ("plays", self.plays)):
            if number < 1:
                raise InputError(f"{name} is {number}; give a whole number from 1 on.")
        if not self.connectives or min(self.connectives) < 1:
            raise InputError(f"connectives is {self.connectives}; give whole numbers from 1 on.")
        if not 0 <= self.eager <= 1:
            raise InputError(f"The share of eager plays is {self.eager:g}; give a number from 0 to 1.")


class Example(NamedTuple):
    """A goal, and what is to be learned of it.

    Attributes:
        formulas: the goal.
        provable: whether it is.
        options: its moves, if they have labels.
        keeps: of each of these whether it keeps the goal provable.
    """

    formulas: Formulas
    provable: bool
    options: tuple[Option, ...] = ()
    keeps: tuple[bool, ...] = ()


class Portion(NamedTuple):
    """Examples in the form of a network.

    Attributes:
        goals: with those of their moves that have labels.
        provable: of each goal whether it is.
        keeps: of each move, goal after goal, whether it keeps its goal provable.
    """

    goals: list[Encoding]
    provable: NDArray[np.bool_]
    keeps: list[NDArray[np.bool_]]

    @classmethod
    def of(cls, examples: Iterable[Example], form: Form) -> Self:
        """Examples, each put in a form."""
        goals: list[Encoding] = []
        provable: list[bool] = []
        keeps: list[NDArray[np.bool_]] = []
        for each in examples:
            goals.append(form(each.formulas, each.options))
            provable.append(each.provable)
            keeps.append(np.array(each.keeps, np.bool_))
        return cls(goals, np.array(provable), keeps)

    @property
    def digest(self) -> bytes:
        """16 bytes that stand for all of it."""
        content = blake2b(self.provable.tobytes(), digest_size=16)
        for goal, keeps in zip(self.goals, self.keeps, strict=True):
            for array in (*goal, keeps):
                content.update(array.tobytes())
        return content.digest()


@uncollected()
def portion(settings: DataSettings, number: int, form: Form) -> Portion:
    """A portion of the data in the form of a network; portions are numbered from 0."""
    return Portion.of(examples(settings, number), form)


def examples(settings: DataSettings, number: int) -> Iterator[Example]:
    """What there is to learn from in a portion."""
    seed = settings.seed << 32 | number
    draw = random.Random(f"plays {seed}").random
    oracle = Oracle()
    left = settings.theorems
    for theorem in _theorems(oracle, seed, settings.connectives[number % len(settings.connectives)]):
        labelled = _losing(theorem, oracle, draw, settings)
        if not labelled or shortest_length((theorem,), LONGEST) is None or _key(theorem) in keys_of_test_sets():
            continue
        for each in labelled.values():
            yield Example(each.formulas, True, each.options, each.keeps)
        for premise, is_provable in _premises(labelled.values()).items():
            if _unordered(premise) not in labelled:
                yield Example(premise, is_provable)
        left -= 1
        if not left:
            return


@cache
def keys_of_test_sets() -> frozenset[bytes]:
    """The keys, up to renaming, of the theorems in the fixed test sets."""
    entries = [entry for name, entries in published().items() if name != TRAINING_SET for entry in entries]
    return frozenset(_key(propl.formula(entry.number, entry.n)) for entry in entries)


def _theorems(oracle: Oracle, seed: int, n: int) -> Iterator[Formula]:
    """Theorems among uniform formulas of n connectives, without end."""
    for number in propl.sample(seed, sys.maxsize, n):
        formula = propl.formula(number, n)
        if oracle.provable((formula,)):
            yield formula


def _losing(
    theorem: Formula, oracle: Oracle, draw: Callable[[], float], settings: DataSettings
) -> dict[_Unordered, Labelled]:
    """The goals with a losing move that some plays of a theorem meet."""
    return {
        _unordered(labelled.formulas): labelled
        for _ in range(settings.plays)
        for labelled in oracle.played((theorem,), draw, draw() < settings.eager)
        if not all(labelled.keeps)
    }


def _premises(labelled: Iterable[Labelled]) -> dict[Formulas, bool]:
    """What moves leave to be proved, and whether it is provable: a move that does not keep loses its first premise."""
    return {
        premise: keeps or number > 0
        for goal in labelled
        for move, keeps in zip(goal.options, goal.keeps, strict=True)
        for number, premise in enumerate(move.premises)
    }


def _unordered(goal: Formulas) -> _Unordered:
    return goal[0], frozenset(goal[1:])


def _key(theorem: Formula) -> bytes:
    """What a theorem is up to renaming."""
    return label(initial(theorem)).key
