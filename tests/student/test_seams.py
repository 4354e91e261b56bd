"""Rewards, a learner and a policy of somebody's own: named by `module:object`, and no room is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from curricula.library import textbook_lemma, thesis_lemma
from curricula.resolve import resolve
from oasis.exam import examine
from oasis.lab.plan import Plan, Variant
from oasis.lab.trials import attempt
from oasis.store import Store
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Learner, Parameters
from oasis.student.memory import Memory
from oasis.student.plain import PlainStudent
from oasis.student.policy import Choose
from oasis.student.report import report
from oasis.student.school import School, why_plain
from oasis.student.settings import Settings
from oasis.student.student import Student
from oasis.student.training import Training
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import replay
from tests.student.plugins import HALFWAY, Curious, Insistent
from tests.student.pupils import lemmas
from tests.student.twins import check_twins, compiled
from tests.thorough import examples, paired, thoroughly

pytestmark = pytest.mark.slow

ROOM = "tests.student.plugins"
REWARDS = ["Thrifty", "Tidy", "Curious", "Brief", "BriefAndCurious", "Booked"]
LEMMAS: list[Formula] = [thesis_lemma("41").formula, textbook_lemma("or_over_and").formula, thesis_lemma("42").formula]
every_reward = pytest.mark.parametrize("reward", REWARDS)


def own(reward: str = "Tidy", learner: str = "q-learning", **others: Any) -> Settings:
    """Settings with a reward of `plugins`."""
    chosen = {**asdict(Settings()), "episodes": 40, "max_steps": 15, "seed": 8, **others}
    return Settings(**{**chosen, "reward": f"{ROOM}:{reward}", "learner": learner})


@pytest.mark.parametrize(
    ("reward", "learner"), paired(REWARDS, ["q-learning", "epsilon-soft", "sarsa-lambda", "dyna-q"], 2)
)
def test_a_reward_of_ones_own_teaches_plain_and_compiled_students_the_same(reward: str, learner: str) -> None:
    check_twins(own(reward, learner, planning=3), [*LEMMAS, LEMMAS[0]], 13)


@every_reward
@pytest.mark.parametrize(
    "kind",
    [
        {"actions": "blind"},
        {"actions": "blind", "forget_errors": True},
        {"actions": "simplify"},
        {"state_space": "name", "initial_value": 0.5},
    ],
    ids=["blind", "forgetting", "simplify", "name"],
)
def test_it_does_so_in_every_action_space(reward: str, kind: dict[str, Any]) -> None:
    check_twins(own(reward, **kind), [*LEMMAS, LEMMAS[0]], 13)


@hypothesis_settings(deadline=None, max_examples=examples(60))
@given(st.sampled_from(REWARDS), st.lists(lemmas(max_size=9), min_size=1, max_size=3), st.integers(0, 99))
def test_it_does_so_on_any_lemma(reward: str, formulas: list[Formula], seed: int) -> None:
    check_twins(own(reward, seed=seed), formulas, 4, 1, 8)


@pytest.mark.parametrize("reward", [*REWARDS[::2], *thoroughly(*REWARDS[1::2])])
def test_practice_in_parts_is_practice_in_one(reward: str) -> None:
    settings = own(reward)
    check_twins(settings, LEMMAS, 3, 5, 1, 11)
    (whole, _), (parts, _) = compiled(settings), compiled(settings)
    for lemma in LEMMAS:
        at_once = whole.practise(lemma, 20)
        pieces = [parts.practise(lemma, number) for number in (3, 5, 1, 11)]
        for one, *others in zip(at_once, *pieces, strict=True):
            assert one.tolist() == [each for part in others for each in part.tolist()]
    assert whole.memory.pairs.tobytes() == parts.memory.pairs.tobytes()


@pytest.mark.parametrize("reward", ["Curious", "BriefAndCurious", "Booked"])
def test_a_reward_with_counters_is_told_of_every_round_and_of_nothing_else(reward: str) -> None:
    plain, fast = check_twins(own(reward), LEMMAS, 0, 5, 0, 1)  # 18 episodes
    assert plain.reward.state() == fast.reward.state()
    assert not isinstance(fast.reward, Curious) or fast.reward.rounds == 3
    two, _ = compiled(own("Curious"))
    assert isinstance(two.reward, Curious)
    two.practise(LEMMAS[0], 4)
    assert (two.reward.seen, two.reward.lemmas) == ({}, [LEMMAS[0]])
    steps = two.practise(LEMMAS[0], 1).steps
    assert two.reward.seen.total() >= int(steps[0]) + 4


def test_what_a_reward_pays_decides_what_is_learned() -> None:
    tables = [
        tuple(student.q_values(state).items())
        for reward in REWARDS
        for student in [check_twins(own(reward), LEMMAS[:1], 20)[1]]
        for state in replay(LEMMAS[0], ())
    ]
    assert len(set(tables)) == len(REWARDS)


@pytest.mark.parametrize("kind", [PlainStudent, lambda settings: School(settings).student(1)])
def test_who_is_paid_no_numbers_learns_no_order_of_moves(kind: Callable[[Settings], Student]) -> None:
    student = kind(own("Numberless"))
    with pytest.raises(InputError, match="The reward Numberless pays nan"):
        student.practise(LEMMAS[0], 40)


HALF = own("Tidy", f"{ROOM}:HALFWAY")


def test_a_learner_of_ones_own_is_taught_in_plain_python_wherever_students_are() -> None:
    assert why_plain(HALF) == f"{ROOM}:HALFWAY has no compiled form"
    assert not HALFWAY.on_policy
    student = School(HALF).student(3)
    assert isinstance(student, PlainStudent)
    practice = student.practise(LEMMAS[0], 300)
    assert practice.proved.any()
    assert student.value(LEMMAS[0]) != 0
    again = School(HALF).student(3).practise(LEMMAS[0], 300)
    assert [each.tolist() for each in practice] == [each.tolist() for each in again]
    assert set(student.examine(LEMMAS[0]).lengths) == {4} != set(School(HALF).student(3).examine(LEMMAS[0]).lengths)


def test_a_learner_of_ones_own_trains_in_a_run(tmp_path: Path) -> None:
    with Store(tmp_path / "oasis.db") as store:
        training = Training.start(store, resolve("SYJ203.1"), HALF)
        assert training.is_plain
        assert [*training][-1].episode == 40
        (lemma,) = report(store, 1).lemmas
    student = PlainStudent(HALF)
    practice = student.practise(resolve("SYJ203.1").lemmas[0].formula, 40)
    assert (lemma.steps, lemma.proved_episodes) == (practice.steps.sum(), practice.proved.sum())
    assert lemma.exam == student.examine(resolve("SYJ203.1").lemmas[0].formula)


def test_a_learner_and_a_reward_of_ones_own_are_compared_as_any_other() -> None:
    lemmas = resolve("SYJ203.1").lemmas
    for settings in (HALF, own("Curious"), own("Brief", "and-or-q")):
        variant = Variant("ours", settings)
        plan = Plan("plugged in", lemmas, (variant,), (5,), (10, 40))
        trial = attempt(plan, variant, 5, School(settings))
        assert len(trial.proved) == 40
        assert trial.proved.any()


def test_a_policy_of_ones_own_is_examined_as_any_other() -> None:
    lemma = thesis_lemma("41").formula
    knows = examine(Insistent("assumption", "imply1", "intro", "imply3"), lemma)
    assert knows.script is not None
    assert replay(lemma, knows.script)[-1] == ()
    assert set(knows.lengths) == {4} != set(examine(Insistent(), lemma).lengths)


def forge(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that says that nothing is left to prove."""
    environment.reset()
    environment.proof.state = ()


