"""The printer: what it writes is read back as the same formula, with no bracket too many."""

import re
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactics import printer
from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, atoms, equivalence
from tactics.parser import FormulaSyntaxError, parse
from tactics.printer import COQ, NOTATIONS, TPTP, UNICODE, Notation, show
from tactics.reading import read
from tests.strategies import formulas
from tests.thorough import examples

A, B, C = Atom("A"), Atom("B"), Atom("C")

notations = st.sampled_from([*NOTATIONS.values(), replace(COQ, negation="~")])


@settings(max_examples=examples(400))
@given(formulas(), notations, st.booleans(), st.booleans())
def test_what_is_printed_is_read_back(formula: Formula, notation: Notation, sugar: bool, quantified: bool) -> None:
    assert parse(show(formula, notation, sugar=sugar, quantified=quantified)) is formula


EXAMPLES = [
    # formula, Coq with sugar, Coq without, TPTP, Unicode
    (A & (B | C), "A /\\ (B \\/ C)", "A /\\ (B \\/ C)", "'A' & ('B' | 'C')", "A ∧ (B ∨ C)"),
    ((A & B) | C, "A /\\ B \\/ C", "A /\\ B \\/ C", "('A' & 'B') | 'C'", "A ∧ B ∨ C"),
    (A >> (B >> C), "A -> B -> C", "A -> B -> C", "'A' => ('B' => 'C')", "A → B → C"),
    ((A >> B) >> C, "(A -> B) -> C", "(A -> B) -> C", "('A' => 'B') => 'C'", "(A → B) → C"),
    ((A & B) & C, "(A /\\ B) /\\ C", "(A /\\ B) /\\ C", "('A' & 'B') & 'C'", "(A ∧ B) ∧ C"),
    (A | (B | C), "A \\/ B \\/ C", "A \\/ B \\/ C", "'A' | ('B' | 'C')", "A ∨ B ∨ C"),
    (~A, "~ A", "A -> False", "~ 'A'", "¬A"),
    (~(A & B), "~ (A /\\ B)", "A /\\ B -> False", "~ ('A' & 'B')", "¬(A ∧ B)"),
    (~A >> B, "~ A -> B", "(A -> False) -> B", "~ 'A' => 'B'", "¬A → B"),
    (equivalence(A, B), "A <-> B", "(A -> B) /\\ (B -> A)", "'A' <=> 'B'", "A ↔ B"),
    (~equivalence(A, B), "~ (A <-> B)", "(A -> B) /\\ (B -> A) -> False", "~ ('A' <=> 'B')", "¬(A ↔ B)"),
    (
        equivalence(equivalence(A, B), A >> B),
        "(A <-> B) <-> (A -> B)",
        "((A -> B) /\\ (B -> A) -> A -> B) /\\ ((A -> B) -> (A -> B) /\\ (B -> A))",
        "('A' <=> 'B') <=> ('A' => 'B')",
        "(A ↔ B) ↔ (A → B)",
    ),
    (FALSE, "False", "False", "$false", "⊥"),
    (TRUTH, "True", "False -> False", "$true", "⊤"),
    (TRUTH | FALSE, "True \\/ False", "(False -> False) \\/ False", "$true | $false", "⊤ ∨ ⊥"),
    (Atom("p_1") | Atom("λ"), "p_1 \\/ λ", "p_1 \\/ λ", "p_1 | 'λ'", "p_1 ∨ λ"),
]


@pytest.mark.parametrize(("formula", "coq", "plain", "tptp", "unicode"), EXAMPLES)
def test_a_formula_looks_as_notations_want_it(formula: Formula, coq: str, plain: str, tptp: str, unicode: str) -> None:
    assert show(formula) == show(formula, COQ) == coq
    assert show(formula, COQ, sugar=False) == plain
    assert show(formula, TPTP) == tptp
    assert show(formula, UNICODE) == unicode
    assert all(parse(text) is formula for text in (coq, plain, tptp, unicode))


