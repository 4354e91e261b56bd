"""The twelve rules: when they apply, what they leave under Coq's names and in Coq's order, and that they are sound."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactics.errors import InputError
from tactics.formula import FALSE, And, Atom, Falsum, Formula, Implies, Or
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tactics.rules import RULES, IllegalMove, apply, legal_moves, premises, rule_named, spoken
from tests.strategies import Walk, goals, moves, states, walks
from tests.tactics.sequents import read, written
from tests.thorough import examples

WITHOUT_HYPOTHESIS = ["intro", "assumption", "contradiction", "split", "left", "right"]
WITH_HYPOTHESIS = ["destruct_and", "destruct_or", "imply1", "imply2", "imply3", "imply4"]
TWELVE = WITHOUT_HYPOTHESIS + WITH_HYPOTHESIS


def move_of(text: str) -> Move:
    return Move(*text.split())


def test_there_are_twelve_rules() -> None:
    assert list(RULES) == TWELVE
    assert all(rule.name == name for name, rule in RULES.items())
    assert [name for name, rule in RULES.items() if rule.takes_hypothesis] == WITH_HYPOTHESIS


def test_a_rule_is_called_by_its_name_or_its_speaking_name_and_a_move_is_spoken_by_the_latter() -> None:
    assert [rule_named(name) for name in TWELVE] == TWELVE
    assert [rule_named(name) for name in ("apply", "curry", "split_or", "nested")] == TWELVE[-4:]
    assert [spoken(move_of(text)) for text in ("imply4 H0", "imply1", "intro")] == ["nested H0", "apply", "intro"]
    with pytest.raises(InputError, match="auto is not a rule; the rules are intro,"):
        rule_named("auto")


# A goal, a move, and the goals that Coq 8.16 shows after it. The first lines of a rule are its figure.
COQ_SHOWS = [
    ("H : C ⊢ A -> B", "intro", ["H : C, H0 : A ⊢ B"]),
    ("⊢ (A -> B) -> C", "intro", ["H : A -> B ⊢ C"]),
    ("H0 : C ⊢ A -> B -> D", "intro", ["H0 : C, H : A ⊢ B -> D"]),
    ("H : A ⊢ A -> False", "intro", ["H : A, H0 : A ⊢ False"]),
    ("H : C, H0 : A -> B, H1 : D ⊢ A -> B", "assumption", []),
    ("H : False ⊢ False", "assumption", []),
    ("H : C, H0 : False, H1 : D ⊢ A", "contradiction", []),
    ("H : C, H1 : D ⊢ A /\\ B", "split", ["H : C, H1 : D ⊢ A", "H : C, H1 : D ⊢ B"]),
    ("H : C, H1 : D ⊢ A \\/ B", "left", ["H : C, H1 : D ⊢ A"]),
    ("H : C, H1 : D ⊢ A \\/ B", "right", ["H : C, H1 : D ⊢ B"]),
    ("H : C, H0 : A /\\ B, H1 : D ⊢ G", "destruct_and H0", ["H : C, H1 : D, H0 : A, H2 : B ⊢ G"]),
    ("H1 : A /\\ B, H0 : D ⊢ G", "destruct_and H1", ["H0 : D, H1 : A, H : B ⊢ G"]),
    ("H : C, H0 : A \\/ B, H1 : D ⊢ G", "destruct_or H0", ["H : C, H1 : D, H0 : A ⊢ G", "H : C, H1 : D, H0 : B ⊢ G"]),
    ("H : C, H0 : A -> B, H1 : A ⊢ G", "imply1 H0", ["H : C, H0 : B, H1 : A ⊢ G"]),
    ("H : C /\\ D, H0 : C /\\ D -> B ⊢ G", "imply1 H0", ["H : C /\\ D, H0 : B ⊢ G"]),
    ("H0 : (A -> B) -> C, H : A -> B ⊢ G", "imply1 H0", ["H0 : C, H : A -> B ⊢ G"]),
    ("H : A, H0 : C /\\ D -> B, H1 : A ⊢ G", "imply2 H0", ["H : A, H1 : A, H0 : C -> D -> B ⊢ G"]),
    ("H : A, H0 : C \\/ D -> B, H1 : A ⊢ G", "imply3 H0", ["H : A, H1 : A, H0 : C -> B, H2 : D -> B ⊢ G"]),
    ("H1 : C \\/ D -> B ⊢ G", "imply3 H1", ["H1 : C -> B, H : D -> B ⊢ G"]),
    (
        "H : A, H0 : (C -> D) -> B, H1 : A ⊢ G",
        "imply4 H0",
        ["H : A, H1 : A, H0 : D -> B ⊢ C -> D", "H : A, H0 : B, H1 : A ⊢ G"],
    ),
    ("H : (A -> False) -> False ⊢ G", "imply4 H", ["H : False -> False ⊢ A -> False", "H : False ⊢ G"]),
]


@pytest.mark.parametrize(("before", "move", "after"), COQ_SHOWS)
def test_a_rule_leaves_what_coq_leaves(before: str, move: str, after: list[str]) -> None:
    goal = read(before)
    assert move_of(move) in legal_moves(goal)
    assert [written(premise) for premise in premises(goal, move_of(move))] == after


# A lemma, moves, and the goals that Coq 8.16 shows in the end: hypotheses are not called what an atom is called.
COQ_AVOIDS = [
    ("H -> H0 -> H", "intro; intro", ["H1 : H, H2 : H0 ⊢ H"]),
    ("H0 -> A -> B", "intro; intro", ["H : H0, H1 : A ⊢ B"]),
    ("A /\\ B -> H -> False", "intro; destruct_and H0; intro", ["H0 : A, H1 : B, H2 : H ⊢ False"]),
    ("A -> (H1 \\/ B -> C) -> H", "intro; intro; imply3 H2", ["H0 : A, H2 : H1 -> C, H3 : B -> C ⊢ H"]),
    ("H00 -> H' -> H01", "intro; intro", ["H : H00, H0 : H' ⊢ H01"]),
    ("((H -> A) -> B) -> C", "intro; imply4 H0; intro", ["H0 : A -> B, H1 : H ⊢ A", "H0 : B ⊢ C"]),
]


@pytest.mark.parametrize(("lemma", "script", "after"), COQ_AVOIDS)
def test_hypotheses_avoid_the_names_of_atoms_as_in_coq(lemma: str, script: str, after: list[str]) -> None:
    state = initial(parse(lemma))
    for move in script.split("; "):
        state = apply(state, move_of(move))
    assert [written(goal) for goal in state] == after


def applies(goal: Goal, move: Move) -> bool:
    """Return True if a move applies, from the table of the calculus; independent of the rules as data."""
    present = [hypothesis.formula for hypothesis in goal.hypotheses]
    named = dict(goal.hypotheses)
    if (move.rule in WITH_HYPOTHESIS) != (move.hypothesis is not None):
        return False
    principal = goal.conclusion
    if move.hypothesis is not None:
        if move.hypothesis not in named:
            return False
        principal = named[move.hypothesis]
    match move.rule:
        case "intro":
            return isinstance(principal, Implies)
        case "assumption":
            return principal in present
        case "contradiction":
            return FALSE in present
        case "split" | "destruct_and":
            return isinstance(principal, And)
        case "left" | "right" | "destruct_or":
            return isinstance(principal, Or)
        case "imply1":
            return isinstance(principal, Implies) and principal.left in present
        case "imply2" | "imply3" | "imply4":
            kind = {"imply2": And, "imply3": Or, "imply4": Implies}[move.rule]
            return isinstance(principal, Implies) and isinstance(principal.left, kind)
        case _:
            return False


def conceivable_moves(goal: Goal) -> Iterator[Move]:
    """Yield every rule with every hypothesis, with none, and with names that are not there."""
    names = [None, *(hypothesis.name for hypothesis in goal.hypotheses), "H17", "H'", "A", ""]
    yield from (Move(rule, name) for rule in (*RULES, "auto", "") for name in names)


@settings(max_examples=examples(400))
@given(st.one_of(goals(), states().filter(bool).map(lambda state: state[0])))
def test_legal_moves_are_exactly_the_moves_that_apply(goal: Goal) -> None:
    legal = legal_moves(goal)
    for move in conceivable_moves(goal):
        assert (move in legal) == applies(goal, move)
        if move in legal:
            premises(goal, move)
        else:
            for _ in range(2):
                with pytest.raises(IllegalMove) as refusal:
                    premises(goal, move)
                assert str(refusal.value).startswith(move.rule)
                assert isinstance(refusal.value, InputError)


@given(goals())
def test_legal_moves_come_once_in_the_order_of_hypotheses_and_of_the_table(goal: Goal) -> None:
    names = [None, *(hypothesis.name for hypothesis in goal.hypotheses)]
    places = [(names.index(move.hypothesis), TWELVE.index(move.rule)) for move in legal_moves(goal)]
    assert places == sorted(set(places))


WHY_NOT = [
    ("⊢ A", "intro", "intro: the conclusion is not of the form A -> B."),
    ("H : B ⊢ A", "assumption", "assumption: A is not among the hypotheses."),
    ("H : A -> False ⊢ ~ (A <-> B)", "assumption", "assumption: ~ (A <-> B) is not among the hypotheses."),
    ("H : A, H0 : ~ A ⊢ B", "contradiction", "contradiction: False is not among the hypotheses."),
    ("⊢ A \\/ B", "split", "split: the conclusion is not of the form A /\\ B."),
    ("⊢ A /\\ B", "left", "left: the conclusion is not of the form A \\/ B."),
    ("H : A \\/ B ⊢ A", "destruct_and H", "destruct_and: H is not of the form A /\\ B."),
    ("H : A ⊢ A", "imply1 H", "imply1: H is not of the form A -> B."),
    ("H : A, H0 : B -> C ⊢ A", "imply1 H0", "imply1: B is not among the hypotheses."),
    ("H : C \\/ D -> B ⊢ A", "imply2 H", "imply2: H is not of the form C /\\ D -> B."),
    ("H : A, H0 : A -> B ⊢ A", "imply4 H0", "imply4: H0 is not of the form (C -> D) -> B."),
    ("H : A, H0 : B ⊢ A", "imply4", "imply4 needs a hypothesis, as in imply4 H."),
    ("H2 : A ⊢ A", "destruct_or", "destruct_or needs a hypothesis, as in destruct_or H2."),
    ("H : A, H0 : B ⊢ A", "imply1 H1", "imply1: no hypothesis is called H1; there are H, H0."),
    ("⊢ A", "imply1 H1", "imply1: no hypothesis is called H1; there are none yet."),
    ("H : A ⊢ A -> B", "intro H", "intro takes no hypothesis; leave out H."),
    ("H : A ⊢ A", "auto", f"auto is not a rule; the rules are {', '.join(TWELVE)}."),
]


@pytest.mark.parametrize(("goal", "move", "text"), WHY_NOT)
def test_a_move_that_does_not_apply_says_why(goal: str, move: str, text: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        apply((read(goal), read("⊢ A")), move_of(move))
    assert str(refusal.value) == text


def test_a_formula_too_large_to_write_out_is_shortened_in_an_error() -> None:
    formula: Formula = Atom("A")
    for _ in range(100):
        formula = And(formula, formula)
    with pytest.raises(IllegalMove, match=r"^assumption: .* is not among the hypotheses\.$"):
        premises(Goal((), formula), Move("assumption"))
    formula = parse(" /\\ ".join(f"p{number}" for number in range(200)))
    with pytest.raises(IllegalMove, match=r"^assumption: p0 /\\ p1.* p199 is not among the hypotheses\.$") as refusal:
        premises(Goal((), formula), Move("assumption"))
    assert len(str(refusal.value)) < 150


@given(moves())
def test_nothing_applies_to_a_proved_state(move: Move) -> None:
    with pytest.raises(IllegalMove, match="nothing is left to prove") as refusal:
        apply((), move)
    assert str(refusal.value).startswith(str(move))


@given(goals())
def test_every_premise_is_lighter_than_its_goal(goal: Goal) -> None:
    for move in legal_moves(goal):
        for premise in premises(goal, move):
            assert premise.weight < goal.weight


@given(goals(), goals(), goals())
def test_a_move_concerns_the_focused_goal_alone(first: Goal, second: Goal, third: Goal) -> None:
    for move in legal_moves(first):
        assert apply((first, second, third), move) == (*premises(first, move), second, third)


@given(walks())
def test_no_two_hypotheses_share_a_name_and_none_is_called_like_an_atom(walk: Walk) -> None:
    avoid = walk.states[0][0].avoid
    for goal in (goal for state in walk.states for goal in state):
        names = [hypothesis.name for hypothesis in goal.hypotheses]
        assert len(set(names)) == len(names)
        assert not avoid & set(names)
        assert goal.avoid == avoid


def heyting(upsets: list[frozenset[int]]) -> Callable[[Goal, dict[Formula, frozenset[int]]], bool]:
    """Return True if a goal holds under a valuation of its atoms by the truth values of a finite Kripke frame.

    The frame is given by its upward closed sets of worlds. A goal holds if its conclusion is true wherever its
    hypotheses are. One world gives the two truth values of classical logic.
    """
    everywhere = max(upsets, key=len)

    @cache
    def implies(left: frozenset[int], right: frozenset[int]) -> frozenset[int]:
        return max((upset for upset in upsets if upset & left <= right), key=len)

    def value(formula: Formula, atoms: dict[Formula, frozenset[int]]) -> frozenset[int]:
        match formula:
            case And(left, right):
                return value(left, atoms) & value(right, atoms)
            case Or(left, right):
                return value(left, atoms) | value(right, atoms)
            case Implies(left, right):
                return implies(value(left, atoms), value(right, atoms))
            case Falsum():
                return frozenset()
            case _:
                return atoms[formula]

    def holds(goal: Goal, atoms: dict[Formula, frozenset[int]]) -> bool:
        context = everywhere
        for _, formula in goal.hypotheses:
            context &= value(formula, atoms)
        return context <= value(goal.conclusion, atoms)

    return holds


FRAMES = {
    "classical": [frozenset[int](), frozenset({0})],
    "two worlds": [frozenset[int](), frozenset({1}), frozenset({0, 1})],
    "fork": [frozenset[int](), frozenset({1}), frozenset({2}), frozenset({1, 2}), frozenset({0, 1, 2})],
}
LETTERS = [Atom(name) for name in "ABC"]


@pytest.mark.parametrize("frame", FRAMES)
@given(goal=goals())
def test_rules_are_sound_and_all_but_three_invertible(frame: str, goal: Goal) -> None:
    """Under every valuation: if the premises hold so does the goal, and the other way round where nothing is lost."""
    holds = heyting(FRAMES[frame])
    for values in product(FRAMES[frame], repeat=len(LETTERS)):
        valuation: dict[Formula, frozenset[int]] = dict(zip(LETTERS, values, strict=True))
        goal_holds = holds(goal, valuation)
        for move in legal_moves(goal):
            held = [holds(premise, valuation) for premise in premises(goal, move)]
            if all(held):
                assert goal_holds, move
            if goal_holds and move.rule not in ("left", "right", "imply4"):
                assert all(held), move
            if goal_holds and move.rule == "imply4":
                assert held[1], move
