"""Proof terms: every complete script has one, it proves the lemma by natural deduction, and a spoilt one does not."""

from collections.abc import Callable

import pytest

from tactics.errors import InputError
from tactics.extraction import proof_term
from tactics.formula import TRUTH, And, Atom, Formula, Implies, Or
from tactics.goal import Hypothesis, Move
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.script import ScriptError, parse_script
from tactics.term import (
    Absurd,
    Apply,
    Case,
    First,
    Lambda,
    Left,
    Pair,
    Right,
    Second,
    Term,
    TermError,
    Variable,
    check,
    parts,
    show_term,
    type_of,
)
from tests.backends.walks import proofs
from tests.thorough import thoroughly

A, B, C = Atom("A"), Atom("B"), Atom("C")


def term_of(lemma: str, script: str) -> str:
    """Return the text of the term of a script, type-checked."""
    formula = parse(lemma)
    term = proof_term(formula, parse_script(script))
    check(term, formula)
    return show_term(term)


@pytest.mark.parametrize(
    ("lemma", "script", "term"),
    [
        ("A -> A", "intro; assumption", "λh : A. h"),
        ("False -> A", "intro; contradiction", "λh : ⊥. absurd h"),
        ("A -> A /\\ A", "intro; split; assumption; assumption", "λh : A. ⟨h, h⟩"),
        ("A -> A \\/ B", "intro; left; assumption", "λh : A. inl h"),
        ("B -> A \\/ B", "intro; right; assumption", "λh : B. inr h"),
        ("A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption", "λh : A ∧ B. ⟨snd h, fst h⟩"),
        (
            "A \\/ B -> B \\/ A",
            "intro; destruct_or H; right; assumption; left; assumption",
            "λh : A ∨ B. case h of inl h1. inr h1 | inr h1. inl h1",
        ),
        ("A -> (A -> B) -> B", "intro; intro; imply1 H0; assumption", "λh : A. λh1 : A → B. h1 h"),
        (
            "(A /\\ B -> C) -> A -> B -> C",
            "intro; imply2 H; assumption",
            "λh : A ∧ B → C. λh1 : A. λh2 : B. h ⟨h1, h2⟩",
        ),
        ("(A \\/ B -> C) -> A -> C", "intro; imply3 H; assumption", "λh : A ∨ B → C. λh1 : A. h (inl h1)"),
        ("(A \\/ B -> C) -> B -> C", "intro; imply3 H; assumption", "λh : A ∨ B → C. λh1 : B. h (inr h1)"),
        ("((A -> A) -> B) -> B", "intro; imply4 H; intro; assumption; assumption", "λh : (A → A) → B. h (λh1 : A. h1)"),
        (  # a large value that is used twice is bound once
            "((A -> A) -> B) -> B /\\ B",
            "intro; imply4 H; intro; assumption; split; assumption; assumption",
            "λh : (A → A) → B. let h1 = h (λh2 : A. h2) in ⟨h1, h1⟩",
        ),
        ("h -> h1 -> h", "intro; intro; assumption", "λh2 : h. λh3 : h1. h2"),  # atoms are no variables
        (  # brackets where a case within a case would swallow a branch
            "(A \\/ A) \\/ A -> A",
            "intro; destruct_or H; destruct_or H; assumption; assumption; assumption",
            "λh : (A ∨ A) ∨ A. case h of inl h1. (case h1 of inl h2. h2 | inr h2. h2) | inr h1. h1",
        ),
    ],
)
def test_each_rule_has_its_term(lemma: str, script: str, term: str) -> None:
    assert term_of(lemma.replace("\\\\", "\\"), script) == term


def test_a_function_that_is_no_variable_stands_in_brackets() -> None:
    a, x, h = Atom("A"), Variable("x"), Variable("h")
    same = Lambda("y", a, Variable("y"))
    assert show_term(Apply(Absurd(h, Implies(a, a)), x)) == "(absurd h) x"
    assert show_term(Apply(Case(h, same, same), x)) == "(case h of inl y. y | inr y. y) x"
    assert show_term(Apply(Apply(same, x), x)) == "(let y = x in y) x"
    assert show_term(Apply(Apply(h, x), First(h))) == "h x (fst h)"


def test_an_incomplete_script_has_no_term() -> None:
    with pytest.raises(InputError, match="ends with 2 open goals"):
        proof_term(parse("A -> A /\\ A"), parse_script("intro; split"))
    with pytest.raises(ScriptError, match="Step 2"):
        proof_term(parse("A -> B"), parse_script("intro; assumption"))


