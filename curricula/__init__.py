"""Where lemmas come from: ILTP's families and problems, the thesis, a textbook, files, and chance."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from curricula.families import FAMILIES, Family
from curricula.lemma import Curriculum, Lemma, Problem, Status
from curricula.levels import Levels, parse_levels
from curricula.resolve import named_lemma, named_level, resolve, resolve_lemma

if TYPE_CHECKING:
    from curricula.generator import RandomSettings, random_lemmas
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


def __getattr__(name: str) -> Any:
    """Return what few ask for, from a module that is imported only then."""
    if name not in __all__:
        raise AttributeError(f"curricula has no {name}")
    return getattr(import_module(f"curricula.{'generator' if 'andom' in name else 'names'}"), name)
