"""The audit of R†: whether a term beside C changes which moves are best, state by state, and what it then pays for.

A term pays for length if some proof longer than necessary returns more than every shortest one; for dead ends, if some
way to get stuck returns more than every proof; without a proof, if a state that has none returns more than 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import inf, isinf
from typing import Any, Final

import numpy as np

from curricula.lemma import Lemma
from oasis.audit.listed import Listed, listed
from oasis.audit.returns import TOLERANCE, Amounts, Returns, returns
from oasis.dagger.making import described, made
from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import OfGoal, OfProof, OfUse, Reading
from oasis.dagger.weights import WHOLE, Weights, weights_named
from oasis.ground.names import TERMS
from oasis.student.settings import Settings
from oasis.student.student import School
from oasis.teacher.exact.states import StateGraph, Truths
from tactics.goal import State
from tactics.printer import UNICODE, brief

GAMMA: Final = 0.9
EPISODES: Final = 1000
"""Of the training after which counters are looked at: one-step Q-learning by Name, paid by all terms, seed 0."""
ROUND: Final = 100
"""Episodes of a round of that training."""
KINDS: Final = ("dead", "lost", "longer", "worse", "paid", "changed")
"""What a finding counts, the worst first."""


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
    """What one term does beside C, with one weight, in all states of some lemmas that are left something to do.

    Attributes:
        term: its name.
        reading: `seed` or `sound`.
        weight: that it has; C has 1.
        counters: `none`, if nothing was counted yet, or `trained`.
        unit: what was looked at: `states`, or `goals` where proofs were listed.
        states: how many.
        provable: of these, that have a proof.
        chosen: without a proof, and it matters what is done.
        counts: of states by `KINDS`: `dead`, provable, and some way to get stuck returns more than every proof;
            `lost`, provable, and a best move leads where there is no proof; `longer`, provable, and a longer proof
            returns more than every shortest one; `worse`, provable, and a best move is on no shortest proof; `paid`,
            without a proof, and the largest return is above 0; `changed`, other moves are best than under C alone.
        first: names of the lemmas whose own state is among each of `KINDS`.
        examples: by `KINDS`.
    """

    term: str
    reading: str
    weight: float
    counters: str
    unit: str = "states"
    states: int = 0
    provable: int = 0
    chosen: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)
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
            first={kind: [*self.first.get(kind, []), *other.first.get(kind, [])] for kind in KINDS},
            examples=examples,
        )

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)


def audited(lemma: Lemma, graph: StateGraph, reading: Reading, gamma: float = GAMMA) -> Iterator[Finding]:
    """A finding for each term but C, with the weight of the reading's preset and with 1, if these differ."""
    preset = weights_named(WHOLE[reading])
    plain = returns(graph, None, 0.0, gamma)
    counters = _trained(lemma, preset, gamma)
    for term in islice(TERMS.values(), 1, None):
        form = term.version(reading).form
        given = preset.weights.get(term.name, 0.0)
        for trained in (False, True) if isinstance(form, OfUse | OfGoal | OfProof) else (False,):
            reward = made(replace(preset, weights={term.name: 1.0}, clip=1e6), gamma)
            if trained:
                reward.counters.restore(counters)
                nothing = np.zeros(0, np.int64)
                reward.count(np.zeros(0, reward.row_type), nothing, nothing)
            amounts = None if isinstance(form, OfProof) else Amounts(graph, reward)
            for weight in sorted({given, 1.0} - {0.0}):
                sign = -1 if reward.parts[0].weight < 0 else 1
                finding = Finding(term.name, str(reading), weight, "trained" if trained else "none")
                if amounts is None:
                    proofs = listed(graph, reward, sign * weight, gamma, knows_best=trained)
                    yield _of_listed(finding, lemma, proofs)
                else:
                    found = returns(graph, amounts, weight, gamma, preset.clip)
                    yield _of_states(finding, lemma, graph, plain, found)


def _trained(lemma: Lemma, preset: Weights, gamma: float) -> Any:
    """What is counted while a student practises the lemma, paid by a preset."""
    name = described(replace(preset, round=ROUND))
    student = School(Settings(reward=name, state_space="name", gamma=gamma, episodes=EPISODES)).student(0)
    student.practise(lemma.formula, EPISODES)
    reward = getattr(student, "reward", None)  # which every student of a school has
    assert isinstance(reward, RewardDagger)
    return reward.counters.state()


