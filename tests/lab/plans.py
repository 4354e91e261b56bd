"""What the tests of comparisons share: a small plan, all its trials, and when two sets of trials are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma, Status
from oasis.lab.campaign import Campaign
from oasis.lab.engines import Engine, by_variant, every_trial
from oasis.lab.orders import ORDERS
from oasis.lab.plan import Plan, Variant
from oasis.lab.trials import Trial
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


def begin(store: Store, *plans: Plan) -> Campaign[Plan]:
    """Begin an experiment of `oasis compare` with these plans."""
    return Campaign.start(store, {plan.name: plan for plan in plans}, name=plans[0].name)


def trials(engine: Engine, plan: Plan = PLAN) -> dict[str, Trial]:
    """Run and return all trials of a plan."""
    done = (outcome for job in engine.run([plan], every_trial([plan])) for outcome in job)
    return by_variant(plan, ((kind.variant, seed, trial) for kind, seed, trial in done))


def same(one: Mapping[str, Trial], other: Mapping[str, Trial]) -> bool:
    """Return True if these are the same trials, bit for bit."""
    return {name: _bits(trial) for name, trial in one.items()} == {name: _bits(trial) for name, trial in other.items()}


def _bits(trial: Trial) -> list[tuple[np.dtype[Any], tuple[int, ...], bytes]]:
    return [(array.dtype, array.shape, array.tobytes()) for array in tuple[NDArray[Any], ...](trial)]


def shortened(plan: Plan, variants: int) -> Plan:
    """Return the plan with only its first variants."""
    return replace(plan, variants=plan.variants[:variants])


def broken() -> Plan:
    """Return a plan that no student can follow: its order does not exist."""
    variant = replace(VARIANTS[0])
    object.__setattr__(variant, "order", "nobody")
    return replace(PLAN, variants=(variant,))
