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


def stated(sheet: Sheet) -> dict[str, object]:
    assert not (sheet.ambiguous or sheet.passed_over or sheet.unreadable), sheet
    return {lemma.name: lemma.formula for lemma in sheet.lemmas}


STATED = r"""
[binders] .v
  Lemma a (P Q : Prop) {R} (h h' : P /\ Q) : R -> P.
= a = P /\ Q -> P /\ Q -> R -> P
[several lines] .v
  Theorem b :⏎  forall (P : Prop),⏎  P ->⏎  P.
= b = P -> P
[hypotheses behind forall] .v
  Goal forall P Q (h : P), (Q -> P).
= sheet:1 = P -> Q -> P
[proofs] .v
  Lemma a : P -> P.⏎Proof.⏎ intros. - auto. { auto. }⏎Qed.⏎Lemma b : P.
= a = P -> P; b = P
[comments] .v
  (* Lemma a : P. (* *) "*)" *) Lemma b (* : Q *) : P.
= b = P
[sections] .v
  Section A. Variables P Q : Prop. Hypothesis h : P. Section B. Context {R : Prop} (k : R). Lemma a : Q. End B. Lemma
   b : Q. End A. Lemma c : forall P : Prop, P.
= a = P -> R -> Q; b = P -> Q; c = P
[a term] .v
  Definition d : forall P : Prop, P -> P := fun P p => p.⏎Definition n := 3.
= d = P -> P
[notations that repeat what a sign means] .v
  Notation "P ∧ Q" := (P /\ Q) (at level 80, right associativity) : type_scope.⏎Infix "∨" := or.⏎
  Module M. Notation "~ x" := x. End M.⏎Lemma a (P : Prop) : P ∧ ~ P ∨ P.
= a = P /\ ~ P \/ P
[a command in a string] .v
  Ltac l := idtac "f. Lemma a : P.". Lemma b : P.
= b = P
[definitions that state nothing] .v
  Definition f : N -> Z := g. Goal P.
= sheet:1 = P
[names of constants] .v
  Lemma a (bot : Prop) : bot -> False.
= a = 'bot' -> False
[Lean 4] .lean
  variable {p q : Prop}⏎example : p → q := by⏎  sorry⏎theorem t (h : p) : q := h⏎
= sheet:2 = p -> q; t = p -> q
[Lean 3] .lean
  section⏎variables p q : Prop⏎lemma a : p → q := begin⏎  cases h, begin simp end,⏎end⏎end⏎lemma b : ∀ r : Prop, r
= a = p -> q; b = r
[patterns] .lean
  theorem t {p : Prop} : p → p⏎| h => h⏎
= t = p -> p
[letters of Lean's own] .lean
  theorem t (h : p₁) : q → p₁ := /- -- -/ sorry
= t = p₁ -> q -> p₁
[Isabelle] .thy
  lemma a [simp]: "A ∧ B ⟶ A" by (simp add: "x")⏎theorem b: assumes h: "A" and B shows ‹A› and C: "B"⏎  using h
= a = A /\ B -> A; b_1 = A -> B -> A; b_2 = A -> B -> B
[Isabelle's if] .thy
  lemma a: "C" if h: "A" and B for A by simp
= a = A -> B -> C
[statements of a game] .lean
  Statement foo "Show it." (p q : Prop) (h : p) : q → p := by⏎Statement: ¬False := by⏎example : p ↔ p where
= foo = p -> q -> p; sheet:2 = ~False; sheet:3 = p <-> p
[universes] .lean
  theorem t.{u, v} (p : Prop) : p → p := id
= t = p -> p
[Lean's cases in the same line] .lean
  nonrec theorem t : p → p | h => h⏎example : ¬ False | h => h
= t = p -> p; sheet:2 = ~ False
[Lean's variable for one command] .lean
  variable (p : Prop)⏎variable (h : p) in⏎theorem a : p := h⏎theorem b : p
= a = p -> p; b = p
[Lean's end that ends no section] .lean
  variables (p : Prop) (h : p)⏎theorem a : p := match h with⏎| x := x⏎end⏎theorem b : p := h
= a = p -> p; b = p -> p
[texts in a theory] .thy
  text {* a lemma that says "B" *} lemma "A" text ‹lemma "C"›
= sheet:1 = A
[a rule of Isabelle] .thy
  lemma "[| A; B |] ==> A & B"
= sheet:1 = A -> B -> A /\ B
[LaTeX] .tex
  See $\land$, $A \to$, $x$, $\Gamma \vdash A$: % $B \to B$⏎\item $A,\; B \vdash A \land B$.⏎
  \[ \left(A \to B\right) \to \mathit{A} \to B \tag{1} \]
= sheet:2 = A -> B -> A /\ B; sheet:3 = (A -> B) -> A -> B
[signs of a course] .tex
  \newcommand{\imp}{\mathbin{\rightarrow}} $p \imp q$⏎$A \eif (\enot B \eor C) \therefore \ered$
= sheet:1 = p -> q; sheet:2 = (A -> ~ B \/ C) -> False
[layout] .tex
  $\varphi_{1} \& P' \to \varphi_1$⏎$\{\mathcal{A}, B\} \vdash_{NJ} \mathcal{A}$
= sheet:1 = φ_1 /\ P' -> φ_1; sheet:2 = A -> B -> A
[letters of the Open Logic Project] .tex
  $!A \lif (!B \lif !A)$
= sheet:1 = A -> B -> A
[rows] .tex
  \begin{align*}⏎A &\to A \\⏎&\lnot A \to A \to B⏎\end{align*}
= sheet:2 = A -> A; sheet:3 = ~ A -> A -> B
[rows that go on] .tex
  \begin{multline} A \to B \\ \to A \end{multline}⏎\[ A \to \\ B \to A \]⏎\[ A, B \\ \vdash A \\ \vdash \lnot B \]
= sheet:1 = A -> B -> A; sheet:2 = A -> B -> A; sheet:3 = A -> B -> A; sheet:3:29 = ~ B
[tables] .md
  - A → A⏎⏎| A | B |⏎|---|---|⏎| B → B | C |⏎
= sheet:1 = A -> A; sheet:5 = B -> B
[blocks that go on] .md
  ```coq⏎Variables P Q : Prop. Hypothesis h : P.⏎```⏎- A → A⏎```lean⏎variable (h : q)⏎```⏎```v⏎Goal Q.⏎Goal P.⏎```⏎
  `α → Prop`⏎\begin{prooftree}⏎$A → B$⏎\end{prooftree}⏎```coq⏎Lemma a : Q. Lemma a : P.
= sheet:4 = A -> A; sheet:9 = P -> Q; sheet:10 = P -> P; a = P -> Q; sheet:17 = P -> P
[titles and notes] .md
  - modus ponens: A, A → B ⊢ B⏎- *a b*: ~~A → A (classical only!)⏎(iv) A → A⏎a. $\varphi \to A$⏎- (a) → b
= sheet:1 = A -> (A -> B) -> B; sheet:2 = ~~A -> A; sheet:3 = A -> A; sheet:4 = φ -> A; sheet:5 = a -> b
[mathematics of several lines] .md
  $$⏎A \to⏎B \to A⏎$$
= sheet:2 = A -> B -> A
[Markdown] .md
  # Week 1 -> 2⏎See A -> B, `ls | wc` and `A -> A`.⏎- one: A -> B -> A⏎2. p ∧ q ⊢ p⏎| `A -> A` | p → p |⏎
  | x | q → q | r → r |⏎|---|---|⏎```⏎A \/ B -> B \/ A⏎```⏎```lean⏎example (p : Prop) : p → p := id⏎```⏎
= sheet:2 = A -> A; one = A -> B -> A; sheet:4 = p /\ q -> p; sheet:5 = A -> A; sheet:6 = q -> q; sheet:6:15 = r ->
= r; sheet:9 = A \/ B -> B \/ A; sheet:12 = p -> p
[entities] .md
  - A &rarr; A;⏎- p &and; &not;p &rarr; &perp;
= sheet:1 = A -> A; sheet:2 = p /\ ~p -> False
[a list with numbers]
  1. p → p⏎2) A, B |- A⏎(3) two: p ⟶ p⏎- $p \to p$⏎Lemma l (P : Prop) : P -> P.
= sheet:1 = p -> p; sheet:2 = A -> B -> A; two = p -> p; sheet:4 = p -> p; l = P -> P
"""
"""What texts state: an id, an ending, the text, in which ⏎ ends a line, and behind = names, or lines, and formulas."""


