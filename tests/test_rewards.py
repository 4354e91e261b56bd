"""The thesis's three rewards, by their table, and what a reward may say of itself."""

from __future__ import annotations

import pytest

from oasis.rewards import REWARDS, Dependence, Pay, Reward, reward
from tactics.errors import InputError
from tactics.goal import Move, State, initial
from tactics.parser import parse

FIRST, SECOND = initial(parse("p -> p")), initial(parse("p \\/ q"))
INTRO = Move("intro")


@pytest.mark.parametrize(
    ("before", "after", "ended", "terminating", "standard", "standard_qed"),
    [
        (FIRST, SECOND, False, 0, 1, 1),
        (FIRST, FIRST, False, 0, -1, -1),
        (FIRST, (), True, 1, 1, 100),
        (FIRST, SECOND, True, -1, 1, 1),
        (FIRST, FIRST, True, -1, -1, -1),
    ],
    ids=["goes on", "error", "proved", "stuck", "stuck by giving up"],
)
def test_a_step_is_paid_as_the_thesis_says(
    before: State, after: State, ended: bool, terminating: float, standard: float, standard_qed: float
) -> None:
    assert {name: maker().step(before, INTRO, after, ended) for name, maker in REWARDS.items()} == {
        "terminating": terminating,
        "standard": standard,
        "standard-qed": standard_qed,
    }


def test_a_state_is_compared_by_what_it_shows() -> None:
    rebuilt = (*SECOND, *initial(parse("p -> p")))
    assert reward("standard").step(SECOND + FIRST, INTRO, rebuilt, False) == -1
    assert reward("standard").step(FIRST + SECOND, INTRO, rebuilt, False) == 1


def test_five_numbers_stand_for_each_of_the_three() -> None:
    assert Pay.of(reward("terminating")) == (0, -1, 0, -1, 1)
    assert Pay.of(reward("standard")) == (-1, -1, 1, 1, 1)
    assert Pay.of(reward("standard-qed")) == (-1, -1, 1, 1, 100)


class ByWeight(Reward):
    """Minus the number of open goals behind a step."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return -float(len(after))


class Boastful(ByWeight):
    """Says that it depends on less than it does."""

    dependence = Dependence.KIND


def test_a_reward_of_transitions_is_not_taken_for_five_numbers() -> None:
    with pytest.raises(InputError, match="ByWeight depends on more than the kind of a step"):
        Pay.of(ByWeight())


def test_a_reward_that_says_too_much_of_itself_is_found_out() -> None:
    with pytest.raises(InputError, match=r"Boastful says that it depends on the kind .* Dependence\.TRANSITION"):
        Pay.of(Boastful())


def test_a_reward_of_ones_own_is_named_by_module_and_object() -> None:
    assert isinstance(reward("tests.test_rewards:ByWeight"), ByWeight)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("terminatin", "--reward is one of terminating, standard, standard-qed, or module:object, .* did you mean"),
        ("nowhere_at_all:Reward", "nowhere_at_all cannot be imported"),
        ("tests.test_rewards:Nobody", "tests.test_rewards has no Nobody"),
        ("tests.test_rewards:INTRO", "is to make an oasis.rewards.Reward, and makes a Move"),
        ("collections:Counter", "is to make an oasis.rewards.Reward, and makes a Counter"),
    ],
)
def test_a_name_that_makes_no_reward_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        reward(name)
