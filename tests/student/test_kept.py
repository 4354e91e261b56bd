"""Students that are kept: saved and loaded without a difference, and taken up by another run or refused."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curricula.lemma import Curriculum
from oasis.exam import PLAYS
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.store import Store
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.kept import kept_student
from oasis.student.plain import PlainStudent
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import atoms, renamed
from tactics.parser import parse
from tests.student.runs import CURRICULUM, FORMULAS, reachable
from tests.thorough import everyday

pytestmark = pytest.mark.slow

ODD = parse("forall H H0 H2 : Prop, (H -> H0) /\\ (H2 \\/ H) -> H0 \\/ H2")
PRIOR = Prior({Scope("any", "any", "right"): 3.3, Scope("any", "implies", "imply4"): 0.21}).text
KINDS: dict[str, dict[str, Any]] = {
    **{space: {"state_space": space} for space in STATE_SPACES},
    **{f"{space}, blind": {"state_space": space, "actions": "blind"} for space in STATE_SPACES},
    "forgetting": {"actions": "blind", "forget_errors": True},
    "simplify": {"actions": "simplify"},
    **{learner: {"learner": learner} for learner in ("and-or-q", "dyna-q", "sarsa-lambda")},
    "of goals, name": {"learner": "and-or-q", "state_space": "name"},
    "experience": {"experience": PRIOR},
    "of goals, experience": {"learner": "and-or-q", "state_space": "match", "experience": PRIOR},
    "history": {"reward": "tests.student.plugins:BriefAndCurious"},
}


def of_kind(kind: str) -> Settings:
    """Settings with small numbers."""
    return Settings(**{"episodes": 40, "max_steps": 30, "planning": 3, "seed": 2, **KINDS[kind]})


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_student_knows_it_knows_of_states_that_it_never_saw_in_this_form(kind: str) -> None:
    settings = of_kind(kind)
    saved, plain = CompiledStudent(settings, new_world(settings)), PlainStudent(settings)
    lemma, *_ = FORMULAS
    for student in (saved, plain):
        student.practise(lemma, 60)
    loaded = CompiledStudent.load(saved.save(), settings)
    for formula in (lemma, renamed(lemma, {atom.name: f"other_{atom.name}" for atom in atoms(lemma)})):
        for state in reachable(formula, settings.actions):
            assert loaded.q_values(state) == saved.q_values(state) == plain.q_values(state)


@pytest.mark.parametrize("kind", everyday(["name, blind", "forgetting", "of goals, experience"], KINDS))
def test_a_student_that_was_loaded_goes_on_as_the_one_that_was_saved(kind: str) -> None:
    settings = of_kind(kind)
    saved = CompiledStudent(settings, new_world(settings))
    lemmas = [*FORMULAS, ODD]
    for lemma in lemmas[:-2]:
        saved.practise(lemma, 11)
    loaded = CompiledStudent.load(saved.save(), settings)
    for lemma in lemmas[-2:] + lemmas[:1]:
        assert loaded.best(lemma) == saved.best(lemma)
        assert loaded.examine(lemma, 5) == saved.examine(lemma, 5)
        for one, other in zip(saved.practise(lemma, 9), loaded.practise(lemma, 9), strict=True):
            assert one.tolist() == other.tolist()
        assert loaded.examine(lemma, 5) == saved.examine(lemma, 5)
        assert (loaded.best(lemma), loaded.value(lemma)) == (saved.best(lemma), saved.value(lemma))
        for state in reachable(lemma, settings.actions):
            assert loaded.q_values(state) == saved.q_values(state)
    assert loaded.memory.pairs.tobytes() == saved.memory.pairs.tobytes()
    assert (loaded.states, loaded.memory.rng[0]) == (saved.states, saved.memory.rng[0])
    assert loaded.reward.state() == saved.reward.state()


def test_a_student_who_never_practised_is_kept_as_well() -> None:
    settings = Settings()
    loaded = CompiledStudent.load(CompiledStudent(settings, new_world(settings)).save(), settings)
    assert loaded.states == 0
    assert loaded.practise(FORMULAS[0], 5).states[-1] > 0


def test_damaged_bytes_are_refused_in_words() -> None:
    settings = Settings()
    student = CompiledStudent(settings, new_world(settings))
    student.practise(FORMULAS[0], 20)
    content = student.save()
    damaged = [b"", content[:-1], content[1:], content + b"x", zlib.compress(b"something else")]
    for place in (0, 15, 16, len(content) // 2, len(content) - 1):
        damaged.append(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    for each in damaged:
        with pytest.raises(InputError, match=r"is damaged in the database; put back a copy of the file\."):
            CompiledStudent.load(each, settings)


TAUGHT = Settings(episodes=300, seed=1)
TAUGHT_PLAIN = replace(TAUGHT, learner="tests.student.plugins:HALFWAY")
FIRST, REST = Curriculum("first", "", CURRICULUM.lemmas[:1]), Curriculum("rest", "", CURRICULUM.lemmas[4:])
a_kind_of_each = pytest.mark.parametrize("settings", [TAUGHT, TAUGHT_PLAIN], ids=["compiled", "plain"])


@a_kind_of_each
def test_a_student_taken_up_knows_what_it_knew_and_goes_on(settings: Settings, tmp_path: Path) -> None:
    later = replace(settings, episodes=30, seed=5)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, settings))
        list(Training.start(store, REST, later, exam=FIRST, taught_by=1))
        list(Training.start(store, REST, later, exam=FIRST))
        ((before,), taken_up, untaught) = (report(store, run).lemmas for run in (1, 2, 3))
        assert store.run(2)["taught_by"] == 1
        assert report(store, 1).lemmas == (before,)
    assert before.exam is not None
    assert before.exam.share == 1
    exam, other = taken_up[-1].exam, untaught[-1].exam
    assert exam is not None
    assert other is not None
    assert (exam.share, set(exam.lengths)) == (1, set(before.exam.lengths))
    assert other.lengths != exam.lengths
    assert [lemma.episodes for lemma in taken_up] == [30, 30, 0]
    assert all(lemma.states for lemma in taken_up[:-1])


@a_kind_of_each
def test_a_lemma_taken_up_again_is_counted_from_the_start(settings: Settings, tmp_path: Path) -> None:
    later = replace(settings, episodes=25, epsilon="1..0", seed=6)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, settings))
        student = kept_student(store, Training.start(store, FIRST, later, taught_by=1).run, later).student
        assert student.best(FORMULAS[0]) is None
        q_values = student.q_values(next(iter(reachable(FORMULAS[0]))))
        assert any(q_values.values())
        assert student.examine(FORMULAS[0]).proved == PLAYS
        list(Training(store, 2))
        (lemma,) = report(store, 2).lemmas
        assert (lemma.episodes, lemma.states) == (25, 0)
        assert lemma.steps >= lemma.episodes


@a_kind_of_each
def test_a_run_that_was_taken_up_resumes_as_if_it_had_not_been_stopped(settings: Settings, tmp_path: Path) -> None:
    later = replace(settings, episodes=30, seed=5)
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, settings))
        list(Training.start(store, CURRICULUM, later, taught_by=1))
        stopped = Training.start(store, CURRICULUM, later, taught_by=1)
        while not stopped.finished:
            for _ in stopped:
                stopped.stop_requested = 1
            stopped = Training(store, 3)
        whole, pieces = (report(store, run).lemmas for run in (2, 3))
    assert [replace(lemma, seconds=0) for lemma in pieces] == [replace(lemma, seconds=0) for lemma in whole]


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ({"reward": "standard"}, "learned with --reward terminating; give the same here"),
        ({"state_space": "name"}, "learned with --state-space simple; give the same here"),
        ({"actions": "blind"}, "learned with --actions legal; give the same here"),
        ({"actions": "blind", "forget_errors": True}, "learned with --actions legal; give the same here"),
        ({"gamma": 0.5}, r"learned with --gamma 0\.9; give the same here"),
        ({"learner": "and-or-q"}, "learned by q-learning, .* of no use to and-or-q; leave out --learner"),
        ({"learner": "dyna-q"}, "learned by q-learning, .* of no use to dyna-q"),
        ({"learner": "sarsa-lambda"}, "learned by q-learning, .* of no use to sarsa-lambda"),
        ({"learner": "tests.student.plugins:HALFWAY"}, "is a compiled one, and .*HALFWAY has no compiled form"),
    ],
)
def test_a_student_whose_values_would_mean_something_else_is_not_taken_up(
    others: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, replace(TAUGHT, episodes=5)))
        with pytest.raises(InputError, match=f"The student of run 1 {says}"):
            Training.start(store, REST, replace(TAUGHT, **others), taught_by=1)
        assert len(store.runs()) == 1


def test_what_changes_no_meaning_may_change(tmp_path: Path) -> None:
    others: dict[str, Any] = {
        "learner": "sarsa",
        "alpha": 0.1,
        "epsilon": 0.1,
        "max_steps": 50,
        "seed": 9,
        "episodes": 3,
    }
    with Store(tmp_path / "oasis.db") as store:
        list(Training.start(store, FIRST, replace(TAUGHT, episodes=5)))
        list(Training.start(store, REST, replace(TAUGHT, **others), taught_by=1))
        assert report(store, 2).finished


def test_who_has_not_practised_yet_is_not_taken_up(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        Training.start(store, FIRST, TAUGHT)
        with pytest.raises(InputError, match="Nothing that the student of run 1 learned is stored yet"):
            Training.start(store, REST, TAUGHT, taught_by=1)