def _of_states(finding: Finding, lemma: Lemma, graph: StateGraph, plain: Returns, found: Returns) -> Finding:
    proof, stuck, shortest = map(found.of_states, (found.proof, found.stuck, found.shortest))
    provable, hopeless = graph.provable & graph.has_moves, ~graph.provable & graph.has_moves
    least = -found.of_states(-found.stuck)
    is_wrong = found.is_best & provable[graph.before] & ~graph.is_shortest
    marks = {
        "changed": _states(graph, found.is_best != plain.is_best),
        "worse": _states(graph, is_wrong),
        "lost": _states(graph, is_wrong & ~graph.provable[graph.after]),
        "longer": provable & (proof > shortest + TOLERANCE),
        "dead": provable & (stuck > proof + TOLERANCE),
        "paid": hopeless & (stuck > TOLERANCE),
    }
    return replace(
        finding,
        states=int(graph.has_moves.sum()),
        provable=int(provable.sum()),
        chosen=int((hopeless & (stuck > least + TOLERANCE)).sum()),
        counts={kind: int(mark.sum()) for kind, mark in marks.items()},
        first={kind: [lemma.name] * bool(mark[graph.root]) for kind, mark in marks.items()},
        examples={
            kind: _example(lemma, graph, found, _smallest(graph, mark), kind)
            for kind, mark in marks.items()
            if mark.any()
        },
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


def _example(lemma: Lemma, graph: StateGraph, found: Returns, number: int, kind: str) -> Example:
    state = graph.state(number)
    edges = np.flatnonzero(graph.before == number)
    best = {int(edge) for edge in edges if found.is_best[edge]}
    if kind in ("worse", "lost"):
        best = {edge for edge in best if not graph.is_shortest[edge] and (kind == "worse" or _is_lost(graph, edge))}
    edge = min(best)
    proof, stuck, shortest = (float(each[edges].max()) for each in (found.proof, found.stuck, found.shortest))
    length = graph.length[number]
    if kind == "paid":
        says = f"returns {stuck:.3g} by {_move(graph, edge)}, and has no proof"
    elif kind == "dead":
        edge = int(edges[np.argmax(found.stuck[edges])])
        says = (
            f"to get stuck by {_move(graph, edge)} returns {stuck:.3g}, a proof at most {proof:.3g}; "
            f"the shortest has {length:g} moves"
        )
    elif kind == "longer":
        says = f"a longer proof returns {proof:.3g}, one of {length:g} moves, the shortest, {shortest:.3g}"
    elif isinf(length):
        every = len(edges)
        says = f"{len(best)} of {every} moves are best, as {_move(graph, edge)}, and none leads to a proof"
    else:
        right = next((int(each) for each in edges if graph.is_shortest[each]), edge)
        after = graph.length[graph.after[edge]] + 1
        then = "after which there is no proof" if isinf(after) else f"with which a proof has {after:g} moves"
        says = f"prefers {_move(graph, edge)}, {then}; {_move(graph, right)} begins one of {length:g}"
        if graph.is_shortest[edge]:
            says = f"only {len(best)} of the {int(graph.is_shortest[edges].sum())} moves of shortest proofs are best"
    return Example(lemma.name, _text(state), len(state), _size(state), says)


def _is_lost(graph: StateGraph, edge: int) -> bool:
    return not graph.provable[graph.after[edge]]


def _move(graph: StateGraph, edge: int) -> str:
    return str(graph.moves[int(graph.move[edge])])


def _of_listed(finding: Finding, lemma: Lemma, proofs: Sequence[Listed]) -> Finding:
    """The same for goals whose proofs were listed; without a proof they return nothing."""
    examples: dict[str, Example] = {}
    counts = dict.fromkeys(KINDS, 0)
    for each in proofs:
        best, length = max(each.returns), min(each.shortest)
        is_best = [value >= max(best, 0.0) - TOLERANCE for value in each.returns]
        is_shortest = [moves == length for moves in each.shortest]
        marks = {
            "changed": is_best != is_shortest,
            "worse": any(one and not other for one, other in zip(is_best, is_shortest, strict=True)),
            "longer": best > each.of_shortest + TOLERANCE,
            "dead": best < -TOLERANCE,
        }
        for kind, mark in marks.items():
            counts[kind] += mark
            example = Example(lemma.name, _text((each.goal,)), 1, _size((each.goal,)), _said(each, kind, is_best))
            if mark and (kind not in examples or example.size < examples[kind].size):
                examples[kind] = example
    return replace(finding, unit="goals", states=len(proofs), provable=len(proofs), counts=counts, examples=examples)


def _said(each: Listed, kind: str, is_best: Sequence[bool]) -> str:
    length = min(each.shortest)
    if kind == "longer":
        returned = f"{max(each.returns):.3g}, one of {length:g} moves, the shortest, {each.of_shortest:.3g}"
        return f"a longer proof returns {returned}"
    if kind == "dead":
        return f"a proof returns at most {max(each.returns):.3g}; to get stuck, 0"
    chosen = [(move, moves) for move, moves, best in zip(each.moves, each.shortest, is_best, strict=True) if best]
    move, moves = max(chosen, key=lambda pair: pair[1], default=(None, inf))
    if move is None:
        return "no move is as good as to get stuck"
    return f"{move} is among the best; proofs that begin with it have {moves:g} moves or more, the shortest {length:g}"


def _text(state: State) -> str:
    """A state in a line: its goals with their hypotheses, without names where no move needs them."""
    goals = []
    for goal in state:
        given = ", ".join(f"{name}: {brief(formula, UNICODE)}" for name, formula in goal.hypotheses)
        goals.append(f"{given} ⊢ {brief(goal.conclusion, UNICODE)}".strip())
    return "; ".join(goals)


def _size(state: State) -> int:
    return sum(goal.conclusion.size + sum(formula.size for _, formula in goal.hypotheses) for goal in state)