forger = Learner(forge)


def test_a_learner_that_forges_a_proof_is_found_out() -> None:
    student = PlainStudent(Settings(learner=f"{__name__}:forger"))
    with pytest.raises(InputError, match="forger has no proof of"):
        student.practise(LEMMAS[0], 1)


told: list[float] = []


def listen(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that makes a step, and only hears how often the student explores."""
    observation, _ = environment.reset()
    environment.step(observation.actions[0])
    told.append(parameters.epsilon)


def fall(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner with a fault."""
    q.values["nothing"]  # type: ignore[call-overload]


listener, fallen = Learner(listen), Learner(fall)


def test_a_learner_is_told_how_often_the_student_explores() -> None:
    told.clear()
    student = PlainStudent(Settings(learner=f"{__name__}:listener", epsilon="0.5..0.1", episodes=5))
    student.practise(LEMMAS[0], 5)
    assert told == pytest.approx([0.5, 0.4, 0.3, 0.2, 0.1])


def test_a_fault_of_a_learner_of_ones_own_is_said_in_a_sentence() -> None:
    student = PlainStudent(Settings(learner=f"{__name__}:fallen"))
    with pytest.raises(
        InputError, match=r"The learner .*:fallen fails with \w+Error: .* \(test_seams\.py, line \d+\)\."
    ):
        student.practise(LEMMAS[0], 1)


def lose(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner whose target is no number."""
    observation, _ = environment.reset()
    q.update(observation.actions[-1].pair, inf - inf, parameters.alpha)


def overwrite(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that puts what is no number into the table itself, where it is not the first of its state."""
    observation, _ = environment.reset()
    while observation.actions:
        action = policy(observation)
        observation, *_ = environment.step(action)
        q.values[action.pair] = nan


lost, overwriting = Learner(lose), Learner(overwrite)


@pytest.mark.parametrize(
    ("name", "says"), [("lost", "it would believe nan"), ("overwriting", r"it believes \[.*nan.*\] of")]
)
def test_values_that_are_no_numbers_are_told_with_the_learner_and_its_line(name: str, says: str) -> None:
    student = PlainStudent(Settings(learner=f"{__name__}:{name}", epsilon="0"))
    with pytest.raises(
        InputError,
        match=rf"The learner .*:{name} fails with ValueError: {says}.*; values have to be finite numbers "
        r"\(test_seams\.py, line \d+\)\.",
    ):
        student.practise(parse("A /\\ B -> B /\\ A"), 20)


def idle(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that plays nothing."""
    environment.reset()


def unseen(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that writes values, and counts no visit."""
    observation, _ = environment.reset()
    while observation.actions:
        action = policy(observation)
        observation, *_ = environment.step(action)
        q.values[action.pair] = 1.0


def scaled(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that takes the step size for a number."""
    environment.reset()
    0.5 * parameters.alpha


idling, unseeing, scaling = Learner(idle), Learner(unseen), Learner(scaled)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("idling", "ends an episode without a step, .*; let it call environment.step"),
        ("unseeing", r"has written values of \d+ pairs that it never counted as visited, .*; let it call q.visit"),
        ("scaling", r"fails with TypeError: alpha is a step size that .*; take alpha.at\(q.visits\[pair\]\)"),
    ],
)
def test_mistakes_that_raise_no_error_of_their_own_are_told_of_a_learner_of_ones_own(name: str, says: str) -> None:
    student = PlainStudent(Settings(learner=f"{__name__}:{name}"))
    with pytest.raises(InputError, match=rf"^The learner .*:{name} {says}"):
        student.practise(LEMMAS[0], 3)
