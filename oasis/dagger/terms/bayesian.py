"""The five Bayesian, information and semantic terms of R†: surprise, reuse, compression, alignment, uncertainty.

First the formulas, numbers (or arrays of them, elementwise) in and out; `_as_printed` marks what the design document
prints where that does something else. Then the terms, which say what goes into them.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import fsum, inf, log, sqrt
from typing import Final

import numpy as np

from oasis.dagger.anatomy import assumed, bag, distinct, kept_with_goal
from oasis.dagger.packing import deflated
from oasis.dagger.sentences import embedded
from oasis.dagger.shapes import shape
from oasis.dagger.term import (
    Context,
    Floats,
    OfBelief,
    OfGoal,
    OfProof,
    OfState,
    OfTries,
    OfUse,
    Step,
    Term,
    Used,
    Version,
)
from tactics.goal import Goal, State

EDGE: Final = 0.01
"""How near to 0 and 1 a probability may come."""
EDGE_AS_PRINTED: Final = 1e-6
"""The same where the document knows no limit, and its surprise would be infinite."""
PRIOR_AS_PRINTED: Final = 5.0
"""The document's α, which it calls a weak prior."""
SCALE: Final = 100
"""Bytes at which what is left to be proved counts one half."""


def divergence(posterior: float, prior: float) -> float:
    """Bernoulli's KL(p′ ‖ p) = p′ log(p′/p) + (1-p′) log((1-p′)/(1-p)), in nats; both between 0 and 1, ends excluded.

    Kullback and Leibler (1951); as Bayesian surprise, Itti and Baldi (2009).
    """
    gained = posterior * log(posterior / prior) + (1 - posterior) * log((1 - posterior) / (1 - prior))
    return max(0.0, gained)  # never negative, but for rounding


def clipped(probability: float, edge: float) -> float:
    """The nearest number in [edge, 1 - edge]."""
    return min(max(probability, edge), 1 - edge)


def reuse(uses: Floats, total: float, kinds: int, prior: float) -> Floats:
    """log(1/K) - log((n + α) / (N + Kα)), how much rarer a tactic is than if all K were used alike.

    Below the line is what is expected of the next use after N of them, under Dirichlet's prior with α for each kind.
    """
    return -log(kinds) - np.log((uses + prior) / (total + kinds * prior))


def reuse_as_printed(uses: Floats, prior: float = PRIOR_AS_PRINTED) -> Floats:
    """log((n + 1) / (α + n))."""
    return np.log((uses + 1) / (prior + uses))


def compression(packed: int, best: int) -> float:
    """-packed/best."""
    return -packed / best


def compression_as_printed(packed: int, raw: int) -> float:
    """1 - packed/raw."""
    return 1 - packed / raw


def jaccard(one: Set[object], other: Set[object]) -> float:
    """The share of what two sets have together that both have, in [0, 1] (Jaccard 1912); 1 if both are empty."""
    return len(one & other) / len(one | other) if one or other else 1.0


def unit(counts: Sequence[int]) -> Floats:
    """Counts, which may be too large for a float, as a vector of length 1, or of zeros; shape (counts,)."""
    total = sum(counts)
    shares = np.array([count / total if total else 0.0 for count in counts])
    length = _norm(shares)
    return shares / length if length else shares


def distance(one: Floats, other: Floats) -> float:
    """‖e - e′‖₂."""
    return _norm(one - other)


def _norm(vector: Floats) -> float:
    return sqrt(fsum(vector**2))  # the same in whatever order its numbers are


def logistic(values: Floats) -> Floats:
    """1 / (1 + e^-x), in (0, 1), but for rounding."""
    return 1 / (1 + np.exp(-np.clip(values, -700, 700)))


def beta_variance(a: Floats, b: Floats) -> Floats:
    """The variance ab / ((a + b)² (a + b + 1)) of Beta(a, b)."""
    return a / (a + b) * (b / (a + b)) / (a + b + 1)


def expected_drop(a: Floats, b: Floats) -> Floats:
    """How much less the variance of Beta(a, b) is expected to be after one more observation: Var / (a + b + 1)."""
    return beta_variance(a, b) / (a + b + 1)


