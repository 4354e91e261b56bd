"""Sheets as people have them: statements in Coq, Lean, Isabelle, LaTeX, Markdown and lists."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve, resolve_lemma
from curricula.sheet import LANGUAGES, Sheet, read_sheet, read_typed
from tactics.errors import InputError
from tactics.parser import parse
from tests.thorough import thoroughly

SHEETS = Path(__file__).parent / "sheets"


def read(text: str, ending: str = "") -> Sheet:
    return read_sheet(text, "sheet", ending=ending)


def table(name: str) -> str:
    """Return the rows of a file beside this one, in which ⏎ ends a line of a sheet.

    A row of stated.txt is an id, an ending, a sheet, and behind = names, or lines, and formulas that it states; one of
    passed_over.txt is an ending, a sheet, and why it is passed over: MANY are 201 names.
    """
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").strip()


def stated(sheet: Sheet) -> dict[str, object]:
    assert not (sheet.ambiguous or sheet.passed_over or sheet.unreadable), sheet
    return {lemma.name: lemma.formula for lemma in sheet.lemmas}


@pytest.mark.parametrize("row", re.split(r"\n(?=\[)", table("stated")), ids=lambda row: row[1 : row.index("]")])
def test_statements_are_found_and_read_whatever_the_language_and_the_line_ends(row: str) -> None:
    head, *lines = row.split("\n")
    text = "".join(line[2:] for line in lines if line.startswith("  ")).replace("⏎", "\n")
    said = " ".join(line[2:] for line in lines if line.startswith("= "))
    wanted = {name: parse(formula) for name, formula in (each.split(" = ") for each in said.split("; "))}
    for written in (text, "\ufeff" + text.replace("\n", "\r\n")):
        assert stated(read(written, head.partition("] ")[2])) == wanted


@pytest.mark.parametrize(
    ("name", "read", "passed_over"),
    [
        ("logic.v", 19, 5),
        ("propositions.lean", 23, 1),
        ("derivations.tex", 14, 1),
        ("week.md", 7, 0),
        ("Conjunction.thy", 3, 1),
    ],
)
def test_sheets_of_courses_are_read_whole_with_an_ending_or_without(name: str, read: int, passed_over: int) -> None:
    path = SHEETS / name
    sheet = read_sheet(path.read_text(), name, ending=path.suffix)
    assert (len(sheet.lemmas), len(sheet.passed_over)) == (read, passed_over)
    assert sheet.ambiguous == sheet.unreadable == ()
    assert read_sheet(path.read_text(), name) == sheet
    curriculum = resolve(str(path))
    assert len(curriculum.lemmas) == read
    assert len(curriculum.remarks) == (passed_over > 0)


def test_what_is_no_lemma_is_told_with_its_place() -> None:
    text = "Lemma a (n : nat) : n = n.\nLemma b : P → Q ↔ R.\nLemma c : P /\\ .\nLemma d : P."
    sheet = read(text, ".v")
    assert [lemma.name for lemma in sheet.lemmas] == ["d"]
    told = (*sheet.passed_over, *sheet.ambiguous, *sheet.unreadable)
    assert [(each.name, each.line, each.column) for each in told] == [("a", 1, 1), ("b", 2, 17), ("c", 3, 15)]
    assert sheet.passed_over[0].message == "n is of type nat"
    assert sheet.ambiguous[0].readings == ("P → (Q ↔ R)", "(P → Q) ↔ R")
    message = "sheet, line 2, column 17: → and ↔ side by side.* To make a lesson of the rest: oasis lesson from sheet"
    with pytest.raises(InputError, match=message):
        sheet.checked()


def test_a_line_before_the_first_command_is_not_lost() -> None:
    for text in ("A -> A\nlemma b : B -> B", "A -> A\nTheorem b : B -> B.\nProof. auto. Qed."):
        sheet = read(text)
        assert sheet.is_list
        assert sheet.lemmas[0].formula == parse("A -> A")


def test_a_list_has_no_lemma_that_is_passed_over() -> None:
    with pytest.raises(InputError, match="list, line 2, column 12: only propositions"):
        read_sheet("A -> A\nforall n : nat, A", "list").checked()


def test_a_hypothesis_beyond_propositional_logic_is_left_out_and_told() -> None:
    text = "Axiom em : forall P : Prop, P \\/ ~ P.\nLemma nn : forall P : Prop, ~ ~ P -> P."
    (lemma,) = read(text, ".v").lemmas
    assert lemma.remarks == ("Read without the hypothesis em, which is beyond propositional logic.",)


def test_a_variable_that_lean_might_leave_out_is_told() -> None:
    text = "variable (p q : Prop) (h : p)\ntheorem a : q := sorry\ntheorem b : p := h\n"
    text += "include h\ntheorem c : q\nomit h\ntheorem d : q"
    told, *others = read(text, ".lean").lemmas
    assert told.remarks == ("Read with h, which Lean takes only where it is mentioned.",)
    assert not any(lemma.remarks for lemma in others)
    assert [lemma.formula for lemma in others] == [parse("p -> p"), parse("p -> q"), parse("q")]


def test_a_sign_for_a_connective_that_a_file_defines_is_told() -> None:
    text = (
        'Inductive and (P Q : Prop) := c. Notation "P /\\ Q" := (and P Q) : type_scope. Lemma t (P : Prop) : P /\\ P.'
    )
    (lemma,) = read(text, ".v").lemmas
    assert lemma.remarks == ("/\\ stands for and of this file, which is taken for the usual one.",)


def test_what_is_passed_over_because_of_its_quantifier_is_told_as_such() -> None:
    (refused,) = read('lemma "∀x. P x ⟶ P x"', ".thy").passed_over
    assert refused.message == "it has a quantifier over something else than propositions"


SAYS_MORE = r"""
A If $A \to B$ and $B \to C$, then $A \to C$. Show $A \to A$.
ABC Suppose $A \to B$. Show $\lnot B \to C$.⏎⏎Show $A \to A$, $B \to B$ and prove $C \to C.$
A Show $A \to A$. Show that $B$ follows from $A \land B$.
B $A \to A$ is equivalent to $\lnot A \lor A$.⏎⏎- $B \to B$
AB - $A \lor B$, $\lnot A \vdash B$⏎- $A \lor B$ $\vdash$ $B \lor A$⏎- $A \vdash A$, $B \vdash B$
A $$ \begin{array}{l} A \to B \\ B \to C \\ \hline A \to C \end{array} $$⏎$A \to A$
A Let $p$, $q$ be true. Show $A \to A$, if you can.⏎⏎Show $B \to B$, assuming $C$.
"""
"""The letters of which A -> A, and so on, is read of a text, and the text, which says more than that."""


@pytest.mark.parametrize("row", SAYS_MORE.strip().split("\n"))
@pytest.mark.parametrize("ending", [".md", ".tex"])
def test_a_sentence_that_says_more_than_its_formulas_is_passed_over(ending: str, row: str) -> None:
    letters, _, text = row.replace("⏎", "\n").partition(" ")
    sheet = read(text, ending)
    assert [lemma.formula for lemma in sheet.lemmas] == [parse(f"{letter} -> {letter}") for letter in letters]
    assert {refused.message[:41] for refused in sheet.passed_over} == {"this sentence says more than its formulas"}


def test_a_label_that_comes_twice_in_prose_is_no_name() -> None:
    assert list(stated(read("- easy: A -> A\n- easy: B -> B", ".md"))) == ["easy", "sheet:2"]


def test_a_minus_in_front_is_said_to_be_no_negation() -> None:
    assert read_typed("- p | q").remarks == ("The - in front is read as the mark of an item; write ~ for not.",)


@pytest.mark.parametrize(
    "text",
    [
        'lemma (in l) x: "A"',
        'context fixes A assumes a: "A" begin lemma x: "A" end',
        'theory T begin locale l = assumes "A" begin lemma x: "A" by a end lemma (in l) y: "A" end',
    ],
)
def test_what_a_locale_assumes_is_said_to_be_left_out(text: str) -> None:
    outside = 'lemma first: "A ⟶ A" '
    first, *others = read(outside + text, ".thy").lemmas
    assert not first.remarks
    assert others
    assert all(lemma.remarks == ("Read without what its locale or context assumes, if anything.",) for lemma in others)


@pytest.mark.parametrize("text", ["A -> B\n-> C", "- A ->\nB -> A", "- A -> B,\nB -> C |- A -> C"])
def test_a_formula_of_two_lines_of_markdown_is_not_cut(text: str) -> None:
    (refused,) = read(text, ".md").unreadable[-1:]
    assert not read(text, ".md").lemmas
    assert (refused.line, refused.message.partition(";")[0]) == (2, "a formula stands in one line here")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\\[ \\begin{cases} A \\to B \\\\ C \\end{cases} \\]", "\\begin has no meaning"),
        ("$~A \\to B$", "~ is a space in LaTeX; write \\lnot for not, or leave it out"),
        ("$(!A \\land B)$", "! is a mark in LaTeX; write \\lnot for not, or leave it out"),
        ("$A \\lor ~(A \\to B)$", "~ is a space in LaTeX; write \\lnot for not, or leave it out"),
        ("\\newcommand{\\xor}{\\dot\\vee} $A \\xor B \\to B$", "\\xor has no meaning in a formula"),
        ("\\[ A \\to B \\quad\\text{and}\\quad B \\to C \\]", "→ and and side by side are read in two ways"),
    ],
)
def test_latex_that_looks_like_another_formula_is_refused(text: str, message: str) -> None:
    sheet = read(text, ".tex")
    (refused,) = (*sheet.unreadable, *sheet.ambiguous)
    assert not sheet.lemmas
    assert refused.message.startswith(message)


AGAIN = "A is declared again, and a hypothesis speaks of the first A"
OWN = "is given a meaning of its own in line 1"


@pytest.mark.parametrize("row", table("passed_over").split("\n"))
def test_a_statement_that_cannot_be_read_is_passed_over_with_the_reason(row: str) -> None:
    stated, _, message = row.replace("⏎", "\n").replace("MANY", "h" + " h" * 200).partition("  ")
    ending, _, text = stated.partition(" ")
    (refused,) = read(text, ending).passed_over
    assert refused.message.startswith(message.replace("AGAIN", AGAIN).replace("OWN", OWN))


def test_one_name_twice_is_told_of_the_second() -> None:
    (refused,) = read("Lemma a : P.\nLemma a : Q.", ".v").unreadable
    assert refused.message == "the name a is in line 1 and again in line 2; rename one of them"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("theorem foo (p q : Prop) (h : p ∧ q) : q ∧ p := by simp", "p /\\ q -> q /\\ p"),
        ("Lemma foo (P Q : Prop) : P /\\ Q -> Q /\\ P.", "P /\\ Q -> Q /\\ P"),
        ('lemma foo: "A --> A"', "A -> A"),
        ("Lemma foo : forall A : Prop, A -> A. Proof. auto. Qed.", "A -> A"),
        ("@[simp] private theorem foo (p : Prop) : p → p := id", "p -> p"),
        ("foo : A |- A", "A -> A"),
    ],
)
def test_a_statement_may_be_typed_as_it_stands_in_a_file(text: str, formula: str) -> None:
    lemma = resolve_lemma(text)
    assert (lemma.name, lemma.formula) == ("foo", parse(formula))


# --- Any text -----------------------------------------------------------------------------------------------------

PIECES = [
    *("(", ")", "[", "{", "}", '"', "‹", "›", "(*", "*)", "/-", "-/", "--", "$", "$$", "\\(", "\\)", "\\[", "\\\\"),
    *("\n", " ", ":", ":=", ".", ",", "|", "`", "```\n", "<!--", "-->", "%", "#", "- ", "1. ", "&", "@[", "\\item "),
    *(
        "forall ",
        "∀ p : Prop, ",
        "Lemma a : ",
        "theorem a (p : Prop) ",
        "variable (h : p)\n",
        "Section A.\n",
        "End A.\n",
    ),
    *("Hypothesis h : P.\n", "Axiom a : P.\n", "begin\n", "end\n", 'lemma "A"\n', "assumes ", "\\begin{align}", "~"),
    *("A", "P -> ", "A ∧ B", "p ↔ q → r", "\\to ", "⊢", "é", "λ", "Prop", "x.", "'"),
]


@thoroughly
@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60),
    st.sampled_from(["", *LANGUAGES]),
)
def test_any_text_is_a_sheet_whose_refusals_have_their_place(text: str, ending: str) -> None:
    sheet = read(text, ending)
    lines = text.split("\n")
    for refused in (*sheet.ambiguous, *sheet.passed_over, *sheet.unreadable):
        assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
        assert str(sheet.error(refused)).startswith(f"sheet, line {refused.line}, column {refused.column}: ")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", *LANGUAGES])
def test_no_text_takes_more_than_linear_time(ending: str) -> None:
    started = time.process_time()
    for piece in PIECES:
        read(piece * (20_000 // len(piece)), ending)
    assert time.process_time() - started < 20