@settings(max_examples=examples(300))
@given(formulas(), st.sampled_from([COQ, UNICODE]))
def test_equivalence_and_implication_never_stand_side_by_side(formula: Formula, notation: Notation) -> None:
    text = show(formula, notation)
    while "(" in text:
        text, inside = re.sub(r"\([^()]*\)", "x", text), re.findall(r"\([^()]*\)", text)
        assert not any(_side_by_side(each, notation) for each in inside)
    assert not _side_by_side(text, notation)


def _side_by_side(text: str, notation: Notation) -> bool:
    """Return True if equivalence and implication stand in a text that has no brackets within."""
    return f" {notation.equivalence} " in text and f" {notation.implication} " in text


@settings(max_examples=examples(300))
@given(formulas(), st.sampled_from([COQ, UNICODE]), st.booleans())
def test_no_pair_of_brackets_can_be_left_out(formula: Formula, notation: Notation, sugar: bool) -> None:
    text = show(formula, notation, sugar=sugar)
    opened: list[int] = []
    for place, character in enumerate(text):
        if character == "(":
            opened.append(place)
        elif character == ")":
            start = opened.pop()
            shorter = text[:start] + " " + text[start + 1 : place] + " " + text[place + 1 :]
            with suppress(FormulaSyntaxError):
                reading = read(shorter)
                assert reading.formula is not formula or reading.remarks
    assert not opened


@settings(max_examples=examples(300))
@given(formulas(), st.booleans())
def test_tptp_text_brackets_every_compound_side(formula: Formula, sugar: bool) -> None:
    # TPTP's grammar: unit = name | ~ unit | ( formula ); formula = unit | unit operator unit. Chains need one operator
    # throughout and only & and | have them, so the printer writes none.
    text = re.sub(r"'(?:[^'\\]|\\')+'|\$?[a-z]\w*", "u", show(formula, TPTP, sugar=sugar), flags=re.ASCII)
    shorter = None
    while shorter != text:
        shorter, text = text, re.sub(r"~ u|\(u (?:&|\||=>|<=>) u\)", "u", text)
    assert re.fullmatch(r"u|u (?:&|\||=>|<=>) u", text)


@given(formulas())
def test_quantified_text_is_the_plain_text_behind_a_quantifier_of_its_atoms(formula: Formula) -> None:
    names = " ".join(atom.name for atom in atoms(formula))
    for notation, sign in ((COQ, "forall"), (UNICODE, "∀")):
        front = f"{sign} {names} : Prop, " if names else ""
        assert show(formula, notation, quantified=True) == front + show(formula, notation)
    assert show(formula, TPTP, quantified=True) == show(formula, TPTP)


def test_deep_formulas_are_printed() -> None:
    to_the_left: Formula = A
    for _ in range(20_000):
        to_the_left = Implies(to_the_left, B)
    assert show(to_the_left) == "(" * 19_999 + "A" + " -> B)" * 19_999 + " -> B"


def test_nested_equivalences_are_printed_in_linear_space() -> None:
    names = [f"p{number}" for number in range(300)]
    text = " <-> (".join(names[:-1]) + " <-> p299" + ")" * 298
    assert show(parse(text)) == text


def test_text_of_the_largest_length_is_printed_and_a_character_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = A >> (B & C)
    for notation in NOTATIONS.values():
        for quantified in (False, True):
            text = show(formula, notation, quantified=quantified)
            with monkeypatch.context() as patch:
                patch.setattr(printer, "MAX_CHARACTERS", len(text))
                assert show(formula, notation, quantified=quantified) == text
                patch.setattr(printer, "MAX_CHARACTERS", len(text) - 1)
                with pytest.raises(InputError, match="written out; show it with ~ and <->"):
                    show(formula, notation, quantified=quantified)


def test_a_formula_too_long_to_write_out_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer, "MAX_CHARACTERS", 20_000)
    formula: Formula = A
    for _ in range(100):
        formula = And(formula, formula)
    with pytest.raises(InputError, match=r"more than 20,000 characters"):
        show(formula)
    links = parse(" <-> (".join([f"p{number}" for number in range(60)]) + ")" * 59)
    assert len(show(links)) < 1000
    with pytest.raises(InputError, match="show it with ~ and <->"):
        show(links, sugar=False)
