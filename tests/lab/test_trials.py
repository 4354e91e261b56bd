"""Trials: every episode is recorded, the checkpoints show what was known then, and asking changes nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.lab.orders import ORDERS
from oasis.lab.plan import Plan, Trial, Variant
from oasis.lab.trials import attempt
from oasis.student.school import School
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.formula import Formula
from tests.lab.plans import LEMMAS, PLAN, SETTINGS, VARIANTS, same

every_order = pytest.mark.parametrize("order", ORDERS)


@dataclass
class Clerk:
    """A student who learns nothing and keeps count: what it answers says what it was made to do."""

    settings: Settings
    seed: int
    practised: Counter[Formula] = field(default_factory=Counter)

    @property
    def states(self) -> int:
        return self.practised.total()

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        assert episodes > 0
        numbers = np.arange(1, episodes + 1, dtype=np.int32)
        attempts = self.practised[lemma] + numbers
        practice = Practice(attempts % 3 == 0, attempts, self.states + numbers)
        self.practised[lemma] += episodes
        return practice

    def greedy(self, lemma: Formula) -> int:
        return self.practised[lemma]

    def value(self, lemma: Formula) -> float:
        return self.states + self.seed / 1000


class Office:
    """A school of clerks that are remembered."""

    def __init__(self) -> None:
        self.clerks: list[Clerk] = []

    def student(self, seed: int) -> Clerk:
        self.clerks.append(Clerk(SETTINGS, seed))
        return self.clerks[-1]


checkpoints = st.sets(st.integers(1, PLAN.episodes)).map(lambda numbers: tuple(sorted(numbers)))


def by_clerk(order: str, asked: tuple[int, ...]) -> tuple[Trial, Office]:
    office = Office()
    plan = Plan("p", LEMMAS, (Variant("v", SETTINGS, order),), (7,), asked)
    return attempt(plan, plan.variants[0], 7, office), office


@every_order
@given(checkpoints)
def test_checkpoints_show_what_was_practised_until_then(order: str, asked: tuple[int, ...]) -> None:
    trial, _ = by_clerk(order, asked)
    assert trial.greedy.shape == trial.value.shape == (len(asked), len(LEMMAS))
    for checkpoint, greedy, value in zip(asked, trial.greedy, trial.value, strict=True):
        practised = np.bincount(trial.lemma[:checkpoint], minlength=len(LEMMAS))
        assert greedy.tolist() == practised.tolist()
        known = practised if order == "afresh" else [checkpoint] * len(LEMMAS)
        assert value.tolist() == [states + 0.007 for states in known]


@every_order
@given(checkpoints)
def test_every_episode_is_recorded_once(order: str, asked: tuple[int, ...]) -> None:
    trial, office = by_clerk(order, asked)
    for array in (trial.lemma, trial.proved, trial.steps, trial.states):
        assert array.shape == (PLAN.episodes,)
    for lemma in range(len(LEMMAS)):
        # The clerk counts the episodes of a lemma in its steps.
        assert trial.steps[trial.lemma == lemma].tolist() == [*range(1, 1 + int((trial.lemma == lemma).sum()))]
    if order == "afresh":
        assert trial.states.tolist() == trial.steps.tolist()
        assert len(office.clerks) == len(LEMMAS)
    else:
        assert trial.states.tolist() == [*range(1, PLAN.episodes + 1)]
        assert len(office.clerks) == 1
    assert {clerk.seed for clerk in office.clerks} == {7}


@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
@settings(max_examples=20)
@given(asked=checkpoints, seed=st.integers(0, 2**63 - 1))
def test_asking_a_student_changes_nothing(variant: Variant, asked: tuple[int, ...], seed: int) -> None:
    school = School(variant.settings)
    silent, questioned = (
        attempt(replace(PLAN, checkpoints=asked), variant, seed, school) for asked in ((), (*asked[:-1], 36))
    )
    assert same({"": Trial(*silent[:4], *questioned[4:])}, {"": questioned})


@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
def test_a_school_gives_the_same_student_again(variant: Variant) -> None:
    school = School(variant.settings)
    first, other, again = (attempt(PLAN, variant, seed, school) for seed in (1, 2, 1))
    alone = attempt(PLAN, variant, 1, School(variant.settings))
    assert same({"": first}, {"": again})
    assert same({"": first}, {"": alone})
    assert not same({"": first}, {"": other})


def test_the_arrays_have_the_types_that_are_promised() -> None:
    trial = attempt(PLAN, VARIANTS[0], 0, School(SETTINGS))
    assert [array.dtype for array in trial] == [np.int32, np.bool_, np.int32, np.int32, np.int32, np.float64]


def test_taught_afresh_a_lemma_knows_nothing_of_those_before() -> None:
    afresh = attempt(PLAN, Variant("v", SETTINGS, "afresh"), 3, School(SETTINGS))
    for place, lemma in enumerate(LEMMAS):
        alone = Plan("p", (lemma,), (Variant("v", SETTINGS),), (3,), (12,))
        trial = attempt(alone, alone.variants[0], 3, School(SETTINGS))
        mine = slice(12 * place, 12 * (place + 1))
        for one, other in zip(trial[1:4], afresh[1:4], strict=True):
            assert one.tolist() == other[mine].tolist()
        assert trial.greedy[-1].tolist() == [afresh.greedy[-1][place]]
        assert trial.value[-1].tolist() == [afresh.value[-1][place]]


@pytest.mark.parametrize("order", ["easiest", "progress"])
def test_blocks_cut_at_checkpoints_are_whole_blocks_to_the_order(order: str) -> None:
    orders = {by_clerk(order, asked)[0].lemma.tobytes() for asked in ((), (1, 2, 3), tuple(range(1, 37)))}
    assert len(orders) == 1
