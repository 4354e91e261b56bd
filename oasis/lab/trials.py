"""One trial: a student practises the lemmas of a plan in an order, and is asked at the checkpoints what it knows."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from oasis.lab.orders import ORDERS
from oasis.lab.plan import Plan, Trial, Variant
from oasis.student.student import Practice, Student


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
    practised: list[Practice] = []
    lemmas: list[int] = []
    greedy: list[list[int]] = []
    value: list[list[float]] = []
    blocks = ORDERS[variant.order](formulas, variant.settings.episodes, seed)
    block = next(blocks)
    while True:
        begin = len(lemmas)
        end = min(begin + block.episodes, plan.episodes)
        taught: list[Practice] = []
        for stop in (*(n for n in plan.checkpoints if begin < n < end), end):
            taught.append(students[block.lemma].practise(formulas[block.lemma], stop - len(lemmas)))
            lemmas += [block.lemma] * (stop - len(lemmas))
            if stop in plan.checkpoints:
                greedy.append(
                    [student.examine(formula, 1).best or 0 for student, formula in zip(students, formulas, strict=True)]
                )
                value.append([student.value(formula) for student, formula in zip(students, formulas, strict=True)])
        practised += taught
        if end == plan.episodes:
            break
        block = blocks.send(np.concatenate([part.proved for part in taught]))
    proved, steps, states = (np.concatenate(arrays) for arrays in zip(*practised, strict=True))
    return Trial(
        np.array(lemmas, dtype=np.int32),
        proved,
        steps,
        states,
        np.array(greedy, dtype=np.int32).reshape(-1, len(formulas)),
        np.array(value, dtype=np.float64).reshape(-1, len(formulas)),
    )
