"""A student whose memory is full gives it back, whoever still refers to it."""

import pytest

from curricula import resolve_lemma
from oasis.actions import LEGAL
from oasis.escalation.costs import Counter
from oasis.escalation.pupil import LONGEST_SHOWN, Pupil
from oasis.escalation.stages import Slice, Table
from oasis.search.graph import PROVED
from oasis.student.compiled.student import CompiledStudent
from oasis.student.compiled.world import World
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import NoRoom, Practice
from state_spaces import STATE_SPACES
from tactics.formula import Formula
from tactics.script import Script, parse_script, replay

SETTINGS = Settings(learner="and-or-q", episodes=20_000)


def small() -> CompiledStudent:
    """A student with room for a few thousand states."""
    return CompiledStudent(SETTINGS, World(STATE_SPACES["simple"](), LEGAL, by_goal=True, max_states=2**12))


def test_what_a_full_student_occupied_is_free_afterwards() -> None:
    student = small()
    with pytest.raises(NoRoom):
        student.practise(resolve_lemma("SYJ205.6").formula, 20_000)
    arrays = [student._world.graph.edges, student._world.graph.calculus.goals, student.memory.pairs]
    assert all(array.size for array in arrays)
    student.release()
    assert not any(array.size for array in arrays)


def test_a_pupil_gives_back_a_full_memory_and_goes_on_with_an_empty_one() -> None:
    said: list[str] = []
    pupil = Pupil(small(), small, {}, said.append)
    first, easy = pupil.student, resolve_lemma("textbook/and_comm").formula
    pupil.practise(easy, 1.0, lambda: 0.0, lambda: False)
    proof = pupil.best(easy)
    assert proof is not None
    pupil.proofs[easy] = proof
    with pytest.raises(NoRoom):  # with an empty memory, too, there is none for this one
        pupil.practise(resolve_lemma("SYJ205.6").formula, 1e9, lambda: 0.0, lambda: False)
    assert isinstance(first, CompiledStudent)
    assert not first.memory.pairs.size
    assert said[0].startswith("The student's memory is full")


def test_a_proof_outlives_the_memory_that_it_was_found_with() -> None:
    lemma, said = resolve_lemma("SYJ203.3").formula, list[str]()
    pupil = Pupil(small(), small, {}, said.append)
    tried = Table(pupil, Counter(lambda: 0.0)).attempt(lemma, Slice(1e9))
    assert said, "the memory was full"
    assert pupil.student.best(lemma) is None, "and who sits there now has not proved it"
    assert (tried.status, tried.is_spent) == (PROVED, True)
    assert tried.script is not None
    assert not replay(lemma, tried.script)[-1]
    pupil.proofs[lemma] = tried.script
    exam = pupil.examine(lemma)
    assert exam is not None, "with an empty memory there is room for it"
    assert exam.script is not None


class Full(PlainStudent):
    """Has no room for anything."""

    def __init__(self, alive: set["Full"]) -> None:
        super().__init__(SETTINGS)
        self.alive = alive
        alive.add(self)

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        raise NoRoom("no room to practise")

    def follow(self, lemma: Formula, proof: Script, episode: int | None = None) -> None:
        raise NoRoom("no room to follow")

    def release(self) -> None:
        self.alive.remove(self)


def test_who_has_no_room_for_what_it_is_shown_again_gives_back_its_memory_too() -> None:
    alive: set[Full] = set()
    pupil = Pupil(Full(alive), lambda: Full(alive), {})
    lemma = resolve_lemma("textbook/and_comm").formula
    pupil.remember(lemma, parse_script("intro; assumption"))
    with pytest.raises(NoRoom):
        pupil.practise(lemma, 1.0, lambda: 0.0, lambda: False)
    assert alive == {pupil.student}


def test_a_longer_proof_than_is_shown_is_not_followed_in_place_of_a_shorter_one() -> None:
    lemma, pupil = resolve_lemma("textbook/and_comm").formula, Pupil(PlainStudent(SETTINGS), small, {})
    proof = parse_script("intro; assumption")
    assert pupil.remember(lemma, proof)
    assert not pupil.remember(lemma, proof * LONGEST_SHOWN)
    assert pupil.proofs == {lemma: proof}
