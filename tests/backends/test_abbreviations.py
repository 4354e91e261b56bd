"""How derivations and proofs in words write a formula: as the screens beside them do, so that it can be read back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.backends.export.abbreviations import Abbreviations, Signs
from oasis.backends.export.fitch import ASCII_SIGNS, UNICODE_SIGNS
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show
from tests.strategies import formulas
from tests.thorough import examples
from tui.look import Look

ENDLESS = 10**6
"""Letters after which a formula gets a name."""
LOOKS = [(UNICODE_SIGNS, Look()), (ASCII_SIGNS, Look.ascii())]


@settings(max_examples=examples(200))
@given(formulas(), st.sampled_from(LOOKS))
def test_a_formula_is_written_as_on_the_screens_and_read_back(formula: Formula, look: tuple[Signs, Look]) -> None:
    signs, screen = look
    text = Abbreviations(signs, ENDLESS)[formula].text
    assert text == show(formula, screen.notation)
    assert parse(text) is formula
