"""Letters of one's own: another name for every atom, and nothing else is different."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from oasis.classroom.lessons.letters import own_letters
from state_spaces import STATE_SPACES
from tactics.formula import Formula, atoms, renamed
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tests.strategies import formulas

AND_COMM = parse("A /\\ B -> B /\\ A")
text = st.text(max_size=12)


@given(formulas(max_size=30), st.tuples(text, text, text))
def test_the_formula_is_the_same_up_to_the_names_of_its_atoms(formula: Formula, names: tuple[str, str, str]) -> None:
    space = STATE_SPACES["name"]()
    own = own_letters(formula, *names)
    assert space.view(initial(own)).key == space.view(initial(formula)).key


@given(formulas(max_size=30), st.tuples(text, text, text))
def test_no_two_atoms_get_the_same_letter_and_the_old_names_lead_back(
    formula: Formula, names: tuple[str, str, str]
) -> None:
    own = own_letters(formula, *names)
    pairs = list(zip(atoms(own), atoms(formula), strict=True))
    assert renamed(own, {new.name: old.name for new, old in pairs}) is formula


@given(formulas(max_size=30), st.tuples(text, text, text))
def test_no_hypothesis_is_called_like_an_atom(formula: Formula, names: tuple[str, str, str]) -> None:
    (goal,) = initial(own_letters(formula, *names))
    assert not goal.avoid


@given(text, st.sampled_from(["ß", "Ada", "ada ", " ADA", "Straße", "STRASSE"]))
def test_the_case_of_a_students_name_makes_no_difference(lesson: str, student: str) -> None:
    known = own_letters(AND_COMM, lesson, "1", student)
    assert own_letters(AND_COMM, lesson, "1", student.swapcase()) is known
    assert own_letters(AND_COMM, lesson, "1", f"  {student} ") is known


def test_most_of_a_class_get_letters_of_their_own() -> None:
    students = [f"student {number}" for number in range(30)]
    assert len({own_letters(AND_COMM, "lesson", "and_comm", student) for student in students}) > 25
    one = {own_letters(AND_COMM, f"lesson {number}", "and_comm", "Ada") for number in range(30)}
    assert len(one) > 25


def test_letters_are_the_same_for_ever() -> None:
    assert show(own_letters(AND_COMM, "week 1", "textbook/and_comm", "Ada")) == "u /\\ n -> n /\\ u"
    assert show(own_letters(AND_COMM, "week 1", "textbook/and_comm", "Grace")) == "v /\\ e -> e /\\ v"


def test_a_lemma_with_many_atoms_has_enough_letters() -> None:
    formula = resolve_lemma("SYJ202.6").formula
    own = own_letters(formula, "lesson", "pigeons", "Ada")
    assert len(atoms(own)) == len(atoms(formula)) > 20
