"""What can be asked for by name: the list of curricula, completion of a name that is being typed, and near misses.

Nothing here builds a formula.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from curricula.course import course
from curricula.families import FAMILIES, PUBLISHED_LEVELS
from curricula.generator import RandomSettings
from curricula.library import LISTED, THESIS_LEVELS, iltp_names, listed_names
from curricula.propl_lemmas import DESCRIPTIONS as PROPL_DESCRIPTIONS
from curricula.propl_lemmas import PropLSettings, published


class CatalogueEntry(NamedTuple):
    """A curriculum that has a name, with the number of lemmas that it has when no levels or settings are given."""

    name: str
    description: str
    lemmas: int


DESCRIPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "thesis": "lemmas 41 to 46 of the thesis: SYJ203, levels 1 to 6",
        **LISTED,
        "course": "a course in six worlds (course/arrows, …), from first steps to SYJ203",
        "iltp": "the propositional ILTP library, v1.1.2",
        **{family.name: f"{family.description} ({family.status}s, any level)" for family in FAMILIES.values()},
        "random": "random formulas, as in random:size=8,atoms=3,kind=theorem,count=20,seed=1",
        **PROPL_DESCRIPTIONS,
    }
)
"""What each curriculum that has a name is, in the order in which they are listed."""


def catalogue() -> tuple[CatalogueEntry, ...]:
    """Every curriculum that has a name."""
    levels = len(PUBLISHED_LEVELS)
    lemmas = {
        "thesis": len(THESIS_LEVELS),
        **{name: len(listed_names(name)) for name in LISTED},
        "course": sum(len(world.lemmas) for world in course()),
        "iltp": len(FAMILIES) * levels + len(iltp_names()),
        "random": RandomSettings().count,
        "propl": PropLSettings().count,
        **{name: len(entries) for name, entries in published().items()},
    }
    return tuple(CatalogueEntry(name, text, lemmas.get(name, levels)) for name, text in DESCRIPTIONS.items())


def complete(prefix: str) -> list[str]:
    """The names that start with `prefix`, whatever its case; single lemmas only once a `/` or a `.` has been typed."""
    wanted = prefix.lower()
    names = _lemma_names() if "/" in prefix or "." in prefix else (*DESCRIPTIONS, *iltp_names())
    return [name for name in names if name.lower().startswith(wanted)]


def near_misses(text: str) -> list[str]:
    """At most three names that somebody who typed `text` may have meant, the nearest first."""
    wanted = text.lower()[:80]
    # Lemmas of lists are also looked for under their own names, without what is in front.
    meant = {name: f"{listed}/{name}" for listed in [*LISTED][::-1] for name in listed_names(listed)}
    if wanted in meant:
        return [meant[wanted]]
    meant |= {name.lower(): name for name in (*DESCRIPTIONS, *_lemma_names())}
    near = [meant[name] for name in difflib.get_close_matches(wanted, meant, n=6)]
    return list(dict.fromkeys(near))[:3]


def _lemma_names() -> Iterator[str]:
    """The names of the single lemmas, and of the families as parts of `iltp`."""
    yield from (f"thesis/{number}" for number in THESIS_LEVELS)
    yield from (f"{listed}/{name}" for listed in LISTED for name in listed_names(listed))
    yield from (f"course/{world.name}" for world in course())
    for parent in ("", "iltp/"):
        if parent:
            yield from (f"{parent}{family}" for family in FAMILIES)
        yield from (f"{parent}{family}.{level}" for family in FAMILIES for level in PUBLISHED_LEVELS)
        yield from (f"{parent}{name}" for name in iltp_names())
