"""Reading `.p` problems: what they may look like, and where an error points."""

import pytest

from curricula.lemma import Problem, Status
from curricula.library import short_name
from curricula.place import SourceError
from curricula.tptp import ProblemFile, read_problem
from tactics.errors import InputError
from tactics.formula import Atom

p, q = Atom("p"), Atom("q")


def read(text: str) -> ProblemFile:
    return read_problem(text, "here.p", "here")


def test_axioms_hypotheses_and_the_conjecture_make_a_chain() -> None:
    problem = read("fof(a, axiom, (p => q)). fof(b, hypothesis, p). fof(c, conjecture, (q)).")
    assert problem.problem == Problem((p >> q, p), q)
    assert problem.lemma("here.p").formula is (p >> q) >> (p >> q)


@pytest.mark.parametrize(
    "text",
    [
        "fof(c,conjecture,(p=>q)).",
        "  fof ( c , conjecture , p => q )  .  ",
        "fof('a name', conjecture,\n\n( p % why\n => /* not ).\n */ q\n)\n).% the end",
        "% fof(x, conjecture, (r)).\nfof(1,conjecture,'p' => 'q').",
        "/* fof( */ fof(c, conjecture, (p => q), inference(guess, [status(thm)], ['a.b']), [x, y(!)]).",
        "fof(c, conjecture, q <= p).",
        "fof(c, conjecture, ((((p))) => q)).",
    ],
)
def test_space_comments_quotes_and_annotations_do_not_matter(text: str) -> None:
    assert read(text).problem == Problem((), p >> q)


@pytest.mark.parametrize(
    ("header", "name", "status"),
    [
        ("% File     : SYJ203+1.003 : ILTP v1.1.2\n% Status (intuit.) : Theorem\n", "SYJ203.3", Status.THEOREM),
        ("% File     : SYN001+1 : ILTP v1.1.2\n% Status (intuit.) : Non-Theorem\n", "SYN001", Status.NON_THEOREM),
        ("% Status : Theorem\n% Status (intuit.) : Unsolved\n", "here", None),
        ("% Status : Theorem\n", "here", None),
    ],
)
def test_name_and_status_come_from_the_header(header: str, name: str, status: Status | None) -> None:
    problem = read(header + "fof(c, conjecture, (p)).")
    assert (problem.name, problem.status) == (name, status)


@pytest.mark.parametrize(("long", "short"), [("syj203+1.020", "SYJ203.20"), ("SYN001+2", "SYN001+2"), ("lesson",) * 2])
def test_short_names(long: str, short: str) -> None:
    assert short_name(long) == short


def test_only_members_of_the_families_have_a_level() -> None:
    text = "% File : {}\nfof(c, conjecture, (p))."
    assert read(text.format("SYJ203+1.003")).lemma("x").level == 3
    assert read(text.format("SYN007+1.014")).lemma("x").level is None


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("% head\nfof(a, axiom,\n  (p => )).\nfof(c, conjecture, (q)).", 3, 9, "a formula is expected here"),
        ("fof(a, axiom, (p\n  &\n  % p q\n q r)).", 4, 4, "a connective or the end is expected here"),
        ("fof(a, axiom, (p & (q)).\nfof(c, conjecture, (q)).", 1, 24, "a closing bracket is missing before this"),
        ("fof(a, axiom, (p))).\n", 1, 19, ". is expected here, after the ) that closes fof("),
        ("fof(a, axiom, (p))", 1, 19, ". is expected here"),
        ("fof(a, axiom, (p", 1, 17, "a closing bracket is missing"),
        ("fof(a axiom, (p)).", 1, 7, ", is expected here, after the name, not axiom"),
        ("\n  fof(a, axiom, (p)).", 2, 22, "no conjecture"),
        ("fof(a, conjecture, (p)).\nfof(b, conjecture, (q)).", 2, 8, "second conjecture"),
        ("fof(a, negated_conjecture, (p)).", 1, 8, "the role negated_conjecture is not understood"),
        ("fof(a, conjecture, (! [X] : p(X))).", 1, 21, "without quantifiers"),
        ("fof(a, conjecture, (p(a) => q)).", 1, 21, "p has arguments"),
        ("fof(a, conjecture, ('p' (a) => q)).", 1, 21, "'p' has arguments"),
        ("fof(a, conjecture, (a = b)).", 1, 23, "= does not belong to propositional TPTP; write ~ & | => <=>"),
        ("fof(a, conjecture, (a -> b)).", 1, 23, "-> does not belong"),
        ("fof(a, conjecture, (a && b)).", 1, 23, "&& does not belong"),
        ("fof(a, conjecture, (a ∨ b)).", 1, 23, "∨ does not belong"),
        ("fof(a, conjecture, [a & b]).", 1, 20, "[ does not belong"),
        ("fof(a, conjecture, (a <== b)).", 1, 23, "<== does not belong"),
        ("fof(a, conjecture, (A => A)).", 1, 21, "A does not belong to propositional TPTP; write a small word"),
        ("fof(a, conjecture, (forall p, p)).", 1, 21, "forall does not belong"),
        ("fof(a, conjecture, (a v b)).", 1, 23, "a connective or the end is expected here, not v"),
        ("fof(a, conjecture, (not a)).", 1, 25, "a connective or the end is expected here, not a"),
        ("fof(a, conjecture, (a & b | c)).", 1, 27, "& and | side by side need brackets in TPTP"),
        ("fof(a, axiom, (p)).\ncnf(b, axiom, (p)).", 2, 1, "not cnf"),
        ("include('Axioms/SYN000+0.ax').", 1, 1, "include is not understood"),
        ("p => p", 1, 1, "fof(name, role, (formula)). is expected here, not p"),
        ("", 1, 1, "no conjecture"),
    ],
)
def test_an_error_points_at_its_line_and_column_in_the_file(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert words in caught.value.message
    assert str(caught.value).startswith(f"here.p, line {line}, column {column}: ")
    assert isinstance(caught.value, InputError)


def test_deep_nesting_is_read() -> None:
    depth = 20_000
    problem = read(f"fof(c, conjecture, {'(' * depth}p{')' * depth}).").problem
    assert problem.conjecture is p