def drop_as_printed(a: Floats, b: Floats, successes: Floats, failures: Floats) -> Floats:
    """How much less the variance of Beta(a, b) is after successes and failures."""
    return beta_variance(a, b) - beta_variance(a + successes, b + failures)


def chances(context: Context, step: Step) -> tuple[float, float]:
    """p(QED) after a step and before it; where nothing more can be done, it is known."""
    if step.after and not step.ended:
        prior, posterior = context.belief.probabilities([step.before, step.after])
        return float(posterior), float(prior)
    return float(not step.after), float(context.belief.probabilities([step.before])[0])


def _surprise(context: Context, posterior: float, prior: float) -> float:
    posterior, prior = clipped(posterior, EDGE), clipped(prior, EDGE)
    return divergence(posterior, prior) * (-1 if context.options.signed and posterior < prior else 1)


def _surprise_as_printed(context: Context, posterior: float, prior: float) -> float:
    return divergence(clipped(posterior, EDGE_AS_PRINTED), clipped(prior, EDGE_AS_PRINTED))


def _hope(context: Context, state: State) -> float:
    """How little a proof would surprise, in [0, 1]: 1 - KL(1 ‖ p) / its largest, where KL(1 ‖ p) = -log p."""
    (chance,) = context.belief.probabilities([state])
    return 1 - log(clipped(float(chance), EDGE)) / log(EDGE)


def _left(context: Context, state: State) -> float:
    """How little is left to be proved, in (0, 1): the shapes of all formulas, whatever their names, packed."""
    goals = (",".join([shape(goal.conclusion), *sorted(shape(formula) for formula in assumed(goal))]) for goal in state)
    return SCALE / (SCALE + deflated(";".join(goals).encode()))


def _alignment(context: Context, state: State) -> float:
    goal = state[0]
    if context.options.embedding == "sentence":
        cosine = float(embedded(assumed(goal)) @ embedded([goal.conclusion]))
        return (min(1.0, max(-1.0, cosine)) - 1) / 2
    return _overlap(goal) - 1


@kept_with_goal
def _overlap(goal: Goal) -> float:
    return jaccard(distinct(assumed(goal)), distinct([goal.conclusion]))


def _alignment_as_printed(context: Context, state: State) -> float:
    goal = state[0]
    if context.options.embedding == "sentence":
        return 0.0 - distance(embedded(assumed(goal)), embedded([goal.conclusion]))
    return 0.0 - _distance_of_bags(goal)


@kept_with_goal
def _distance_of_bags(goal: Goal) -> float:
    given, wanted = bag(assumed(goal)), bag([goal.conclusion])
    axes = {**given, **wanted}
    return distance(*(unit([side.get(axis, 0) for axis in axes]) for side in (given, wanted)))


def _reuse(context: Context, used: Used) -> Floats:
    return reuse(used.times, used.total, used.kinds, context.options.prior)


