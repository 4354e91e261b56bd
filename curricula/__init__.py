"""Where lemmas come from: ILTP's families and problems, the thesis, a textbook, files, and chance."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from curricula.families import FAMILIES, Family
from curricula.lemma import Curriculum, Lemma, Problem, Status
from curricula.resolve import named_lemma, named_level, resolve, resolve_lemma

if TYPE_CHECKING:
    from curricula.generator import RandomSettings, random_lemmas
    from curricula.levels import Levels, parse_levels
    from curricula.names import CatalogueEntry, catalogue, complete

__all__ = [
    "FAMILIES",
    "CatalogueEntry",
    "Curriculum",
    "Family",
    "Lemma",
    "Levels",
    "Problem",
    "RandomSettings",
    "Status",
    "catalogue",
    "complete",
    "named_lemma",
    "named_level",
    "parse_levels",
    "random_lemmas",
    "resolve",
    "resolve_lemma",
]


_ELSEWHERE: Final = {
    "generator": ("RandomSettings", "random_lemmas"),
    "levels": ("Levels", "parse_levels"),
    "names": ("CatalogueEntry", "catalogue", "complete"),
}
"""Names that few ask for, by the modules that are imported then."""


def __getattr__(name: str) -> Any:
    for module, names in _ELSEWHERE.items():
        if name in names:
            return getattr(import_module(f"curricula.{module}"), name)
    raise AttributeError(f"curricula has no {name}; it offers {', '.join(__all__)}")
