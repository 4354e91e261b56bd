"""A comparison of state spaces that is quick to make, and ones whose students did what a test wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from curricula import resolve_lemma
from oasis.lab.plan import Plan
from oasis.lab.sharing.experiments import Sharing, plans
from oasis.lab.trials import Trial
from oasis.student.school import School
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.formula import Formula
from tests.lab.experiments import done


class Episode(NamedTuple):
    """One attempt: the states in memory after it, the steps it took, and whether it ended in a proof."""

    states: int
    steps: int
    proved: bool


Episodes = Sequence[Episode]


def study(lemmas: Iterable[Formula], settings: Settings) -> list[Episode]:
    """One student practises each lemma for `settings.episodes` episodes and forgets nothing in between."""
    student = School(settings).student(settings.seed)
    practice = [student.practise(lemma, settings.episodes) for lemma in lemmas]
    return [
        Episode(*episode)
        for part in practice
        for episode in zip(part.states.tolist(), part.steps.tolist(), part.proved.tolist(), strict=True)
    ]


def planned(lemma: str = "SYJ203.2", *, copies: int = 3, students: int = 2, **settings: Any) -> dict[str, Plan]:
    """What is to be done."""
    chosen = Settings(**{"learner": "epsilon-soft", **settings})
    return plans(resolve_lemma(lemma), chosen, copies=copies, students=students)


def taught(*arguments: Any, **options: Any) -> Sharing:
    """What came of it."""
    wanted = planned(*arguments, **options)
    return Sharing(wanted, done(wanted))


@cache
def quick() -> Sharing:
    """Three students on twelve copies of SYJ203.2."""
    return taught(copies=12, students=3)


def made_up(students: int = 2, **experiments: Mapping[str, Sequence[Episodes]]) -> Sharing:
    """For some experiments (`_` for `-`) what the students of each space did; in all else they did next to nothing."""
    idle = [[Episode(1, 1, False)] * 25] * students
    wanted = planned(students=students)
    return Sharing(
        wanted,
        {
            name: {space: trial(experiments.get(name.replace("-", "_"), {}).get(space, idle)) for space in STATE_SPACES}
            for name in wanted
        },
    )


def trial(episodes: Sequence[Episodes]) -> Trial:
    """What students did, as arrays."""
    states, steps, proved = np.moveaxis(np.array(episodes, np.int32), -1, 0)
    never, nothing = np.zeros((len(episodes), 0, 1)), np.full((len(episodes), 1), "")
    return Trial(np.zeros_like(states), proved.astype(bool), steps, states, never, never, never, nothing, nothing)
