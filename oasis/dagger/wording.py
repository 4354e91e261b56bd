"""Why a term of R† says what it says of a step, in a few words: what it looked at, before the step and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from oasis.dagger.anatomy import assumed, depth, distinct, kept_with_goal, literals
from oasis.dagger.counters import Counters
from oasis.dagger.shapes import shape, worked_on
from oasis.dagger.term import Context, Packed, Reading, Step
from oasis.dagger.terms.bayesian import chances
from oasis.dagger.valuations import refuted
from oasis.ground.plural import counted
from tactics.goal import Goal, State
from tactics.rules import RULES


class Facts(NamedTuple):
    """A step, and what was counted before it.

    Attributes:
        reading: how the terms are read.
        context: what they look up.
        step: what was done.
        row: the step as the term's reward has it (`oasis.dagger.rows.ROW`).
        counters: what was counted.
        potentials: Φ of the state before the step and of the one after it, where the term is a potential.
    """

    reading: Reading
    context: Context
    step: Step
    row: Any
    counters: Counters
    potentials: tuple[float, float] = (0.0, 0.0)


def goals(number: int) -> str:
    """How many goals."""
    return counted(number, "goal")


def signed(amount: float) -> str:
    """What is paid, with its sign."""
    return "0" if not amount else f"{amount:+.4f}" if abs(amount) < 1000 else f"{amount:+.5g}"


_IDLE: Final = "the move does not apply"
_UNUSED: Final = "never used before"


def _correct(facts: Facts) -> str:
    after, ended = facts.step.after, facts.step.ended
    return f"{'stuck with ' if ended else ''}{goals(len(after))} left" if after else "proved: no goal is left"


def _progress(facts: Facts) -> str:
    before, after = len(facts.step.before), len(facts.step.after)
    if after and facts.step.ended and facts.reading is not Reading.SEED:
        return f"stuck with {goals(after)}, so Φ = 0"
    if after < before:
        return f"closes {goals(before - after)}: {after} left"
    return f"{goals(after)} open, as before" if after == before else f"opens {goals(after - before)}: {after} open"


def _frequency(facts: Facts) -> str:
    knowledge, step = facts.context.knowledge, facts.step
    number = knowledge.frequency(worked_on(step.before[0], step.move))
    return f"formula in {counted(number, 'lemma')}; at most {knowledge.highest_frequency:,}"


def _surprise(facts: Facts) -> str:
    posterior, prior = chances(facts.context, facts.step)
    return f"p(QED) {prior:.3g} → {posterior:.3g}"


def _reuse(facts: Facts) -> str:
    tried, used = facts.counters.tactics.tried, facts.row["tactic"]
    return f"used {tried[used]:,} of {tried.sum():,} times" if tried[used] else _UNUSED


def _alignment(facts: Facts) -> str:
    if facts.context.options.embedding == "sentence":
        return "how alike Γ and the conclusion sound"
    return _changed(facts, "shared subformulas", lambda state: _shared(state[0]))


@kept_with_goal
def _shared(goal: Goal) -> str:
    given, wanted = distinct(assumed(goal)), distinct([goal.conclusion])
    return f"{len(given & wanted)} of {len(given | wanted)}"


def _uncertainty(facts: Facts) -> str:
    if facts.reading is Reading.SEED:
        return "paid at the end for all goals tried"
    settled, tally = facts.row["settled"], facts.counters.goals
    if not settled:
        return "settles no goal"
    what, tries = "closes a goal" if facts.row["opened"] < 0 else "leaves a goal stuck", tally.tried[settled]
    return (
        f"{what}, closed {tally.closed[settled]:,} of {tries:,} times before" if tries else f"{what} never tried before"
    )


def _centrality(facts: Facts) -> str:
    knowledge, rule = facts.context.knowledge, facts.step.move.rule
    if rule not in RULES:
        return _IDLE
    most = max(map(knowledge.degree, RULES))
    return f"used on {counted(knowledge.degree(rule), 'shape')}; at most {most:,}"


def _literals(state: State) -> str:
    counts = literals(state[0])
    return f"{len(counts)} of {sum(counts.values()):,}"


def _utility(facts: Facts) -> str:
    step = facts.step
    words = counted(len(str(step.move).split()), "word")
    effort = words if facts.reading is Reading.SEED else counted(max(1, step.moves), "move")
    return f"{goals(len(step.before))} → {len(step.after)}, by {effort}"


def _novelty(facts: Facts) -> str:
    tally, used = facts.counters.tactics, facts.row["tactic"]
    times, counts = counted(int(tally.tried[used]), "time"), _UNUSED
    if tally.tried[used]:
        counts = f"used {times}" if facts.reading is Reading.SEED else f"worked {tally.closed[used]:,} of {times}"
    return f"{counts}; centrality {facts.context.knowledge.centrality(facts.step.move.rule):.2g}"


def _walk(facts: Facts) -> str:
    knowledge, step = facts.context.knowledge, facts.step
    if facts.reading is not Reading.SEED:
        return _changed(
            facts, "hops to a closing rule", lambda state: _hops(knowledge.hops(shape(state[0].conclusion)))
        )
    if not step.after:
        return "nothing is left to go to"
    hops = knowledge.hops_from_rule(step.move.rule, shape(step.after[0].conclusion))
    return f"hops from {step.move.rule} to the conclusion: {_hops(hops)}"


def _hops(number: int | None) -> str:
    return "no path" if number is None else str(number)


def _changed(facts: Facts, label: str, what: Callable[[State], str]) -> str:
    """What holds of the state after a step, and what held before it."""
    step, before = facts.step, what(facts.step.before)
    after = what(step.after) if step.after else "none left"
    stuck = "; stuck, so Φ = 0" if step.after and step.ended and facts.reading is not Reading.SEED else ""
    return f"{label}: {after}, {'as before' if after == before else f'was {before}'}{stuck}"


def _or_shaped(reason: Callable[[Facts], str], what: str) -> Callable[[Facts], str]:
    """The reason, or, where the term is shaped, what it looks at of states instead, and its numbers."""

    def words(facts: Facts) -> str:
        if facts.reading is not Reading.SHAPED:
            return reason(facts)
        before, after = (f"{number:.3g}" for number in facts.potentials)
        ends = "; the episode ends, so Φ = 0" if facts.step.ended else ""
        return f"{what}: {after if facts.step.after else 'none left'}, was {before}{ends}"

    return words


def _of_move(reason: Callable[[Facts], str]) -> Callable[[Facts], str]:
    """The reason, or that the move does not apply."""
    return lambda facts: reason(facts) if facts.step.moves else _IDLE


REASONS: Final[Mapping[str, Callable[[Facts], str]]] = {
    "C": _correct,
    "P": _progress,
    "E": lambda facts: _changed(facts, "deepest formula", lambda state: str(depth(state[0]))),
    "F_DR": _or_shaped(_of_move(_frequency), "most frequent formula on offer"),
    "N_fit": lambda facts: _changed(facts, "refuting valuations", lambda state: f"{refuted(state):.3g}"),
    "S_KL": _or_shaped(_surprise, "how little a proof would surprise"),
    "R_alpha": _or_shaped(_of_move(_reuse), "rarest tactic on offer"),
    "C_beta": _or_shaped(lambda _: "paid at the end of a proof", "how little is left, packed"),
    "A_gamma": _alignment,
    "U_sigma": _or_shaped(_uncertainty, "uncertainty of the goal"),
    "K_c": _or_shaped(_of_move(_centrality), "most central rule on offer"),
    "H": lambda facts: _changed(facts, "different literals", _literals),
    "K_pre": _or_shaped(_of_move(lambda _: "the move applies"), "share of rules that apply"),
    "U": _or_shaped(_utility, "whether a move closes the goal"),
    "N_BNG": _or_shaped(_of_move(_novelty), "most promising tactic on offer"),
    "G": _walk,
}
"""Of each term of ours, by its name."""


def of_goals(facts: Facts) -> str:
    """What is said of a term of which nothing else is known: how many goals there were, and are."""
    return f"{goals(len(facts.step.before))} → {len(facts.step.after)}"


def compressed(reading: Reading, proof: Packed) -> str:
    """Why a proof is worth what C_β says."""
    size = f"{counted(proof.raw, 'byte')} packed to {proof.packed:,}"
    if reading is Reading.SEED:
        return size
    if proof.best is None:
        return f"{size}; set against itself, as no proof was packed before"
    return f"{size}; the best has {proof.best:,}"