@pytest.mark.parametrize("row", re.split(r"\n(?=\[)", STATED.strip()), ids=lambda row: row[1 : row.index("]")])
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
def test_sheets_of_courses_are_read_whole_also_when_nothing_says_what_they_are(
    name: str, read: int, passed_over: int
) -> None:
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


PASSED_OVER = r"""
.lean theorem t [Decidable p] : ¬¬p → p  it rests on Decidable p
.thy lemma t: obtains x where "A"  it obtains something
.v Lemma t (P : Prop) (MANY : P) : P.  it has more than 200 premises
.v Lemma t (P : Prop) (h : forall Q : Prop, Q) : P.  h is of type forall Q : Prop, Q
.v Definition em := 1. Lemma t : forall P : Prop, em -> P.  em is defined in this file
.v Section S. Variable A : Prop. Hypothesis h : A. Lemma t : forall A : Prop, A.  AGAIN
.v Lemma t (A : Prop) (h : A) (A : Prop) : A.  AGAIN
.v Lemma t (A B : Prop) (h : A) : B -> forall A : Prop, A.  AGAIN
.lean variable (A : Prop) (h : A)⏎theorem t (A : Prop) : A  AGAIN
.thy lemma t: assumes "A" shows "\<And>A. A"  a quantifier in or beside a hypothesis is not understood
.thy lemma t: "B" if "∀A. A"  a quantifier in or beside a hypothesis is not understood
.v Lemma t : forall P : Prop, even P.  even is not declared as a proposition
.v Notation "A ∧ B" := (A \/ B).⏎Lemma t (P : Prop) : P ∧ P.  ∧ OWN
.v Infix "∧" := and (at level 95).⏎Lemma t (P : Prop) : P ∧ P.  ∧ OWN
.v Inductive f := i where "a -> b" := (i a b).⏎Goal P -> P.  -> OWN
.lean local infixr:35 " ∧ " => Or⏎example : p ∧ p  ∧ OWN
.lean notation a ` ∨ `:20 b := and a b⏎example : p ∨ p  ∨ OWN
.thy notation disj (infixr "∧" 35)⏎lemma "A ∧ A"  ∧ OWN
.v Notation R := (P -> Q).⏎Lemma t (P Q : Prop) : R.  R OWN
.v Notation "'R'" := (P -> Q).⏎Lemma t (P Q : Prop) : R.  R OWN
.lean local notation "R" => p → q⏎example (p q : Prop) : R  R OWN
.thy definition R :: bool where "R = (A ∧ B)"⏎lemma "R ⟶ A"  R is defined in this file
.thy abbreviation "R ≡ A ∧ B"⏎lemma "R ⟶ A"  R is defined in this file
.md - A → B (if C)  this sentence says more
.md - Assume: A → B  this sentence says more
.md - assuming the axiom: A → B  this sentence says more
.tex Show that not $A \lor B$.  this sentence says more
.tex $A \to B$, where $A$ is absurd.  this sentence says more
.v Lemma t : (forall P : Prop, P) -> False.  this quantifier cannot be pulled to the front
.v Lemma t : forall t s, t ==> s -> t.  ==> is no connective of propositions
.v Lemma t : forall n, n + 0 = n.  + is no connective of propositions
.lean theorem t (p : Prop) : f p  f takes an argument
.lean theorem t (p : Prop) : Or p p  Or stands before its formulas; write ∨ between them
.v Example c := 3.  it does not say what it states
.lean theorem t? : |x| = x  it does not say what it states
.lean theorem t (x : α) : p  x is of type α
.thy lemma "c % s ⟹ (⋀u. c)"  % is no connective of propositions
.tex \begin{align} A &\leftrightarrow B \lor C \\ &\leftrightarrow C \lor B \end{align}  each row of this chain
.tex $A \to B^A$  ^ raises what is behind it in LaTeX; write \land for and
.lean theorem «or».t : S.A  S.A is not declared as a proposition
"""
"""The ending of a file, what stands in it (⏎ ends a line), and why it is passed over: MANY are 201 names."""
AGAIN = "A is declared again, and a hypothesis speaks of the first A"
OWN = "is given a meaning of its own in line 1"


@pytest.mark.parametrize("row", PASSED_OVER.strip().split("\n"))
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
