"""Files for Lean 4: one that needs not even Lean's library, and one with nothing but Lean's own tactics.

The first begins with `prelude` and brings the connectives and the twelve rules along as theorems; each proof is a term
of these and reads like its script. Lean 4.35 checks it without its library.

The second is a file for a class, without Mathlib, in which hypotheses have the names that they have here. It was
never run by a Lean with its library. What was run is Lean 4.35 without it, which has these tactics but not all their
notation: there intro, exact, constructor, left, right, specialize and clear worked as they stand; obtain, rcases, have
and replace were first rewritten to `refine` with the same formulas, names and proofs, bullets left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from oasis.backends.export.base import Entry, Export, Proof, Step, Text, entries
from oasis.backends.lean.process import header
from oasis.backends.lean.term import formula_text
from oasis.backends.lean.words import RESERVED
from tactics.errors import InputError
from tactics.formula import FALSE, Formula
from tactics.printer import Notation

NOTATION: Final = Notation("lean", "∧", "∨", "→", "↔", "¬", "False", "True", "∀ {} : Prop, ")


def _with_rules(proofs: Sequence[Proof]) -> str:
    """The rules as theorems, then the lemmas, each by a term that reads like its script."""
    text = Text()
    text.add(header().rstrip(), "\n\n")
    text.line("set_option maxRecDepth 100000")
    text.line()
    text.line("namespace Oasis")
    for entry in entries(proofs, RESERVED):
        _announce(text, entry)
        text.line(f"theorem {entry.identifier} : {_quantifier(entry)}{_prefix(entry.formula, text)} :=")
        if entry.atoms:
            text.line(f"fun {' '.join(entry.atoms)} =>", 2)
        for step in entry.steps:
            text.add("  ", _term(step))
            for finished in step.finishes:
                text.add(")" if finished.parent is not None else "")
            text.line()
        text.line(f"#print axioms {entry.identifier}")
    text.line()
    text.line("end Oasis")
    return str(text)


def _prefix(formula: Formula, text: Text) -> str:
    """A formula as `And A (Or B C)`, as there are no notations. Raises InputError when it is too long."""
    try:
        return formula_text(formula, {}, text.left)
    except InputError:
        raise text.too_long() from None


def _term(step: Step) -> str:
    """The line of a move: the bracket of its premise with its hypotheses, the rule, and what the rule is applied to."""
    opening = ""
    if step.parent is not None:
        names = " ".join(name for name, _ in step.parent.changed(step.rank))
        opening = f"(fun {names} => " if names else "("
    applied = ""
    match step.move.rule:
        case "assumption":
            applied = f" {step.given(step.goal.conclusion)}"
        case "contradiction":
            applied = f" {step.given(FALSE)}"
        case "imply1":
            applied = f" {step.move.hypothesis} {step.given(step.antecedent)}"
        case _ if step.move.hypothesis is not None:
            applied = f" {step.move.hypothesis}"
    return f"{opening}Dyckhoff.{step.move.rule}{applied}"


def _standard(proofs: Sequence[Proof]) -> str:
    """The lemmas, each by Lean's own tactics."""
    text = Text()
    text.line("namespace Oasis")
    for entry in entries(proofs, RESERVED):
        _announce(text, entry)
        text.line(f"theorem {entry.identifier} : {_quantifier(entry)}{text.formula(entry.formula, NOTATION)} := by")
        if entry.atoms:
            text.line(f"intro {' '.join(entry.atoms)}", 2)
        for line, indent in tactic_lines(entry, text):
            text.line(line, indent)
    text.line()
    text.line("end Oasis")
    return str(text)


def _announce(text: Text, entry: Entry) -> None:
    """An empty line, and what a reader should know about the theorem that follows."""
    text.subject = entry.title
    text.line()
    for remark in entry.remarks():
        text.line(f"-- {remark}")


def _quantifier(entry: Entry) -> str:
    return f"∀ {' '.join(entry.atoms)} : Prop, " if entry.atoms else ""


def tactic_lines(entry: Entry, text: Text) -> Iterator[tuple[str, int]]:
    """The lines of a proof by Lean's own tactics, each with its indentation."""
    indent = 2
    for step in entry.steps:
        bullet = ""
        if not step.is_last:
            assert step.parent is not None
            # `have … := by` opens a block of its own, other tactics leave goals for bullets.
            bullet = "" if step.parent.move.rule == "imply4" else "· "
            indent += 2
        for tactic in (*_before(step, text), *_tactics(step, text)):
            yield f"{bullet}{tactic}", indent - len(bullet)
            bullet = ""
        indent -= 2 * sum(not finished.is_last for finished in step.finishes)


def _before(step: Step, text: Text) -> Iterator[str]:
    """What has to be done to a goal that imply4 left before it is the premise that it should be."""
    if step.parent is None or step.parent.move.rule != "imply4":
        return
    h, new = step.parent.move.hypothesis, step.parent.goal.fresh_name()
    if step.rank == 0:
        (weaker,) = step.parent.changed()
        yield f"replace {h} : {text.formula(weaker.formula, NOTATION)} := fun d => {h} (fun _ => d)"
    else:
        yield f"specialize {h} {new}"
        yield f"clear {new}"


def _tactics(step: Step, text: Text) -> Iterator[str]:
    """The tactics that do what a move does, up to its first premise."""
    h = step.move.hypothesis
    match step.move.rule:
        case "intro":
            yield f"intro {step.changed()[0].name}"
        case "assumption":
            yield f"exact {step.given(step.goal.conclusion)}"
        case "contradiction":
            yield f"exact False.elim {step.given(FALSE)}"
        case "split":
            yield "constructor"
        case "left" | "right" as side:
            yield side
        case "destruct_and":
            yield f"obtain ⟨{', '.join(name for name, _ in step.changed())}⟩ := {h}"
        case "destruct_or":
            yield f"rcases {h} with {h} | {h}"
        case "imply1":
            yield f"specialize {h} {step.given(step.antecedent)}"
        case "imply2":
            (curried,) = step.changed()
            yield f"replace {h} : {text.formula(curried.formula, NOTATION)} := fun c d => {h} ⟨c, d⟩"
        case "imply3":
            first, second = step.changed()
            yield f"have {second.name} : {text.formula(second.formula, NOTATION)} := fun d => {h} (Or.inr d)"
            yield f"replace {h} : {text.formula(first.formula, NOTATION)} := fun c => {h} (Or.inl c)"
        case "imply4":
            yield f"have {step.goal.fresh_name()} : {text.formula(step.antecedent, NOTATION)} := by"


WITH_RULES: Final = Export(".lean", _with_rules)
STANDARD: Final = Export(".lean", _standard)
