"""Trials: every episode is recorded, the checkpoints show what was known then, and asking changes nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.exam import PLAYS, Exam, graded
from oasis.lab.orders import ORDERS
from oasis.lab.plan import Plan, Variant
from oasis.lab.trials import Trial, attempt
from oasis.student.school import School
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.formula import Formula
from tactics.goal import Move
from tactics.script import Script, parse_script, replay
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

    def best(self, lemma: Formula) -> Script | None:
        return (Move("intro"),) * self.practised[lemma] or None

    def examine(self, lemma: Formula, plays: int = PLAYS) -> Exam:
        return graded(plays, [(Move("assumption"),) * self.practised[lemma]] * (plays - 1))

    def value(self, lemma: Formula) -> float:
        return self.states + self.seed / 1000


class Office:
    """A school of clerks that are remembered."""

    def __init__(self) -> None:
        self.clerks: list[Clerk] = []

    def student(self, seed: int) -> Any:
        self.clerks.append(Clerk(SETTINGS, seed))
        return self.clerks[-1]


checkpoints = st.sets(st.integers(1, PLAN.episodes)).map(lambda numbers: tuple(sorted(numbers)))


def by_clerk(order: str, asked: tuple[int, ...]) -> tuple[Trial, Office]:
    office = Office()
    plan = Plan("p", LEMMAS, (Variant("v", SETTINGS, order),), (7,), asked)
    return attempt(replace(plan, plays=3, last_plays=5), plan.variants[0], 7, office), office


@every_order
@given(checkpoints)
def test_checkpoints_show_what_was_practised_until_then(order: str, asked: tuple[int, ...]) -> None:
    trial, _ = by_clerk(order, asked)
    assert trial.greedy.shape == trial.value.shape == (len(asked), len(LEMMAS))
    for checkpoint, greedy, value, share in zip(asked, trial.greedy, trial.value, trial.share, strict=True):
        practised = np.bincount(trial.lemma[:checkpoint], minlength=len(LEMMAS))
        assert greedy.tolist() == practised.tolist()
        assert set(share.tolist()) == {4 / 5 if checkpoint == PLAN.episodes else 2 / 3}
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


def test_the_best_script_of_each_lemma_is_kept_and_that_of_the_last_exam() -> None:
    trial, _ = by_clerk("fixed", (12, 24))
    assert trial.best.tolist() == ["; ".join(["intro"] * 12)] * 3
    assert trial.script.tolist() == ["; ".join(["assumption"] * number) for number in (12, 12, 0)]
    unasked, _ = by_clerk("fixed", ())
    assert unasked.script.tolist() == ["", "", ""]


@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
def test_scripts_that_are_kept_prove_their_lemmas_in_as_many_moves_as_are_told(variant: Variant) -> None:
    renamed = replace(PLAN, renamed=True)
    for seed in range(5):
        trial = attempt(renamed, variant, seed, School(variant.settings))
        for formula, best, script, share in zip(
            renamed.formulas(seed), trial.best, trial.script, trial.share[-1], strict=True
        ):
            assert bool(script) == (share > 0)
            for text in filter(None, (str(best), str(script))):
                *_, last = replay(formula, parse_script(text))
                assert last == ()
        for lemma in range(len(LEMMAS)):
            proofs = trial.steps[(trial.lemma == lemma) & trial.proved]
            assert bool(trial.best[lemma]) == bool(len(proofs))
            if len(proofs) and variant.settings.actions == "legal":
                assert len(parse_script(str(trial.best[lemma]))) == min(proofs)


@pytest.mark.parametrize("variant", VARIANTS, ids=[variant.name for variant in VARIANTS])
@settings(max_examples=5)
@given(asked=checkpoints, seed=st.integers(0, 2**63 - 1))
def test_asking_a_student_changes_nothing(variant: Variant, asked: tuple[int, ...], seed: int) -> None:
    school = School(variant.settings)
    silent, questioned = (
        attempt(replace(PLAN, checkpoints=asked), variant, seed, school) for asked in ((), (*asked[:-1], 36))
    )
    assert same({"": Trial(*silent[:4], *questioned[4:7], silent.best, questioned.script)}, {"": questioned})


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
    assert [array.dtype for array in trial[:7]] == [np.int32, np.bool_, np.int32, np.int32, *[np.float64] * 3]
    assert [array.dtype.kind for array in trial[7:]] == ["U", "U"]


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
