"""Lists and sweeps become variants, named by what sets them apart; what makes no sense gets one sentence."""

from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.names import LEARNERS
from oasis.lab.measure import Trial
from oasis.lab.students.grid import VARIED, Grid, swept
from oasis.lab.students.plan import Plan, Variant, attempt
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.errors import InputError
from tests.lab.plans import same

BASE = Settings(episodes=50)


def made(lists: dict[str, str], *sweeps: str, **options: Any) -> dict[str, Settings]:
    return {each.name: each.settings for each in grid(read(lists, *sweeps), **options).variants()}


def grid(lists: dict[str, list[Any]], lemmas: str = "SYJ203.2", base: Settings = BASE, **options: Any) -> Grid:
    return Grid(lemmas, resolve(lemmas).lemmas, base, lists, (0, 1), **options)


def read(lists: dict[str, str], *sweeps: str) -> dict[str, list[Any]]:
    return {name: VARIED[name].read_list(text) for name, text in lists.items()} | swept(sweeps)


def test_lists_make_every_combination_named_by_what_differs() -> None:
    found = made({"learner": "sarsa, q-learning", "reward": "terminating", "epsilon": "0.1,0.4"})
    assert [*found] == ["sarsa, ε 0.1", "sarsa, ε 0.4", "q-learning, ε 0.1", "q-learning, ε 0.4"]
    assert found["sarsa, ε 0.4"] == Settings(learner="sarsa", epsilon=0.4, episodes=50)


def test_a_learner_is_there_once_for_settings_that_make_no_difference_to_it() -> None:
    lists = {"learner": "uniform,and-or-q,dyna-q", "reward": "terminating,standard", "epsilon": "0.1,0.4"}
    assert [*made(lists)] == [
        "uniform",
        "and-or-q, ε 0.1",
        "and-or-q, ε 0.4",
        *(f"dyna-q, {reward}, ε {epsilon}" for reward in ("terminating", "standard") for epsilon in (0.1, 0.4)),
    ]
    assert made({"learner": "uniform", "epsilon": "0.1,0.4"}) == {
        "uniform": replace(BASE, learner="uniform", epsilon=0.1)
    }


