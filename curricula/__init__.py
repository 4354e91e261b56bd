"""Where lemmas come from: ILTP's families and problems, the thesis, a textbook, files, and chance."""

from curricula.catalogue import CatalogueEntry, catalogue, complete
from curricula.families import FAMILIES, Family
from curricula.generator import RandomSettings, random_lemmas
from curricula.lemma import Curriculum, Lemma, Problem, Status
from curricula.levels import Levels, parse_levels
from curricula.resolve import named_lemma, named_level, resolve, resolve_lemma

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
