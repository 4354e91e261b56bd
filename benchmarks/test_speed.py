"""How fast the hot paths are, on one core: `python -m pytest benchmarks`.

Nothing is asserted about time. What is done a second is in each benchmark's `extra_info`: `-s` prints it,
`--benchmark-json FILE` keeps it. The target for `legal steps a second` is 300,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from benchmarks.goals import goals_below
from curricula.resolve import resolve_lemma
from oasis.ground.names import LEARNERS
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves


@pytest.fixture
def measure(benchmark: Any) -> Iterator[Callable[..., None]]:
    """Runs a function in rounds, and reports what it returns, a number of things done, by the second."""
    done = 0

    def counted(function: Callable[..., int], *arguments: object) -> None:
        nonlocal done
        done = function(*arguments)

    def run(unit: str, function: Callable[..., int], setup: Callable[[], tuple[Any, ...]], rounds: int) -> None:
        benchmark.pedantic(counted, setup=lambda: ((function, *setup()), {}), rounds=rounds, iterations=1)
        if benchmark.stats is not None:
            benchmark.extra_info[unit] = round(done / benchmark.stats.stats.median)

    yield run
    if benchmark.extra_info:
        print(*(f"\n{unit}: {number:,}" for unit, number in benchmark.extra_info.items()))


def random_walk(start: State, rng: Random, steps: int) -> int:
    """Legal moves from one state to the next, from the start again after every end."""
    random = rng.random
    state = start
    for _ in range(steps):
        moves = legal_moves(state[0])
        state = apply(state, moves[int(random() * len(moves))])
        if not state or not legal_moves(state[0]):
            state = start
    return steps


def test_a_random_walk_on_known_goals(measure: Callable[..., None]) -> None:
    start = initial(resolve_lemma("SYJ203.3").formula)
    known = goals_below(start[0])  # held, so that what is known of them stays
    assert random_walk(start, Random(0), 200_000)
    measure("legal steps a second", random_walk, lambda: (start, Random(1), 200_000), 10)
    assert known


def test_expanding_every_goal_for_the_first_time(measure: Callable[..., None]) -> None:
    lemma = resolve_lemma("SYJ203.3").formula
    found = []

    def expand(lemma: Formula) -> int:
        (start,) = initial(lemma)
        assert start.moves is None, "somebody still holds the goals of the last round"
        reached = goals_below(start)
        found.append(len(reached))
        return sum(len(legal_moves(goal)) for goal in reached)

    # As each round ends all is forgotten but the lemma's own subformulas, and which rules fit them.
    measure("moves worked out a second", expand, lambda: (lemma,), 10)
    assert len(set(found)) == 1


@pytest.mark.parametrize("learner", LEARNERS)
def test_training(learner: str, measure: Callable[..., None]) -> None:
    lemma = resolve_lemma("SYJ203.2").formula
    settings = Settings(learner=learner)

    def practise(student: PlainStudent) -> int:
        return int(student.practise(lemma, 2000).steps.sum())

    measure("steps a second", practise, lambda: (PlainStudent(settings),), 5)


def test_parsing(measure: Callable[..., None]) -> None:
    lemma = resolve_lemma("SYJ202.20").formula
    text = show(lemma)
    read: list[Formula] = []

    def parse_once(text: str) -> int:
        read[:] = [parse(text)]
        return len(text)

    measure("characters a second", parse_once, lambda: (text,), 5)
    assert read == [lemma]
