"""What people type is what is decided: texts of courses and provers, each with the verdict of its own notation."""

from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.teacher.deciding.decide import decide
from tactics.parser import AmbiguousFormula, NotPropositional
from tactics.tokens import FormulaSyntaxError

LINES = Path(__file__).with_name("typed.txt").read_text(encoding="utf-8").splitlines()
TYPED = [line.split(": ", 1) for line in LINES if not line.startswith("# ")]


@pytest.mark.parametrize(("verdict", "text"), TYPED)
def test_what_is_typed_is_what_is_decided(verdict: str, text: str) -> None:
    assert decide(resolve_lemma(text).formula).verdict == verdict


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("p → q ↔ ¬p ∨ q", AmbiguousFormula),
        ("¬a → ¬b ↔ b → a", AmbiguousFormula),
        ("¬¬p → p ↔ p ∨ ¬p", AmbiguousFormula),
        ("p implies q iff q", AmbiguousFormula),
        ("p => q <=> ~q => ~p", AmbiguousFormula),
        ("p <~> q <~> p", AmbiguousFormula),
        ("p ~| q <= p", AmbiguousFormula),
        ("∀ x, P x → P x", NotPropositional),
        ("forall P, P(x)", NotPropositional),
        ("a = b -> b = a", NotPropositional),
        ("forall n : nat, P", NotPropositional),
        ("p + q", FormulaSyntaxError),
    ],
)
def test_what_has_two_readings_or_is_of_another_logic_is_refused(text: str, kind: type[FormulaSyntaxError]) -> None:
    with pytest.raises(kind):
        resolve_lemma(text)
