"""The audit of R†: whether a reward is safe, state by state, and what else it pays for than proofs that are short.

A reward pays for length if some proof longer than necessary returns more than every shortest one; for dead ends, if
some way to get stuck returns more than every proof; without a proof, if a state that has none returns more than 0. A
term of it is looked at as the reward that has nothing else but C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import inf, isinf
from typing import Any, Final

import numpy as np

from curricula.lemma import Lemma
from oasis.audit.returns import Bounds, Paid, largest
from oasis.audit.safety import (
    GAMMA,
    TOLERANCE,
    counts,
    judged,
    keeping,
    margins,
    reward_of,
    trained,
    witness,
)
from oasis.dagger.term import OfGoal, OfProof, OfTries, OfUse, Reading
from oasis.dagger.weights import WHOLE, Weights, weights_named
from oasis.ground.names import TERMS
from oasis.ground.plural import counted
from oasis.rewards import LARGEST
from oasis.teacher.exact.states import Integers, StateGraph, Truths
from tactics.goal import State
from tactics.printer import UNICODE, brief

KINDS: Final = ("lost", "dead", "longer", "worse", "paid", "changed")
"""What a finding counts, the worst first."""
DECIDED: Final = ("lost", "worse")
"""Of these, what is said to be unknown where it is."""


@dataclass(frozen=True)
class Example:
    """A state in which a term does something, the smallest that was found.

    Attributes:
        lemma: that leads to it.
        state: as text.
        goals: how many it has.
        size: nodes of its formulas.
        says: what the term makes of it, and what is true, in a sentence without its full stop.
    """

    lemma: str
    state: str
    goals: int
    size: int
    says: str


@dataclass(frozen=True)
class Finding:
    """What a reward makes of all states of some lemmas that are left something to do.

    Attributes:
        name: of the preset, or of the term that stands beside C.
        reading: of its terms.
        weight: of the term, where C has 1; None for a preset.
        counters: `none`, if nothing was counted yet, or `trained`.
        states: how many were looked at.
        provable: of these, that have a proof.
        chosen: without a proof, and it matters what is done.
        counts: of states by `KINDS`: `dead`, provable, and some way to get stuck returns more than every proof;
            `lost`, provable, and a best move leads where there is no proof, so that the reward is not safe; `longer`,
            provable, and a longer proof returns more than every shortest one; `worse`, provable, and a best move is on
            no shortest proof; `paid`, without a proof, and the largest return is above 0; `changed`, other moves are
            best than under C alone.
        undecided: states of which it is not known whether they are among each of `DECIDED`.
        first: names of the lemmas whose own state is among each of `KINDS`.
        unsafe: names of the lemmas that lead to a state that is `lost`.
        examples: by `KINDS`.
    """

    name: str
    reading: str
    weight: float | None
    counters: str
    states: int = 0
    provable: int = 0
    chosen: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    undecided: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)
    unsafe: list[str] = field(default_factory=list)
    examples: dict[str, Example] = field(default_factory=dict)

    def with_(self, other: Finding) -> Finding:
        """The same for the lemmas of both."""
        examples = {**other.examples, **self.examples}
        for kind in set(self.examples) & set(other.examples):
            both = self.examples[kind], other.examples[kind]
            examples[kind] = min(both, key=lambda each: (each.goals, each.size))
        return replace(
            self,
            states=self.states + other.states,
            provable=self.provable + other.provable,
            chosen=self.chosen + other.chosen,
            counts={kind: self.counts[kind] + other.counts[kind] for kind in KINDS},
            undecided={kind: self.undecided[kind] + other.undecided[kind] for kind in DECIDED},
            first={kind: [*self.first[kind], *other.first[kind]] for kind in KINDS},
            unsafe=[*self.unsafe, *other.unsafe],
            examples=examples,
        )

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)


def of_preset(name: str, weights: Weights, lemma: Lemma, graph: StateGraph, gamma: float = GAMMA) -> Iterator[Finding]:
    """What a reward makes of a lemma before anything was counted, and, if it counts, after training that it paid."""
    yield completed(Finding(name, str(weights.reading), None, "none"), lemma, graph, weights, gamma)
    if counts(weights, gamma):
        counters = trained(lemma.formula, weights, gamma)
        yield completed(Finding(name, str(weights.reading), None, "trained"), lemma, graph, weights, gamma, counters)


def of_terms(reading: Reading, lemma: Lemma, graph: StateGraph, gamma: float = GAMMA) -> Iterator[Finding]:
    """What each term makes of a lemma beside C, with the weight of the reading's preset and with 1, if these differ.

    What was counted is counted while all terms pay. Nothing is clipped, as that would not be the term's doing.
    """
    preset = weights_named(WHOLE[reading])
    counters = trained(lemma.formula, preset, gamma)
    for term in islice(TERMS.values(), 1, None):
        form = term.version(reading).form
        for known in (None, counters) if isinstance(form, OfUse | OfGoal | OfProof | OfTries) else (None,):
            for weight in sorted({preset.weights.get(term.name, 0.0), 1.0} - {0.0}):
                weights = replace(preset, weights={"C": 1.0, term.name: weight}, clip=LARGEST)
                finding = Finding(term.name, str(reading), weight, "none" if known is None else "trained")
                yield completed(finding, lemma, graph, weights, gamma, known)


def completed(
    finding: Finding, lemma: Lemma, graph: StateGraph, weights: Weights, gamma: float, counters: Any = None
) -> Finding:
    """A finding with what a reward makes of a lemma; what it does not confirm when it is asked is not decided."""
    paid = Paid(graph, lemma.formula, reward_of(weights, gamma, counters), gamma)
    bounds = judged(paid)
    least, most = bounds.least, bounds.most
    provable, hopeless = graph.provable & graph.has_moves, ~graph.provable & graph.has_moves
    right = {"lost": keeping(graph), "worse": graph.is_shortest}
    found = {kind: margins(bounds, edges) for kind, edges in right.items()}
    top = {name: largest(graph, getattr(most, name)) for name in ("proof", "shortest", "stuck")}
    stuck = largest(graph, least.stuck)
    under_c = (graph.is_shortest if gamma < 1 else right["lost"]) | ~graph.provable[graph.before]
    no_more = most.through < largest(graph, least.through)[graph.before] - TOLERANCE
    now = least.through >= largest(graph, most.through)[graph.before] - TOLERANCE
    marks = {
        "dead": provable & (stuck > top["proof"] + TOLERANCE),
        "longer": provable & (largest(graph, least.proof) > top["shortest"] + TOLERANCE),
        "paid": hopeless & (stuck > TOLERANCE),
        "changed": _states(graph, np.where(under_c, no_more, now)),
        **{kind: each.is_wrong for kind, each in found.items()},
    }
    is_open = {kind: each.is_open for kind, each in found.items()}
    examples = {}
    for kind in KINDS:
        if marks[kind].any():
            number = _smallest(graph, marks[kind])
            slack = float(found[kind].slack[number]) if kind in found else -TOLERANCE
            example = _example(paid, bounds, lemma, kind, number, slack, under_c)
            if example is None:
                is_open[kind] = is_open.get(kind, marks[kind]) | marks[kind]
                marks[kind] = np.zeros_like(provable)
            else:
                examples[kind] = example
    return replace(
        finding,
        states=int(graph.has_moves.sum()),
        provable=int(provable.sum()),
        chosen=int((hopeless & (stuck > -largest(graph, -most.stuck) + TOLERANCE)).sum()),
        counts={kind: int(marks[kind].sum()) for kind in KINDS},
        undecided={kind: int(is_open[kind].sum()) for kind in DECIDED},
        first={kind: [lemma.name] * bool(marks[kind][graph.root]) for kind in KINDS},
        unsafe=[lemma.name] * bool(marks["lost"].any()),
        examples=examples,
    )


def _states(graph: StateGraph, edges: Truths) -> Truths:
    """Which states have such an edge."""
    found = np.zeros(len(graph), np.bool_)
    found[graph.before[edges]] = True
    return found


def _smallest(graph: StateGraph, mark: Truths) -> int:
    numbers = np.flatnonzero(mark)
    fewest = numbers[graph.size[numbers] == graph.size[numbers].min()][:1000]
    return int(min(fewest.tolist(), key=lambda number: _size(graph.state(number))))


_EPISODES: Final = {
    "lost": ("through", "through"),
    "worse": ("through", "through"),
    "dead": ("stuck", "proof"),
    "longer": ("proof", "shortest"),
    "paid": ("stuck", "stuck"),
}
"""Of which episodes one returns too much, and which ones it should not exceed."""


def _example(
    paid: Paid, bounds: Bounds, lemma: Lemma, kind: str, number: int, slack: float, under_c: Truths
) -> Example | None:
    """What is wrong in a state, with what the reward pays for two episodes; None if it does not confirm it.

    Of a wrong move that is among the best it is allowed to return less than the right one by the slack.
    """
    graph = paid.graph
    state, here = graph.state(number), graph.before == number
    says = _changed(graph, np.flatnonzero(here), bounds, under_c) if kind == "changed" else ""
    if not says:
        right = here & {"lost": keeping(graph), "worse": graph.is_shortest, "paid": ~here}.get(kind, here)
        wrong, (one, other) = here & ~right if kind in DECIDED else here, _EPISODES[kind]
        most = float(getattr(bounds.most, other)[right].max(initial=0.0 if kind == "paid" else -inf))
        first = witness(paid, wrong, getattr(bounds.most, one), most - slack)
        if first is None:
            return None
        second = witness(paid, right, getattr(bounds.most, other), most - abs(slack))
        says = _said(graph, kind, number, first, second, most)
    return Example(lemma.name, _text(state), len(state), _size(state), says)


def _said(
    graph: StateGraph, kind: str, number: int, wrong: tuple[int, float], right: tuple[int, float] | None, most: float
) -> str:
    """What episodes return that begin with an edge each: a wrong one, and a right one, or at most if none is known."""
    move, (edge, returned) = _move(graph, wrong[0]), wrong
    if kind == "paid":
        return f"{move} returns {returned:.3g}, and there is no proof"
    after = graph.length[graph.after[edge]] + 1
    then = "after which there is no proof" if isinf(after) else f"with which a proof has {after:g} moves"
    one = {"dead": f"to get stuck by {move}", "longer": f"a longer proof by {move}"}.get(kind, f"{move}, {then},")
    what = {"dead": "a proof by ", "longer": "a shortest proof by "}.get(kind, "")
    other = f"{what}{_move(graph, right[0])} returns {right[1]:.3g}" if right else f"what is right at most {most:.3g}"
    length = counted(int(graph.length[number]), "move")
    return f"{one} returns {returned:.3g}; {other}, and the shortest proof has {length}"


def _changed(graph: StateGraph, edges: Integers, bounds: Bounds, under_c: Truths) -> str:
    """Which of the edges of a state are best, where others are than under C alone."""
    through = bounds.most.through[edges]
    best = edges[through >= through.max() - TOLERANCE]
    if under_c[edges].all():
        return f"{len(best)} of {len(edges)} moves are best, as {_move(graph, best[0])}, and none leads to a proof"
    return f"only {len(best)} of the {int(under_c[edges].sum())} moves that are best under C alone are best"


def _move(graph: StateGraph, edge: int) -> str:
    return str(graph.moves[int(graph.move[edge])])


def _text(state: State) -> str:
    """A state in a line: its goals with their hypotheses, without names where no move needs them."""
    goals = []
    for goal in state:
        given = ", ".join(f"{name}: {brief(formula, UNICODE)}" for name, formula in goal.hypotheses)
        goals.append(f"{given} ⊢ {brief(goal.conclusion, UNICODE)}".strip())
    return "; ".join(goals)


def _size(state: State) -> int:
    return sum(goal.conclusion.size + sum(formula.size for _, formula in goal.hypotheses) for goal in state)
