"""How fast Lean is as a referee: `python -m pytest benchmarks/test_lean.py -s`.

Nothing is asserted about time. Wanted are 200 theorems a second on SYJ203.2. The proofs in a file differ in one atom's
name, so that none is certified once for many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from curricula.resolve import resolve_lemma
from oasis.backends.base import BackendMissing
from oasis.backends.lean.driver import Lean
from tactics.claims import Claim
from tactics.formula import Formula, renamed
from tactics.goal import Move, initial
from tactics.rules import apply, legal_moves
from tactics.script import Script
from tests.optional import missing

_FIRST: Final = ("assumption", "contradiction", "intro", "destruct_and", "imply1", "imply2", "imply3", "split")


@pytest.fixture
def lean() -> Iterator[Lean]:
    with Lean() as prover:
        try:
            prover.version()
        except BackendMissing as error:
            missing(str(error))
        yield prover


def straight_proof(formula: Formula) -> Script:
    """The proof that takes the first move of a fixed order of rules, for lemmas that want no choice."""
    order = {rule: number for number, rule in enumerate(_FIRST)}
    state = initial(formula)
    script: list[Move] = []
    while state:
        script.append(min(legal_moves(state[0]), key=lambda move: order.get(move.rule, len(order))))
        state = apply(state, script[-1])
    return tuple(script)


@pytest.mark.parametrize(("level", "count"), [(2, 800), (4, 400), (8, 200)])
def test_certificates(lean: Lean, benchmark: Any, level: int, count: int) -> None:
    formula = resolve_lemma(f"SYJ203.{level}").formula
    claims = [Claim(renamed(formula, {"f": f"f{number}"}), straight_proof(formula)) for number in range(count)]
    found = benchmark.pedantic(lean.certify, args=(claims,), rounds=3, iterations=1)
    assert all(certificate.accepted for certificate in found)
    if benchmark.stats is not None:
        benchmark.extra_info[f"SYJ203.{level}: theorems a second"] = round(count / benchmark.stats.stats.median)
        print(f"\nSYJ203.{level}: {count / benchmark.stats.stats.median:,.0f} theorems a second")


@pytest.mark.parametrize("name", ["SYJ203.2", "SYJ203.8", "SYJ202.3"])
def test_moves(lean: Lean, benchmark: Any, name: str) -> None:
    """The first moves of a lemma, each with the goals that it leaves; the prover runs already."""
    formula = resolve_lemma(name).formula
    lean.start(formula)
    state = initial(formula)
    script: list[Move] = []
    while state and (legal := legal_moves(state[0])) and len(script) < 40:
        script.append(legal[0])
        state = apply(state, legal[0])

    def play() -> None:
        lean.back_to(0)
        for move in script:
            lean.apply(move)
            lean.goals()

    benchmark.pedantic(play, rounds=3, iterations=1)
    if benchmark.stats is not None:
        milliseconds = 1000 * benchmark.stats.stats.median / len(script)
        benchmark.extra_info[f"{name}: milliseconds a move"] = round(milliseconds, 1)
        print(f"\n{name}: {milliseconds:.1f} ms a move, {len(script)} moves")
