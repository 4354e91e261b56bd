"""Files to hand out: each stands alone, is accepted by the program that it is for, and holds nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from curricula.families import FAMILIES
from oasis.backends.export import EXPORTS, Proof
from oasis.backends.export.base import MAX_CHARACTERS, steps
from tactics.errors import InputError
from tactics.formula import TRUTH, And, Atom, Formula, Implies, Or
from tactics.goal import Move
from tests.backends.exported import AND_COMM, HOSTILE, HUGE, NAMES, RANDOM, awkward, identity, large, proof
from tests.backends.readers import coqc, lean, lean_steps, pdflatex
from tests.backends.walks import random_proof
from tests.thorough import examples, paired, thoroughly

LEMMAS: Final = [FAMILIES["SYJ203"].lemma(level) for level in range(1, 5)]
ALL: Final = [
    *(proof(name) for name in NAMES),
    *(Proof(lemma.name, lemma.formula, random_proof(lemma.formula, Random(0))) for lemma in LEMMAS),
    *RANDOM,
]
LATEX: Final = [name for name in EXPORTS if name.endswith("latex")]


def many(count: int) -> Proof:
    """The proof of a lemma whose atoms are called as hypotheses are; `imply3` needs one more name that is free."""
    names = ["H", *(f"H{number}" for number in range(count - 1))]
    formula: Formula = Implies(Atom("A"), Implies(Implies(Or(Atom("A"), Atom("B")), Atom("C")), Atom("C")))
    for name in names:
        formula = Implies(Atom(name), formula)
    principal = f"H{2 * count}"
    moves = [Move("intro")] * (count + 2) + [Move("imply3", principal), Move("imply1", principal), Move("assumption")]
    return Proof("many", formula, tuple(moves))


def deep(connective: type[And | Or | Implies], size: int) -> Proof:
    formula: Formula = TRUTH
    for _ in range(size):
        formula = connective(Atom("A"), formula) if connective is not And else And(formula, TRUTH)
    if connective is Or:
        moves = [*[Move("right")] * size, Move("intro"), Move("assumption")]
    elif connective is And:
        moves = [*[Move("split")] * size, *[Move("intro"), Move("assumption")] * (size + 1)]
    else:
        moves = [*[Move("intro")] * (size + 1), Move("assumption")]
    return Proof(f"deep {connective.__name__}", formula, tuple(moves))


DEEP: Final = [deep(connective, 60) for connective in (And, Or, Implies)]


@pytest.fixture(scope="module")
def every() -> list[Proof]:
    """Every proof, also those over hostile and awkward names."""
    return [*ALL, *DEEP, many(10), many(40), *HOSTILE, *awkward(1, examples(360))]


def statements(text: str, keyword: str) -> list[str]:
    return re.findall(rf"^{keyword} (\S+) :", text, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coq", "coq-standard"])
def test_coq_accepts_every_proof(name: str, every: list[Proof], tmp_path: Path) -> None:
    text = EXPORTS[name].write(every)
    said = coqc(text, tmp_path)
    assert len(set(statements(text, "Theorem"))) == len(every) == len(re.findall(r"^Qed\.$", text, re.MULTILINE))
    assert said.count("Closed under the global context") == (len(every) if name == "coq" else 0)
    assert not re.search(r"^\s*Axiom", text, flags=re.MULTILINE)


@pytest.mark.slow
def test_lean_accepts_every_proof(every: list[Proof], tmp_path: Path) -> None:
    text = EXPORTS["lean"].write(every)
    assert lean(text, tmp_path).count("does not depend on any axioms") == len(every)
    assert len(set(statements(text, "theorem"))) >= len(every)
    assert not re.search(r"^\s*(axiom|#eval)", text, flags=re.MULTILINE)


@pytest.mark.slow
def test_lean_accepts_the_steps_of_the_files_for_a_class(every: list[Proof], tmp_path: Path) -> None:
    """Not the very file: without its library Lean has no ∧ and ∨, and not all notation of tactics."""
    assert lean(lean_steps(every), tmp_path).count("does not depend on any axioms") == len(every)


@pytest.mark.slow
@pytest.mark.parametrize("name", LATEX)
def test_latex_sets_every_proof(name: str, tmp_path: Path) -> None:
    assert "Overfull" not in pdflatex(EXPORTS[name].write([*ALL, *DEEP]), tmp_path)
    text = EXPORTS[name].write([*HOSTILE, HUGE])
    assert text.count(r"\end{document}") == 1
    assert text.isascii()
    pdflatex(text, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "statement", "another", "reader"),
    [
        ("coq", "A /\\ B -> B /\\ A", "A /\\ B -> B /\\ (B -> A)", coqc),
        ("coq-standard", "A /\\ B -> B /\\ A", "A /\\ B -> B /\\ (B -> A)", coqc),
        ("lean", "And A B → And B A", "And A B → And B B", lean),
    ],
)
def test_a_file_with_another_statement_is_rejected(
    name: str, statement: str, another: str, reader: Callable[[str, Path], str], tmp_path: Path
) -> None:
    text = EXPORTS[name].write([AND_COMM])
    assert statement in text
    with pytest.raises(AssertionError):
        reader(text.replace(statement, another), tmp_path)


@pytest.mark.slow
def test_a_file_with_no_lemma_is_still_a_file(tmp_path: Path) -> None:
    coqc(EXPORTS["coq"].write([]), tmp_path)
    lean(EXPORTS["lean"].write([]), tmp_path)


@pytest.mark.parametrize(
    ("name", "atom"), [("coq", "d_intro"), ("coq-standard", "conj"), ("lean", "And"), ("latex", "λ")]
)
def test_a_renamed_atom_is_named_in_a_comment(name: str, atom: str) -> None:
    said = atom if name != "latex" else ".*"
    assert re.search(f"(--|%|\\(\\*) The atom {said} is called p1 here", EXPORTS[name].write([identity(Atom(atom))]))


@pytest.mark.parametrize("name", EXPORTS)
def test_an_incomplete_or_wrong_script_is_refused_with_the_name_of_the_lemma(name: str) -> None:
    with pytest.raises(InputError, match=r"^textbook/and_comm: .*open goals"):
        EXPORTS[name].write([AND_COMM._replace(script=AND_COMM.script[:-1])])
    with pytest.raises(InputError, match=r"^textbook/and_comm: Step 1: split"):
        EXPORTS[name].write([AND_COMM._replace(script=AND_COMM.script[2:])])


@pytest.mark.parametrize("name", EXPORTS)
def test_a_formula_that_would_explode_is_abbreviated_or_refused_in_one_sentence(name: str) -> None:
    if name.startswith(("coq", "lean")):
        with pytest.raises(InputError, match=r"^huge: [^.\n]*\.$"):
            EXPORTS[name].write([HUGE])
    else:
        huge = identity(large(40, twice=False)) if name == "term" else HUGE
        assert len(EXPORTS[name].write([huge])) < 30_000


@pytest.mark.parametrize("size", [300, *thoroughly(1500)])
@pytest.mark.parametrize(("name", "connective"), paired(EXPORTS, [And, Or, Implies], 3))
def test_long_proofs_are_written_or_refused_in_one_sentence(
    name: str, connective: type[And | Or | Implies], size: int
) -> None:
    with suppress(InputError):
        assert len(EXPORTS[name].write([deep(connective, size)])) <= MAX_CHARACTERS


def test_steps_stand_in_the_tree_of_the_proof() -> None:
    for each in ALL:
        found = steps(each.formula, each.script)
        finished = [step for step in found for step in step.finishes]
        assert {id(step.goal) for step in found} == {id(step.goal) for step in finished}
        assert len(finished) == len(found)
        for step in found:
            assert step.parent is None or step.parent.premises[step.rank] is step.goal


def test_latex_proves_each_lemma_by_one_tree_and_its_parts() -> None:
    """Replays each tree as bussproofs does: a stack from which an inference takes its premises."""
    for each in ALL:
        text = EXPORTS["latex"].write([each])
        sizes = []
        for tree in re.findall(r"^\\derive\{%\n(.*?)^\}", text, flags=re.MULTILINE | re.DOTALL):
            stack = 0
            for command in re.findall(r"\\([AUB])IC?C?\{|\\(A)XC\{", tree):
                kind = command[0] or command[1]
                stack += {"A": 1, "U": 0, "B": -1}[kind]
                assert stack >= 1
            assert stack == 1
            sizes.append(tree.count(r"\rulename"))
        assert sum(sizes) == len(each.script)


def test_every_proof_has_its_line_in_the_file_of_terms() -> None:
    text = EXPORTS["term"].write(ALL)
    assert len(re.findall(r"^= ", text, flags=re.MULTILINE)) == len(ALL)
    for opening, closing in ("()", "⟨⟩"):
        assert text.count(opening) == text.count(closing)
