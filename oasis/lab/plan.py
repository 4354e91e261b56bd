"""What a comparison is to do: which students, on which lemmas, with how many seeds; and what one of them comes to.

Plain values: everything that an answer depends on is in the plan, so the same plan gives the same answer wherever and
in whatever order its trials are run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma, Status
from oasis.exam import PLAYS
from oasis.lab.copies import relettered
from oasis.lab.orders import ORDERS
from oasis.student.settings import Settings
from tactics.errors import InputError, check_choice
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show

LARGEST_SEED: Final = 2**63 - 1
"""What a database can hold."""


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
        if self.settings.backend != "native":
            raise InputError(
                f"Students are compared in the native calculus; leave out --backend {self.settings.backend}."
            )


@dataclass(frozen=True)
class Plan:
    """Every variant on the same lemmas, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        name: of the lemma or the curriculum.
        lemmas: at least one, no two of one name; every student has `settings.episodes` times their number of episodes.
        variants: at least one, no two of one name; all with the same number of episodes.
        seeds: of the students, each used with every variant; at least one, no two equal, from 0 to `LARGEST_SEED`.
        checkpoints: after which episodes of the whole trial, counted from 1, the student is examined; increasing.
        plays: of each exam (`oasis.exam`), at least 1.
        last_plays: of the exams after the last episode, if that is a checkpoint; at least 1.
        renamed: whether every student has the lemmas in letters of its own, drawn by its seed.
    """

    name: str
    lemmas: tuple[Lemma, ...]
    variants: tuple[Variant, ...]
    seeds: tuple[int, ...]
    checkpoints: tuple[int, ...]
    plays: int = 20
    last_plays: int = PLAYS
    renamed: bool = False

    def __post_init__(self) -> None:
        for noun, names in (
            ("lemma", [lemma.name for lemma in self.lemmas]),
            ("variant", [variant.name for variant in self.variants]),
            ("seed", self.seeds),
        ):
            _distinct(noun, names)
        if len({variant.settings.episodes for variant in self.variants}) > 1:
            raise InputError("The students have different numbers of episodes; give all of them the same --episodes.")
        if wrong := [seed for seed in self.seeds if not 0 <= seed <= LARGEST_SEED]:
            raise InputError(
                f"A seed lies between 0 and {LARGEST_SEED}, and {wrong[0]} does not; choose another --seed."
            )
        if min(self.plays, self.last_plays) < 1:
            raise InputError("An exam has at least one play.")
        bounds = (0, *self.checkpoints, self.episodes + 1)
        if any(after <= before for before, after in pairwise(bounds)):
            raise InputError(f"Checkpoints must increase and lie between 1 and {self.episodes}, the last episode.")

    @property
    def episodes(self) -> int:
        """The number of episodes in one trial."""
        return self.variants[0].settings.episodes * len(self.lemmas)

    def formulas(self, seed: int) -> list[Formula]:
        """Return what the student of a seed practises, lemma by lemma."""
        formulas = [lemma.formula for lemma in self.lemmas]
        return relettered(formulas, Random(f"letters {seed}")) if self.renamed else formulas

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it, formulas as closed text; `from_json` gives back an equal plan."""
        return {
            "name": self.name,
            "lemmas": [
                {
                    "name": lemma.name,
                    "formula": show(lemma.formula, quantified=True),
                    "status": lemma.status,
                    "source": lemma.source,
                    "level": lemma.level,
                    "shortest": lemma.shortest,
                }
                for lemma in self.lemmas
            ],
            "variants": [asdict(variant) for variant in self.variants],
            "seeds": list(self.seeds),
            "checkpoints": list(self.checkpoints),
            "plays": self.plays,
            "last_plays": self.last_plays,
            "renamed": self.renamed,
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Plan:
        """The plan that `to_json` wrote. Raises InputError if it has settings that this version does not know."""
        try:
            return cls(
                name=stored["name"],
                lemmas=tuple(map(_lemma, stored["lemmas"])),
                variants=tuple(_variant(variant) for variant in stored["variants"]),
                seeds=tuple(stored["seeds"]),
                checkpoints=tuple(stored["checkpoints"]),
                # Early versions had one play at each checkpoint.
                plays=stored.get("plays", 1),
                last_plays=stored.get("last_plays", 1),
                renamed=stored.get("renamed", False),
            )
        except (KeyError, TypeError) as error:
            raise InputError(
                f"This experiment was written by another version of Oasis ({error}); go on with it in that one."
            ) from error


class Trial(NamedTuple):
    """What one student did: a variant with one seed.

    Attributes:
        lemma: which lemma each episode practised, by its place in the plan; shape (episodes,).
        proved: whether the episode ended in a proof; shape (episodes,).
        steps: actions taken in it; shape (episodes,).
        states: in memory after it; shape (episodes,).
        greedy: moves of the median play in the exam of each lemma, 0 where that play proves nothing (a play without a
            proof counts as longer than any); shape (checkpoints, lemmas).
        value: what the student believes each lemma to be worth under the policy it learns about; shape (checkpoints,
            lemmas).
        share: of the plays in the exam of each lemma those that proved it; shape (checkpoints, lemmas).
        best: the script of the shortest proof among the student's episodes on each lemma, empty if there is none;
            shape (lemmas,).
        script: the script of the shortest proof in the last exam of each lemma, empty if there is none; shape
            (lemmas,).
    """

    lemma: NDArray[np.int32]
    proved: NDArray[np.bool_]
    steps: NDArray[np.int32]
    states: NDArray[np.int32]
    greedy: NDArray[np.float64]
    value: NDArray[np.float64]
    share: NDArray[np.float64]
    best: NDArray[np.str_]
    script: NDArray[np.str_]

    @property
    def greedy_lengths(self) -> NDArray[np.float64]:
        """`greedy`, with infinity where there is no proof."""
        return np.where(self.greedy > 0, self.greedy, np.inf)


def stacked(trials: Sequence[Trial]) -> Trial:
    """Trials of one plan side by side: each array gets a first axis, that of the seeds."""
    return Trial(*(np.stack(arrays) for arrays in zip(*trials, strict=True)))


def _lemma(stored: dict[str, Any]) -> Lemma:
    status = None if stored["status"] is None else Status(stored["status"])
    return Lemma(**{**stored, "formula": parse(stored["formula"]), "status": status})


def _variant(stored: dict[str, Any]) -> Variant:
    # Stored plans of early versions call the order "teacher".
    order = stored["order"] if "order" in stored else stored["teacher"]
    return Variant(stored["name"], Settings(**stored["settings"]), order)


def _distinct(noun: str, names: Sequence[object]) -> None:
    if not names:
        raise InputError(f"A comparison needs at least one {noun}.")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"The {noun} {twice} is there twice; leave one of the two out.")
