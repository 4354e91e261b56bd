"""The course that ships with the project: lemmas of the other curricula in six worlds, from first steps to SYJ203.

It is data (`data/course.toml`) and says what comes after what; what a student has reached is not known here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple


class Note(NamedTuple):
    """What is said of a lemma once it is done.

    Attributes:
        why: why it holds or does not, in a sentence.
        meaning: what it says or is good for, in a sentence.
    """

    why: str
    meaning: str


class World(NamedTuple):
    """A part of the course.

    Attributes:
        name: one word, after `course/`.
        title: what a person reads.
        about: what it is about, in a sentence or two.
        rules: that are used in it for the first time.
        notes: of each of its lemmas, by the lemma's name in other curricula, in their order: those that have a proof
            from the shortest to the longest, and between them those without.
    """

    name: str
    title: str
    about: str
    rules: tuple[str, ...]
    notes: Mapping[str, Note]

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The names of its lemmas in their order."""
        return tuple(self.notes)


@cache
def course() -> tuple[World, ...]:
    """The worlds in their order."""
    content = files("curricula").joinpath("data", "course.toml").read_text(encoding="utf-8")
    return tuple(
        World(
            world["name"],
            world["title"],
            world["about"],
            tuple(world["rules"]),
            MappingProxyType({each["name"]: Note(each["why"], each["meaning"]) for each in world["lemma"]}),
        )
        for world in tomllib.loads(content)["world"]
    )
