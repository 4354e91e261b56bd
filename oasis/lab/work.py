"""What an experiment is made of, whatever it is about: kinds, each tried with every seed, and what one trial comes to.

Students who practise lemmas (`oasis.lab.plan`) are one sort of work, searches for proofs (`oasis.lab.searching.plan`)
another. Campaigns, engines and certificates hold work and do not know which sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma, Status
from oasis.student.settings import Settings
from tactics.errors import InputError, check_seed
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show

Texts = NDArray[Any]


class Results(Protocol):
    """What a trial comes to, or several side by side: a named tuple of arrays."""

    @property
    def scripts(self) -> tuple[Texts, ...]:
        """The scripts of proofs that were found, empty where none was; each of shape (..., lemmas)."""
        ...

    def __iter__(self) -> Any:
        """The arrays, one after the other."""
        ...


R_co = TypeVar("R_co", bound=Results, covariant=True)


class Named(Protocol):
    """One kind of those who are compared."""

    @property
    def name(self) -> str:
        """What a legend says, unique in its plan."""
        ...


class Work(Protocol[R_co]):
    """A plan: every variant on the same lemmas with the same seeds, as plain values.

    Everything that a trial depends on is in the plan, so the same plan gives the same results wherever and in whatever
    order its trials are run.
    """

    @property
    def noun(self) -> str:
        """What the trials are of, such as `students`."""
        ...

    @property
    def unit(self) -> str:
        """What effort is measured in, such as `episodes`."""
        ...

    @property
    def name(self) -> str:
        """Of the lemma or the curriculum."""
        ...

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """At least one, no two of one name."""
        ...

    @property
    def variants(self) -> Sequence[Named]:
        """At least one, no two of one name."""
        ...

    @property
    def seeds(self) -> tuple[int, ...]:
        """At least one, no two equal."""
        ...

    @property
    def effort(self) -> int:
        """How long a trial takes at most, in units of some ten microseconds; at least 1."""
        ...

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the students that have a part in it, who may have to be compiled first."""
        ...

    def formulas(self, seed: int) -> list[Formula]:
        """What is to be proved in the trials of a seed, lemma by lemma."""
        ...

    def attempt(self, variant: int, seed: int) -> R_co:
        """Do a trial of a variant, named by its place."""
        ...

    def results(self, arrays: Sequence[NDArray[Any]]) -> R_co:
        """What these are the arrays of, as `attempt` gave them or several trials side by side."""
        ...

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it; with `variants`, which have a `name`, and `seeds`."""
        ...


def stacked(plan: Work[R_co], trials: Sequence[Results]) -> R_co:
    """Trials of one plan side by side: each array gets a first axis, that of the seeds."""
    return plan.results([np.stack(arrays) for arrays in zip(*trials, strict=True)])


def check_distinct(noun: str, names: Sequence[object]) -> None:
    """Raises InputError if there is none, or if two are the same."""
    if not names:
        raise InputError(f"A comparison needs at least one {noun}.")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"The {noun} {twice} is there twice; leave one of the two out.")


def check_plan(plan: Work[Results]) -> None:
    """Raises InputError if lemmas, variants or seeds are missing, are there twice, or cannot be stored."""
    check_distinct("lemma", [lemma.name for lemma in plan.lemmas])
    check_distinct("variant", [variant.name for variant in plan.variants])
    check_distinct("seed", plan.seeds)
    for seed in plan.seeds:
        check_seed(seed)


def lemma_to_json(lemma: Lemma) -> dict[str, Any]:
    """A lemma as JSON can hold it, its formula as closed text."""
    return {
        "name": lemma.name,
        "formula": show(lemma.formula, quantified=True),
        "status": lemma.status,
        "source": lemma.source,
        "level": lemma.level,
        "shortest": lemma.shortest,
    }


def lemma_from_json(stored: dict[str, Any]) -> Lemma:
    """The lemma that `lemma_to_json` wrote."""
    status = None if stored["status"] is None else Status(stored["status"])
    return Lemma(**{**stored, "formula": parse(stored["formula"]), "status": status})
