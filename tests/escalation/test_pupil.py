"""A student among others: how long it practises, what it is shown, and what that costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oasis.escalation.costs import Cost
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import Ladder
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import SEARCH, TABLE, Slice, Stage, Tried
from oasis.policy import Policy, Uniform
from oasis.search.graph import OPEN, PROVED
from oasis.student.settings import Settings
from oasis.student.student import NoRoom, Practice
from tactics.formula import Formula
from tests.escalation.doubles import EASY, HARD, NEVER, PROOFS, Acting, Learner, Patient, Watch, proved, took

SETTINGS = Settings(learner="and-or-q", episodes=8, shown=3)


def patient(watch: Watch, settings: Settings = SETTINGS) -> Pupil:
    return Pupil(Patient(settings, watch), lambda: Patient(settings, watch), {})


def climbing(
    pupil: Pupil, watch: Watch, stages: list[Stage], network: Policy | None = None, said: list[str] | None = None
) -> Escalation:
    """An escalation of the three lemmas by other stages than those of its ladder."""
    made = Escalation(
        Ladder.named("table+search"),
        [EASY, HARD, NEVER],
        pupil=pupil,
        network=network,
        seconds=200.0,
        seed=0,
        clock=watch,
        say=([] if said is None else said).append,
    )
    made.climb.stages = stages
    return made


def knowing(watch: Watch, name: str, *known: Formula) -> Acting:
    """A stage that proves some lemmas."""
    return Acting(name, watch, lambda lemma, part: proved(lemma) if lemma in known else took(min(part.seconds, 1.0)))


def followed(pupil: Pupil) -> list[Formula]:
    assert isinstance(pupil.student, Patient)
    return [lemma for lemma, _ in pupil.student.followed]


def test_a_proof_of_others_is_followed_as_often_as_the_settings_say() -> None:
    pupil = patient(Watch())
    assert not pupil.learn(HARD, PROOFS[HARD])
    assert followed(pupil) == [HARD] * 3


def test_what_it_costs_to_show_a_proof_is_time_of_the_table_and_all_time_is_that_of_a_lemma_or_a_study() -> None:
    watch = Watch()
    learner = Learner(watch)
    made = climbing(patient(watch), watch, [knowing(watch, SEARCH, EASY, HARD)], learner)
    assert [*made]
    assert [record.of(TABLE).cost.seconds for record in made.records] == [0.75, 0.75, 0.0]
    assert [record.of(TABLE).visits for record in made.records] == [0, 0, 0]
    pace = made.climb.pace
    assert learner.shown
    assert pace.studies.seconds == sum(learner.seconds)
    assert sum(record.cost.seconds for record in made.records) + pace.studies.seconds == pytest.approx(pace.spent)
    assert pace.spent == pytest.approx(200.0)


def test_why_a_proof_cannot_be_followed_is_said() -> None:
    watch, said = Watch(), list[str]()
    pupil = patient(watch, replace(SETTINGS, max_steps=2))
    assert [*climbing(pupil, watch, [knowing(watch, SEARCH, EASY, HARD)], said=said)]
    assert said == ["The proof of A -> B -> A has 3 steps, and a student makes 2 at most."]


class Filling(Patient):
    """Has room for the practice of one lemma."""

    practised: Formula | None = None

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        if episodes and self.practised not in (None, lemma):
            raise NoRoom("full")
        self.practised = lemma if episodes else self.practised
        return super().practise(lemma, episodes)


def test_what_the_student_proved_itself_is_shown_again_when_its_memory_was_full() -> None:
    watch = Watch()
    pupil = Pupil(Filling(SETTINGS, watch), lambda: Filling(SETTINGS, watch), {})

    def practise(lemma: Formula, part: Slice) -> Tried:
        if lemma is EASY:
            return proved(EASY)
        pupil.practise(lemma, 0.0, watch, part.stop)
        return Tried(OPEN, None, Cost(seconds=1.0), is_spent=True)

    made = climbing(pupil, watch, [Acting(TABLE, watch, practise)])
    found = [(visit.position, followed(pupil)) for visit in made]
    assert found == [(0, []), (1, []), (2, [EASY] * 3)]
    assert made.records[0].status is PROVED
    assert pupil.proofs == {EASY: PROOFS[EASY]}


@pytest.mark.parametrize(
    ("seconds", "stop_at", "episodes"), [(1e9, 1e9, 8), (1e9, 0.0, 0), (0.5, 1e9, 1), (1e9, 1.0, 2)]
)
def test_practice_ends_with_its_episodes_its_time_or_when_it_is_told_to(
    seconds: float, stop_at: float, episodes: int
) -> None:
    watch = Watch()
    pupil = patient(watch)
    assert pupil.practise(HARD, seconds, watch, lambda: watch.now >= stop_at) == episodes
    assert pupil.practised(HARD) == episodes


def test_a_student_of_other_actions_than_the_legal_ones_proposes_nothing_to_a_search() -> None:
    assert type(patient(Watch(), replace(SETTINGS, actions="blind")).policy()) is Uniform
    assert type(patient(Watch()).policy()) is not Uniform
