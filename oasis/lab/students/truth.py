"""What the curves of a comparison tend to: the exact lengths and values of its lemmas, where they are known.

A learner is held against what it learns about: the best policy's value V* if it learns off-policy, the best ε-soft
policy's if it learns on-policy, γ^L, L the length of the shortest proof, for and-or values. Where no exact number is
known for a variant, it has none, and a sentence says why; there are no approximate ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from curricula.lemma import Lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.lab.students.plan import Plan, conditions
from oasis.play.states import MAX_STATES
from oasis.rewards import Dependence
from oasis.rewards.named import reward
from oasis.rewards.paying import Pay
from oasis.student.learners import learner
from oasis.student.schedules import parse_schedule
from oasis.student.settings import Settings
from oasis.teacher.exact.policies import best_of
from oasis.teacher.exact.values import SECONDS, Lengths, Payoff, Values, lengths_or_why_not
from state_spaces import state_space
from tactics.goal import initial


@dataclass(frozen=True)
class Truth:
    """What is exactly known of a lemma for a variant.

    Attributes:
        shortest: moves of its shortest proof; None if it has none or that is not known.
        value: what the variant's `Trial.value` tends to; None if that is not known.
        name: of that value: `V*`, `ε-soft` or `γ^L`.
        remark: why a number is missing or not the learner's limit; empty where nothing is to be said.
    """

    shortest: int | None
    value: float | None
    name: str
    remark: str = ""


def truths(plan: Plan) -> dict[str, tuple[Truth, ...]]:
    """By the name of the variant the truth about each lemma of the plan."""
    known = [lengths_or_why_not(lemma.formula) for lemma in plan.lemmas]
    found: dict[Settings, tuple[Truth, ...]] = {}
    for variant in plan.variants:
        if variant.settings not in found:
            found[variant.settings] = tuple(
                truth(lemma, variant.settings, length) for lemma, length in zip(plan.lemmas, known, strict=True)
            )
    return {variant.name: found[variant.settings] for variant in plan.variants}


def truth(lemma: Lemma, settings: Settings, known: Lengths | str | None = None) -> Truth:
    """The truth about one lemma.

    Args:
        lemma: to be proved.
        settings: of the learner.
        known: the lengths of the lemma's goals if they are there already, or why they cannot be.
    """
    known = lengths_or_why_not(lemma.formula) if known is None else known
    name = value_name(settings)
    if isinstance(known, str):
        return Truth(None, None, name, f"{lemma.name}: nothing is known exactly, as {known}.")
    shortest = known.shortest_proof(initial(lemma.formula))
    if learner(settings.learner).of_goals:
        return Truth(shortest, 0.0 if shortest is None else settings.gamma**shortest, name)
    reason = _why_not(lemma, settings, known, shortest)
    if reason:
        return Truth(shortest, None, name, reason)
    try:
        value = _value(lemma, settings, known)
    except LimitReached as reached:
        return Truth(shortest, None, name, f"{lemma.name}: its {name} value is not computed, as {reached}.")
    merged = (
        f"{settings.state_space} merges states that differ in their later goals, so values in it may tend elsewhere."
    )
    return Truth(shortest, value, name, merged if state_space(settings.state_space).of_focus else "")


def value_name(settings: Settings) -> str:
    """What the value is called that a learner's values tend to."""
    if learner(settings.learner).of_goals:
        return "γ^L"
    if not learner(settings.learner).on_policy:
        return "V*"
    return f"ε-soft (ε {last_epsilon(settings):g})"


def last_epsilon(settings: Settings) -> float:
    """The ε of the last episode on a lemma."""
    schedule = parse_schedule(settings.epsilon)
    return schedule.rate(settings.episodes, settings.episodes).at(settings.episodes)


def _value(lemma: Lemma, settings: Settings, known: Lengths) -> float:
    """The value by the closed form over goals, which is for the largest lemmas, or else over states."""
    epsilon = last_epsilon(settings) if learner(settings.learner).on_policy else 0.0
    paid = reward(settings.reward)
    if paid.dependence == Dependence.KIND and (settings.actions == "legal" or settings.forget_errors):
        return Values(known, Payoff.of(paid), settings.gamma, epsilon, Limit(SECONDS)).v(initial(lemma.formula))
    value = best_of(lemma.formula, *conditions(settings), epsilon)
    if value is None:
        raise LimitReached(f"{MAX_STATES:,} states were not enough")
    return value


def attainable(settings: Settings) -> tuple[float, float]:
    """The least and the most that a return can be, however long an episode is, where its value is known exactly.

    Values that begin between these two, or at `initial_value`, and are moved towards targets stay there.
    """
    if learner(settings.learner).of_goals:
        low, high = 0.0, 1.0
    elif reward(settings.reward).dependence != Dependence.KIND:
        return -inf, inf
    else:
        pay, gamma = Pay.of(reward(settings.reward)), settings.gamma
        on_the_way, ends = (0.0, pay.error, pay.step), (0.0, pay.error_stuck, pay.stuck, pay.proved)
        low, high = (
            most(ends) + (most(on_the_way) and (most(on_the_way) / (1 - gamma) if gamma < 1 else most((-inf, inf))))
            for most in (min, max)
        )
    return min(low, settings.initial_value), max(high, settings.initial_value)


def _why_not(lemma: Lemma, settings: Settings, known: Lengths, shortest: int | None) -> str:
    """Why the value without a step limit is not what this learner's values tend to; empty if it is."""
    off_policy = not learner(settings.learner).on_policy
    if not learner(settings.learner).learns:
        return "The uniform player learns nothing, so there is no value that it tends to."
    paid = reward(settings.reward)
    if paid.dependence == Dependence.HISTORY or paid.pays_at_end:
        return f"Exact values need a reward of single steps that never changes; {settings.reward} looks at more."
    if settings.actions == "blind" and not off_policy:
        return (
            "With --actions blind episodes have no longest, so that --max-steps counts for values of "
            f"{settings.learner}; {value_name(settings)} is not computed."
        )
    is_for_proofs = paid.dependence == Dependence.KIND and Pay.of(paid).is_for_proofs
    if off_policy and is_for_proofs and shortest is not None and settings.actions != "simplify":
        longest: float = shortest
    else:
        longest = max(known.ends(initial(lemma.formula))[1:])
    if longest > settings.max_steps:
        return (
            f"{lemma.name}: episodes of {longest:,.0f} moves would count, more than --max-steps {settings.max_steps}; "
            f"{value_name(settings)} is not computed."
        )
    return ""
