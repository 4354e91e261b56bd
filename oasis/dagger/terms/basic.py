"""The five basic terms of R†: correct, progress, elegance, formula frequency, numeric fit.

First the formulas, numbers in and a number out; `_as_printed` marks what the design document prints where that does
something else. Then the terms, which say what goes into them. n is the number of open goals, a stroke marks what holds
after the step, and Φ is worth 0 where an episode ends.
"""

from __future__ import annotations

from math import inf, log
from typing import Final

from oasis.dagger.anatomy import depth
from oasis.dagger.shapes import worked_on
from oasis.dagger.term import Context, OfState, OfStep, Step, Term, Version
from oasis.dagger.valuations import refuted
from tactics.goal import State
from tactics.rules import legal_moves


def correct(goals: int) -> float:
    """1 if no goal is left, else 0."""
    return float(goals == 0)


def progress_as_printed(before: int, after: int) -> float:
    """(n - n′) / max(1, n), limited to [-1, 1]."""
    return max(-1.0, (before - after) / max(1, before))


def elegance(depth: int, k: int) -> float:
    """(k - depth)₊ / k."""
    return elegance_as_printed(depth, k) / k


def elegance_as_printed(depth: int, k: int) -> float:
    """(k - depth)₊."""
    return float(max(0, k - depth))


def formula_frequency(count: int, highest: int) -> float:
    """log(1 + count) / log(1 + the highest count); 0 where nothing was counted."""
    return formula_frequency_as_printed(count) / formula_frequency_as_printed(highest) if highest else 0.0


def formula_frequency_as_printed(count: int) -> float:
    """log(1 + count)."""
    return log(1 + count)


def numeric_error(found: float, true: float) -> float:
    """|f - f*| / (1 + |f*|)."""
    return abs(found - true) / (1 + abs(true))


def _elegance_after(context: Context, step: Step) -> float:
    return elegance_as_printed(depth(step.after[0]), context.options.depth) if step.after else 0.0


def _frequency(context: Context, step: Step) -> int:
    """Of the formula that a step works on; a move that does not apply works on none."""
    return context.knowledge.frequency(worked_on(step.before[0], step.move)) if step.moves else 0


def _frequency_on_offer(context: Context, state: State) -> float:
    """Of the most frequent formula that a move of the goal in focus works on."""
    knowledge, goal = context.knowledge, state[0]
    counts = [knowledge.frequency(formula) for formula in {worked_on(goal, move) for move in legal_moves(goal)}]
    return formula_frequency(max(counts, default=0), knowledge.highest_frequency)


CORRECT: Final = Term(
    "C",
    "correct",
    asks="Nothing but a proof is to be paid well.",
    differs="",
    seed=(
        _correct := Version("1 if n′ = 0, else 0", 0, 1, OfStep(lambda _, step: correct(len(step.after)), of_kind=True))
    ),
    sound=_correct,
    shaped=_correct,
)
PROGRESS: Final = Term(
    "P",
    "progress",
    asks="What a proof is worth is to be spread over its steps: each goal that is closed counts at once.",
    differs="It divides by the number of open goals, and so is no shaping by a potential, which its text calls it; "
    "what it prints for the shaping has the wrong sign.",
    seed=Version(
        "(n − n′) / max(1, n), at least −1",
        -1,
        1,
        OfStep(lambda _, step: progress_as_printed(len(step.before), len(step.after))),
    ),
    sound=Version("Φ = −n", -inf, 0, OfState(lambda _, state: -float(len(state)), of_focus=False)),
    shaped=Version("Φ = 1/n", 0, 1, OfState(lambda _, state: 1 / len(state), of_focus=False)),
    loses="That each goal that is closed counts alike; it counts for more, the fewer are left.",
)
ELEGANCE: Final = Term(
    "E",
    "elegance",
    asks="Plain formulas are to be preferred to nested ones.",
    differs="It is not divided by k and not a potential, so that it pays for staying where formulas are plain.",
    seed=Version(
        "mean over the steps of (k − depth′)₊",
        0,
        inf,
        OfStep(_elegance_after, averaged=True),
    ),
    sound=(
        _elegance := Version(
            "Φ = (k − depth)₊ / k",
            0,
            1,
            OfState(lambda context, state: elegance(depth(state[0]), context.options.depth)),
        )
    ),
    shaped=_elegance,
    is_mean=True,
)
FREQUENCY: Final = Term(
    "F_DR",
    "formula frequency",
    asks="Formulas that mathematics uses often are to be worked on.",
    differs="It has no upper bound; and although called Dirichlet, it is a plain count.",
    seed=Version(
        "mean over the steps of log(1 + count)",
        0,
        inf,
        OfStep(lambda context, step: formula_frequency_as_printed(_frequency(context, step)), averaged=True),
    ),
    sound=Version(
        "log(1 + count) / log(1 + highest count)",
        0,
        1,
        OfStep(lambda context, step: formula_frequency(_frequency(context, step), context.knowledge.highest_frequency)),
    ),
    shaped=Version(
        "Φ = log(1 + count) / log(1 + highest count) of the most frequent formula that a move works on",
        0,
        1,
        OfState(_frequency_on_offer),
    ),
    loses="Which of the formulas of a goal is worked on; it leads to goals that offer frequent ones.",
    is_mean=True,
)
NUMERIC_FIT: Final = Term(
    "N_fit",
    "numeric fit",
    asks="What can be checked by numbers is to come out right, so that nothing false is worked on.",
    differs="It measures how far truth values are from 1, in which a state that is false counts one half; of other "
    "numbers it is not limited to [−1, 0], as its text says it is: f = 10 for f* = 0 gives −10.",
    seed=Version(
        "−mean over the valuations of |f − f*| / (1 + |f*|), f = 0 if it refutes an open goal, else 1; f* = 1",
        -1,
        0,
        OfState(lambda _, state: 0.0 - refuted(state) * numeric_error(0, 1), differenced=False, of_focus=False),
    ),
    sound=(
        _numeric_fit := Version(
            "Φ = −share of the classical valuations that refute an open goal",
            -1,
            0,
            OfState(lambda _, state: 0.0 - refuted(state), of_focus=False),
        )
    ),
    shaped=_numeric_fit,
    is_mean=True,
)
