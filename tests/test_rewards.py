"""The thesis's three rewards, what a reward may say of itself, and choices by name: ours or `module:object`."""

import sys
from collections.abc import Mapping
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from re import escape
from typing import Any

import numpy as np
import pytest

from oasis.ground.plugins import PluginError
from oasis.ground.registry import Entry, Registry
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
from oasis.rewards.named import reward
from oasis.student.learners import Learner, learner, sarsa
from tactics.errors import InputError
from tactics.goal import Move, State, initial
from tactics.parser import parse

FIRST, SECOND = initial(parse("p -> p")), initial(parse("p \\/ q"))
INTRO = Move("intro")


@pytest.mark.parametrize(
    ("name", "pay"),
    [
        ("terminating", Pay(error=0, error_stuck=-1, step=0, stuck=-1, proved=1)),
        ("standard", Pay(error=-1, error_stuck=-1, step=1, stuck=1, proved=1)),
        ("standard-qed", Pay(error=-1, error_stuck=-1, step=1, stuck=1, proved=100)),
    ],
)
def test_a_step_is_paid_as_the_thesis_says_and_five_numbers_say_it_all(name: str, pay: Pay) -> None:
    steps = ((FIRST, False), (FIRST, True), (SECOND, False), (SECOND, True), ((), True))
    assert tuple(REWARDS[name]().step(FIRST, INTRO, after, ended) for after, ended in steps) == pay
    assert Pay.of(reward(name)) == pay


def test_a_state_is_compared_by_what_it_shows() -> None:
    rebuilt = (*SECOND, *initial(parse("p -> p")))
    assert reward("standard").step(SECOND + FIRST, INTRO, rebuilt, False) == -1
    assert reward("standard").step(FIRST + SECOND, INTRO, rebuilt, False) == 1


class Counting(Terminating):
    """A reward that keeps what it is told."""

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
    assert rounds.reward.told == [{lost: Uses(2, 1, 1), proved: Uses(2, 2, 2)}]  # type: ignore[attr-defined]
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
    """A reward of minus the number of goals that a step leaves open."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return -float(len(after))


class Boastful(ByWeight):
    """A reward that says that it depends on less than it does."""

    dependence = Dependence.KIND


def test_a_reward_of_more_than_the_kind_of_a_step_is_not_taken_for_five_numbers() -> None:
    with pytest.raises(InputError, match="ByWeight depends on more than the kind of a step"):
        Pay.of(ByWeight())
    with pytest.raises(InputError, match=r"Boastful says that it depends on the kind .* Dependence\.TRANSITION"):
        Pay.of(Boastful())
    assert isinstance(reward("tests.test_rewards:ByWeight"), ByWeight)


class Silent(Reward):
    """A reward that does not say what it depends on."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return 0.0


class Restless(ByWeight):
    """A reward whose rounds have no episodes."""

    round = 0


class Paying(ByWeight):
    """A reward that pays given values for steps and at the end, or raises a given error."""

    pays_at_end = True

    def __init__(self, amount: Any) -> None:
        self.amount = amount

    def step(self, before: State, move: Move, after: State, ended: bool) -> Any:
        if isinstance(self.amount, BaseException):
            raise self.amount
        return self.amount

    def end(self, outcome: Outcome) -> Any:
        return self.amount


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
    for error, said in ((ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"), (SystemExit(0), "SystemExit: 0")):
        with pytest.raises(InputError, match=f"The reward Paying fails with {said}"):
            paid(Paying(error), FIRST, INTRO, SECOND, False)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tests.test_rewards:Silent", "has to say what it depends on; let its dependence be one of Dependence.KIND"),
        ("tests.test_rewards:Restless", "its round is a number of episodes, at least 1, not 0"),
        ("tests.test_rewards:Paying", "Paying cannot be called without arguments; name a class of oasis.rewards"),
        ("tests.test_rewards:leaving", "tests.test_rewards:leaving fails with SystemExit"),
        ("terminatin", "--reward is one of terminating, standard, standard-qed, dagger, or module:object, .* did you"),
        ("tests.test_rewards:INTRO", "is no reward: it is a Move .see oasis.rewards.Reward"),
        ("collections:Counter", "is no reward: it is a Counter"),
    ],
)
def test_a_name_that_makes_no_reward_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        reward(name)


