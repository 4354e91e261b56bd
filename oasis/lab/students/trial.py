"""A trial of a student: it practises the lemmas of a plan in an order, and is asked at checkpoints what it knows."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from oasis.lab.exact import Known, known
from oasis.lab.students.orders import ORDERS
from oasis.student.student import Practice, Student
from tactics.formula import Formula
from tactics.script import Script, show_script

if TYPE_CHECKING:
    from oasis.lab.students.plan import Plan, Variant


_NONE: Final = np.zeros(0)


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
    checkpoints: NDArray[Any] = _NONE
    chance: NDArray[Any] = _NONE
    missing: NDArray[Any] = _NONE
    own_regret: NDArray[Any] = _NONE
    actions: NDArray[Any] = _NONE
    max_steps: NDArray[Any] = _NONE

    @property
    def greedy_lengths(self) -> NDArray[np.float64]:
        """`greedy`, with infinity where there is no proof."""
        return np.where(self.greedy > 0, self.greedy, np.inf)


class Answer(NamedTuple):
    """What one student knows of one lemma at a checkpoint; see `Trial`, and nan for what is not known exactly."""

    greedy: float
    value: float
    share: float
    script: Script | None
    chance: float
    missing: float
    regret: float
    actions: float


def answer(student: Student, formula: Formula, plays: int) -> Answer:
    """Examine a student, and work out what its greedy policy is worth."""
    exam, exact = student.examine(formula, plays), known(student, formula)
    worth = exact or Known(exam.share, nan, nan, nan)
    return Answer(exam.of_median_play or 0.0, student.value(formula), exam.share, exam.script, *worth)


class Students(Protocol):
    """Where students come from, such as a `School`."""

    def student(self, seed: int) -> Student:
        """A student who knows nothing yet."""
        ...


def attempt(plan: Plan, variant: Variant, seed: int, school: Students) -> Trial:
    """What the student of this seed does; the same whatever other students of the school did before.

    Taught `afresh`, each lemma has a student of its own, all of this seed: `states` is then the memory of the one that
    practises, and at a checkpoint each is asked about its own lemma.
    """
    formulas = plan.formulas(seed)
    if variant.order == "afresh":
        students = [school.student(seed) for _ in formulas]
    else:
        students = [school.student(seed)] * len(formulas)
    taught = list(zip(students, formulas, strict=True))

    def asked(episode: int) -> list[Answer]:
        plays = plan.last_plays if episode == plan.episodes else plan.plays
        return [answer(student, formula, plays) for student, formula in taught]

    practised: list[Practice] = []
    lemmas: list[int] = []
    answers = [asked(0)] if 0 in plan.checkpoints else []
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
                answers.append(asked(stop))
        practised += parts
        if end == plan.episodes:
            break
        block = blocks.send(np.concatenate([part.proved for part in parts]))
    proved, steps, states = (np.concatenate(arrays) for arrays in zip(*practised, strict=True))

    def of_answers(name: str) -> NDArray[np.float64]:
        rows = [[getattr(each, name) for each in row] for row in answers]
        return np.array(rows, np.float64).reshape(len(answers), len(formulas))

    return Trial(
        lemma=np.array(lemmas, dtype=np.int32),
        proved=proved,
        steps=steps,
        states=states,
        greedy=of_answers("greedy"),
        value=of_answers("value"),
        share=of_answers("share"),
        best=np.array([_text(student.best(formula)) for student, formula in taught]),
        script=np.array([_text(each.script) for each in answers[-1]] if answers else [""] * len(formulas)),
        checkpoints=np.array(plan.checkpoints, np.int32),
        chance=of_answers("chance"),
        missing=of_answers("missing"),
        own_regret=of_answers("regret"),
        actions=of_answers("actions"),
        max_steps=np.array(variant.settings.max_steps, np.int32),
    )


def _text(script: Script | None) -> str:
    return "" if script is None else show_script(script)
