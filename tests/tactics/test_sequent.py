"""States as text: what is read, what is shown, and where the finger points when a text is no state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactics.formula import atoms
from tactics.goal import Goal, State, names_to_avoid
from tactics.parser import FormulaSyntaxError
from tactics.printer import NOTATIONS, TPTP, UNICODE, Notation
from tactics.sequent import parse_state, show_state
from tests.strategies import ALL_NAMES, goals, walks


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("h : A /\\ B, k : B -> C |- A", "h : A /\\ B, k : B -> C |- A"),
        ("\n h : A\n,k:B⊢C\n;\n|-C ", "h : A, k : B |- C; |- C"),
        ("A |- A.", "H : A |- A"),
        ("(* a comment, with; signs |- *) A % and another\n |- A /* here */", "H : A |- A"),
        ("h : 'A' & ~ $false |- 'B'", "h : A /\\ True |- B"),
        ("¬A ∨ B ⊢ A → (B ↔ ⊤)", "H : ~ A \\/ B |- A -> (B <-> True)"),
        ("x' : A, _1 : B, é : C |- A; x' : B |- B", "x' : A, _1 : B, é : C |- A; x' : B |- B"),
        ("proved", "proved"),
        ("|- proved", "|- proved"),
    ],
)
def test_a_state_is_read(text: str, shown: str) -> None:
    assert show_state(parse_state(text)) == shown


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A, B, C |- D", ["H", "H0", "H1"]),
        ("A, H : B, C |- D", ["H0", "H", "H1"]),
        ("A, B |- H", ["H0", "H1"]),
        ("A, B |- B; H0, H1 : C |- C", ["H", "H1"]),
        ("H, H00 |- A", ["H0", "H1"]),
    ],
)
def test_a_hypothesis_without_a_name_gets_the_first_that_is_free(text: str, names: list[str]) -> None:
    assert [name for name, _ in parse_state(text)[0].hypotheses] == names


def test_what_others_read_otherwise_in_a_state_is_said() -> None:
    said: list[str] = []
    parse_state("false, A -> B <-> C |- A v B; |- false", said.append)
    assert [remark.partition(" is read as ")[0] for remark in said] == ["false", "This", "v"]


def test_a_state_is_shown_in_each_notation() -> None:
    state = parse_state("h : A /\\ ~ B, k : A |- B; |- A")
    assert show_state(state, TPTP) == "h : 'A' & ~ 'B', k : 'A' |- 'B'; |- 'A'"
    assert show_state(state, UNICODE) == "h : A ∧ ¬B, k : A ⊢ B; ⊢ A"


def visible(state: State) -> State:
    """Return the state as its text has it: an atom that stands nowhere takes no name."""
    shown = [formula for goal in state for formula in (*(each.formula for each in goal.hypotheses), goal.conclusion)]
    avoid = names_to_avoid(atom.name for formula in shown for atom in atoms(formula))
    return tuple(Goal(goal.hypotheses, goal.conclusion, avoid) for goal in state)


@pytest.mark.parametrize("sugar", [True, False])
@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=list(NOTATIONS))
@given(state=st.one_of(walks(ALL_NAMES).map(lambda walk: walk.states[-1]), st.lists(goals(), max_size=3).map(tuple)))
def test_what_is_shown_is_read_back(state: State, notation: Notation, sugar: bool) -> None:
    text = show_state(state, notation, sugar=sugar)
    assert "\n" not in text
    assert parse_state(text) == visible(state)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "a goal is expected here, not the end of the text: write A, A -> B |- B, or proved"),
        ("A |- B;", 1, 8, "a goal is expected here, not the end of the text"),
        ("A |- B; ; |- C", 1, 9, "a goal is expected here, not ;"),
        ("A -> B, B", 1, 10, "this goal has no |-; write its hypotheses, |-, and its conclusion"),
        ("proved; |- A", 1, 7, "this goal has no |-"),
        ("A |- B |- C", 1, 8, "a goal ends with its one conclusion, so |- cannot follow; write ; before the next goal"),
        ("A, , B |- C", 1, 4, "a formula is expected here, not ,"),
        ("h : |- A", 1, 5, "a formula is expected here, not |-"),
        ("(A, B) |- C", 1, 3, "a connective or the end is expected here, not ,"),
        ("A |- B;\nC |- (D", 2, 6, "this ( is never closed"),
        ("A |- B\n; C D |- E", 2, 5, "a connective or the end is expected here, not D"),
        ("A /* |- B", 1, 3, "this comment is never closed"),
        ("h : A, k : B, h : C |- D", 1, 15, "two hypotheses of this goal are called h; rename one"),
        ("h : A |- B; k : h |- B", 1, 1, "h is an atom of this state, so no hypothesis can be called that; rename it"),
        ("h : A |- B;\n A : B |- B", 2, 2, "A is an atom of this state"),
        ("1 : A |- B", 1, 1, "'1' cannot name a hypothesis: use letters, digits, _ and '"),
        ("'a b' : A |- B", 1, 1, "'a b' cannot name a hypothesis"),
        ("h : A : B |- C", 1, 7, "a connective or the end is expected here, not :"),
        ("|- forall A : Prop, A -> A", 1, 4, "a state has no quantifiers: its atoms are introduced already"),
    ],
)
def test_the_finger_points_at_the_place_in_the_whole_text(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormulaSyntaxError) as refusal:
        parse_state(text)
    assert refusal.value.message.startswith(message)
    assert (refusal.value.line, refusal.value.column) == (line, column)