# Choices by name

OTHER = 2
KNOWN = Registry(
    "--number", "number", "builtins:int", {"one": Entry("json:nowhere"), "other": Entry(f"{__name__}:OTHER")}
)


def test_a_known_name_is_what_it_stands_for_and_is_made_anew_where_it_is_a_class() -> None:
    assert KNOWN.find("other") == 2
    assert reward("tests.student.plugins:Tidy") is not reward("tests.student.plugins:Tidy")


def test_a_module_is_looked_for_in_the_current_folder_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brought_along.py").write_text("NUMBER = 7\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "brought_along", raising=False)
    with pytest.raises(InputError, match="brought_along cannot be imported"):
        KNOWN.find("brought_along:NUMBER")
    monkeypatch.chdir(tmp_path)
    assert KNOWN.find("brought_along:NUMBER") == 7
    del sys.modules["brought_along"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("othr", "--number is one of one, other, or module:object, not 'othr'; did you mean other?"),
        ("", "--number is one of one, other, .* write module:object for one of your own"),
        ("json:", "--number is one of one, other, .*not 'json:'"),
        (":dumps", "--number is one of one, other, .*not ':dumps'"),
        ("nowhere_at_all:x", r"--number nowhere_at_all:x: nowhere_at_all cannot be imported .* go to its folder\."),
        ("mine.py:X", r"--number mine.py:X: modules are named without folders and without \.py; write mine:X\."),
        ("lab/mine.py:X", r"modules are named without folders .*; go to lab and write mine:X\."),
        ("../lab/mine:X", r"--number ../lab/mine:X: modules .*; go to ../lab and write mine:X\."),
        ("json:sing", r"--number json:sing: json has no sing; see how it is spelled there\."),
        ("json:dumpz", r"--number json:dumpz: json has no dumpz; did you mean dump"),
    ],
)
def test_a_name_that_stands_for_nothing_is_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        KNOWN.find(name)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("1 / 0", "brought fails with ZeroDivisionError: division by zero"),
        ("def (", "brought fails with SyntaxError: invalid syntax"),
        ("raise SystemExit(0)", "brought fails with SystemExit: 0"),
        ("import nowhere_at_all", "No module named 'nowhere_at_all'.; install what it needs, or take that"),
        # What fails in Python's own code is told with the last line of whoever brought it along.
        ("from json import loads\nloads('{')", r"with JSONDecodeError: .* \(brought.py, line 2\)\. Set OASIS_DEBUG"),
    ],
)
def test_a_module_that_cannot_be_run_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, says: str
) -> None:
    (tmp_path / "brought.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=f"--number brought:X: .*{says}") as refused:
        KNOWN.find("brought:X")
    assert isinstance(refused.value, PluginError) == ("fails" in str(refused.value))


def test_a_module_that_comes_before_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("SONG = 1")
    with pytest.raises(InputError, match=r"json has no SONG; that is .*__init__\.py; rename yours\."):
        KNOWN.find("json:SONG")


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("collections:OrderedDict", "."),
        ("json:dumps", "; write NAME = Learner(dumps) there, and --learner json:NAME."),
        ("tests.student.plugins:Tidy", "."),
    ],
)
def test_what_is_no_learner_is_refused_in_words(name: str, end: str) -> None:
    says = rf"--learner .* is to be an oasis.student.learners.Learner, not a \w+{escape(end)}$"
    with pytest.raises(InputError, match=says):
        learner(name)


NOWHERE = Learner(sarsa, compiled="nowhere_at_all:sarsa")


def test_a_compiled_form_that_is_not_there_is_told_before_any_work() -> None:
    with pytest.raises(InputError, match=r"^compiled nowhere_at_all:sarsa: nowhere_at_all cannot be imported"):
        learner(f"{__name__}:NOWHERE")
