"""What the tests of comparisons share: a small plan, all its trials, and when two sets of trials are the same."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from curricula.lemma import Lemma, Status
from curricula.orders import ORDERS
from oasis.lab.engines import Engine, every_outcome
from oasis.lab.experiment import Experiment
from oasis.lab.measure import Trial
from oasis.lab.students.plan import Plan, Variant
from oasis.store import Store
from oasis.student.settings import Settings
from tactics.parser import parse

LEMMAS = tuple(
    Lemma(f"L{place}", parse(text), Status.THEOREM, "a test", level=place or None)
    for place, text in enumerate(["p \\/ q -> q \\/ p", "p -> p", "((p \\/ (p -> f)) -> f) -> f"])
)
SETTINGS = Settings(learner="sarsa", episodes=12)
VARIANTS = (
    *(Variant(order, SETTINGS, order) for order in ORDERS),
    Variant("falling ε", replace(SETTINGS, learner="q-learning", epsilon="0.5..0.1", alpha="1/n^0.6")),
    Variant("blind", replace(SETTINGS, learner="epsilon-soft", actions="blind", forget_errors=True)),
)
PLAN = Plan("three", LEMMAS, VARIANTS, (5, 0, 3, 2**63 - 1), (1, 20, 36))


class Apprenticeship(Plan):
    """A family of one's own."""

    noun = "apprentices"


def begin(store: Store, *plans: Plan) -> Experiment[Plan]:
    """Begin an experiment of `oasis compare` with these plans."""
    return Experiment.start(store, {plan.name: plan for plan in plans}, name=plans[0].name)


def trials(engine: Engine, plan: Plan = PLAN) -> dict[str, list[Trial]]:
    """Run and return all trials of a plan."""
    return every_outcome({plan.name: plan}, engine)[plan.name]


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return True if these are the same trials, bit for bit."""
    return {name: _bits(each) for name, each in one.items()} == {name: _bits(each) for name, each in other.items()}


def _bits(trials: Any) -> list[list[tuple[str, np.dtype[Any], tuple[int, ...], bytes]]]:
    each = trials if isinstance(trials, list) else [trials]
    return [[(name, array.dtype, array.shape, array.tobytes()) for name, array in trial.items()] for trial in each]


def shortened(plan: Plan, variants: int) -> Plan:
    """Return the plan with only its first variants."""
    return replace(plan, variants=plan.variants[:variants])


def broken() -> Plan:
    """Return a plan that no student can follow: its order does not exist."""
    variant = replace(VARIANTS[0])
    object.__setattr__(variant, "order", "nobody")
    return replace(PLAN, variants=(variant,))