def test_the_term_of_a_random_proof_proves_its_lemma_and_nothing_else_and_is_normal_but_for_what_it_binds() -> None:
    for formula, script in proofs(5, 150):
        term = proof_term(formula, script)
        check(term, formula)
        with pytest.raises(TermError):
            check(term, formula & formula)
        for part in parts(term):
            match part:
                case First(Pair()) | Second(Pair()) | Case(Left() | Right(), _, _):
                    pytest.fail("a constructor is taken apart again")
                case Apply(Lambda(name, _, body), _):
                    assert sum(isinstance(each, Variable) and each.name == name for each in parts(body)) > 1


@pytest.mark.parametrize(
    "term",
    [
        First(Lambda("a", A, Variable("a"))),
        Second(Lambda("a", A, Variable("a"))),
        Lambda("a", A, Apply(Variable("a"), Variable("a"))),
        Lambda("f", Implies(A, B), Apply(Variable("f"), Variable("f"))),
        Lambda("a", A, Absurd(Variable("a"), B)),
        Lambda("a", A, Case(Variable("a"), Lambda("a", A, Variable("a")), Lambda("a", A, Variable("a")))),
        Lambda("a", A, Left(Variable("a"), Or(B, A))),
        Lambda("a", A, Right(Variable("a"), Or(A, B))),
        Lambda("a", A, Left(Variable("a"), A)),
        Lambda("k", Or(A, B), Case(Variable("k"), Lambda("a", A, Variable("a")), Lambda("b", B, Variable("b")))),
        Lambda("k", Or(A, B), Case(Variable("k"), Lambda("a", A, Variable("a")), Lambda("a", A, Variable("a")))),
        Lambda("k", Or(B, A), Case(Variable("k"), Lambda("a", A, Variable("a")), Lambda("a", A, Variable("a")))),
    ],
)
def test_what_is_no_proof_has_no_type(term: Term) -> None:
    with pytest.raises(TermError):
        type_of(term)


def test_an_inner_variable_hides_an_outer_one_and_no_longer_and_none_is_seen_outside_its_abstraction() -> None:
    inner = Lambda("a", B, Variable("a"))
    assert type_of(Lambda("a", A, Pair(inner, Variable("a")))) is Implies(A, And(Implies(B, B), A))
    assert type_of(Variable("a"), [Hypothesis("a", A), Hypothesis("a", B)]) is B
    with pytest.raises(TermError, match="bound nowhere"):
        type_of(Pair(Lambda("a", A, Variable("a")), Variable("a")))


INTRO, SPLIT, RIGHT, ASSUMPTION = map(Move, ("intro", "split", "right", "assumption"))


@pytest.mark.parametrize("depth", [300, *thoroughly(3_000)])
@pytest.mark.parametrize(
    ("deep", "moves"),
    [
        (lambda formula: A >> formula, lambda depth: [*[INTRO] * (depth + 1), ASSUMPTION]),
        (lambda formula: formula & TRUTH, lambda depth: [*[SPLIT] * depth, *[INTRO, ASSUMPTION] * (depth + 1)]),
        (lambda formula: A | formula, lambda depth: [*[RIGHT] * depth, INTRO, ASSUMPTION]),
    ],
)
def test_long_scripts_have_terms(
    deep: Callable[[Formula], Formula], moves: Callable[[int], list[Move]], depth: int
) -> None:
    formula: Formula = TRUTH
    for _ in range(depth):
        formula = deep(formula)
    term = proof_term(formula, tuple(moves(depth)))
    check(term, formula)
    assert len(show_term(term)) < 35 * depth


def test_a_term_that_doubles_at_each_step_stays_small() -> None:
    """A1 -> A1 -> A2 and so on: written out, the proof of the last atom uses the first one 2^40 times."""
    atoms = [Atom(f"a{number}") for number in range(41)]
    formula: Formula = atoms[-1]
    for before, after in zip(reversed(atoms[:-1]), reversed(atoms[1:]), strict=True):
        formula = Implies(Implies(before, Implies(before, after)), formula)
    formula = Implies(atoms[0], formula)
    names = ["H", *(f"H{number}" for number in range(40))]
    moves = [Move("intro")] * 41
    for name in names[1:]:
        moves += [Move("imply1", name)] * 2
    term = proof_term(formula, (*moves, Move("assumption")))
    check(term, formula)
    assert len(show_term(term)) < 4_000


def test_a_term_too_long_to_show_is_refused_in_one_sentence() -> None:
    term = proof_term(parse("A -> A"), parse_script("intro; assumption"))
    with pytest.raises(InputError, match="more than 3 characters"):
        show_term(term, UNICODE, limit=3)
