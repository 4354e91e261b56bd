"""Files for Coq: one with the twelve rules as tactics of its own, and one with nothing but Coq's own tactics.

Neither imports anything; both were compiled with `coqc` 8.16. In both, hypotheses have the names that they have here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from oasis.backends.export.base import Entry, Export, Proof, Step, Text, entries
from tactics.goal import fresh_name
from tactics.printer import COQ

_WORDS: Final = """
Prop Set SProp Type as at cofix else end exists exists2 fix for forall fun if in let match return then where with by
using lazymatch multimatch Axiom CoFixpoint Definition Fixpoint Hypothesis Parameter Theorem Variable Proof Qed
until True False and or not iff conj or_introl or_intror False_ind I ex eq is IF _
"""
RESERVED: Final = frozenset(_WORDS.split())
"""Coq's keywords, and names of its library that these files use or that its notations stand for."""
_DEEPEST_INDENT: Final = 60


@cache
def _rules() -> str:
    return files("tactics").joinpath("dyckhoff.v").read_text(encoding="utf-8")


def _with_rules(proofs: Sequence[Proof]) -> str:
    """The rules as tactics, then the lemmas, each by its own script."""
    rules = _rules()
    # The words of a tactic notation are keywords from there on.
    keywords = re.findall(r'Tactic Notation "(\w+)"', rules)
    text = Text()
    text.add(rules.rstrip(), "\n")
    for entry in entries(proofs, RESERVED.union(keywords)):
        _begin(text, entry)
        text.line("d_start.")
        for step, indent in _with_braces(text, entry):
            text.line(f"d_{step.move}.", indent)
            _close(text, step, indent)
        text.line("Qed.")
        text.line(f"Print Assumptions {entry.identifier}.")
    return str(text)


def _standard(proofs: Sequence[Proof]) -> str:
    """The lemmas, each by Coq's own tactics."""
    text = Text()
    for number, entry in enumerate(entries(proofs, RESERVED)):
        _begin(text, entry, blank=number > 0)
        if entry.atoms:
            text.line(f"intros {' '.join(entry.atoms)}.")
        for step, indent in _with_braces(text, entry):
            if step.parent is not None and step.parent.move.rule == "imply4":
                _begin_premise_of_imply4(text, step.parent, step.rank, indent)
            for tactic in _tactics(step, text):
                text.line(f"{tactic}.", indent)
            _close(text, step, indent)
        text.line("Qed.")
    return str(text)


def _begin(text: Text, entry: Entry, *, blank: bool = True) -> None:
    text.subject = entry.title
    if blank:
        text.line()
    for remark in entry.remarks():
        text.line(f"(* {remark} *)")
    quantifier = f"forall {' '.join(entry.atoms)} : Prop, " if entry.atoms else ""
    text.line(f"Theorem {entry.identifier} : {quantifier}{text.formula(entry.formula, COQ)}.")
    text.line("Proof.")


def _with_braces(text: Text, entry: Entry) -> Iterator[tuple[Step, int]]:
    """Each step and its indentation; a premise that is not the last of its move gets a brace before it."""
    depth = 0
    for step in entry.steps:
        if not step.is_last:
            text.line("{", min(2 * depth, _DEEPEST_INDENT))
            depth += 1
        yield step, min(2 * depth, _DEEPEST_INDENT)
        depth -= sum(not finished.is_last for finished in step.finishes)


def _close(text: Text, step: Step, indent: int) -> None:
    for finished in step.finishes:
        if not finished.is_last:
            text.line("}", max(indent - 2, 0))
            indent -= 2


def _tactics(step: Step, text: Text) -> Iterator[str]:
    """The tactics that do what a move does, up to its first premise."""
    h = step.move.hypothesis or ""
    match step.move.rule:
        case "intro":
            yield f"intro {step.changed()[0].name}"
        case "split" | "left" | "right" | "assumption" | "contradiction" as own_tactic:
            yield own_tactic
        case "destruct_and":
            yield f"destruct {h} as [{' '.join(name for name, _ in step.changed())}]"
        case "destruct_or":
            yield f"destruct {h} as [{h} | {h}]"
        case "imply1":
            yield f"specialize ({h} {step.given(step.antecedent)})"
        case "imply2":
            (curried,) = step.changed()
            new = text.formula(curried.formula, COQ)
            yield from _replaced(h, step.goal.fresh_name(), new, f"fun c d => {h} (conj c d)")
        case "imply3":
            first, (name, second) = step.changed()
            spare = fresh_name({name, *step.goal.avoid, *(each.name for each in step.goal.hypotheses)})
            yield f"assert ({name} : {text.formula(second, COQ)}) by exact (fun d => {h} (or_intror d))"
            yield from _replaced(h, spare, text.formula(first.formula, COQ), f"fun c => {h} (or_introl c)")
        case "imply4":
            yield f"assert ({step.goal.fresh_name()} : {text.formula(step.antecedent, COQ)})"


def _begin_premise_of_imply4(text: Text, imply4: Step, rank: int, indent: int) -> None:
    h, new = imply4.move.hypothesis or "", imply4.goal.fresh_name()
    if rank == 0:
        (weaker,) = imply4.changed()
        for tactic in _replaced(h, new, text.formula(weaker.formula, COQ), f"fun d => {h} (fun _ => d)"):
            text.line(f"{tactic}.", indent)
    else:
        text.line(f"specialize ({h} {new}).", indent)
        text.line(f"clear {new}.", indent)


def _replaced(h: str, spare: str, formula: str, proof: str) -> Iterator[str]:
    """Tactics that put another formula, with its proof, in the place of a hypothesis; `spare` is a name not in use."""
    yield f"assert ({spare} : {formula}) by exact ({proof})"
    yield f"clear {h}"
    yield f"rename {spare} into {h}"


WITH_RULES: Final = Export(".v", _with_rules)
STANDARD: Final = Export(".v", _standard)
