"""What students are compared on: which students, on which lemmas, with how many seeds; and what one of them does.

A student practises the lemmas of a plan in an order, and is asked at checkpoints what it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isfinite, log2, nan
from random import Random
from typing import ClassVar, Final, NamedTuple

import numpy as np

from curricula.copies import relettered
from curricula.orders import ORDERS
from oasis.ground.limits import LimitReached
from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.play.states import YARDSTICK
from oasis.student.settings import Settings
from oasis.student.student import Practice, School, Student
from oasis.teacher.exact.policies import amounts_of, best_of, shortest_of, states_of
from tactics.errors import InputError, check_choice
from tactics.formula import Formula
from tactics.script import Script, show_script

_DENSE: Final = 8
"""Checkpoints in the first episodes, and in each doubling of their number."""
PLAYS: Final = 20
"""Of an exam on a lemma that has too many states for exact answers."""
ANSWERS: Final = ("chance", "missing", "own_regret", "actions", "value")
"""What is known of a student at each checkpoint."""


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
        made = School if self.renamed else school
        return attempt(self, chosen, seed, made(chosen.settings).student)

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
def school(settings: Settings) -> School:
    """Return the school of students with these settings, which is kept until there are others."""
    return School(settings)


class Known(NamedTuple):
    """What the greedy policy of a student comes to on a lemma, ties by lot, without a step limit.

    Attributes:
        chance: the probability that a play proves, in [0, 1].
        missing: 1 - V/V*, in [0, 1], for the reward of 0.9^(n-1) for a proof of n moves of the calculus: 0 is a
            shortest proof for certain, 1 no proof. It can be compared between rewards, discounts and action spaces. 0
            if the lemma has no proof.
        regret: V* - V, at least 0, for the student's own reward; NaN if that depends on history or on whole episodes,
            or if no policy has a finite value.
        actions: the expected number of actions until a play proves or gets nowhere any more.
    """

    chance: float
    missing: float
    regret: float
    actions: float


def attempt(plan: Plan, variant: Variant, seed: int, student: Callable[[int], Student]) -> Trial:
    """Let the student of a seed practise, who knows nothing yet; it does the same whatever other students did before.

    Taught `afresh`, each lemma has a student of its own, all of this seed: `states` is then the memory of the one that
    practises, and at a checkpoint each is asked about its own lemma.

    Returns:
        of shape (episodes,):
            lemma: which one an episode practised, by its place in the plan.
            proved: whether it ended in a proof.
            steps: actions taken in it.
            states: in memory after it.
        of shape (checkpoints,):
            checkpoints: after how many episodes the student was asked.
        of shape (checkpoints, lemmas):
            value: what the student believes each lemma to be worth under the policy it learns about.
            chance: that the greedy policy proves it (`Known`), or the share of an exam's plays if the lemma
                has too many states for that.
            missing, own_regret, actions: as there, the regret being that under the student's own reward; nan if the
                lemma has too many states.
        of shape (lemmas,):
            best: the script of the shortest proof among the student's episodes, empty if there is none.
            script: that of the exam after the last episode; empty if the student is never asked.
            greedy: moves of that exam's median play, 0 if it proves nothing; a play without a proof counts as longer
                than any.
        of shape ():
            max_steps: after how many actions an episode is cut short.
    """
    formulas = plan.formulas(seed)
    students = [student(seed) for _ in formulas] if variant.order == "afresh" else [student(seed)] * len(formulas)
    taught = list(zip(students, formulas, strict=True))

    def asked() -> list[tuple[float, ...]]:
        return [(*_known(student, formula), student.value(formula)) for student, formula in taught]

    practised: list[Practice] = []
    lemmas: list[int] = []
    answers = [asked()] if 0 in plan.checkpoints else []
    blocks = ORDERS[variant.order](formulas, variant.settings.episodes, seed)
    block = next(blocks)
    while True:
        begin = len(lemmas)
        end = min(begin + block.episodes, plan.episodes)
        parts: list[Practice] = []
        for stop in (*(n for n in plan.checkpoints if begin < n < end), end):
            parts.append(students[block.lemma].practise(formulas[block.lemma], stop - len(lemmas)))
            lemmas += [block.lemma] * (stop - len(lemmas))
            if stop in plan.checkpoints:
                answers.append(asked())
        practised += parts
        if end == plan.episodes:
            break
        block = blocks.send(np.concatenate([part.proved for part in parts]))
    proved, steps, states = (np.concatenate(arrays) for arrays in zip(*practised, strict=True))

    table = np.array(answers, np.float64).reshape(len(answers), len(formulas), 5)
    exams = [student.examine(formula) for student, formula in taught] if plan.checkpoints else []
    return {
        "lemma": np.array(lemmas, dtype=np.int32),
        "proved": proved,
        "steps": steps,
        "states": states,
        "checkpoints": np.array(plan.checkpoints, np.int32),
        **dict(zip(ANSWERS, np.moveaxis(table, -1, 0), strict=True)),
        "best": np.array([_text(student.best(formula)) for student, formula in taught]),
        "script": np.array([_text(exam.script) for exam in exams] or [""] * len(formulas)),
        "greedy": np.array([exam.of_median_play or 0 for exam in exams], np.float64),
        "max_steps": np.array(variant.settings.max_steps, np.int32),
    }


def _known(student: Student, formula: Formula) -> Known:
    """Return what a student knows exactly, or else the share of an exam's plays."""
    return known(student, formula) or Known(student.examine(formula, PLAYS).share, nan, nan, nan)


def known(student: Student, lemma: Formula) -> Known | None:
    """What a student knows of a lemma; None if it has too many states (`states_of`), so that an exam has to do."""
    states, asked = states_of(lemma, student.settings.actions), conditions(student.settings)
    if states is None:
        return None
    try:
        found = student.worth(states, amounts_of(lemma, *asked))
    except LimitReached:
        return None
    shortest, optimum = shortest_of(lemma), best_of(lemma, *asked)
    most = 0.0 if shortest is None else YARDSTICK ** (shortest - 1)
    regret = nan if optimum is None or not isfinite(found.paid) else max(0.0, optimum - found.paid)
    missing = min(1.0, max(0.0, 1 - found.proof / most)) if most else 0.0
    return Known(min(1.0, found.chance), missing, regret, found.actions)


def conditions(settings: Settings) -> tuple[str, str, float, bool]:
    """What the exact value of a lemma depends on, as `best_of` takes it."""
    return settings.actions, settings.reward, settings.gamma, settings.forget_errors


def _text(script: Script | None) -> str:
    return "" if script is None else show_script(script)
