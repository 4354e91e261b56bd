"""The thesis's three rewards, by their table, and what a reward may say of itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from oasis.rewarding import reward
from oasis.rewards import (
    REWARDS,
    Dependence,
    Outcome,
    Pay,
    Reward,
    Rounds,
    Terminating,
    Transition,
    Uses,
    paid,
    paid_at_end,
)
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


@pytest.mark.parametrize(
    ("name", "pay"),
    [("terminating", (0, -1, 0, -1, 1)), ("standard", (-1, -1, 1, 1, 1)), ("standard-qed", (-1, -1, 1, 1, 100))],
)
def test_five_numbers_stand_for_each_of_the_three(name: str, pay: tuple[int, ...]) -> None:
    assert Pay.of(reward(name)) == pay


class Counting(Terminating):
    """Keeps what it is told."""

    dependence, round = Dependence.HISTORY, 2

    def __init__(self) -> None:
        self.told: list[object] = []

    def begin(self, lemma: object) -> None:
        self.told.append(lemma)

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self.told.append(dict(steps))


def test_a_round_is_over_after_its_episodes_and_has_their_steps_and_those_that_were_shown() -> None:
    lost, proved = Transition(FIRST, INTRO, FIRST), Transition(FIRST, INTRO, ())
    rounds = Rounds(Counting())
    for path, episodes in (([lost, proved], 1), ([proved], 0), ([lost], 1), ([lost], 1)):
        rounds.count(path, episodes)
        rounds.renew()
    assert rounds.reward.told == [{lost: Uses(2, 1), proved: Uses(2, 2)}]  # type: ignore[attr-defined]
    assert rounds.episodes == 1
    plain = Rounds(Terminating())
    for _ in range(3 * plain.reward.round):
        plain.count([proved])
        plain.renew()


def test_players_who_share_a_reward_tell_it_whose_turn_it_is() -> None:
    one, other = parse("p -> p"), parse("p \\/ q")
    rounds = Rounds(Counting())
    for lemma in (one, one, other, one):
        rounds.turn_to(lemma)
    assert rounds.reward.told == [one, other, one]  # type: ignore[attr-defined]


class ByWeight(Reward):
    """Minus the number of open goals behind a step."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return -float(len(after))


class Boastful(ByWeight):
    """Says that it depends on less than it does."""

    dependence = Dependence.KIND


def test_a_reward_of_more_than_the_kind_of_a_step_is_not_taken_for_five_numbers() -> None:
    with pytest.raises(InputError, match="ByWeight depends on more than the kind of a step"):
        Pay.of(ByWeight())
    with pytest.raises(InputError, match=r"Boastful says that it depends on the kind .* Dependence\.TRANSITION"):
        Pay.of(Boastful())
    assert isinstance(reward("tests.test_rewards:ByWeight"), ByWeight)


class Silent(Reward):
    """Does not say what it depends on."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return 0.0


class Restless(ByWeight):
    """Has rounds without episodes."""

    round = 0


class Unmakeable(ByWeight):
    """Cannot be made without more being said."""

    def __init__(self, weight: float) -> None:
        self.weight = weight


class Paying(ByWeight):
    """Pays what it was made to pay, for steps and at the end."""

    pays_at_end = True

    def __init__(self, amount: Any) -> None:
        self.amount = amount

    def step(self, before: State, move: Move, after: State, ended: bool) -> Any:
        return self.amount

    def end(self, outcome: Outcome) -> Any:
        return self.amount


class Failing(ByWeight):
    """Divides by zero."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return 1 / 0


class Leaving(ByWeight):
    """Would end the command as if all were well."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        raise SystemExit(0)


def leaving() -> None:
    """Makes nothing."""
    raise SystemExit(0)


@pytest.mark.parametrize("amount", [nan, inf, -inf, 1e101, None, "much", [1.0]])
def test_a_reward_that_pays_no_number_is_found_out(amount: Any) -> None:
    with pytest.raises(InputError, match=r"The reward Paying pays .*; it has to be a number from -1e\+100 to 1e\+100"):
        paid(Paying(amount), FIRST, INTRO, SECOND, False)
    with pytest.raises(InputError, match="The reward Paying pays"):
        paid_at_end(Paying(amount), Outcome(True, False, 1, (INTRO,)))


@pytest.mark.parametrize("amount", [1, True, np.float32(1), np.int64(1), Fraction(1)])
def test_any_kind_of_number_will_do(amount: Any) -> None:
    assert paid(Paying(amount), FIRST, INTRO, SECOND, False) == 1.0


def test_a_reward_that_fails_is_named() -> None:
    with pytest.raises(InputError, match="The reward Failing fails with ZeroDivisionError: division by zero"):
        paid(Failing(), FIRST, INTRO, SECOND, False)
    with pytest.raises(InputError, match="The reward Leaving fails with SystemExit: 0"):
        paid(Leaving(), FIRST, INTRO, SECOND, False)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tests.test_rewards:Silent", "has to say what it depends on; let its dependence be one of Dependence.KIND"),
        ("tests.test_rewards:Restless", "its round is a number of episodes, at least 1, not 0"),
        (
            "tests.test_rewards:Unmakeable",
            "Unmakeable cannot be called without arguments; name a class of oasis.rewards",
        ),
        ("tests.test_rewards:leaving", "tests.test_rewards:leaving fails with SystemExit"),
        ("terminatin", "--reward is one of terminating, standard, standard-qed, dagger, or module:object, .* did you"),
        ("tests.test_rewards:INTRO", "is to make an oasis.rewards.Reward, and makes a Move"),
        ("collections:Counter", "is to make an oasis.rewards.Reward, and makes a Counter"),
    ],
)
def test_a_name_that_makes_no_reward_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        reward(name)
