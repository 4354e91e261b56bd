"""The compiled students against the plain ones, bit for bit, with everything that settings can say."""

import ctypes
import errno
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curricula.library import textbook_lemma, thesis_lemma
from oasis.dagger.making import dagger
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.names import LEARNERS, TERMS
from oasis.play.actions import ACTION_SPACES, attempt
from oasis.rewards import RowReward, Transition
from oasis.student.compiled import jit
from oasis.student.compiled.alike import Alike
from oasis.student.compiled.graph import PROVED
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.compiled.world import TooManyStates, World
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import CannotFollow, School, is_compiled, why_plain
from oasis.teacher.exact.values import shortest_script
from state_spaces import STATE_SPACES
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import initial, sequent
from tactics.parser import parse
from tests.strategies import PAID_BY_KIND
from tests.student.pupils import lemmas
from tests.student.twins import check_twins, check_values, compiled
from tests.thorough import paired, thoroughly

pytestmark = pytest.mark.slow

LEMMAS = [thesis_lemma(name).formula for name in ("41", "42")] + [
    textbook_lemma(name).formula for name in ("or_over_and", "triple_negation_iff")
]
ODD = [parse("forall H H0 H2 : Prop, (H -> H0) /\\ (H2 \\/ H) -> H0 \\/ H2"), parse("p"), parse("False -> p /\\ q")]
"""Atoms whose names hypotheses may not have, a lemma that is stuck at once, and a rule that closes a goal."""

PRIOR = Prior(
    {
        Scope("any", "any", "imply3"): 7.3,
        Scope("or", "any", "left"): 0.2,
        Scope("any", "implies", "imply1"): 0.37,
        Scope("or", "or", "destruct_or"): 10.1,
    }
).text


KINDS: dict[str, dict[str, Any]] = {
    "legal": {},
    "blind": {"actions": "blind"},
    "forgetting": {"actions": "blind", "forget_errors": True},
    "name": {"state_space": "name"},
    "match": {"state_space": "match", "initial_value": 0.5},
    "name, forgetting": {"state_space": "name", "actions": "blind", "forget_errors": True},
    "schedules": {"epsilon": "0.9..0.1", "alpha": "0.8/n^0.7", "reward": "standard-qed"},
    "simplify": {"actions": "simplify"},
    "experience": {"experience": PRIOR},
    "name, experience": {"state_space": "name", "experience": PRIOR},
    "match, experience": {"state_space": "match", "experience": PRIOR},
}


@pytest.mark.parametrize(("learner", "kind"), paired(LEARNERS, KINDS, 4))
def test_compiled_and_plain_students_are_bit_equal(learner: str, kind: str) -> None:
    if (learner, kind) == ("and-or-q", "simplify") or (learner == "uniform" and "experience" in kind):
        return
    settings = Settings(learner=learner, episodes=30, planning=3, max_steps=40, **KINDS[kind])
    check_twins(settings, LEMMAS + ODD + LEMMAS[:1], 12)


