"""Lemmas from lists, files and directories, and one plain sentence for each way in which these can be wrong."""

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import place, resolve, sheet, source
from curricula.files import lemma_line, read_path, read_text
from curricula.lemma import Lemma
from curricula.place import SourceError
from curricula.sheet import read_typed
from tactics.errors import InputError
from tactics.formula import Atom, Formula

A, B = Atom("A"), Atom("B")


def names_and_formulas(lemmas: tuple[Lemma, ...]) -> list[tuple[str, Formula]]:
    return [(lemma.name, lemma.formula) for lemma in lemmas]


def test_a_list_may_be_written_in_several_ways() -> None:
    text = """# a lesson
A -> A

identity : B -> B
Lemma and_comm : A /\\ B -> B /\\ A.
Theorem week-1.2: forall A : Prop, A -> A.
% in other notations
Goal A -> B -> A.
Example or_intro : a => (a | b)
(* until
   the next lesson *)   A → A ∨ B
(* one line *)
"""
    a, b = Atom("a"), Atom("b")
    lemmas = read_text(text, "lesson.txt", stem="lesson").lemmas
    assert names_and_formulas(lemmas) == [
        ("lesson:2", A >> A),
        ("identity", B >> B),
        ("and_comm", (A & B) >> (B & A)),
        ("week-1.2", A >> A),
        ("lesson:8", A >> (B >> A)),
        ("or_intro", a >> (a | b)),
        ("lesson:11", A >> (A | B)),
    ]
    assert lemmas[1].source == "lesson.txt, line 4"
    assert {(lemma.status, lemma.level, lemma.shortest) for lemma in lemmas} == {(None, None, None)}
    # Words that start a lemma in Coq may also be atoms.
    assert names_and_formulas(read_text("Goal -> Fact", "x").lemmas) == [("x:1", Atom("Goal") >> Atom("Fact"))]


@given(st.lists(st.sampled_from(["", "  ", "# note", "% note", "(* note *)", "(* a\n b *)"]), max_size=6))
def test_blank_lines_and_comments_only_shift_the_line_numbers(lines: list[str]) -> None:
    before = "".join(line + "\n" for line in lines)
    (lemma,) = read_text(f"{before}A -> A\n", "x").lemmas
    assert names_and_formulas((lemma,)) == [(f"x:{before.count(chr(10)) + 1}", A >> A)]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_file_is_read_whatever_its_line_ends_and_byte_order_mark(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "lesson.txt"
    path.write_bytes(f"\ufeffA -> A{ending}# note{ending}B → B{ending}".encode())
    curriculum = read_path(path)
    assert curriculum.name == str(path)
    assert names_and_formulas(curriculum.lemmas) == [("lesson:1", A >> A), ("lesson:3", B >> B)]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("A -> A\n\nid : A -> (B", 3, 11, "this ( is never closed"),
        ("A -> A\n  Lemma x : A -> .", 2, 19, "a formula is expected here"),
        ("A -> A\nLemma A -> A.", 2, 1, "Lemma needs a name and a colon"),
        ("A\n(* open\nB", 2, 1, "this comment is never closed"),
        ("(* note *) A B", 1, 14, "a connective or the end is expected here"),
        ("forall n : nat, A", 1, 12, "only propositions can be quantified here"),
    ],
)
def test_an_error_in_a_list_points_at_the_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_text(text, "lesson.txt")
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert words in caught.value.message


