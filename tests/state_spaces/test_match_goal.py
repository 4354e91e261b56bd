"""Coq's `match goal`, guarded so that it is exact, finds the states same that Match does; as the thesis used it, more.

The thesis made a pattern of a state by putting question marks before its atoms (6.3.3), and called a state of the same
length the same if Coq matched it. Such a pattern takes one atom for two, a whole formula for an atom, a goal that has a
hypothesis too many, and `P : Prop` for a hypothesis. So states that differ were merged, depending on which came first.
"""

from __future__ import annotations

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
from tactics.goal import Goal, Hypothesis, State
from tactics.parser import parse
from tests.optional import missing
from tests.state_spaces.test_simple import text
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
    """A formula as Coq reads it."""
    if isinstance(formula, Binary):
        sign = "/\\" if isinstance(formula, And) else "\\/" if isinstance(formula, Or) else "->"
        return f"({written(formula.left, names)} {sign} {written(formula.right, names)})"
    return names[formula] if isinstance(formula, Atom) else "False"


def pattern(state: State, guarded: bool) -> str:
    """The focused goal as a case of `match goal`, with guards that make it exact or without."""
    (goal,) = state[:1]
    names = {atom: f"?Q{number}" for number, atom in enumerate(atoms_of(state[:1]))}
    variables = [name[1:] for name in names.values()]
    found = [f"h{number}" for number in range(len(goal.hypotheses))]
    hypotheses = [f"{name} : {written(each.formula, names)}" for name, each in zip(found, goal.hypotheses, strict=True)]
    guards = [f"atom {each}" for each in variables] + [f"differ {a} {b}" for a, b in combinations(variables, 2)]
    guards += [f"clear {' '.join(found)}"] * bool(found) + ["nothing_left"]
    then = "; ".join(guards) if guarded else "idtac"
    return f"[ {', '.join(hypotheses)} |- {written(goal.conclusion, names)} ] => {then}"


def question(one: State, other: State, guarded: bool) -> str:
    """A piece of a Coq file that prints whether the pattern of one focused goal matches the other."""
    (goal,) = other[:1]
    names = {atom: f"P{number}" for number, atom in enumerate(atoms_of(other[:1]))}
    quantified = f"forall {' '.join(names.values())} : Prop, " if names else ""
    called = " ".join([*names.values(), *(f"H{number}" for number in range(len(goal.hypotheses)))])
    sequent = " -> ".join(written(each, names) for each in (*(f for _, f in goal.hypotheses), goal.conclusion))
    matched = f"assert_succeeds (idtac; match goal with {pattern(one, guarded)} end)"
    intros = f"intros {called}. " if called else ""
    return f'Goal {quantified}{sequent}. {intros}tryif {matched} then idtac "same" else idtac "different". Abort.\n'


def ask(pairs: Sequence[tuple[State, State]], folder: Path, guarded: bool) -> list[bool]:
    """For each pair whether Coq matches the pattern of the one with the other."""
    if (coqc := shutil.which("coqc")) is None:
        missing("Coq is not installed")
    file = folder / "pairs.v"
    file.write_text(GUARDS + "".join(question(one, other, guarded) for one, other in pairs), encoding="utf-8")
    run = subprocess.run(
        [coqc, "-q", "-w", "none", file.name], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = run.stdout.split()
    assert len(answers) == len(pairs) and set(answers) <= {"same", "different"}
    return [answer == "same" for answer in answers]


def merged(one: State, other: State, folder: Path) -> bool:
    """Whether the thesis took the other state, seen later, for the one."""
    return len(text(one)) == len(text(other)) and ask([(one, other)], folder, guarded=False) == [True]


def same(one: State, other: State) -> bool:
    match = Match()
    return match.view(one).key == match.view(other).key


@pytest.mark.parametrize("number", [30, *thoroughly(150)])
def test_the_guarded_match_goal_finds_the_same_states_as_match(number: int, tmp_path: Path) -> None:
    rng = Random(0)
    pairs: list[tuple[State, State]] = []
    for _ in range(number):
        state = random_goal(rng)
        for one, other in ((state, disguised(near(state, rng), rng).state), (state, random_goal(rng))):
            pairs += [(one, other), (other, one)] if other else []
    expected = [same(one, other) for one, other in pairs]
    assert len(pairs) > 3 * number and 3 * min(map(expected.count, (True, False))) > 2 * number
    assert ask(pairs, tmp_path, guarded=True) == expected


def goal(skipped: int, *formulas: str) -> State:
    """A goal whose hypotheses leave out some of the names H, H0, H1, …; the last formula is the conclusion."""
    *hypotheses, conclusion = map(parse, formulas)
    names = ["H", *(f"H{number}" for number in range(skipped + len(hypotheses)))][skipped:]
    return (Goal(tuple(map(Hypothesis, names, hypotheses)), conclusion),)


ARROWS: Final = ("A -> B", "B -> C", "C -> D", "D -> E", "E -> F", "F -> G")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (goal(0, "A /\\ B", "A"), goal(0, "P /\\ P", "P")),
        # Older hypotheses have shorter names, which makes room for what is longer elsewhere.
        (goal(11, "A", "B", "C", "D", "E"), goal(0, "A", "B", "C", "D", "E -> E")),
        (goal(101, *ARROWS, "A"), goal(1, *ARROWS, "A -> G", "A")),
        (goal(0, "A", "B"), goal(0, "P -> Q")),
    ],
    ids=["one atom for two", "a formula for an atom", "a hypothesis too many", "an atom's declaration"],
)
def test_without_guards_match_goal_merges_states_that_differ_and_only_one_way_round(
    one: State, other: State, tmp_path: Path
) -> None:
    assert merged(one, other, tmp_path)
    assert not merged(other, one, tmp_path)
    assert not same(one, other)
    assert ask([(one, other), (other, one)], tmp_path, guarded=True) == [False, False]


def test_without_guards_the_simplest_pattern_matches_any_state(tmp_path: Path) -> None:
    """`[ |- ?A ]` is the thesis's own example of why it compared lengths as well."""
    simplest = goal(0, "A")
    others = [goal(0, "A", "B"), goal(0, "A -> A"), goal(0, "A /\\ B", "C", "False"), goal(0, "False")]
    assert ask([(simplest, other) for other in others], tmp_path, guarded=False) == [True] * 4
    assert not any(same(simplest, other) for other in others)
