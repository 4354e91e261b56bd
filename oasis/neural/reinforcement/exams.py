"""What networks are examined on while they practise: four fixed sets of theorems, and which of two networks is better.

No theorem of PropL's published tests is among them, up to renaming, and none of them is practised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from math import sqrt
from types import MappingProxyType
from typing import Any, Final, Self

from curricula import Status, propl, resolve
from curricula.levels import parse_levels
from curricula.propl_lemmas import HARD, ORDINARY, published
from oasis.neural.labels import Oracle
from oasis.neural.training.data import uniform_theorems
from oasis.neural.training.reserved import TRAINING_SET, hundred, key, reserved_keys
from oasis.play.committed import choices
from state_spaces.name import lemma_key
from tactics.formula import Formula
from tactics.goal import initial

_ORDINARY, _HARD, _LARGE = 200, 100, 100
_LARGE_CONNECTIVES: Final = 4 * propl.CONNECTIVES
_SEED: Final = 64
_LEVELS: Final = "1-3,none"
"""Of ILTP's families."""


@cache
def examined() -> Mapping[str, tuple[Formula, ...]]:
    """The sets by name.

    - `ordinary`: 200 theorems of 16 connectives with a proof of at most 6 moves;
    - `hard`: 200 without one of less than 9, of which the first hundred are those that every training is watched by;
    - `large`: 100 theorems of 64 connectives;
    - `iltp`: the theorems of ILTP, of its families the levels 1 to 3.

    The first three come to a choice of moves.
    """
    tests = reserved_keys()
    training = [(entry, propl.formula(entry.number, entry.n)) for entry in published()[TRAINING_SET]]
    with_choices = [(entry, theorem) for entry, theorem in training if _has_choice(theorem)]
    ordinary = (theorem for entry, theorem in with_choices if entry.length <= ORDINARY)
    hard = (theorem for entry, theorem in with_choices if entry.length >= HARD)
    large = uniform_theorems(Oracle(), _SEED, _LARGE_CONNECTIVES)
    iltp = resolve("iltp", levels=parse_levels(_LEVELS)).lemmas
    return MappingProxyType(
        {
            "ordinary": tuple(islice(_others(ordinary, tests), _ORDINARY)),
            "hard": (*hundred(), *islice(_others(hard, tests), _HARD)),
            "large": tuple(islice(_others(filter(_has_choice, large), tests), _LARGE)),
            "iltp": tuple(lemma.formula for lemma in iltp if lemma.status is Status.THEOREM),
        }
    )


@cache
def examined_keys() -> frozenset[bytes]:
    """The keys of the theorems of the sets, but for those that are too symmetric to have one."""
    return frozenset(filter(None, map(lemma_key, chain.from_iterable(examined().values()))))


@dataclass(frozen=True)
class Scores:
    """How many theorems of each set a network proved, and of how many."""

    sets: Mapping[str, tuple[int, int]]

    def share(self, name: str) -> float:
        """The share of the theorems of a set that were proved."""
        proved, theorems = self.sets[name]
        return proved / theorems

    @property
    def proved(self) -> int:
        """How many theorems of all sets were proved."""
        return sum(proved for proved, _ in self.sets.values())

    def is_better_than(self, best: Scores, start: Scores) -> bool:
        """Whether more is proved of all sets together than by the best so far, and nothing was lost since the start.

        Of a set something is lost if so many theorems less are proved than at the start that it is no chance: more than
        two standard errors of the difference of two shares.
        """
        return self.proved > best.proved and not any(self._lost(name, start) for name in self.sets)

    def _lost(self, name: str, start: Scores) -> bool:
        (before, theorems), now = start.sets[name], self.sets[name][0]
        share = (before + now) / (2 * theorems)
        return before - now > 2 * sqrt(2 * share * (1 - share) * theorems)

    def to_json(self) -> dict[str, list[int]]:
        """The numbers proved and the numbers of theorems."""
        return {name: list(numbers) for name, numbers in self.sets.items()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any], sizes: Mapping[str, int]) -> Self:
        """Scores as `to_json` gives them, of sets of so many theorems.

        Raises ArithmeticError, AttributeError, TypeError or ValueError for other content.
        """
        sets = {name: (int(proved), int(theorems)) for name, (proved, theorems) in content.items()}
        told = {name: theorems for name, (_, theorems) in sets.items()}
        if told != dict(sizes) or any(not 0 <= proved <= theorems for proved, theorems in sets.values()):
            raise ValueError("these are no scores")
        return cls(sets)

    def __str__(self) -> str:
        return ", ".join(f"{name} {self.share(name):.1%}" for name in self.sets)


def _others(theorems: Iterator[Formula], kept_back: frozenset[bytes]) -> Iterator[Formula]:
    """Theorems that are not kept back, each once up to renaming."""
    seen = set(kept_back)
    for theorem in theorems:
        if (known := key(theorem)) not in seen:
            seen.add(known)
            yield theorem


def _has_choice(theorem: Formula) -> bool:
    return bool(choices(initial(theorem)[0]))
