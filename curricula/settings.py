"""Settings of a curriculum that chance makes, as they are typed behind its name: `random:size=8,kind=theorem`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Self

from tactics.errors import InputError

MAX_COUNT: Final = 10_000
"""Lemmas that are made at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A base for settings that have a name, an int, float or str for a value, and a usual one each.

    Attributes:
        curriculum: what the curriculum is called.
        of_a_choice: the settings that say which of the lemmas are chosen, but not what they are called.
    """

    curriculum: ClassVar[str]
    of_a_choice: ClassVar[tuple[str, ...]]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The settings that `text` gives, such as `size=8,kind=theorem`, and the usual ones. Raises InputError."""
        usual = cls()
        kinds = {field.name: type(getattr(usual, field.name)) for field in fields(cls)}
        values: dict[str, Any] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = (piece.strip() for piece in part.partition("="))
            if name not in kinds:
                raise InputError(f"{part!r} is no setting of {cls.curriculum}; the settings are {', '.join(kinds)}.")
            if name in values:
                raise InputError(f"{name} is given twice for {cls.curriculum}; leave one out.")
            try:
                values[name] = kinds[name](value)
            except ValueError:
                raise InputError(f"{part!r} needs a number, as in {name}={getattr(usual, name)}.") from None
        return cls(**values)

    @property
    def prefix(self) -> str:
        """What the lemmas' names start with: the curriculum's name, and each setting that is not the usual one."""
        return self._named(field.name for field in fields(self) if field.name not in self.of_a_choice)

    @property
    def text(self) -> str:
        """What was typed, in one form: the curriculum's name, and each setting that is not the usual one."""
        return self._named(field.name for field in fields(self))

    def _named(self, names: Iterable[str]) -> str:
        usual = type(self)()
        parts = [f"{name}={getattr(self, name)}" for name in names if getattr(self, name) != getattr(usual, name)]
        return f"{self.curriculum}:{','.join(parts)}" if parts else self.curriculum

    def check_range(self, name: str, value: float, least: float, most: float) -> None:
        """Raises InputError unless the value of a setting lies in a range."""
        if not least <= value <= most:
            raise InputError(f"{name}={value} is out of range; give a number from {least} to {most}.")

    def check_seed(self, seed: int) -> None:
        """Raises InputError unless a seed is at least 0."""
        if seed < 0:
            raise InputError(f"seed={seed} is out of range; give an integer from 0.")
