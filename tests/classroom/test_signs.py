"""The card of the signs."""

from __future__ import annotations

from oasis.classroom.proving.signs import brackets, card
from tactics.parser import parse
from tactics.printer import COQ, UNICODE, show
from tactics.sequent import parse_state


def test_the_card_has_each_sign_of_a_notation_with_an_example_that_can_be_typed() -> None:
    assert [sign.sign for sign in card(UNICODE)] == ["⊢", "∧", "∨", "→", "¬", "↔", "⊥"]
    for sign, typed in zip(card(UNICODE), card(), strict=True):
        assert sign.sign in sign.example
        assert sign.typed == typed.sign
        if sign.sign == UNICODE.turnstile:
            assert parse_state(sign.example) == parse_state(typed.example)
        else:
            assert show(parse(typed.example), UNICODE) == sign.example


def test_in_ascii_the_card_is_ascii() -> None:
    assert all(text.isascii() for sign in card(COQ) for text in sign) and brackets().isascii()


def test_what_binds_tighter_is_said_as_it_is_read() -> None:
    said = brackets(UNICODE)
    assert "→ groups to the right: p → q → r is p → (q → r)." in said
    assert parse("p → q → r") is parse("p → (q → r)")
    order = [said.index(sign) for sign in "¬∧∨→"]
    assert order == sorted(order)
    assert parse("¬p ∧ q ∨ r → s") is parse("(((¬p) ∧ q) ∨ r) → s")