PROBLEM = "fof(c, conjecture, (a))."
# What is in a folder, which path is read, and what is said of it.
REFUSED = {
    "two of a name": (
        {"x": "id : A -> A\nother : A\n\nid : B -> B"},
        "x",
        "id is in line 1 and again in line 4; rename",
    ),
    "empty": ({"x": ""}, "x", "x has no lemmas in it"),
    "only notes": ({"x": "# only notes\n(* and more *)\n"}, "x", "x has no lemmas in it"),
    "an empty problem": ({"x.p": ""}, "x.p", "no conjecture in this problem"),
    "missing": ({}, "gone.p", r"There is no file .*gone\.p; check the name"),
    "not text": ({"x": b"A -> A\n\xe9 -> A\n"}, "x", r"x, line 2: this is not UTF-8 text"),
    "no problems": ({"README.txt": ""}, "", "has no problems in it; a directory needs files that end in"),
    "a bad problem": ({"a.p": PROBLEM, "b.p": "fof(c, conjecture, (a b))."}, "", r"b\.p, line 1, column 23: "),
    "one name in two files": ({"1/s.p": PROBLEM, "2/s.p": PROBLEM}, "", r"name s is in .*1/s\.p and again in .*2/s\.p"),
}


def write(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    """Make files with these contents."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize(("contents", "name", "words"), REFUSED.values(), ids=REFUSED)
def test_unusable_files_are_refused(contents: dict[str, str | bytes], name: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, contents)
    with pytest.raises(InputError, match=words):
        read_path(tmp_path / name)


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    # Taking the right to read away would not stop the tests from reading when they run as root.
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        read_path(tmp_path / "secret.txt")


def test_a_directory_is_read_in_natural_order_and_only_its_lemma_files(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("x.10.p", "x.2.p", "b/y.p"), PROBLEM))
    write(tmp_path, {"lesson.lemmas": "A -> A\nid : B -> B\n", "README.txt": "no lemma here"})
    assert [lemma.name for lemma in read_path(tmp_path).lemmas] == ["y", "lesson:1", "id", "x.2", "x.10"]


def test_lemmas_of_files_with_odd_names_have_names_that_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path, {"odd\x1b \n1.lemmas": "A -> A\nB -> B\n", "odd\x1b2.p": PROBLEM})
    write(tmp_path, {"plain.p": f"% File : odd\x1b3\n{PROBLEM}"})
    assert {lemma.name for lemma in read_path(tmp_path).lemmas} == {"odd? 1:1", "odd? 1:2", "odd?2", "odd?3"}


def test_a_text_too_long_to_be_read_is_refused_before_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LARGEST_TEXT", 10**6)
    (tmp_path / "long.lemmas").write_text("A -> A" + " " * 10**6)
    with pytest.raises(InputError, match=r"long\.lemmas is longer than 1 MB, the most that is read at once"):
        resolve(str(tmp_path / "long.lemmas"))
    endless = Path("/dev/zero")
    if endless.exists():
        with pytest.raises(InputError, match="/dev/zero is longer than 1 MB"):
            resolve(str(endless))


def test_more_lemmas_than_can_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MOST_LEMMAS", 3)
    assert len(read_text("A\nB\nC", "list").lemmas) == 3
    with pytest.raises(InputError, match="list has more than 3 lemmas, the most that are read at once; split it"):
        read_text("A\nB\nC\nD", "list")
    write(tmp_path, {"a.lemmas": "A\nB", "b.lemmas": "A\nB"})
    with pytest.raises(InputError, match="has more than 3 lemmas"):
        resolve(str(tmp_path))


@pytest.mark.parametrize("text", ["A\n{}", "fof(c, conjecture, ({}))."])
def test_a_formula_too_long_to_be_read_is_refused_with_its_place(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "LONGEST_FORMULA", 100)
    with pytest.raises(
        SourceError, match=r"list, line \d.*: this formula has \d+ characters, and at most 100 are read"
    ):
        read_text(text.format("~" * 200 + "A"), "list")


@pytest.mark.parametrize(
    ("name", "readable"),
    [("textbook/and_comm", True), ("week-1.2", True), ("Lemma", True), ("lesson:1", False), ("A -> A", False)],
)
def test_a_line_that_is_written_can_be_read_whatever_the_name(name: str, readable: bool) -> None:
    typed = read_typed(lemma_line(name, "forall A : Prop, A -> A"))
    assert typed == (name if readable else None, A >> A, ())
