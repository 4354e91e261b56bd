"""What people type is what is decided: texts of courses and provers, each with the verdict of its own notation."""

from __future__ import annotations

import pytest

from curricula import resolve_lemma
from oasis.teacher.deciding.decide import decide
from tactics.parser import AmbiguousFormula, NotPropositional
from tactics.tokens import FormulaSyntaxError

TYPED = [
    # Equivalence beside implication: only Coq's own signs say which binds tighter.
    ("p -> q <-> ~p \\/ q", "theorem"),
    ("(p -> q) <-> (~p \\/ q)", "non-theorem"),
    ("¬¬p → (p ↔ p ∨ ¬p)", "theorem"),
    ("(¬¬p → p) ↔ p ∨ ¬p", "non-theorem"),
    # Constants.
    ("false → P", "theorem"),
    ("(P → false) → P → Q", "theorem"),
    ("_|_ -> p", "theorem"),
    ("'bot' -> p", "non-theorem"),
    ("forall bot p, bot -> p", "non-theorem"),
    ("p -> TRUE", "theorem"),
    # Sequents.
    ("A /\\ B |- B /\\ A", "theorem"),
    ("|- A -> B -> A", "theorem"),
    ("P → Q, ¬Q :|-: ¬P", "theorem"),
    ("A ∨ B, ¬A ∴ B", "theorem"),
    ("⊢ A ∨ ¬A", "non-theorem"),
    # Isabelle, LaTeX, words, HTML and other signs.
    ("p --> q --> p", "theorem"),
    ("p ⟶ p", "theorem"),
    ("⟦A; B⟧ ⟹ A ∧ B", "theorem"),
    ("\\<not> \\<not> A \\<longrightarrow> A", "non-theorem"),
    ("p \\land q \\to q", "theorem"),
    ("$\\lnot(p \\lor q) \\leftrightarrow \\lnot p \\land \\lnot q$", "theorem"),
    ("!p -> !p", "theorem"),
    ("p ⊃ p", "theorem"),
    ("p⊃p", "theorem"),
    ("not (p and not p)", "theorem"),
    ("p implies q or p", "theorem"),
    ("p &rarr; p &or; q", "theorem"),
    # Statements of provers.
    ("Lemma foo (P Q : Prop) : P /\\ Q -> Q /\\ P.", "theorem"),
    ("theorem foo (p q : Prop) (h : p ∧ q) : q ∧ p", "theorem"),
    ("example (p : Prop) : p ∨ ¬p := by sorry", "non-theorem"),
    ("fof(a,axiom,p). fof(c,conjecture,(p | q)).", "theorem"),
    ("forall P:Prop, ~P -> forall Q:Prop, P -> Q", "theorem"),
]


@pytest.mark.parametrize(("text", "verdict"), TYPED)
def test_what_is_typed_is_what_is_decided(text: str, verdict: str) -> None:
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
