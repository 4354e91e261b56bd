"""A student among others: its practice, what it is shown, what that costs, and what it does without room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curricula import resolve_lemma
from oasis.escalation.costs import Counter
from oasis.escalation.pupil import LONGEST_SHOWN, Pupil
from oasis.escalation.stages import SEARCH, SPENT, TABLE, Slice, Table
from oasis.play.actions import LEGAL
from oasis.play.policy import Uniform
from oasis.play.solving import PROVED, Attempt
from oasis.student.compiled.student import CompiledStudent
from oasis.student.compiled.world import World
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import NoRoom, Practice
from state_spaces import STATE_SPACES
from tactics.formula import Formula
from tactics.script import Script, parse_script, replay
from tests.escalation.doubles import (
    EASY,
    HARD,
    NEVER,
    PROOFS,
    Acting,
    Learner,
    Patient,
    Watch,
    escalation,
    knowing,
    proved,
    took,
)

SETTINGS = Settings(learner="and-or-q", episodes=8, shown=3)
LEMMAS = [EASY, HARD, NEVER]


def patient(watch: Watch, settings: Settings = SETTINGS) -> Pupil:
    return Pupil(Patient(settings, watch), lambda: Patient(settings, watch), {})


def followed(pupil: Pupil) -> list[Formula]:
    assert isinstance(pupil.student, Patient)
    return [lemma for lemma, _ in pupil.student.followed]


def test_showing_a_proof_costs_time_of_the_table_and_all_time_belongs_to_a_lemma_or_a_study() -> None:
    watch = Watch()
    learner = Learner(watch)
    made = escalation([knowing(watch, SEARCH, EASY, HARD)], LEMMAS, watch, pupil=patient(watch), network=learner)
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
    assert [*escalation([knowing(watch, SEARCH, EASY, HARD)], LEMMAS, watch, pupil=pupil, say=said.append)]
    assert said == ["The proof of A -> B -> A has 3 steps, and a student makes 2 at most."]


class Filling(Patient):
    """A student with room for the practice of one lemma."""

    practised: Formula | None = None

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        if episodes and self.practised not in (None, lemma):
            raise NoRoom("full")
        self.practised = lemma if episodes else self.practised
        return super().practise(lemma, episodes)


def test_what_the_student_proved_itself_is_shown_again_when_its_memory_was_full() -> None:
    watch = Watch()
    pupil = Pupil(Filling(SETTINGS, watch), lambda: Filling(SETTINGS, watch), {})

    def practise(lemma: Formula, part: Slice) -> Attempt:
        if lemma is EASY:
            return proved(EASY)
        pupil.practise(lemma, 0.0, watch, part.stop)
        return replace(took(1.0), reason=SPENT)

    made = escalation([Acting(TABLE, watch, practise)], LEMMAS, watch, pupil=pupil)
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


ENDLESS = Settings(learner="and-or-q", episodes=20_000)


def cramped() -> CompiledStudent:
    """Return a student with room for a few thousand states."""
    return CompiledStudent(ENDLESS, World(STATE_SPACES["simple"](), LEGAL, by_goal=True, max_states=2**12))


@pytest.mark.slow
def test_a_pupil_gives_back_a_full_memory_and_goes_on_with_an_empty_one() -> None:
    said: list[str] = []
    pupil = Pupil(cramped(), cramped, {}, said.append)
    first, easy = cramped(), resolve_lemma("textbook/and_comm").formula
    pupil.student = first
    pupil.practise(easy, 1.0, lambda: 0.0, lambda: False)
    proof = pupil.best(easy)
    assert proof is not None
    pupil.proofs[easy] = proof
    with pytest.raises(NoRoom):  # with an empty memory, too, there is none for this one
        pupil.practise(resolve_lemma("SYJ205.6").formula, 1e9, lambda: 0.0, lambda: False)
    arrays = [first._world.graph.edges, first._world.graph.calculus.goals, first.memory.pairs]
    assert not any(array.size for array in arrays)
    assert said[0].startswith("The student's memory is full")


@pytest.mark.slow
def test_a_proof_outlives_the_memory_that_it_was_found_with() -> None:
    lemma, said = resolve_lemma("SYJ203.3").formula, list[str]()
    pupil = Pupil(cramped(), cramped, {}, said.append)
    tried = Table(pupil, Counter(lambda: 0.0)).attempt(lemma, Slice(1e9))
    assert said, "the memory was full"
    assert pupil.student.best(lemma) is None, "and who sits there now has not proved it"
    assert (tried.status, tried.reason == SPENT) == (PROVED, True)
    assert tried.script is not None and not replay(lemma, tried.script)[-1]
    pupil.proofs[lemma] = tried.script
    exam = pupil.examine(lemma)
    assert exam is not None and exam.script is not None, "with an empty memory there is room for it"


class Full(PlainStudent):
    """A student without room for anything."""

    def __init__(self, alive: set[Full]) -> None:
        super().__init__(ENDLESS)
        self.alive = alive
        alive.add(self)

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        raise NoRoom("no room to practise")

    def follow(self, lemma: Formula, proof: Script, episode: int | None = None) -> None:
        raise NoRoom("no room to follow")

    def release(self) -> None:
        self.alive.remove(self)


def test_a_pupil_without_room_for_what_it_is_shown_again_gives_back_its_memory() -> None:
    alive: set[Full] = set()
    pupil = Pupil(Full(alive), lambda: Full(alive), {})
    lemma = resolve_lemma("textbook/and_comm").formula
    first = pupil.student
    assert not pupil.learn(lemma, parse_script("intro; assumption"))
    assert alive == {pupil.student} != {first}
    with pytest.raises(NoRoom):
        pupil.practise(lemma, 1.0, lambda: 0.0, lambda: False)
    assert alive == {pupil.student}


def test_a_longer_proof_than_is_shown_is_not_followed_in_place_of_a_shorter_one() -> None:
    lemma, pupil = resolve_lemma("textbook/and_comm").formula, Pupil(PlainStudent(ENDLESS), cramped, {})
    proof = parse_script("intro; assumption")
    assert pupil.remember(lemma, proof)
    assert not pupil.remember(lemma, proof * LONGEST_SHOWN)
    assert pupil.proofs == {lemma: proof}
