"""The six terms of R† on graphs and structure: centrality, entropy, prerequisites, utility, novelty, graph walk.

First the formulas, numbers (or arrays of them, elementwise) in and out; `_as_printed` marks what the design document
prints where that does something else. Then the terms, which say what goes into them. The graph is that of rules and
shapes; K_c(τ) is how many shapes the rule of τ was used on, as a share of the most that any was.
"""

from __future__ import annotations

from collections.abc import Collection
from math import fsum, inf, log
from typing import Final

import numpy as np

from oasis.dagger.anatomy import kept_with_goal, literals
from oasis.dagger.shapes import shape
from oasis.dagger.term import Context, Floats, OfState, OfStep, OfUse, Step, Term, Used, Version
from oasis.dagger.terms.bayesian import PRIOR_AS_PRINTED, logistic
from tactics.goal import Goal, State
from tactics.rules import RULES, apply, legal_moves


def entropy(counts: Collection[int]) -> float:
    """-Σ p log p of the shares p of counts above 0, in nats (Shannon 1948); they may be too large for a float."""
    total = sum(counts)
    return fsum(count / total * (log(total) - log(count)) for count in counts)


def normalised_entropy(counts: Collection[int]) -> float:
    """The entropy as a share of the most that so many counts can have, log m; 0 for fewer than two."""
    return min(1.0, entropy(counts) / log(len(counts))) if len(counts) > 1 else 0.0


def utility(before: int, after: int, length: int) -> float:
    """(n - n′) / length."""
    return (before - after) / length


def novelty(uses: Floats, successes: Floats, centrality: Floats, prior: float) -> Floats:
    """log(2(s + α) / (n + 2α)) - K_c: by how much a tactic succeeds more often than every other time, unless central.

    In the fraction is the expected rate of success after s of n, under the prior Beta(α, α).
    """
    return np.log((successes + prior) / (uses / 2 + prior)) - centrality


def novelty_as_printed(uses: Floats, centrality: Floats, prior: float = PRIOR_AS_PRINTED) -> Floats:
    """log((α + n) / α) - K_c."""
    return np.log((prior + uses) / prior) - centrality


def walk(hops: int | None, cap: int) -> float:
    """-min(hops, cap); -cap where there is no path."""
    return float(-(cap if hops is None else min(hops, cap)))


def _centred(context: Context, step: Step) -> float:
    knowledge = context.knowledge
    return knowledge.centrality(step.move.rule) - knowledge.mean_centrality if step.moves else 0.0


def _centrality_on_offer(context: Context, state: State) -> float:
    return max((context.knowledge.centrality(move.rule) for move in legal_moves(state[0])), default=0.0)


@kept_with_goal
def _share_that_applies(goal: Goal) -> float:
    return len({move.rule for move in legal_moves(goal)}) / len(RULES)


@kept_with_goal
def _utility_on_offer(goal: Goal) -> float:
    """Half of one more than the most goals that one move closes: 1, 1/2 or 0."""
    return (1 + max((utility(1, len(apply((goal,), move)), 1) for move in legal_moves(goal)), default=-1.0)) / 2


def _novelty(context: Context, used: Used) -> Floats:
    return novelty(used.times, used.closed, used.centrality, context.options.prior)


def _walk(context: Context, state: State) -> float:
    return walk(context.knowledge.hops(shape(state[0].conclusion)), context.options.hops)


def _walk_as_printed(context: Context, step: Step) -> float:
    if not step.after:
        return 0.0
    return walk(context.knowledge.hops_from_rule(step.move.rule, shape(step.after[0].conclusion)), context.options.hops)


