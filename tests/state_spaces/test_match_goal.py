"""Coq's `match goal`, guarded so that it is exact, finds the states same that Match does.

The thesis made a pattern of a state by putting question marks before its atoms (6.3.3), and called a state of the same
length the same if Coq matched it. Such a pattern takes one atom for two, a whole formula for an atom, a goal that has a
hypothesis too many, and `P : Prop` for a hypothesis; the guards rule these out.
"""

import shutil
import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import pytest

from state_spaces import Match
from tactics.formula import And, Atom, Binary, Formula, Or
from tactics.goal import State
from tests.optional import missing
from tests.state_spaces.variants import atoms_of, disguised, near, random_goal
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

GUARDS: Final = """
Ltac atom A := is_var A; lazymatch type of A with Prop => idtac end.
Ltac differ A B := assert_fails (constr_eq A B).
Ltac nothing_left := assert_fails (idtac; match goal with
  [ h : ?T |- _ ] => lazymatch type of T with Prop => idtac end end).
"""


def written(formula: Formula, names: dict[Atom, str]) -> str:
    """Return a formula as Coq reads it."""
    if isinstance(formula, Binary):
        sign = "/\\" if isinstance(formula, And) else "\\/" if isinstance(formula, Or) else "->"
        return f"({written(formula.left, names)} {sign} {written(formula.right, names)})"
    return names[formula] if isinstance(formula, Atom) else "False"


def pattern(state: State) -> str:
    """Return the focused goal as a case of `match goal`, with guards that make it exact."""
    (goal,) = state[:1]
    names = {atom: f"?Q{number}" for number, atom in enumerate(atoms_of(state[:1]))}
    variables = [name[1:] for name in names.values()]
    found = [f"h{number}" for number in range(len(goal.hypotheses))]
    hypotheses = [f"{name} : {written(each.formula, names)}" for name, each in zip(found, goal.hypotheses, strict=True)]
    guards = [f"atom {each}" for each in variables] + [f"differ {a} {b}" for a, b in combinations(variables, 2)]
    guards += [f"clear {' '.join(found)}"] * bool(found) + ["nothing_left"]
    return f"[ {', '.join(hypotheses)} |- {written(goal.conclusion, names)} ] => {'; '.join(guards)}"


def question(one: State, other: State) -> str:
    """Return a piece of a Coq file that prints whether the pattern of one focused goal matches the other."""
    (goal,) = other[:1]
    names = {atom: f"P{number}" for number, atom in enumerate(atoms_of(other[:1]))}
    quantified = f"forall {' '.join(names.values())} : Prop, " if names else ""
    called = " ".join([*names.values(), *(f"H{number}" for number in range(len(goal.hypotheses)))])
    sequent = " -> ".join(written(each, names) for each in (*(f for _, f in goal.hypotheses), goal.conclusion))
    matched = f"assert_succeeds (idtac; match goal with {pattern(one)} end)"
    intros = f"intros {called}. " if called else ""
    return f'Goal {quantified}{sequent}. {intros}tryif {matched} then idtac "same" else idtac "different". Abort.\n'


def ask(pairs: Sequence[tuple[State, State]], folder: Path) -> list[bool]:
    """Ask Coq for each pair whether the pattern of the one matches the other."""
    if (coqc := shutil.which("coqc")) is None:
        missing("Coq is not installed")
    file = folder / "pairs.v"
    file.write_text(GUARDS + "".join(question(one, other) for one, other in pairs), encoding="utf-8")
    run = subprocess.run(
        [coqc, "-q", "-w", "none", file.name], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = run.stdout.split()
    assert len(answers) == len(pairs) and set(answers) <= {"same", "different"}
    return [answer == "same" for answer in answers]


@pytest.mark.parametrize("number", [30, *thoroughly(150)])
def test_the_guarded_match_goal_finds_the_same_states_as_match(number: int, tmp_path: Path) -> None:
    rng = Random(0)
    pairs: list[tuple[State, State]] = []
    for _ in range(number):
        state = random_goal(rng)
        for one, other in ((state, disguised(near(state, rng), rng).state), (state, random_goal(rng))):
            pairs += [(one, other), (other, one)] if other else []
    match = Match()
    expected = [match.view(one).key == match.view(other).key for one, other in pairs]
    assert len(pairs) > 3 * number and 3 * min(map(expected.count, (True, False))) > 2 * number
    assert ask(pairs, tmp_path) == expected
