"""Files to hand out: each stands alone, is accepted by the program that it is for, and holds nothing else."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

from curricula.families import FAMILIES
from curricula.generator import RandomSettings, random_lemmas
from curricula.lemma import Lemma, Status
from curricula.library import textbook_lemma, textbook_names
from oasis.backends.export import EXPORTS, Proof
from oasis.backends.export.base import MAX_CHARACTERS, steps
from tactics.errors import InputError
from tactics.formula import TRUTH, And, Atom, Formula, Implies, Or, equivalence
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.backends.readers import coqc, lean, lean_steps, pdflatex
from tests.backends.walks import proofs, random_proof
from tests.thorough import paired, thoroughly

pytestmark = pytest.mark.slow


def proof(lemma: Lemma, seed: int = 0) -> Proof:
    return Proof(lemma.name, lemma.formula, random_proof(lemma.formula, Random(seed)))


def typed(name: str, lemma: str, script: str) -> Proof:
    return Proof(name, parse(lemma), parse_script(script))


TEXTBOOK: Final = [
    proof(lemma) for name in textbook_names() if (lemma := textbook_lemma(name)).status is Status.THEOREM
]
FAMILY: Final = [proof(FAMILIES["SYJ203"].lemma(level)) for level in range(1, 5)]
RANDOM: Final = [
    proof(lemma, seed)
    for size in (6, 10)
    for seed, lemma in enumerate(random_lemmas(RandomSettings(kind="theorem", count=60, size=size, falsum=0.15)))
]
HYPOTHESIS_LIKE: Final = [Proof(f"like/{number}", *claim) for number, claim in enumerate(proofs(3, 100))]
"""Half of these have atoms called H, H0 and so on."""
ALL: Final = [*TEXTBOOK, *FAMILY, *RANDOM, *HYPOTHESIS_LIKE]
AND_COMM: Final = typed(
    "textbook/and_comm", "A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption"
)


def identity(atom: str, name: str = "identity") -> Proof:
    return Proof(name, Implies(Atom(atom), Atom(atom)), parse_script("intro; assumption"))


HOSTILE_ATOMS: Final = [
    *("Type", "H", "H0", "Prop'", "sorry", "fun", "Set", "SProp", "as", "at", "by", "in", "with", "exists", "exists2"),
    *("cofix", "fix", "let", "using", "match", "lazymatch", "multimatch", "conj", "or_introl", "or_intror", "and"),
    *("or", "not", "iff", "False_ind", "d_intro", "d_imply4", "And", "Or", "Not", "Iff", "PUnit", "lcErased"),
    *("Dyckhoff", "Oasis", "Sort", "theorem", "end", "open", "do", "then", "fst", "snd", "H'", "x'", "x''", "_x", "_"),
    *("λ", "é", "Ж", "p1", "p2", "A" * 300, "H" + "1" * 70, "intro", "exact", "c", "d", "where", "IF", "ex", "true"),
    *("Axiom", "Theorem", "Qed", "Proof", "Goal", "return", "if", "else", "forall'", "axiom", "h", "h1", "rec", "is"),
    *("atom", "name", "added", "given", "absurd", "antecedent", "proof", "Variable", "Definition", "Hypothesis"),
    *(
        "until",
        "instance",
        "example",
        "def",
        "notation",
        "infix",
        "private",
        "nomatch",
        "calc",
        "have",
        "show",
        "from",
        "this",
    ),
]
HOSTILE_NAMES: Final = [
    *(
        "A. Qed. Axiom x",
        "*) Axiom false : False. (*",
        '" unclosed',
        "-/ axiom x : False",
        "\n#eval 1",
        "\\end{document}",
    ),
    *(
        "{-",
        "-}",
        "",
        "  ",
        "41",
        "exists",
        "theorem",
        "H",
        "H0",
        "conj",
        "And",
        "Dyckhoff",
        "a b",
        "a/b",
        "a_b",
        "é",
        "λ",
    ),
    *("$x^2_3$ & 50% #1 ~ {", "d_intro", "Oasis", "x" * 500, "`evil`", "A /\\ B -> B", "\u2028", "A", "identity"),
]


def statements(text: str, keyword: str) -> list[str]:
    return re.findall(rf"^{keyword} (\S+) :", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", ["coq", "coq-standard"])
def test_coq_accepts_every_proof(name: str, tmp_path: Path) -> None:
    text = EXPORTS[name].write(ALL)
    said = coqc(text, tmp_path)
    assert len(statements(text, "Theorem")) == len(ALL) == text.count("Qed.")
    if name == "coq":
        assert said.count("Closed under the global context") == len(ALL)


def test_lean_accepts_every_proof(tmp_path: Path) -> None:
    said = lean(EXPORTS["lean"].write(ALL), tmp_path)
    assert said.count("does not depend on any axioms") == len(ALL)


def test_latex_sets_every_proof(tmp_path: Path) -> None:
    said = pdflatex(EXPORTS["latex"].write(ALL), tmp_path)
    assert "Overfull" not in said


def test_lean_accepts_the_steps_of_the_files_for_a_class(tmp_path: Path) -> None:
    """Not the very file: without its library Lean has no ∧ and ∨, and not all notation of tactics."""
    said = lean(lean_steps(ALL), tmp_path)
    assert said.count("does not depend on any axioms") == len(ALL)


@pytest.mark.parametrize("name", ["coq", "coq-standard"])
def test_coq_rejects_a_file_with_another_statement(name: str, tmp_path: Path) -> None:
    text = EXPORTS[name].write([AND_COMM]).replace("A /\\ B -> B /\\ A", "A /\\ B -> B /\\ (B -> A)")
    with pytest.raises(AssertionError):
        coqc(text, tmp_path)


def test_lean_rejects_a_file_with_another_statement(tmp_path: Path) -> None:
    text = EXPORTS["lean"].write([AND_COMM]).replace("And A B → And B A", "And A B → And B B")
    with pytest.raises(AssertionError):
        lean(text, tmp_path)


@pytest.mark.parametrize("name", ["coq", "coq-standard"])
def test_hostile_names_do_no_harm_in_coq(name: str, tmp_path: Path) -> None:
    hostile = [*map(identity, HOSTILE_ATOMS), *(identity("A", name) for name in HOSTILE_NAMES)]
    text = EXPORTS[name].write(hostile)
    said = coqc(text, tmp_path)
    assert len(set(statements(text, "Theorem"))) == len(hostile)
    assert said.count("Closed under the global context") == (len(hostile) if name == "coq" else 0)
    assert not re.search(r"^\s*Axiom", text, flags=re.MULTILINE)


def test_hostile_names_do_no_harm_in_lean(tmp_path: Path) -> None:
    hostile = [*map(identity, HOSTILE_ATOMS), *(identity("A", name) for name in HOSTILE_NAMES)]
    text = EXPORTS["lean"].write(hostile)
    assert lean(text, tmp_path).count("does not depend on any axioms") == len(hostile)
    assert len(set(statements(text, "theorem"))) >= len(hostile)
    assert not re.search(r"^\s*(axiom|#eval)", text, flags=re.MULTILINE)


def test_hostile_names_do_no_harm_in_latex(tmp_path: Path) -> None:
    hostile = [*map(identity, HOSTILE_ATOMS), *(identity("A", name) for name in HOSTILE_NAMES)]
    text = EXPORTS["latex"].write(hostile)
    assert text.count(r"\end{document}") == 1
    assert text.isascii()
    pdflatex(text, tmp_path)


@pytest.mark.parametrize(
    ("name", "atom"), [("coq", "d_intro"), ("coq-standard", "conj"), ("lean", "And"), ("latex", "λ")]
)
def test_a_renamed_atom_is_named_in_a_comment(name: str, atom: str) -> None:
    assert re.search(
        f"(--|%|\\(\\*) The atom {atom if name != 'latex' else '.*'} is called p1 here",
        EXPORTS[name].write([identity(atom)]),
    )


@pytest.mark.parametrize("name", list(EXPORTS))
def test_an_incomplete_or_wrong_script_is_refused_with_the_name_of_the_lemma(name: str) -> None:
    with pytest.raises(InputError, match=r"^textbook/and_comm: .*open goals"):
        EXPORTS[name].write([AND_COMM._replace(script=AND_COMM.script[:-1])])
    with pytest.raises(InputError, match=r"^textbook/and_comm: Step 1: split"):
        EXPORTS[name].write([AND_COMM._replace(script=AND_COMM.script[2:])])


def large(links: int) -> Formula:
    """A formula with few parts that is huge when it is written out."""
    formula: Formula = Atom("p")
    for number in range(links):
        formula = equivalence(formula, Atom(f"q{number}"))
    return formula


@pytest.mark.parametrize("name", ["coq", "coq-standard", "lean", "lean-standard"])
def test_a_formula_that_would_explode_is_refused_in_one_sentence(name: str) -> None:
    formula = large(40)
    proof = Proof("huge", Implies(formula, formula), parse_script("intro; assumption"))
    with pytest.raises(InputError, match=r"^huge: [^.\n]*\.$"):
        EXPORTS[name].write([proof])


def test_latex_and_terms_abbreviate_a_formula_that_would_explode(tmp_path: Path) -> None:
    formula = large(40)
    proof = Proof("huge", Implies(formula, formula), parse_script("intro; assumption"))
    assert len(EXPORTS["term"].write([proof])) < 20_000
    text = EXPORTS["latex"].write([proof])
    assert len(text) < 20_000
    pdflatex(text, tmp_path)


@pytest.mark.parametrize("count", [10, 40])
def test_many_atoms_may_be_called_as_hypotheses_are(count: int, tmp_path: Path) -> None:
    """`imply3` needs one more name that is free."""
    names = ["H", *(f"H{number}" for number in range(count - 1))]
    formula: Formula = Implies(Atom("A"), Implies(Implies(Or(Atom("A"), Atom("B")), Atom("C")), Atom("C")))
    for name in names:
        formula = Implies(Atom(name), formula)
    principal = f"H{2 * count}"
    moves = [Move("intro")] * (count + 2) + [Move("imply3", principal), Move("imply1", principal), Move("assumption")]
    hypotheses = Proof("many", formula, tuple(moves))
    for kind in ("coq", "coq-standard"):
        coqc(EXPORTS[kind].write([hypotheses]), tmp_path)
    lean(EXPORTS["lean"].write([hypotheses]), tmp_path)


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


@pytest.mark.parametrize("size", [300, *thoroughly(1500)])
@pytest.mark.parametrize(("name", "connective"), paired(EXPORTS, [And, Or, Implies], 3))
def test_long_proofs_are_written_or_refused_in_one_sentence(
    name: str, connective: type[And | Or | Implies], size: int
) -> None:
    with suppress(InputError):
        assert len(EXPORTS[name].write([deep(connective, size)])) <= MAX_CHARACTERS


@pytest.mark.parametrize("connective", [And, Or, Implies])
def test_deep_proofs_are_accepted(connective: type[And | Or | Implies], tmp_path: Path) -> None:
    proof = deep(connective, 60)
    for name in ("coq", "coq-standard"):
        coqc(EXPORTS[name].write([proof]), tmp_path)
    lean(EXPORTS["lean"].write([proof]), tmp_path)
    assert "Overfull" not in pdflatex(EXPORTS["latex"].write([proof]), tmp_path)


def test_steps_stand_in_the_tree_of_the_proof() -> None:
    for each in ALL:
        found = steps(each.formula, each.script)
        finished = [step for step in found for step in step.finishes]
        assert {id(step.goal) for step in found} == {id(step.goal) for step in finished}
        assert len(finished) == len(found)
        for step in found:
            assert step.parent is None or step.parent.premises[step.rank] is step.goal


def test_braces_and_brackets_balance() -> None:
    for name in ("coq", "coq-standard", "lean", "lean-standard", "latex"):
        text = EXPORTS[name].write(ALL)
        for opening, closing in ("{}", "()", "[]"):
            assert text.count(opening) == text.count(closing), name


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


def test_the_coq_file_for_a_class_reads_as_expected() -> None:
    assert EXPORTS["coq-standard"].write([AND_COMM]) == (
        "(* textbook/and_comm *)\n"
        "Theorem textbook_and_comm : forall A B : Prop, A /\\ B -> B /\\ A.\n"
        "Proof.\n"
        "intros A B.\n"
        "intro H.\n"
        "destruct H as [H H0].\n"
        "split.\n"
        "{\n"
        "  assumption.\n"
        "}\n"
        "assumption.\n"
        "Qed.\n"
    )


def test_the_lean_file_for_a_class_reads_as_expected() -> None:
    assert EXPORTS["lean-standard"].write([AND_COMM]) == (
        "namespace Oasis\n\n"
        "-- textbook/and_comm\n"
        "theorem textbook_and_comm : ∀ A B : Prop, A ∧ B → B ∧ A := by\n"
        "  intro A B\n"
        "  intro H\n"
        "  obtain ⟨H, H0⟩ := H\n"
        "  constructor\n"
        "  · exact H0\n"
        "  exact H\n\n"
        "end Oasis\n"
    )


def test_the_term_stands_with_its_lemma() -> None:
    assert (
        EXPORTS["term"]
        .write([AND_COMM])
        .endswith("\ntextbook/and_comm : ∀ A B : Prop, A ∧ B → B ∧ A\n= λh : A ∧ B. ⟨snd h, fst h⟩\n")
    )


def test_every_proof_has_its_line_in_the_file_of_terms() -> None:
    text = EXPORTS["term"].write(ALL)
    assert len(re.findall(r"^= ", text, flags=re.MULTILINE)) == len(ALL)


def test_a_file_with_no_lemma_is_still_a_file(tmp_path: Path) -> None:
    coqc(EXPORTS["coq"].write([]), tmp_path)
    lean(EXPORTS["lean"].write([]), tmp_path)