CENTRALITY: Final = Term(
    "K_c",
    "centrality",
    asks="Rules that much else hangs on are to be preferred.",
    differs="It is never negative, and so pays for every further step.",
    seed=Version(
        "K_c(τ)",
        0,
        1,
        OfStep(lambda context, step: context.knowledge.centrality(step.move.rule) if step.moves else 0.0),
    ),
    sound=Version("K_c(τ) − its mean over the steps of the training proofs", -1, 1, OfStep(_centred)),
    shaped=Version(
        "Φ = the largest K_c of a rule that applies to the goal in focus", 0, 1, OfState(_centrality_on_offer)
    ),
    loses="Which rule is used; it leads to goals to which a central one applies.",
)
ENTROPY: Final = Term(
    "H",
    "clause entropy",
    asks="Goals that speak of many things at once are to be avoided, so that the search does not explode; subtracted.",
    differs="It has no upper bound and is no potential, so that it costs for every further step.",
    seed=Version(
        "−Σ p(l) log p(l) over the literals l of the goal in focus",
        0,
        inf,
        OfState(lambda _, state: entropy(literals(state[0]).values()), differenced=False),
    ),
    sound=Version(
        "Φ = −Σ p(l) log p(l) / log m over the m literals of the goal in focus",
        0,
        1,
        OfState(lambda _, state: normalised_entropy(literals(state[0]).values())),
    ),
    shaped=Version(
        "Φ = −Σ p(l) log p(l) / log m − 1 over the m literals of the goal in focus",
        -1,
        0,
        OfState(lambda _, state: normalised_entropy(literals(state[0]).values()) - 1),
    ),
    loses="Nothing; it is counted so that, subtracted, it lies between 0 and 1.",
    is_mean=True,
    is_subtracted=True,
)
PREREQUISITE: Final = Term(
    "K_pre",
    "prerequisite",
    asks="A rule is to be used only where all is there that it needs.",
    differs="Where only moves that apply are on offer it is 1 at every step, and so pays for length.",
    seed=Version("1 if the move applies, else 0", 0, 1, OfStep(lambda _, step: float(step.moves > 0), of_kind=True)),
    sound=Version(
        "0 if the move applies, else −1", -1, 0, OfStep(lambda _, step: float(step.moves > 0) - 1, of_kind=True)
    ),
    shaped=Version(
        "Φ = the share of the twelve rules that apply to the goal in focus",
        0,
        1,
        OfState(lambda _, state: _share_that_applies(state[0])),
    ),
    loses="Whether this move applies; it leads to goals to which many rules apply.",
)
UTILITY: Final = Term(
    "U",
    "utility",
    asks="Goals are to be closed with little effort.",
    differs="It takes for the effort how long the text of a tactic is; another table prints −cost/Δ, the inverse, "
    "which divides by 0 when no goal is closed.",
    seed=Version(
        "(n − n′) / words of the tactic",
        -inf,
        inf,
        OfStep(lambda _, step: utility(len(step.before), len(step.after), len(str(step.move).split()))),
    ),
    sound=Version(
        "(n − n′) / moves",
        -1,
        1,
        OfStep(lambda _, step: utility(len(step.before), len(step.after), max(1, step.moves))),
    ),
    shaped=Version(
        "Φ = (1 + the most goals that one move closes) / 2",
        0,
        1,
        OfState(lambda _, state: _utility_on_offer(state[0])),
    ),
    loses="What this move closes; it leads to goals that one move closes.",
)
NOVELTY: Final = Term(
    "N_BNG",
    "novelty",
    asks="Tactics off the beaten track that work are to be encouraged.",
    differs="It grows with every use, whether it worked or not, and so pays for what is common.",
    seed=Version(
        "log((α + n) / α) − K_c, α = 5",
        -1,
        inf,
        OfUse(lambda _, used: novelty_as_printed(used.times, used.centrality)),
    ),
    sound=Version(
        "log(2(s + α) / (n + 2α)) − K_c, s successes of n uses",
        -inf,
        log(2),
        OfUse(_novelty),
    ),
    shaped=Version(
        "Φ = 1 / (1 + e^−x), x the most that log(2(s + α) / (n + 2α)) − K_c is of a tactic that the goal offers",
        0,
        1,
        OfUse(lambda context, used: logistic(_novelty(context, used)), differenced=True),
    ),
    loses="Which tactic is used; it leads to goals that offer one off the beaten track that works.",
)
WALK: Final = Term(
    "G",
    "graph walk",
    asks="Steps are to lead towards what closes a goal.",
    differs="It measures from the rule that was used to the conclusion that is left, in which near is not nearer to "
    "a proof, and is no potential; in another place the same text measures from the state. Unlimited it would be "
    "infinite where there is no path.",
    seed=Version("−hops from the rule to the shape of the conclusion′, capped", -inf, 0, OfStep(_walk_as_printed)),
    sound=Version(
        "Φ = −hops from the shape of the conclusion to a rule that closes a goal, capped",
        -inf,
        0,
        OfState(_walk),
    ),
    shaped=Version(
        "Φ = 1 / hops from the shape of the conclusion to a rule that closes a goal, capped",
        0,
        1,
        OfState(lambda context, state: -1 / _walk(context, state)),
    ),
    loses="That each hop counts alike; it counts for more, the nearer such a rule is.",
    is_mean=True,
)
