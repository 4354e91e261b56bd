"""Rewards, a learner and a policy of somebody's own: named by `module:object`, and no room is touched."""

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from curricula.library import textbook_lemma, thesis_lemma
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Learner, Parameters, steps
from oasis.student.memory import Memory
from oasis.student.plain import PlainStudent
from oasis.student.policy import Choose
from oasis.student.settings import Settings
from oasis.student.student import School, Student, why_plain
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tests.student.plugins import HALFWAY, Curious
from tests.student.pupils import lemmas
from tests.student.twins import check_twins, compiled
from tests.thorough import examples, paired, thoroughly

pytestmark = pytest.mark.slow

ROOM = "tests.student.plugins"
REWARDS = ["Tidy", "Curious", "Brief", "BriefAndCurious", "Booked"]
LEMMAS: list[Formula] = [thesis_lemma("41").formula, textbook_lemma("or_over_and").formula, thesis_lemma("42").formula]


def own(reward: str = "Tidy", learner: str = "q-learning", **others: Any) -> Settings:
    """Return settings with a reward of `plugins`."""
    chosen = {"episodes": 40, "max_steps": 15, "seed": 8, **others}
    return Settings(**{"learner": learner, **chosen, "reward": f"{ROOM}:{reward}"})


KINDS: dict[str, dict[str, Any]] = {
    **{learner: {"learner": learner} for learner in ("q-learning", "epsilon-soft", "sarsa-lambda", "dyna-q")},
    "blind": {"actions": "blind"},
    "forgetting": {"actions": "blind", "forget_errors": True},
    "simplify": {"actions": "simplify"},
    "name": {"state_space": "name", "initial_value": 0.5},
}


@pytest.mark.parametrize(("reward", "kind"), paired(REWARDS, KINDS, 2))
def test_a_reward_of_ones_own_teaches_plain_and_compiled_students_the_same(reward: str, kind: str) -> None:
    check_twins(own(reward, planning=3, **KINDS[kind]), [*LEMMAS, LEMMAS[0]], 13)


@hypothesis_settings(max_examples=examples(60))
@given(st.sampled_from(REWARDS), st.lists(lemmas(max_size=9), min_size=1, max_size=3), st.integers(0, 99))
def test_it_does_so_on_any_lemma(reward: str, formulas: list[Formula], seed: int) -> None:
    check_twins(own(reward, seed=seed), formulas, 4, 1, 8)


@pytest.mark.parametrize(
    "settings",
    [
        own("Booked", "dyna-q", planning=3, epsilon="0.9..0.1", alpha="1/n^0.6"),
        *map(own, REWARDS[1::2]),
        *thoroughly(*map(own, REWARDS[::2])),
    ],
    ids=lambda settings: settings.reward,
)
def test_practice_in_parts_is_practice_in_one(settings: Settings) -> None:
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


told: list[float] = []


def listening(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that makes a step, and only hears how often the student explores."""
    observation, _ = environment.reset()
    environment.step(observation.actions[0])
    told.append(parameters.epsilon)


def forging(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that says that nothing is left to prove."""
    environment.reset()
    environment.proof.state = ()


def falling(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner with a fault."""
    q.values["nothing"]  # type: ignore[call-overload]


def losing(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner whose target is no number."""
    observation, _ = environment.reset()
    q.update(observation.actions[-1].pair, inf - inf, parameters.alpha)


def idling(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that plays nothing."""
    environment.reset()


def scaling(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """A learner that takes the step size for a number."""
    environment.reset()
    0.5 * parameters.alpha


def writing(value: float) -> Learner:
    """Return a learner that writes a value into the table itself, where it counts no visit."""

    def write(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
        for step in steps(environment, policy):
            q.values[step.pair] = value

    return Learner(write)


listener, forger, fallen, lost = Learner(listening), Learner(forging), Learner(falling), Learner(losing)
idler, scaler, unseen, overwriting = Learner(idling), Learner(scaling), writing(1.0), writing(nan)


def test_a_learner_is_told_how_often_the_student_explores() -> None:
    told.clear()
    student = PlainStudent(Settings(learner=f"{__name__}:listener", epsilon="0.5..0.1", episodes=5))
    student.practise(LEMMAS[0], 5)
    assert told == pytest.approx([0.5, 0.4, 0.3, 0.2, 0.1])


HERE = r"\(test_seams\.py, line \d+\)\."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("forger", "has no proof of"),
        ("fallen", rf"fails with \w+Error: .* {HERE}"),
        ("lost", rf"fails with ValueError: it would believe nan.*; values have to be finite numbers {HERE}"),
        ("overwriting", rf"fails with ValueError: it believes \[.*nan.*\] of.*; values have to be finite.* {HERE}"),
        ("idler", "ends an episode without a step, .*; let it call environment.step"),
        ("unseen", r"has written values of \d+ pairs that it never counted as visited, .*; let it call q.visit"),
        ("scaler", r"fails with TypeError: alpha is a step size that .*; take alpha.at\(q.visits\[pair\]\)"),
    ],
)
def test_a_mistake_of_a_learner_of_ones_own_is_told_in_a_sentence(name: str, says: str) -> None:
    student = PlainStudent(Settings(learner=f"{__name__}:{name}", epsilon="0"))
    with pytest.raises(InputError, match=rf":{name} {says}"):
        student.practise(parse("A /\\ B -> B /\\ A"), 20)
