"""What hints, exact values and large formulas cost: `python -m pytest benchmarks/test_teacher.py -s`.

Nothing is asserted about time. The targets are, in any state of a textbook lemma or of SYJ203 up to level 6 and on one
core, 10 ms at the 99th percentile for a hint of level 1 from a teacher who was never asked before (cold), 1 ms from one
who was asked about the state before the last move (warm), and 200 ms for a hint of level 4; for a large simple formula
with 100,000 atoms, written out, 2 s of deciding and 1 GiB for the whole process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from statistics import median
from time import perf_counter_ns, process_time
from typing import Any

import pytest

from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.ground.limits import occupied
from oasis.rewards import REWARDS
from oasis.teacher.deciding.decide import decide
from oasis.teacher.exact.values import Payoff, Values, lengths
from oasis.teacher.hints import Hint, Loss, Teacher
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves

MOST_STATES = 300
"""Of each lemma; if it has more, states on random walks."""

Walk = tuple[list[State], list[Move]]
"""States, the initial one first, and the moves between them."""


def random_walks(formula: Formula, seed: int = 0) -> list[Walk]:
    """The ways of random walks to the states that moves lead to, each state once."""
    random = Random(seed)
    found: dict[State, Walk] = {}
    for _ in range(MOST_STATES):
        states, script = [initial(formula)], list[Move]()
        while states[-1] and (moves := legal_moves(states[-1][0])) and len(found) < MOST_STATES:
            script.append(random.choice(moves))
            states.append(apply(states[-1], script[-1]))
            found.setdefault(states[-1], (list(states), list(script)))
    return list(found.values())


def formulas(corpus: str) -> list[Formula]:
    if corpus == "textbook":
        return [textbook_lemma(name).formula for name in textbook_names()]
    return [resolve_lemma(corpus).formula]


def told(times: Sequence[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[int(0.99 * len(ordered))]
    return f"median {median(ordered):.3f} ms, p99 {p99:.3f} ms, most {ordered[-1]:.3f} ms"


def milliseconds(prepare: Callable[[], Teacher], ask: Callable[[Teacher], object], rounds: int = 3) -> float:
    """What a question costs that is asked of a teacher who was prepared for it, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        teacher = prepare()
        began = perf_counter_ns()
        ask(teacher)
        best = min(best, (perf_counter_ns() - began) / 1e6)
    return best


CORPORA = ["textbook", *(f"SYJ203.{level}" for level in range(1, 7))]


@pytest.mark.parametrize("corpus", CORPORA)
def test_hints_in_states_of_random_walks(corpus: str, benchmark: Any) -> None:
    cold, warm, detailed, lost = list[float](), list[float](), list[float](), list[float]()
    walked = [walk for formula in formulas(corpus) for walk in random_walks(formula)]
    for states, script in walked:

        def asked_before(states: list[State] = states, script: list[Move] = script) -> Teacher:
            teacher = Teacher()
            teacher.hint(states[:-1], script[:-1], 1)
            return teacher

        def first_level(teacher: Teacher, states: list[State] = states, script: list[Move] = script) -> Hint:
            return teacher.hint(states, script, 1)

        def last_level(teacher: Teacher, states: list[State] = states, script: list[Move] = script) -> Hint:
            return teacher.hint(states, script, 4)

        def what_it_lost(teacher: Teacher, states: list[State] = states, script: list[Move] = script) -> Loss | None:
            return teacher.what_it_lost(states[-2], script[-1], states[-1])

        cold.append(milliseconds(Teacher, first_level))
        warm.append(milliseconds(asked_before, first_level))
        detailed.append(milliseconds(Teacher, last_level))
        if what_it_lost(Teacher()):
            lost.append(milliseconds(asked_before, what_it_lost))
    benchmark.pedantic(lambda: Teacher().hint(*walked[-1], 4), rounds=1, iterations=1)
    benchmark.extra_info |= {"cold": told(cold), "warm": told(warm), "detailed": told(detailed)}
    print(f"\n{corpus}, {len(walked):,} states")
    print(f"    level 1, cold:        {told(cold)}")
    print(f"    level 1, warm:        {told(warm)}")
    print(f"    level 4, cold:        {told(detailed)}")
    if lost:
        print(f"    what the move lost:   {told(lost)}, {len(lost):,} moves")


@pytest.mark.parametrize("level", range(1, 7))
def test_lengths_of_all_goals(level: int, benchmark: Any) -> None:
    lemma = resolve_lemma(f"SYJ203.{level}").formula
    found = benchmark.pedantic(lengths, args=(lemma,), rounds=1, iterations=1)
    shortest = found.shortest_proof(initial(lemma))
    print(f"\nSYJ203.{level}: {len(found.graph):,} goals, {len(found.graph.rule):,} moves, shortest proof {shortest}")
    if benchmark.stats is not None:
        print(f"    {benchmark.stats.stats.median:.2f} s")


@pytest.mark.parametrize("level", range(1, 5))
def test_the_best_soft_value(level: int, benchmark: Any) -> None:
    lemma = resolve_lemma(f"SYJ203.{level}").formula
    found = lengths(lemma)

    def value() -> float:
        return Values(found, Payoff.of(REWARDS["terminating"]()), 0.9, 0.4).v(initial(lemma))

    worth = benchmark.pedantic(value, rounds=1, iterations=1)
    if benchmark.stats is not None:
        print(f"\nSYJ203.{level}: {worth:.6f} in {benchmark.stats.stats.median:.2f} s")


LARGE = 100_000
"""Atoms, or connectives where there is one atom."""


def large() -> dict[str, str]:
    """Large simple formulas by what they are."""
    atoms = [f"a{number}" for number in range(LARGE)]
    backwards = atoms[::-1]
    steps = " -> ".join(f"({one} -> {other})" for one, other in pairwise(atoms))
    return {
        "negations of an atom": "~ " * LARGE + "p",
        "p -> p -> … -> p": " -> ".join("p" * LARGE),
        "((p -> p) -> p) -> …": "(" * LARGE + "p" + " -> p)" * LARGE,
        "antecedents, the goal among them": " -> ".join(atoms) + " -> a0",
        "antecedents, the goal not among them": " -> ".join(atoms) + " -> goal",
        "antecedents that are negated": " -> ".join(f"~ {atom}" for atom in atoms) + " -> ~ a7",
        "antecedents that are doubly negated": " -> ".join(f"~ ~ {atom}" for atom in atoms) + " -> a7",
        "a conjunction": " & ".join(atoms),
        "a conjunction from itself reversed": f"({' & '.join(atoms)}) -> {' & '.join(backwards)}",
        "a disjunction": " | ".join(atoms),
        "a disjunction from itself reversed": f"({' | '.join(atoms)}) -> {' | '.join(backwards)}",
        "a chain of implications": f"a0 -> {steps} -> {atoms[-1]}",
        "identities": " & ".join(f"({atom} -> {atom})" for atom in atoms),
        "excluded middles": " & ".join(f"({atom} | ~ {atom})" for atom in atoms),
    }


@pytest.mark.parametrize("kind", large())
def test_large_simple_formulas(kind: str, benchmark: Any) -> None:
    text = large()[kind]
    began = process_time()
    formula = parse(text)
    read = process_time()
    found = benchmark.pedantic(decide, args=(formula,), kwargs={"seconds": 100}, rounds=1, iterations=1)
    decided = process_time()
    memory = (occupied() or 0) / 2**20
    print(f"\n{kind}: {found.verdict}")
    print(f"    read in {read - began:.1f} s, decided in {decided - read:.1f} s, {memory:.0f} MiB in all")