OTHERWISE = {
    "reward": "terminating",
    "epsilon": 0.1,
    "alpha": 0.2,
    "gamma": 0.5,
    "trace_decay": 0.3,
    "planning": 3,
    "initial_value": 1.0,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_settings_make_a_difference_to_a_learner_or_it_ignores_them(name: str) -> None:
    def done(**others: Any) -> Trial:
        variant = Variant("it", replace(BASE, **{"learner": name, "reward": "standard", **others}))
        plan = Plan("one", resolve("SYJ203.2").lemmas, (variant,), (7,), (25, 50))
        done = attempt(plan, variant, 7, Plain(variant.settings).student)
        # It is measured by the reward and γ, whoever looks at them.
        return {name: array for name, array in done.items() if name != "own_regret"}

    usual = done()
    ignored = {each for each, value in OTHERWISE.items() if same({"it": done(**{each: value})}, {"it": usual})}
    assert ignored == {*LEARNERS[name].ignores, *(() if LEARNERS[name].rewarded else ("reward",))}


class Plain(NamedTuple):
    """A school whose students are not compiled."""

    settings: Settings

    def student(self, seed: int) -> PlainStudent:
        return PlainStudent(replace(self.settings, seed=seed))


@given(st.integers(-20, 20), st.integers(1, 15), st.integers(0, 12), st.sampled_from([1, -1]))
def test_a_range_has_both_ends_and_every_step_between_them(start: int, step: int, steps: int, sign: int) -> None:
    tenth = Decimal("0.1")
    numbers = [start + sign * step * n for n in range(steps + 1)]
    text = f"{numbers[0] * tenth}:{numbers[-1] * tenth}:{sign * step * tenth}"
    found = made({"learner": "sarsa"}, f"initial-value={text}")
    assert [settings.initial_value for settings in found.values()] == [float(n * tenth) for n in numbers]


def test_a_range_of_whole_numbers_stays_whole_and_stops_before_its_end_if_no_step_hits_it() -> None:
    found = made({"learner": "dyna-q"}, "planning=0:50:20", "reward=terminating,standard")
    assert [*found][:3] == ["planning 0, terminating", "planning 0, standard", "planning 20, terminating"]
    assert [settings.planning for settings in found.values()] == [0, 0, 20, 20, 40, 40]


def test_a_sweep_is_named_by_its_values_and_wins_over_a_list_of_the_same_name() -> None:
    found = made({"learner": "sarsa"}, "epsilon=0.4,0.5..0.05,1/n", "alpha=0.4/n^0.6")
    assert [*found] == ["ε 0.4", "ε 0.5..0.05", "ε 1/n"]
    assert found["ε 1/n"].alpha == "0.4/n^0.6"
    assert [*made({"learner": "sarsa", "epsilon": "0.4"}, "epsilon=0.1,0.2")] == ["ε 0.1", "ε 0.2"]
    assert [*made({"learner": "dyna-q", "planning": "5"})] == ["dyna-q"]
    with pytest.raises(InputError, match="epsilon is swept already; write all its values in one"):
        made({}, "epsilon=0.1", "epsilon=0.2")


def test_experience_is_what_the_base_has_where_it_is_asked_for() -> None:
    prior = Prior({Scope("or", "any", "left"): 3.0}).text
    lists = {"learner": "sarsa", "experience": "with,without"}
    found = {
        each.name: each.settings.experience
        for each in grid(read(lists), base=replace(BASE, experience=prior)).variants()
    }
    assert found == {"with experience": prior, "without experience": ""}
    assert made({"learner": "sarsa"})["sarsa"].experience == ""
    with pytest.raises(InputError, match="--experience is one of with, without, not 'perhaps'"):
        made({"experience": "perhaps"})


def test_errors_are_forgotten_where_there_are_any() -> None:
    found = made({"learner": "sarsa", "actions": "legal,blind"}, forget_errors=True)
    assert {name: settings.forget_errors for name, settings in found.items()} == {"legal": False, "blind": True}
    found = made({"learner": "sarsa", "actions": "blind"}, "forget-errors=yes,no")
    assert [*found] == ["forgetting errors", "not forgetting"]
    with pytest.raises(InputError, match="--forget-errors goes with --actions blind"):
        made({"learner": "sarsa", "actions": "legal"}, forget_errors=True)


def test_orders_are_variants_of_a_curriculum() -> None:
    found = grid({"learner": ["sarsa"], "order": ["fixed", "progress"]}, "thesis").variants()
    assert [(variant.name, variant.order) for variant in found] == [("fixed", "fixed"), ("progress", "progress")]
    assert found[0].settings == found[1].settings


@pytest.mark.parametrize(
    ("lists", "sweep", "sentence"),
    [
        ({"learner": "sarsa,oracle"}, None, "--learner is one of uniform, epsilon-soft, .*, not 'oracle'"),
        ({"learner": "sarsa,sarsa"}, None, "--learner sarsa,sarsa names sarsa twice; leave one out"),
        ({"epsilon": "0.1,0.10"}, None, "--epsilon 0.1,0.10 names 0.1 twice"),
        ({"learner": "sarsa,"}, None, "--learner has an empty value"),
        ({"gamma": "1.5"}, None, "--gamma is 1.5; give a number from 0 to 1"),
        ({"order": "strict"}, None, "--order is one of fixed, shuffled, easiest, progress, afresh, not 'strict'"),
        ({}, "epsilon", "--sweep epsilon should be NAME=VALUES"),
        ({}, "lambda=0.1,0.2", "there is no setting lambda; there are learner, .*trace-decay"),
        ({}, "epsilon=0.1:0.5", "--epsilon 0.1:0.5 should be START:STOP:STEP"),
        ({}, "epsilon=0.1:0.5:0", "should be START:STOP:STEP"),
        ({}, "epsilon=0.5:0.1:0.1", "--epsilon 0.5:0.1:0.1 leads away from 0.1; give the step the other sign"),
        ({}, "epsilon=0:1:0.0001", "has more than 500 values; make the step larger"),
        ({"planning": "1:30:1"}, "gamma=0:0.9:0.03", "These are 930 variants; 500 are the most"),
        ({}, "seed=1,2", "seed cannot be swept: every variant has the same seeds"),
        ({}, "episodes=10,20", "episodes cannot be swept: all variants have the same number"),
        ({}, "forget-errors=maybe", "--forget-errors is yes or no, not 'maybe'"),
    ],
)
def test_what_makes_no_sense_gets_one_sentence(lists: dict[str, str], sweep: str | None, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        made(lists, *([sweep] if sweep else []))