@given(
    formulas=st.lists(lemmas(max_size=9), min_size=1, max_size=3),
    seed=st.integers(0, 2**63 - 1),
    learner=st.sampled_from([*LEARNERS]),
    kind=st.sampled_from([kind for kind in KINDS if kind != "simplify"]),
    reward=st.sampled_from(PAID_BY_KIND),
    epsilon=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_compiled_and_plain_students_are_bit_equal_on_any_lemma(
    formulas: list[Formula], seed: int, learner: str, kind: str, reward: str, epsilon: float
) -> None:
    assume(learner != "uniform" or "experience" not in kind)
    given_kind = {"reward": reward, "epsilon": epsilon, **KINDS[kind]}
    settings = Settings(learner=learner, seed=seed, planning=2, max_steps=30, **given_kind)
    check_twins(settings, formulas, 8)


@pytest.mark.parametrize("space", ["legal", "blind", "simplify"])
@given(formula=lemmas(max_size=10))
def test_what_is_worked_out_on_integers_is_what_the_calculus_says(space: str, formula: Formula) -> None:
    student, world = compiled(Settings(learner="uniform", actions=space))
    student.practise(formula, 20)
    actions = ACTION_SPACES[space]
    tried = 0
    for number in range(PROVED + 1, world.size):
        state, place = world.state(number), world.graph.states[number]
        edges = world.graph.edges[place["first_edge"] :][: place["edges"]]
        if place["key"]:
            assert len(edges) == len(actions.actions(state))
            for move, after in zip(actions.actions(state), edges["after"].tolist(), strict=True):
                if after:
                    tried += 1
                    assert world.state(after) == actions.perform(state, move, attempt)[0]
    assert tried or not actions.actions(initial(formula))


def test_a_student_does_the_same_whoever_explored_the_world_before() -> None:
    settings = Settings(learner="q-learning", state_space="name", episodes=40)
    school = School(settings)
    others = [school.student(seed) for seed in range(5)]
    for student in others:
        student.practise(LEMMAS[1], 40)
    late = school.student(7).practise(LEMMAS[1], 40)
    alone, _ = compiled(replace(settings, seed=7))
    for one, other in zip(late, alone.practise(LEMMAS[1], 40), strict=True):
        assert one.tolist() == other.tolist()


def test_asking_for_a_proof_changes_nothing() -> None:
    settings = Settings(episodes=60)
    (asked, _), (left_alone, _) = compiled(settings), compiled(settings)
    for _ in range(30):
        asked.practise(LEMMAS[1], 1)
        left_alone.practise(LEMMAS[1], 1)
        asked.examine(LEMMAS[1])
        asked.value(LEMMAS[1])
    assert asked.states == left_alone.states
    assert asked.memory.pairs.tobytes() == left_alone.memory.pairs.tobytes()


def test_an_untaught_student_proves_no_more_by_the_greedy_policy_than_by_chance() -> None:
    school = School(Settings(learner="uniform", episodes=1))
    players = [school.student(seed) for seed in range(300)]
    greedily = [player.examine(LEMMAS[1], 1).proved for player in players]
    by_chance = [bool(player.practise(LEMMAS[1], 1).proved[0]) for player in players]
    assert abs(np.mean(greedily) - np.mean(by_chance)) < 0.12  # about three standard errors


@pytest.mark.parametrize("space", STATE_SPACES)
def test_a_world_that_is_full_says_so(space: str) -> None:
    world = World(STATE_SPACES[space](), ACTION_SPACES["legal"], max_states=200)
    student = CompiledStudent(Settings(state_space=space), world)
    with pytest.raises(TooManyStates, match="more than 200 states"):
        student.practise(thesis_lemma("44").formula, 1000)


def test_states_are_found_again_however_many_there_are() -> None:
    settings = Settings()
    world = new_world(settings)
    student = CompiledStudent(settings, world)
    student.practise(thesis_lemma("45").formula, 200)
    loaded = CompiledStudent.load(student.save(), settings)
    loaded.practise(thesis_lemma("45").formula, 50)
    for each in (world, loaded._world):
        assert each.size > 2**11
        numbers = range(PROVED, each.size)
        states = [each.state(number) for number in numbers]
        assert len(set(states)) == len(states)
        assert [each.number(state) for state in states] == [*numbers]
        table, slots = each.graph.table, int(each.graph.table[0])
        assert slots <= 4 * each.size
        assert not table[slots + 1 :].any()


SHOWN = thesis_lemma("42").formula
REWARDS_SHOWN = ("terminating", "tests.student.plugins:BriefAndCurious")


@pytest.mark.parametrize(
    ("learner", "kind"),
    paired([name for name in LEARNERS if name != "uniform"], [kind for kind in KINDS if kind != "simplify"], 5),
)
def test_a_proof_that_is_shown_teaches_compiled_and_plain_students_the_same(learner: str, kind: str) -> None:
    proof = shortest_script(SHOWN)
    assert proof is not None
    for reward in REWARDS_SHOWN:
        settings = Settings(**{"learner": learner, "planning": 3, "seed": 5, "reward": reward, **KINDS[kind]})
        plain, (fast, world) = PlainStudent(settings), compiled(settings)
        for student in (plain, fast):
            student.practise(SHOWN, 3)
            for _ in range(4):
                student.follow(SHOWN, proof)
            student.practise(SHOWN, 5)
        assert plain.examine(SHOWN, 5) == fast.examine(SHOWN, 5)
        assert plain.best(SHOWN) == fast.best(SHOWN)
        check_values(plain, fast, world)


def test_a_student_who_was_shown_a_proof_can_play_it_and_has_practised_nothing() -> None:
    proof = shortest_script(SHOWN)
    assert proof is not None
    student, _ = compiled(Settings(learner="and-or-q"))
    student.follow(SHOWN, proof)
    exam = student.examine(SHOWN)
    assert (exam.share, exam.best) == (1.0, len(proof))
    assert student.best(SHOWN) is None
    with pytest.raises(InputError, match="finish it first"):
        student.follow(SHOWN, proof[:-1])
    with pytest.raises(CannotFollow, match="learns from nothing"):
        compiled(Settings(learner="uniform"))[0].follow(SHOWN, proof)


SIXTEEN = "dagger:all:" + ":".join(f"{name}=0.{number}" for number, name in enumerate(TERMS, 11))
OF_THE_STEP = ["amount", "mean", "rule", "opened"]
"""Columns of a row that say the same in every reward; the others are numbers that a reward gives as it goes."""


@pytest.mark.parametrize("actions", ["legal", *thoroughly("blind", "simplify")])
def test_steps_that_are_alike_have_the_row_each_has_by_itself(actions: str, monkeypatch: pytest.MonkeyPatch) -> None:
    student, world = compiled(Settings(reward=SIXTEEN, actions=actions, learner="q-learning", max_steps=12))
    assert isinstance(student.reward, RowReward)
    asked, row_type = Mock(wraps=student.reward.row), student.reward.row_type
    monkeypatch.setattr(student.reward, "row", asked)
    student.practise(LEMMAS[1], 60)
    alike = Alike(world)
    edges = np.flatnonzero(student._pays["is_known"].reshape(-1, 2).any(axis=1))
    assert asked.call_count < len(edges)  # some steps are alike
    for edge, state in zip(edges.tolist(), world.sources(edges).tolist(), strict=True):
        step, kind = world.transition(state, edge), alike.kind(state, edge)
        move, after = alike.done(kind, state, edge)
        like = Transition(alike.state(kind.state), move, alike.state(after))
        assert [*map(sequent, step.before)] == [*map(sequent, like.before)]
        assert [*map(sequent, step.after)] == [*map(sequent, like.after)]
        for ended in {not step.after, True}:
            rows = np.array([dagger(SIXTEEN).row(*each, ended) for each in (step, like)], row_type)
            assert rows[0][OF_THE_STEP] == rows[1][OF_THE_STEP]


def test_students_are_compiled_if_they_can_be_and_plain_ones_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_plain(Settings(backend="coq")) == "every move is made inside coq"
    settings = Settings(learner="and-or-q", episodes=60)
    assert why_plain(settings) is None
    student = School(settings).student(4)
    assert isinstance(student, CompiledStudent)
    practice, exam = student.practise(LEMMAS[1], 60), student.examine(LEMMAS[1], 20)
    monkeypatch.setitem(sys.modules, "numba", None)
    plain = School(settings).student(4)
    assert isinstance(plain, PlainStudent)
    assert why_plain(settings) == "numba is not installed"
    assert is_compiled(settings)  # nobody has to wait for it
    for one, other in zip(plain.practise(LEMMAS[1], 60), practice, strict=True):
        assert one.tolist() == other.tolist()
    assert plain.examine(LEMMAS[1], 20) == exam


def _interrupted() -> None:
    raise KeyboardInterrupt


def _hands_over() -> None:
    """Do as LLVM does: hand over through a callback, and miss what the callback did not take."""
    ctypes.CFUNCTYPE(None)(_interrupted)()
    raise RuntimeError("no compiled object yet")


def test_a_compiler_loses_no_interrupt(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(jit, "_compiled", lambda function: function)
    with pytest.raises(KeyboardInterrupt):
        jit.outer(_hands_over)()
    assert "Traceback" not in capfd.readouterr().err


def _doubled(number: int) -> int:
    return 2 * number


def _tenfold() -> Callable[[int], int]:
    doubled = jit.inlined(_doubled)

    def tenfold(number: int) -> int:
        return 5 * doubled(number)

    return jit.outer(tenfold)


def test_what_closes_over_a_compiled_function_is_found_on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(jit._SETTINGS, "CACHE_DIR", str(tmp_path))
    assert [_tenfold()(4) for _ in range(2)] == [40, 40]
    assert len([*tmp_path.rglob("*tenfold*.nbc")]) == 1


@pytest.mark.parametrize(("ending", "left"), [("nbi", 0), ("nbi", 40), ("nbc", 0), ("nbc", 400)])
def test_what_is_damaged_on_disk_is_compiled_again_and_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path, ending: str, left: int
) -> None:
    monkeypatch.setitem(jit._SETTINGS, "CACHE_DIR", str(tmp_path))
    assert jit.outer(_doubled)(4) == 8
    (kept,) = tmp_path.rglob(f"*.{ending}")
    kept.write_bytes(kept.read_bytes()[:left])
    assert jit.outer(_doubled)(4) == 8
    assert [said.split(str(tmp_path))[0] for said in caplog.messages] == ["What was compiled before is damaged in "]
    caplog.clear()
    assert jit.outer(_doubled)(4) == 8
    assert caplog.messages == []


@pytest.mark.parametrize("full", [OSError(errno.ENOSPC, "No space left on device"), RuntimeError("no folder")])
def test_a_folder_that_takes_nothing_is_named_and_the_work_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path, full: Exception
) -> None:
    monkeypatch.setitem(jit._SETTINGS, "CACHE_DIR", str(tmp_path))
    where = "IndexDataCacheFile._save_index" if isinstance(full, OSError) else "CompileResultCacheImpl.__init__"
    with patch(f"numba.core.caching.{where}", side_effect=full):
        assert [jit.outer(doubled)(4) for doubled in (_doubled, _doubled)] == [8, 8]
    (said,) = caplog.messages
    assert str(tmp_path) in said and said.endswith("make room there, or name another folder with NUMBA_CACHE_DIR.")
