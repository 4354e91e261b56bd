"""The course that ships with the project: lemmas of the other curricula in six worlds, from first steps to SYJ203.

It is data (`data/course.toml`) and says what comes after what; what a student has reached is not known here.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class World(NamedTuple):
    """A part of the course.

    Attributes:
        name: one word, after `course/`.
        title: what a person reads.
        about: what it is about, in a sentence or two.
        rules: that are used in it for the first time.
        lemmas: names of its lemmas in other curricula, the easiest first and those without a proof last.
    """

    name: str
    title: str
    about: str
    rules: tuple[str, ...]
    lemmas: tuple[str, ...]


@cache
def course() -> tuple[World, ...]:
    """The worlds in their order."""
    content = files("curricula").joinpath("data", "course.toml").read_text(encoding="utf-8")
    return tuple(
        World(world["name"], world["title"], world["about"], tuple(world["rules"]), tuple(world["lemmas"]))
        for world in tomllib.loads(content)["world"]
    )
