"""The parser: three notations, Coq's precedences, errors that point at the place, and no limit on nesting."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, equivalence, negation, subformulas
from tactics.parser import AmbiguousFormula, FormulaSyntaxError, parse
from tactics.printer import NOTATIONS, Notation, show
from tactics.reading import read
from tests.strategies import formulas
from tests.thorough import examples

A, B, C, D, E = (Atom(name) for name in "ABCDE")

SPELLINGS = [
    (A, ["A"]),
    (FALSE, ["False", "$false", "⊥"]),
    (TRUTH, ["True", "$true", "⊤"]),
    (~A, ["~A", "¬A"]),
    (~~A, ["¬ ~A"]),
    (A & B, ["A /\\ B", "A & B", "A && B", "A ∧ B", "'A' & 'B'"]),
    (A | B, ["A \\/ B", "A | B", "A || B", "A ∨ B"]),
    (A >> B, ["A -> B", "A => B", "A → B", "A ⇒ B"]),
    (equivalence(A, B), ["A <-> B", "A <=> B", "A ↔ B", "A ⇔ B"]),
    (B >> A, ["A <= B", "A ⇐ B", "A ← B"]),
    (~equivalence(A, B), ["A <~> B"]),
    (~(A | B), ["A ~| B"]),
    (~(A & B), ["A ~& B"]),
]
EVERY_SPELLING = [
    *((text, formula) for formula, texts in SPELLINGS for text in texts),
    (r"'x\'' & p_1", Atom("x'") & Atom("p_1")),
    ("False' -> Trueish", Atom("False'") >> Atom("Trueish")),
    (r"\lnot A \land B \lor \bot", (~A & B) | FALSE),
    (r"$A \to (B \leftrightarrow \top)$", A >> equivalence(B, TRUTH)),
    (r"\left( \neg{A} \vee B \right) \Rightarrow C", (~A | B) >> C),
    (r"A \<and> B \<longrightarrow> \<not> C", (A & B) >> ~C),
    ("A --> B ==> C", (A >> B) >> C),
    ("A ⟶ B ⟹ C ⟷ D", (A >> B) >> equivalence(C, D)),
    ("[A ⊃ {!B}] ^ A", (A >> ~B) & A),
    ("A and not B or C implies D", ((A & ~B) | C) >> D),
    ("not (A iff B) OR A v C", ~equivalence(A, B) | (A | C)),
    ("A and B implies B or A", (A & B) >> (B | A)),
    ("(A implies B) and B implies B", ((A >> B) & B) >> B),
    ("and -> or & not", Atom("and") >> (Atom("or") & Atom("not"))),
    ("&not;A &rarr; B &#8743; C &amp; D", ~A >> (B & (C & D))),
    ("A -&gt; B", A >> B),
    ("false -> 'false' | FALSE & bot", FALSE >> (Atom("false") | (FALSE & FALSE))),
    ("_|_ -> true & top", FALSE >> (TRUTH & TRUTH)),
    ("forall false bot, false -> bot", Atom("false") >> Atom("bot")),
    ("~A -> forall B C : Prop, A -> B /\\ C", ~A >> (A >> (B & C))),
    ("(forall A, A -> A) /\\ (forall A B, A -> B)", (A >> A) & (A >> B)),
    ("forall (A B : Prop) {C : Prop} (h k : A -> B), C", (A >> B) >> ((A >> B) >> C)),
    ("∀A. ∀B. A ∧ B", A & B),
    ("⋀A B. A ⟹ A ⋀ B", A >> (A & B)),
    ("∀ ⦃A : Prop⦄ {B}, A → ⦃B⦄", A >> B),
    ("A −> B –> C —> ⟂", A >> (B >> ~C)),
    ("(A <−> B) & (B <–> C) & (C <—> D)", equivalence(A, B) & (equivalence(B, C) & equivalence(C, D))),
    ("（～A）｜（B －＞ C）", ~A | (B >> C)),
    ("\ufeffA\u200e \u2060∧\ufe0f\u00ad B", A & B),
    (r"\varphi_1 \to p_{1} \to \psi", Atom("φ_1") >> (Atom("p_1") >> Atom("ψ"))),
    ("&alpha; &rarr; &phi;", Atom("α") >> Atom("φ")),
    ("falsum -> verum", FALSE >> TRUTH),
    ("(A ← B) → A", (B >> A) >> A),
    ("A ← B → A", (B >> A) >> A),
]


# How Coq 8.16 reads the text on the left; more that is read as it is shown stands with the printer.
COQ_READS = [
    ("A \\/ B /\\ C", A | (B & C)),
    ("A -> B /\\ C -> D", A >> ((B & C) >> D)),
    ("~ (A -> B)", ~(A >> B)),
    ("A <-> B -> C", equivalence(A, B) >> C),
    ("A /\\ B <-> C \\/ D", equivalence(A & B, C | D)),
    ("A <-> (B <-> C)", equivalence(A, equivalence(B, C))),
    ("A -> B <-> C -> D", A >> (equivalence(B, C) >> D)),
    ("A \\/ B /\\ ~ C -> D <-> E", (A | (B & ~C)) >> equivalence(D, E)),
]


@pytest.mark.parametrize(("text", "formula"), [*EVERY_SPELLING, *COQ_READS])
def test_every_spelling_of_a_connective_is_read_and_precedences_are_those_of_coq(text: str, formula: Formula) -> None:
    assert parse(text) is formula


@pytest.mark.parametrize("operator", ["<=", "<~>", "~|", "~&", "<=>"])
def test_the_extras_of_tptp_bind_as_equivalence_does(operator: str) -> None:
    assert parse(f"A | B {operator} ~ C & D") is parse(f"(A | B) {operator} ((~ C) & D)")


@pytest.mark.parametrize(
    ("text", "column", "readings"),
    [
        ("p → q ↔ ¬p ∨ q", 7, ("p → (q ↔ ¬p ∨ q)", "(p → q) ↔ ¬p ∨ q")),
        ("a ↔ b → c", 7, ("(a ↔ b) → c", "a ↔ (b → c)")),
        ("a → b ↔ c → d", 7, ("a → (b ↔ c) → d", "(a → b) ↔ (c → d)")),
        ("(x & a -> b <=> c)", 13, (r"x /\ a -> (b <-> c)", r"(x /\ a -> b) <-> c")),
        ("a <-> b <-> c", 9, ("a <-> (b <-> c)", "(a <-> b) <-> c")),
        ("a => b => a", 8, ("a -> b -> a", "(a -> b) -> a")),
        ("a implies b iff c", 13, ("a -> (b <-> c)", "(a -> b) <-> c")),
        (r"a \to b \leftrightarrow c", 9, ("a -> (b <-> c)", "(a -> b) <-> c")),
        ("p ==> q <=> r", 9, ("p -> (q <-> r)", "(p -> q) <-> r")),  # HOL Light's implication
        ("p ⟺ q ⟹ r", 7, ("(p ↔ q) → r", "p ↔ (q → r)")),
        ("a → b ⇒ c", 7, ("a → b → c", "(a → b) → c")),
        ("a ⊃ b → c", 7, ("a → b → c", "(a → b) → c")),  # Gentzen's sequent
        (r"a \to b \implies c", 9, ("a -> b -> c", "(a -> b) -> c")),
        ("a → b and c → d", 7, ("a → b ∧ c → d", "(a → b) ∧ (c → d)")),
        ("a and b → c", 9, ("a ∧ b → c", "a ∧ (b → c)")),
        ("a -> b implies c", 8, ("a -> b -> c", "(a -> b) -> c")),
        ("a implies b and c implies d", 19, (r"a -> b /\ c -> d", r"(a -> b) /\ (c -> d)")),
        ("a implies b or c and c implies d", 24, (r"a -> b \/ c /\ c -> d", r"(a -> b) \/ c /\ (c -> d)")),
        ("a <= b <= c", 8, ("(c -> b) -> a", "c -> b -> a")),
    ],
)
def test_text_with_two_readings_is_refused_with_both(text: str, column: int, readings: tuple[str, str]) -> None:
    with pytest.raises(AmbiguousFormula) as refusal:
        parse(text)
    assert (refusal.value.column, refusal.value.readings) == (column, readings)
    assert refusal.value.message.endswith(f"add brackets: {readings[0]} or {readings[1]}")
    first, second = map(parse, readings)
    assert first is not second
    assert refusal.value.within(f"  {text}", 2).column == column + 2


@pytest.mark.parametrize(
    "text",
    [
        "forall A B : Prop, A /\\ B",
        "forall A B, A /\\ B",
        "forall (A : Prop) (B : Prop), A /\\ B",
        "forall (A B : Prop), A /\\ B",
        "∀ A B : Prop, A ∧ B",
        "∀A,∀B,A∧B",
        "forall A B C : Prop, A /\\ B",
        "A & B .\n",
        "  A\t&\r\n B  ",
        "% a comment\nA & B % another )",
        "A /* one ) \n two */ & B",
        "(* Coq's ) *) A (* *) & B (* .\n *)",
    ],
)
def test_a_quantifier_in_front_white_space_comments_and_a_last_dot_change_nothing(text: str) -> None:
    assert parse(text) is And(A, B)


# Text, line, column, and words of the message.
WRONG = [
    ("", 1, 1, "a formula is expected here, not the end of the text"),
    (".", 1, 2, "a formula is expected here, not the end of the text"),
    ("A ->", 1, 5, "a formula is expected here, not the end of the text"),
    ("A ->\n\n  ", 1, 5, "a formula is expected here, not the end of the text"),
    ("-> A", 1, 1, "a formula is expected here, not ->"),
    ("A -> /\\ B", 1, 6, "a formula is expected here, not /\\"),
    ("A B", 1, 3, "a connective or the end is expected here, not B"),
    ("A ~ B", 1, 3, "a connective or the end is expected here, not ~"),
    ("A. B", 1, 2, "a connective or the end is expected here, not ."),
    ("A, B", 1, 2, "a connective or the end is expected here, not ,"),
    ("A -> (B & (C)", 1, 6, "this ( is never closed; add a )"),
    ("(A -> B)) -> C", 1, 9, "this ) closes nothing; remove it or add a ( before it"),
    ("A &\nB |\n  ?", 3, 3, "? has no meaning in a formula"),
    ("A /* two\nlines */ B", 2, 10, "a connective or the end is expected here, not B"),
    ("A & 'p 1'", 1, 5, "'p 1' cannot name an atom"),
    ("A & Prop", 1, 5, "'Prop' cannot name an atom"),
    ("A | forall B : Prop, B", 1, 5, "this quantifier cannot be pulled to the front"),
    ("(forall A, A) -> B", 1, 2, "this quantifier cannot be pulled to the front"),
    ("~ (A -> forall B, B)", 1, 9, "this quantifier cannot be pulled to the front"),
    ("A -> forall A, A", 1, 13, "A stands outside of its quantifier, too; rename one of the two"),
    ("(A -> forall B, B) /\\ B", 1, 23, "B stands outside of its quantifier, too; rename one of the two"),
    ("A -> (B & C]", 1, 12, "( is closed with ), not ]"),
    ("A + B", 1, 3, "+ has no meaning in a formula; write \\/ for or"),
    ("(A -> B)%type -> A", 1, 9, "% has no meaning in a formula; write a blank before the % of a comment"),
    ("∼A", 1, 1, "∼ has no meaning in a formula; write ~ for not"),
    ("A ⊕ B", 1, 3, "⊕ has no meaning in a formula; write ~ (A <-> B)"),
    ("A &rarr; &lt;", 1, 10, "< has no meaning in a formula"),
    ("A ≢ B", 1, 3, "≢ has no meaning in a formula; write ~ (A <-> B)"),
    ("A != B", 1, 3, "!= has no meaning in a formula; write ~ (A <-> B)"),
    ("A <- B", 1, 3, "<- has no meaning in a formula; write B -> A"),
    ("A |= B", 1, 3, "|= has no meaning in a formula; write |- for a sequent"),
    ("A ⋅ B", 1, 3, "⋅ has no meaning in a formula; write /\\ for and"),
    ("A ⇏ B", 1, 3, "⇏ has no meaning in a formula; write ~ around what it denies"),
    ("A ➔ B", 1, 3, "➔ has no meaning in a formula; write -> for implication"),
    ("A -> -B", 1, 6, "- has no meaning in a formula; write ~ for not, or -> for implication"),
    ("A̅", 1, 2, "̅ has no meaning in a formula; write ~ for not"),
    ("A’ -> A", 1, 2, "’ has no meaning in a formula; write no quotation marks, and ' for a prime"),
    ("A \\oplus B", 1, 3, "\\oplus has no meaning in a formula; write ~ (A <-> B)"),
    ("A &oplus; B", 1, 3, "⊕ has no meaning in a formula; write ~ (A <-> B)"),
    ("\\overline{A}", 1, 1, "\\overline has no meaning in a formula; write ~ for not"),
    ("A xor B", 1, 3, "a connective or the end is expected here, not xor; write ~ (A <-> B)"),
    ("if A then B", 1, 4, "a connective or the end is expected here, not A; write A -> B for if A then B"),
    ("and A B", 1, 5, "a connective or the end is expected here, not A; write and between its two sides"),
    ("A \u202e-> B", 1, 3, "U+202E (RIGHT-TO-LEFT OVERRIDE) changes the order in which signs are shown; delete it"),
    ("A \0-> B", 1, 3, "U+0000 has no meaning in a formula"),
    ("∃ A, A", 1, 1, "∃ has no meaning in a formula; write no quantifier but forall over propositions"),
    ("exists A, A", 1, 8, "a connective or the end is expected here, not A; write no quantifier but forall"),
    ("∀A (A → A)", 1, 5, "A is quantified twice; leave one out, or end the names with a comma: ∀A, …"),
    ("∀x (P(x) → Q)", 1, 6, "this bracket of the quantifier must be closed with ), or the names ended with a comma"),
    (
        "p q : Prop\nh : p\n⊢ p",
        1,
        3,
        "a connective or the end is expected here, not q; write a goal in one line, as h : A",
    ),
    ("A \\to~B", 1, 6, "~ is a space in LaTeX; write \\lnot for not, or leave it out"),
    ("~\\alpha", 1, 1, "~ is a space in LaTeX"),
    ("forall v A B, A v B", 1, 17, "a connective or the end is expected here, not v"),
    ("forall A : Prop, A & B", 1, 22, "B is not bound by the quantifier; add it there"),
    ("forall A B A : Prop, A", 1, 12, "A is quantified twice; leave one out"),
    ("∀ p : ∀ p : A, A, A", 1, 7, "a premise among a quantifier's names has no quantifier"),
    ("forall A : nat, A", 1, 12, "only propositions can be quantified here: write forall A B : Prop"),
    ("forall A : Prop A -> A", 1, 17, "a comma is needed here: forall A B : Prop"),
    ("forall (A : Prop) B -> A", 1, 21, "the quantifier needs names and a comma: forall A B : Prop"),
    ("forall A : Prop, Prop", 1, 18, "'Prop' cannot name an atom"),
    ("forall Prop : Prop, A", 1, 8, "the quantifier needs names and a comma: forall A B : Prop"),
    ("forall , False", 1, 8, "the quantifier needs names and a comma: forall A B : Prop"),
    ("forall A, forall, A", 1, 17, "the quantifier needs names and a comma: forall A B : Prop"),
    ("forall (A : Prop, A", 1, 17, "this bracket of the quantifier must be closed with )"),
    ("forall A : Prop,", 1, 17, "a formula is expected here, not the end of the text"),
    ("A & (* never closed", 1, 5, "this comment is never closed; close it or remove it"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG)
def test_an_error_says_what_is_wrong_and_where(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormulaSyntaxError) as refusal:
        parse(text)
    error = refusal.value
    assert isinstance(error, InputError)
    assert error.message.startswith(message)
    assert (error.line, error.column) == (line, column)
    assert error.position == sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1
    place = f"line {line}, column {column}" if "\n" in text else f"column {column}"
    assert str(error).startswith(f"{place}: {error.message}\n")
    assert_caret_below_the_place(error)


def assert_caret_below_the_place(error: FormulaSyntaxError) -> None:
    """The last two lines of an error are a piece of its text and a caret that points at the place."""
    shown, caret = str(error).split("\n")[-2:]
    assert caret.strip() == "^"
    line = error.text.split("\n")[error.line - 1].replace("\t", " ")
    assert shown[len(caret) - 1 : len(caret)] == line[error.column - 1 : error.column]
    assert shown[2 : len(caret) - 1].removeprefix("… ") == line[: error.column - 1][-60:]


def assert_place_is_right(error: FormulaSyntaxError) -> None:
    before = error.text[: error.position]
    assert 0 <= error.position <= len(error.text)
    assert (error.line, error.column) == (before.count("\n") + 1, len(before.split("\n")[-1]) + 1)
    assert_caret_below_the_place(error)


def test_an_error_in_a_long_line_shows_what_is_around_it() -> None:
    before, after = "A & " * 1000, " & B" * 1000
    with pytest.raises(FormulaSyntaxError) as refusal:
        parse(f"{before}?{after}")
    assert refusal.value.column == 4001
    assert str(refusal.value).split("\n")[1:] == [
        "  … " + ("A & " * 15) + "?" + (" & B" * 10)[:39] + " …",
        " " * 64 + "^",
    ]


COQ_TOKENS = "A B C False True λ x' p_1 forall Prop : , . ( ) ( ) ~ ~ /\\ \\/ -> <->"
OTHER_TOKENS = "& | => <=> <= <~> ~| ~& $false $true && || 'q' 'q ' ' ¬ ∧ ∨ → ↔ ⊥ ⊤ ∀ ⇒ ⇔"
JUNK = "$ % (* *) /* */ 1 \\ / < - \n \t"
SIGNS = r"false not and v [ } ! ^ --> ==> [| |] ; : |- ⊢ ⊃ \to \lor \<and> &rarr; &#8594; _|_ + = ∃"
TOKENS = [token for tokens in (COQ_TOKENS, OTHER_TOKENS, SIGNS, JUNK) for token in tokens.split(" ")]


@settings(max_examples=examples(1500))
@given(st.one_of(st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join), st.text(max_size=20)))
def test_any_text_is_a_formula_or_an_error_with_its_place(text: str) -> None:
    try:
        formula, _ = read(text)
    except FormulaSyntaxError as error:
        assert_place_is_right(error)
    else:
        assert read(show(formula)).formula is formula


@given(formulas(), st.sampled_from(list(NOTATIONS.values())))
def test_spaces_are_needed_nowhere_between_names_and_connectives(formula: Formula, notation: Notation) -> None:
    assert parse(show(formula, notation).replace(" ", "")) is formula


NESTING = 3_000


@pytest.mark.parametrize(
    ("front", "back", "build"),
    [
        ("~", "", negation),
        ("¬ ", "", negation),
        ("A -> ", "", lambda formula: A >> formula),
        ("(", " -> A)", lambda formula: formula >> A),
        ("A /\\ ", "", lambda formula: A & formula),
        ("A \\/ ", "", lambda formula: A | formula),
    ],
)
def test_connectives_nest_without_limit(front: str, back: str, build: Callable[[Formula], Formula]) -> None:
    formula: Formula = B
    for _ in range(NESTING):
        formula = build(formula)
    assert parse(front * NESTING + "B" + back * NESTING) is formula


def test_brackets_nest_without_limit() -> None:
    assert parse("(" * NESTING + "A" + ")" * NESTING) is A
    with pytest.raises(FormulaSyntaxError, match="never closed") as refusal:
        parse("(" * NESTING + "A" + ")" * (NESTING - 1))
    assert refusal.value.column == 1


def test_nested_equivalences_are_read_in_linear_space() -> None:
    depth = 2000  # SYN007, Pelletier 71, has 28; written out without sharing that is half a billion nodes
    names = [f"p{number}" for number in range(depth)]
    formula = parse(" <=> (".join([*names, names[0]]) + ")" * depth)
    assert formula.size > 2**depth
    # Each link adds an atom at most, two implications and a conjunction.
    assert len(list(subformulas(formula))) <= 4 * depth + 1
