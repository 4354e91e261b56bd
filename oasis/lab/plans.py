"""What an experiment is made of, whatever its family: every variant on the same lemmas with the same seeds.

A plan is plain values, which JSON can hold, and everything that a trial depends on is in it: the same plan gives the
same results wherever and in whatever order its trials are run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from curricula.lemma import Lemma
from oasis.lab.measure import Trial
from oasis.lab.report import Report
from oasis.student.settings import Settings
from tactics.errors import InputError, check_seed
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show


@dataclass(frozen=True)
class Work(ABC):
    """A plan; raises InputError if lemmas, variants or seeds are missing, are there twice, or cannot be stored.

    Attributes:
        noun: what the trials are of, such as `students`.
        unit: what effort is measured in, such as `episodes`.
        scripts: names of the arrays of a trial that hold scripts of proofs, empty where there is none; of shape
            (lemmas,), or one text with a line for each lemma.
        name: of the lemma or the curriculum.
        lemmas: at least one, no two of one name.
        variants: the kinds that are compared, at least one, each with a `name` that no other has.
        seeds: each used with every variant; at least one, no two equal, as `check_seed` has them.
    """

    noun: ClassVar[str]
    unit: ClassVar[str]
    scripts: ClassVar[tuple[str, ...]]
    name: str
    lemmas: tuple[Lemma, ...]
    variants: tuple[Any, ...]
    seeds: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_distinct("lemma", [lemma.name for lemma in self.lemmas])
        _check_distinct("variant", [variant.name for variant in self.variants])
        _check_distinct("seed", self.seeds)
        for seed in self.seeds:
            check_seed(seed)

    @property
    @abstractmethod
    def effort(self) -> int:
        """How long a trial takes at most, in units of some ten microseconds; at least 1."""

    @property
    @abstractmethod
    def within(self) -> str:
        """What a trial has, or has at most, in words."""

    @property
    @abstractmethod
    def settings(self) -> tuple[Settings, ...]:
        """Of the students that have a part in it, who may have to be compiled first."""

    def formulas(self, seed: int) -> list[Formula]:
        """Return what is to be proved in the trials of a seed, lemma by lemma; the same with every seed if need be."""
        return [lemma.formula for lemma in self.lemmas]

    @abstractmethod
    def attempt(self, variant: int, seed: int) -> Trial:
        """Do a trial of a variant, named by its place."""

    @abstractmethod
    def report(self, trials: Mapping[str, Sequence[Trial]]) -> Report:
        """Return what trials come to, by the names of variants; those of the report have the same `scripts`."""

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON can hold it, formulas as closed text; `from_json` gives back an equal plan."""
        found: dict[str, Any] = _to_json(self)
        return found

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Return the plan that `to_json` wrote. Raises InputError if this version cannot read it."""
        try:
            found: Self = _from_json(cls, stored)
        except (KeyError, TypeError) as error:
            raise InputError(
                f"This experiment was written by another version of Oasis ({error}); go on with it in that one."
            ) from error
        return found


def _check_distinct(noun: str, names: Sequence[object]) -> None:
    if not names:
        raise InputError(f"A comparison needs at least one {noun}.")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"The {noun} {twice} is there twice; leave one of the two out.")


def _to_json(value: Any) -> Any:
    if isinstance(value, Formula):
        return show(value, quantified=True)
    if is_dataclass(value):
        return {each.name: _to_json(getattr(value, each.name)) for each in fields(value)}
    return list(map(_to_json, value)) if isinstance(value, tuple) else value


def _from_json(kind: Any, stored: Any) -> Any:
    """The value that `_to_json` wrote, of this type."""
    if kind is Formula:
        return parse(stored)
    if get_origin(kind) is tuple:
        return tuple(_from_json(get_args(kind)[0], each) for each in stored)
    if isinstance(kind, type) and is_dataclass(kind):
        kinds = _kinds(kind)
        return kind(**{name: _from_json(kinds[name], each) for name, each in stored.items()})
    made = next((each for each in get_args(kind) if isinstance(each, type) and issubclass(each, Enum)), None)
    return stored if made is None or stored is None else made(stored)


_kinds = cache(get_type_hints)


def effort(amount: int, unit: str) -> str:
    """Return an effort with its unit, milliseconds as seconds."""
    return f"{amount / 1000:,g} {unit[1:]}" if unit.startswith("ms ") else f"{amount:,} {unit}"