SURPRISE: Final = Term(
    "S_KL",
    "surprise",
    asks="A step is to be paid for what it tells about whether there will be a proof.",
    differs="From .5 to 0 it pays as much as from .5 to 1, .693: what is lost counts as what is won. At 0 and 1 it "
    "would be infinite, so p is kept in [10⁻⁶, 1 − 10⁻⁶].",
    seed=Version(
        "KL(p′ ‖ p)",
        0,
        divergence(1 - EDGE_AS_PRINTED, EDGE_AS_PRINTED),
        OfBelief(_surprise_as_printed),
    ),
    sound=Version(
        f"sign(p′ − p) · KL(p′ ‖ p), p in [{EDGE}, {1 - EDGE}]; without the sign if unsigned",
        -divergence(1 - EDGE, EDGE),
        divergence(1 - EDGE, EDGE),
        OfBelief(_surprise),
    ),
    shaped=Version(
        f"Φ = 1 − log p / log {EDGE}, in which −log p = KL(1 ‖ p), p in [{EDGE}, {1 - EDGE}]",
        0,
        1,
        OfState(_hope, of_focus=False, of_belief=True),
    ),
    loses="What is told about p whichever way it goes; it leads to where a proof would surprise less.",
)
REUSE: Final = Term(
    "R_alpha",
    "reuse",
    asks="What is used all the time without thinking is to lose by it, and what is hardly used is to be tried.",
    differs="It does the opposite: a first use costs 1.609, one after ten .310, one after a thousand .004. The limit "
    "log(1/α) that its text gives is its value for n = 0.",
    seed=Version(
        "log((n + 1) / (α + n)), α = 5",
        -log(PRIOR_AS_PRINTED),
        0,
        OfUse(lambda _, used: reuse_as_printed(used.times)),
    ),
    sound=Version("log(1/K) − log((n + α) / (N + Kα)), K tactics, N uses", -inf, inf, OfUse(_reuse)),
    shaped=Version(
        "Φ = 1 / (1 + e^−x), x the most that log(1/K) − log((n + α) / (N + Kα)) is of a tactic that the goal offers",
        0,
        1,
        OfUse(lambda context, used: logistic(_reuse(context, used)), differenced=True),
    ),
    loses="Which tactic is used; it leads to goals that offer one that is rare.",
)
COMPRESSION: Final = Term(
    "C_beta",
    "compression",
    asks="Proofs are to be short, and without needless repetition.",
    differs="It compares a proof with itself, and so rewards padding: what is long and dull packs well. On short "
    "proofs, where packing adds more than it saves, it is negative.",
    seed=Version(
        "1 − zip / raw",
        -inf,
        1,
        OfProof(lambda _, proof: compression_as_printed(proof.packed, max(1, proof.raw))),
    ),
    sound=Version(
        "−zip / the smallest zip of a proof of the lemma",
        -inf,
        0,
        OfProof(lambda _, proof: compression(proof.packed, proof.best or proof.packed)),
    ),
    shaped=Version(
        f"Φ = {SCALE} / ({SCALE} + zip), zip the bytes to which the shapes of all open goals are packed",
        0,
        1,
        OfState(_left, of_focus=False),
    ),
    loses="What the proof itself looks like; it leads to where little is left that does not repeat itself.",
)
ALIGNMENT: Final = Term(
    "A_gamma",
    "alignment",
    asks="What is at hand is to speak of what is to be proved.",
    differs="It is the distance of two vectors, and no potential; elsewhere the same text squares it.",
    seed=Version("−‖e(Γ) − e(conclusion)‖₂", -2, 0, OfState(_alignment_as_printed, differenced=False)),
    sound=Version(
        "Φ = −(1 − Jaccard(subformulas of Γ, of the conclusion)), or −(1 − cos)/2 of the embedded sentences",
        -1,
        0,
        OfState(_alignment),
    ),
    shaped=Version(
        "Φ = Jaccard(subformulas of Γ, of the conclusion), or (1 + cos)/2 of the embedded sentences",
        0,
        1,
        OfState(lambda context, state: 1 + _alignment(context, state)),
    ),
    loses="Nothing; it is counted from 0.",
    is_mean=True,
)
UNCERTAINTY: Final = Term(
    "U_sigma",
    "uncertainty",
    asks="Goals of which it is least known whether they can be closed are to be tried first.",
    differs="It pays what the variance really lost, which is negative where the unlikely happened: −.0025 for a "
    "success after Beta(1, 3). A factor g that names the index of its sum is left out.",
    seed=Version(
        "Σ Var(p) − Var(p′) over the goals that an episode tries, p ~ Beta(1 + closed, 1 + not)",
        -inf,
        inf,
        OfTries(lambda _, closed, failed, *now: drop_as_printed(1 + closed, 1 + failed, *now)),
    ),
    sound=Version(
        "Var(p) / (a + b + 1), p ~ Beta(a, b) = Beta(1 + closed, 1 + not)",
        0,
        1 / 36,
        OfGoal(lambda _, closed, failed: expected_drop(1 + closed, 1 + failed)),
    ),
    shaped=Version(
        "Φ = 12 Var(p) of the goal in focus, p ~ Beta(1 + closed, 1 + not)",
        0,
        1,
        OfGoal(lambda _, closed, failed: 12 * beta_variance(1 + closed, 1 + failed), differenced=True),
    ),
    loses="That it is told whether a goal can be closed; it leads to goals of which that is not known.",
)
