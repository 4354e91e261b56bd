"""What compiled learners come to within 200,000 episodes of SYJ203, levels 1 to 3, against the teacher's exact values.

Under `terminating` no value is larger than 1, and 1 % of that is the tolerance. On levels 1 and 2 the mean of ten
students has to be within 1 % of the value itself, too; on level 3 that is out of reach for learners that are about the
ε-soft policy, as its value is 0.04 and even the mean of 200,000 returns is uncertain by more than 1 % of it.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, thesis_lemma
from oasis.lab.students.truth import truth
from oasis.student.settings import Settings
from oasis.student.student import School
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

EPISODES = 200_000
ONE, TWO, THREE = (thesis_lemma(name) for name in list(THESIS_LEVELS)[:3])


def named(value: Lemma | str) -> str:
    """Return the name of a learner or a lemma in the names of tests."""
    return value if isinstance(value, str) else value.name


def cases(*every_day: tuple[str, Lemma]) -> list[Any]:
    """Return each learner with one lemma, and in thorough runs with the others too."""
    every = product([learner for learner, _ in every_day], (ONE, TWO, THREE))
    return [*every_day, *thoroughly(*(each for each in every if each not in every_day))]


def believed(lemma: Lemma, settings: Settings, students: int) -> list[float]:
    """Return what students believe the lemma to be worth after all episodes."""
    school = School(settings)
    values = []
    for seed in range(students):
        student = school.student(seed)
        student.practise(lemma.formula, settings.episodes)
        values.append(student.value(lemma.formula))
    return values


def exact_value(lemma: Lemma, settings: Settings) -> float:
    """Return the exact value that these beliefs tend to."""
    value = truth(lemma, settings).value
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("learner", "lemma"), cases(("q-learning", THREE), ("q-lambda", ONE), ("dyna-q", TWO)), ids=named
)
def test_off_policy_learners_with_a_falling_step_size_come_to_the_optimal_value(learner: str, lemma: Lemma) -> None:
    episodes = EPISODES if learner == "q-learning" else 20_000
    settings = Settings(learner=learner, alpha="1/n^0.6", episodes=episodes, planning=5)
    assert believed(lemma, settings, 2) == pytest.approx([exact_value(lemma, settings)] * 2, rel=0.01)


@pytest.mark.parametrize("lemma", [THREE, *thoroughly(ONE, TWO)], ids=named)
def test_and_or_learning_comes_to_the_discount_of_the_shortest_proof(lemma: Lemma) -> None:
    settings = Settings(learner="and-or-q", episodes=20_000)
    shortest = truth(lemma, settings).shortest
    assert shortest is not None
    assert believed(lemma, settings, 2) == pytest.approx([0.9**shortest] * 2, rel=1e-9)


ON_POLICY = {
    "epsilon-soft": Settings(learner="epsilon-soft", state_space="name", episodes=EPISODES),
    "sarsa": Settings(learner="sarsa", alpha="1/n^0.6", initial_value=1.0, state_space="name", episodes=EPISODES),
    "sarsa-lambda": Settings(
        learner="sarsa-lambda", alpha="1/n^0.8", initial_value=0.5, state_space="name", episodes=EPISODES
    ),
}


@pytest.mark.parametrize(
    ("learner", "lemma"), cases(("epsilon-soft", THREE), ("sarsa", TWO), ("sarsa-lambda", ONE)), ids=named
)
def test_on_policy_learners_come_to_the_best_epsilon_soft_value(learner: str, lemma: Lemma) -> None:
    settings = ON_POLICY[learner]
    best = exact_value(lemma, settings)
    easy = lemma is not THREE
    values = believed(lemma, settings, 10 if easy and learner != "sarsa-lambda" else 3)
    assert values == pytest.approx([best] * len(values), abs=0.01)
    if easy:
        assert np.mean(values) == pytest.approx(best, rel=0.01 if len(values) == 10 else 0.02)
    # The optimal value is much further away: nobody must take the one for the other.
    assert abs(exact_value(lemma, Settings()) - best) > 0.015


def test_traces_and_planning_learn_in_fifteen_episodes_what_one_step_methods_do_not() -> None:
    values = {}
    for learner in ("q-learning", "sarsa-lambda", "dyna-q"):
        school = School(Settings(learner=learner, episodes=15))
        taught = [school.student(seed) for seed in range(10)]
        for student in taught:
            student.practise(THREE.formula, 15)
        values[learner] = np.array([student.value(THREE.formula) for student in taught])
    # A reward moves back one step an episode, and the shortest proof has 16: nothing has come to the start.
    assert not values["q-learning"].any()
    assert values["sarsa-lambda"].any() and values["dyna-q"].any()
