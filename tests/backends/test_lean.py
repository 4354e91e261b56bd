"""What Lean alone does otherwise: how it decides, its words, and formulas in its notation."""

from __future__ import annotations

import pytest

from oasis.backends.base import BackendError, ShownGoal
from oasis.backends.lean.driver import Lean, _accepted
from oasis.backends.lean.process import Message, header
from oasis.backends.lean.term import formula_text, proof, questions, shown_formula
from oasis.backends.lean.words import RESERVED
from tactics.formula import FALSE, And, Atom, Formula, atoms
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import RULES, IllegalMove, apply
from tactics.script import parse_script
from tests.backends.claims import PROOF, SWAP, swap
from tests.backends.lean_words import library, reserved_among, symbols_in, words_in
from tests.backends.walks import lemmas

NO_AXIOMS = Message(1, "information", "'κ' does not depend on any axioms")


@pytest.mark.slow
def test_what_replaces_a_hypothesis_in_place_stays_there(lean: Lean) -> None:
    lean.start(parse("A -> (A -> B) -> C -> D -> B"))
    for move in parse_script("intro; intro; intro; intro; imply1 H0"):
        lean.apply(move)
    assert lean.goals() == (ShownGoal((("H", "A"), ("H0", "B"), ("H1", "C"), ("H2", "D")), "B"),)


@pytest.mark.slow
def test_lean_decides_and_not_the_embedded_calculus(lean: Lean, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that the calculus would take wrongly is refused by Lean, and one that it would refuse wrongly is taken."""

    def nothing_applies(*_: object) -> None:
        raise IllegalMove("The calculus says no.")

    monkeypatch.setattr("oasis.backends.lean.driver.premises", nothing_applies)
    lean.start(SWAP)
    lean.apply(Move("intro"))
    monkeypatch.setattr("oasis.backends.lean.driver.premises", lambda *_: ())
    with pytest.raises(IllegalMove, match=r"Lean does not take it: .*mismatch"):
        lean.apply(Move("destruct_or", "H"))
    assert lean.goals() == (ShownGoal((("H", "A /\\ B"),), "B /\\ A"),)


@pytest.mark.slow
def test_a_hundred_errors_hide_no_other_claim(lean: Lean) -> None:
    """Lean would stop looking at a file after 100 errors."""
    claims = []
    for number in range(150):
        bad = swap(f"x{number}")
        claims += [bad._replace(script=PROOF[: number % 5]), swap(f"y{number}")]
    assert [found.accepted for found in lean.certify(claims)] == [False, True] * 150


@pytest.mark.parametrize(
    "said",
    [
        [[], []],
        [[Message(0, "error", "Type mismatch")], [NO_AXIOMS]],
        [[Message(0, "warning", "declaration uses `sorry`")], [NO_AXIOMS]],
        [[NO_AXIOMS], []],
        [[], [NO_AXIOMS, NO_AXIOMS]],
        [[], [Message(1, "error", NO_AXIOMS.text)]],
        [[], [Message(1, "information", "'κ1' does not depend on any axioms")]],
        [[], [Message(1, "information", "'κ' depends on axioms: [sorryAx]")]],
    ],
)
def test_anything_else_than_silence_and_no_axioms_is_no_proof(said: list[list[Message]]) -> None:
    """Alone, "no axioms" proves nothing: Lean may say so of a theorem that it has refused."""
    assert _accepted([[], [NO_AXIOMS]], "κ")
    assert not _accepted(said, "κ")


@pytest.mark.thorough
@pytest.mark.slow
def test_every_word_that_lean_reserves_is_known() -> None:
    binary = library()
    assert symbols_in(binary) - RESERVED == set()
    assert reserved_among(sorted(set(words_in(binary).values()) - RESERVED)) == set()


@pytest.mark.slow
def test_words_that_lean_reserves_are_told_from_others() -> None:
    assert reserved_among(["A", "given", "B", "let_expr", "C", "fun"]) == {"given", "let_expr", "fun"}
    assert {"if", "generalizing", "matches"} <= symbols_in(library())


def test_what_lean_shows_is_read_as_it_was_written() -> None:
    for formula in lemmas(5, 200):
        words = {atom.name: atom for atom in atoms(formula)}
        assert shown_formula(formula_text(formula, {}), {**words, "False": FALSE}) is formula


@pytest.mark.parametrize(
    "text", ["", "And A", "And A B C", "A B", "(A", "A)", "A →", "→ A", "C", "A ∧ B", "(And) A B", "()"]
)
def test_text_that_is_no_formula_is_reported(text: str) -> None:
    with pytest.raises(BackendError, match="no formula"):
        shown_formula(text, {"A": Atom("A"), "B": Atom("B")})


def test_deep_formulas_and_scripts_are_written_and_read() -> None:
    formula: Formula = Atom("A")
    for number in range(10_000):
        formula = And(formula, Atom("B")) if number % 2 else formula >> Atom("B")
    assert shown_formula(formula_text(formula, {}), {"A": Atom("A"), "B": Atom("B")}) is formula
    chain: Formula = Atom("A")
    for _ in range(1_000):
        chain = Atom("A") >> chain
    assert proof(chain, (*[Move("intro")] * 1_000, Move("assumption"))).open == 0


def test_every_rule_has_its_theorem() -> None:
    text = header()
    assert [rule for rule in RULES if f"\ntheorem {rule} " not in text] == []
    assert "axiom " not in text and "sorry" not in text


def test_a_move_without_the_hypothesis_that_it_wants_is_tried_with_every_one() -> None:
    state = initial(parse("A -> B -> C"))
    for _ in range(2):
        state = apply(state, Move("intro"))
    asked = questions(SWAP, state[0], Move("assumption"), {})
    assert [line.rpartition(" ")[2] for line in asked] == ["H", "H0"]  # neither of which says C
