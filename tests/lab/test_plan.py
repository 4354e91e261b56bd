"""Plans: what does not fit together is refused, and a plan comes back from JSON as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.lemma import Lemma, Status
from oasis.lab.orders import ORDERS
from oasis.lab.plan import Plan, Variant
from oasis.lab.trials import Trial
from oasis.lab.work import stacked
from oasis.student.settings import Settings
from tactics.errors import InputError
from tests.lab.plans import LEMMAS, PLAN, SETTINGS, VARIANTS
from tests.strategies import formulas

lemmas = st.builds(
    Lemma,
    st.text(max_size=8),
    formulas(),
    st.sampled_from([None, *Status]),
    st.text(max_size=8),
    st.none() | st.integers(1, 9),
    st.none() | st.integers(1, 99),
)
variants = st.builds(
    Variant,
    st.text(max_size=8),
    st.builds(
        Settings,
        learner=st.sampled_from(["sarsa", "q-learning", "dyna-q"]),
        episodes=st.just(10),
        epsilon=st.sampled_from([0.1 + 0.2, 0.4, "0.5..0.05", "1/n"]),
        alpha=st.floats(1e-6, 1),
        gamma=st.floats(0, 1),
        initial_value=st.floats(-1e9, 1e9),
    ),
    st.sampled_from(list(ORDERS)),
)


def several(of: st.SearchStrategy[Any], unique_by: Any = None) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, min_size=1, max_size=4, unique_by=unique_by).map(tuple)


def name(named: Any) -> Any:
    return named.name


plans = st.builds(
    Plan,
    st.text(max_size=8),
    several(lemmas, name),
    several(variants, name),
    several(st.integers(0, 2**63 - 1), lambda seed: seed),
    st.sets(st.integers(1, 10), max_size=4).map(lambda numbers: tuple(sorted(numbers))),
)


@given(plans)
def test_a_plan_comes_back_from_json_as_it_was(plan: Plan) -> None:
    again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    assert again == plan
    assert [lemma.formula for lemma in again.lemmas] == [lemma.formula for lemma in plan.lemmas]
    assert [type(lemma.status) for lemma in again.lemmas] == [type(lemma.status) for lemma in plan.lemmas]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"lemmas": ()}, "A comparison needs at least one lemma."),
        ({"variants": ()}, "A comparison needs at least one variant."),
        ({"seeds": ()}, "A comparison needs at least one seed."),
        ({"lemmas": (*LEMMAS, LEMMAS[1])}, "The lemma L1 is there twice; leave one of the two out."),
        ({"variants": (VARIANTS[0],) * 2}, "The variant fixed is there twice; leave one of the two out."),
        ({"seeds": (1, 2, 1)}, "The seed 1 is there twice; leave one of the two out."),
        ({"seeds": (1, -2)}, f"A seed lies between 0 and {2**63 - 1}, and -2 does not; choose another --seed."),
        ({"seeds": (2**63,)}, f"A seed lies between 0 and {2**63 - 1}, and {2**63} does not; choose another --seed."),
        ({"checkpoints": (0,)}, "Checkpoints must increase and lie between 1 and 36, the last episode."),
        ({"checkpoints": (1, 37)}, "Checkpoints must increase and lie between 1 and 36, the last episode."),
        ({"plays": 0}, "An exam has at least one play."),
        ({"last_plays": 0}, "An exam has at least one play."),
        ({"checkpoints": (5, 5)}, "Checkpoints must increase and lie between 1 and 36, the last episode."),
        (
            {"variants": (VARIANTS[0], Variant("longer", replace(SETTINGS, episodes=13)))},
            "The students have different numbers of episodes; give all of them the same --episodes.",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        replace(PLAN, **change)
    assert str(refused.value) == sentence


def test_unknown_orders_and_students_inside_a_prover_are_refused() -> None:
    with pytest.raises(InputError, match="--order is one of fixed, shuffled, easiest, progress, afresh, not 'late'"):
        Variant("v", SETTINGS, "late")
    with pytest.raises(InputError, match="native"):
        Variant("v", replace(SETTINGS, backend="coq"))


@pytest.mark.parametrize("missing", ["seeds", "variants"])
def test_a_plan_of_another_version_is_refused_in_one_sentence(missing: str) -> None:
    stored = PLAN.to_json()
    del stored[missing]
    with pytest.raises(InputError, match="was written by another version of Oasis"):
        Plan.from_json(stored)


def test_a_plan_with_settings_of_tomorrow_is_refused_in_one_sentence() -> None:
    stored = PLAN.to_json()
    stored["variants"][0]["settings"]["mood"] = "good"
    with pytest.raises(InputError, match=r"another version of Oasis \(.*mood.*\); go on with it in that one\."):
        Plan.from_json(stored)


def test_stacked_trials_have_the_seeds_first() -> None:
    one, other = (Trial(*(np.full((2, 3), number + place) for place in range(9))) for number in (0, 10))
    for place, array in enumerate(stacked(PLAN, [one, other])):
        assert array.shape == (2, 2, 3)
        assert np.unique(array).tolist() == [place, 10 + place]
        assert (array[1] > array[0]).all()
