"""What people type: sequents are formulas, what others read otherwise is said, and what we show is read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactics.formula import Formula
from tactics.parser import FormulaSyntaxError, parse
from tactics.printer import NOTATIONS, Notation, show
from tactics.reading import read
from tests.strategies import ALL_NAMES, formulas
from tests.thorough import examples


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("|- A", "A"),
        ("A /\\ B |- B /\\ A", "A /\\ B -> B /\\ A"),
        ("h : A, k : A -> B ⊢ B.", "A -> (A -> B) -> B"),
        ("A → B, A :|-: B", "(A -> B) -> A -> B"),
        (r"$A, A \to B \vdash B$", "A -> (A -> B) -> B"),
        ("A, B ∴ A", "A -> B -> A"),
        ("[| A; B --> C |] ==> A & B", "A -> (B -> C) -> A /\\ B"),
        ("⟦A; B⟧ ⟹ A", "A -> B -> A"),
    ],
)
def test_a_sequent_is_the_implication_from_its_hypotheses(text: str, formula: str) -> None:
    assert read(text) == (parse(formula), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Γ, A ⊢ A", "Γ stands for hypotheses that are not written; leave it out or write them"),
        ("h : A, k : B |- h", "h names a hypothesis and stands in a formula, too; rename one of the two"),
        ("(forall A, A) |- B", "a hypothesis cannot have a quantifier"),
        ("A ⊢ ∀A. A", "A stands outside of its quantifier, too"),
    ],
)
def test_a_sequent_that_hides_what_it_means_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        (
            "p -> q <-> ~p \\/ q",
            ["This is read as Coq reads it: p -> (q <-> ~ p \\/ q); add brackets if you mean (p -> q) <-> ~ p \\/ q."],
        ),
        ("false, A |- false", ["false is read as the constant False; write 'false' for an atom."]),
        ("p V q", ["V is read as \\/."]),
        ("p <= q", ["<= is read as 'is implied by'."]),
        ("p v q ^ r", ["v is read as \\/.", "^ is read as /\\."]),
        ("А -> A", ["А and A look alike and are two atoms; write one of them if you mean one."]),
        ("𝐴 → A ∨ B", ["𝐴 and A look alike and are two atoms; write one of them if you mean one."]),
        ("A -> F", ["F is read as an atom; write False for the constant."]),
        ("T |- A", ["T is read as an atom; write True for the constant."]),
        ("E -> F -> S \\/ T", []),
        ("forall F, F", []),
        (
            "pvq -> ~QvP",
            [
                "pvq is read as one atom; write p v q for a disjunction.",
                "QvP is read as one atom; write Q v P for a disjunction.",
            ],
        ),
        ("p' -> p", ["p' is read as an atom of its own; write ~p for not p."]),
        ("p' -> q", []),
        ("_|_ -> (p <-> q) -> True", []),
        ("forall false bot, false -> 'bot'", []),
    ],
)
def test_what_others_read_otherwise_is_said(text: str, remarks: list[str]) -> None:
    assert list(read(text).remarks) == remarks


@settings(max_examples=examples(300))
@given(formulas((*ALL_NAMES, "false", "TRUE", "bot", "not", "and", "v")), st.sampled_from(list(NOTATIONS.values())))
def test_what_is_shown_is_read_back_without_a_remark(formula: Formula, notation: Notation) -> None:
    for quantified in (False, True):
        assert read(show(formula, notation, quantified=quantified)) == (formula, ())
