"""What is worked out about a lemma is forgotten with it, so memory stays flat however many lemmas are met.

Each count is taken in a process of its own (this module, run as a program), where nothing else makes formulas.
"""

import gc
import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest

from curricula.generator import random_formula
from oasis.teacher.deciding.decide import decide
from state_spaces import STATE_SPACES
from tactics.formula import Atom, Formula
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves

pytestmark = pytest.mark.slow


def walk(lemma: Formula) -> None:
    """Read a lemma, see its first state in every space, make all its moves, and follow the last one to an end."""
    state = initial(parse(show(lemma)))
    for space in STATE_SPACES.values():
        space().view(state)
    while state and (moves := legal_moves(state[0])):
        state = [apply(state, move) for move in moves][-1]


def alive() -> int:
    """Return the number of formulas and goals that are alive after garbage collection."""
    gc.collect()
    return sum(isinstance(each, Formula | Goal) for each in gc.get_objects())


def left_behind(meet: Callable[[Formula], object], number: int) -> int:
    """Return by how much this number grows when so many lemmas are met."""
    meet(parse("p -> q"))
    before, draw = alive(), Random(0).random
    for place in range(number):  # each lemma has an atom that no other has
        meet(random_formula(draw, 4, [Atom(f"met{place}"), Atom("q")], falsum=0.2))
    return alive() - before


MEETINGS: dict[str, tuple[Callable[[Formula], object], int]] = {"walked": (walk, 10_000), "decided": (decide, 200)}


@pytest.mark.parametrize("how", MEETINGS)
def test_lemmas_that_were_met_leave_no_formula_and_no_goal_behind(how: str) -> None:
    run = subprocess.run([sys.executable, "-m", __name__, how], capture_output=True, text=True, check=True)
    assert int(run.stdout) <= 0


if __name__ == "__main__":
    print(left_behind(*MEETINGS[sys.argv[1]]))
