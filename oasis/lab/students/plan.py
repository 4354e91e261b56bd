"""What students are compared on: which students, on which lemmas, with how many seeds.

What one of them does is elsewhere (`oasis.lab.students.trial`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log2
from random import Random
from typing import ClassVar, Final

import numpy as np

from curricula.copies import relettered
from curricula.orders import ORDERS
from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.students.trial import attempt
from oasis.student.settings import Settings
from oasis.student.student import School
from tactics.errors import InputError, check_choice
from tactics.formula import Formula

_DENSE: Final = 8
"""Checkpoints in the first episodes, and in each doubling of their number."""


@dataclass(frozen=True)
class Variant:
    """One kind of student.

    Attributes:
        name: what a legend says: the settings in which it differs from the others; unique in its plan.
        settings: how it learns; their seed is replaced by the trial's.
        order: in which the lemmas are practised, one of `ORDERS`.
    """

    name: str
    settings: Settings
    order: str = "fixed"

    def __post_init__(self) -> None:
        check_choice("--order", self.order, ORDERS)
        if self.settings.backend != Settings.backend:
            raise InputError(
                f"Students are compared in the native calculus; leave out --backend {self.settings.backend}."
            )


@dataclass(frozen=True)
class Plan(Work):
    """Every variant on the same lemmas, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        lemmas: every student has `settings.episodes` times their number of episodes.
        variants: all with the same number of episodes.
        seeds: of the students.
        checkpoints: after how many episodes of the whole trial the student is asked; increasing, from 0 on.
        renamed: whether every student has the lemmas in letters of its own, drawn by its seed.
    """

    noun: ClassVar[str] = "students"
    unit: ClassVar[str] = "episodes"
    scripts: ClassVar[tuple[str, ...]] = ("best", "script")
    variants: tuple[Variant, ...]
    checkpoints: tuple[int, ...]
    renamed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len({variant.settings.episodes for variant in self.variants}) > 1:
            raise InputError("The students have different numbers of episodes; give all of them the same --episodes.")
        bounds = (-1, *self.checkpoints, self.episodes + 1)
        if any(after <= before for before, after in pairwise(bounds)):
            raise InputError(f"Checkpoints must increase and lie between 0 and {self.episodes}, the last episode.")

    @property
    def episodes(self) -> int:
        """The number of episodes in one trial."""
        return self.variants[0].settings.episodes * len(self.lemmas)

    @property
    def effort(self) -> int:
        """The number of episodes in one trial."""
        return self.episodes

    @property
    def within(self) -> str:
        """The number of episodes in words."""
        return f"{self.episodes:,} episodes each"

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the variants."""
        return tuple(variant.settings for variant in self.variants)

    def formulas(self, seed: int) -> list[Formula]:
        """Return what the student of a seed practises, lemma by lemma."""
        formulas = [lemma.formula for lemma in self.lemmas]
        return relettered(formulas, Random(f"letters {seed}")) if self.renamed else formulas

    def attempt(self, variant: int, seed: int) -> Trial:
        """What the student of this seed does; the variant is named by its place."""
        chosen = self.variants[variant]
        # Students with letters of their own have no states in common, which would gather in a school.
        school = School if self.renamed else _school
        return attempt(self, chosen, seed, school(chosen.settings).student)

    def report(self, trials: Mapping[str, Sequence[Trial]]) -> Report:
        """Return what students come to, by the names of their variants. Raises InputError if they were never asked."""
        from oasis.lab.students.reported import report

        if not self.checkpoints:
            raise InputError(
                "These students were never asked what they know; what sharing buys them says oasis.lab.sharing.reports."
            )
        return report(self, trials)


def checkpoints(episodes: int) -> tuple[int, ...]:
    """Return when students are asked: at first, after each of eight episodes, and eight times in each doubling.

    When something happened is then known to within 9 %.
    """
    doublings = log2(max(episodes, _DENSE) / _DENSE)
    later = _DENSE * 2 ** (np.arange(1, int(doublings * _DENSE) + 1) / _DENSE)
    return tuple(np.unique([*range(min(_DENSE, episodes) + 1), *np.round(later).astype(int), episodes]).tolist())


# A school is costly to make and large, and the trials of one variant come one after the other.
@lru_cache(maxsize=1)
def _school(settings: Settings) -> School:
    return School(settings)
