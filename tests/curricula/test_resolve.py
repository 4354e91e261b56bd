"""Everything a person may type for a curriculum or a lemma."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import Curriculum, catalogue, complete, parse_levels, resolve, resolve_lemma
from curricula.families import FAMILIES
from curricula.lemma import LONGEST_NAME
from curricula.levels import show_levels
from curricula.sheet import read_typed
from oasis.teacher.deciding.decide import decide
from tactics.errors import InputError
from tactics.formula import Atom
from tactics.parser import AmbiguousFormula, NotPropositional
from tactics.tokens import FormulaSyntaxError
from tests.thorough import thoroughly

A, B = Atom("A"), Atom("B")


def names(curriculum: Curriculum) -> list[str]:
    return [lemma.name for lemma in curriculum.lemmas]


@pytest.mark.parametrize(
    ("text", "count", "first", "last"),
    [
        ("thesis", 6, "thesis/41", "thesis/46"),
        ("textbook", 54, "textbook/identity", "textbook/implication_to_or"),
        ("choices", 36, "choices/bystander", "choices/hand_in_hand"),
        ("iltp", 274, "SYJ201.1", "SYN978"),
        ("SYJ203", 20, "SYJ203.1", "SYJ203.20"),
        ("iltp/SYJ203", 20, "SYJ203.1", "SYJ203.20"),
        ("ILTP/syj212", 20, "SYJ212.1", "SYJ212.20"),
        ("random", 20, "random/1", "random/20"),
        ("random:count=3,size=4", 3, "random:size=4/1", "random:size=4/3"),
    ],
)
def test_a_curriculum_is_found_by_name(text: str, count: int, first: str, last: str) -> None:
    found = names(resolve(text))
    assert (len(found), found[0], found[-1]) == (count, first, last)
    assert len(set(found)) == count


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SYJ203.3", "SYJ203.3"),
        ("SYJ203+1.003", "SYJ203.3"),
        ("iltp/syj203+1.003", "SYJ203.3"),
        ("SYJ203.003", "SYJ203.3"),
        ("SYJ203.77", "SYJ203.77"),
        ("Thesis/43", "thesis/43"),
        ("TEXTBOOK/AND_COMM", "textbook/and_comm"),
        (" syn001+1 ", "SYN001"),
        ("iltp/SYN001", "SYN001"),
        ("SYN007+1.014", "SYN007.14"),
        ("random/7", "random/7"),
        ("random:seed=3,size=8/2", "random:size=8,seed=3/2"),
    ],
)
def test_a_lemma_is_found_by_name(text: str, name: str) -> None:
    assert resolve_lemma(text).name == name
    assert names(resolve(text)) == [name]


@pytest.mark.parametrize("text", ["thesis", "textbook", "choices", "iltp", "random:size=5,kind=theorem,seed=2"])
def test_the_name_of_a_lemma_leads_back_to_it(text: str) -> None:
    for lemma in resolve(text).lemmas:
        assert resolve_lemma(lemma.name) == lemma


@pytest.mark.parametrize(
    "text", ["A /\\ B -> B /\\ A", "A/\\B->B/\\A", "forall A B : Prop, A /\\ B -> B /\\ A", "A∧B→B∧A", "A & B => B & A"]
)
def test_a_lemma_may_be_typed(text: str) -> None:
    lemma = resolve_lemma(text)
    assert lemma.formula is (A & B) >> (B & A)
    assert (lemma.name, lemma.status, lemma.source) == (text, None, "typed")
    assert resolve_lemma(lemma.name) == lemma


def test_a_typed_lemma_may_have_a_name() -> None:
    assert resolve_lemma("Lemma id : A -> A.").name == "id"
    assert resolve_lemma("id : A ->\n  A").formula is A >> A


@given(st.text("Ap ->(*%\t\n\x1b\x85\u200b\u2028:'"), st.sampled_from(["", "id : ", "x" * 1200 + " : "]), st.booleans())
def test_every_name_is_one_printable_line_that_is_never_too_long(comment: str, name: str, is_long: bool) -> None:
    formula = " -> ".join(["A"] * (400 if is_long else 2))
    text = f"{name}{formula} (*{comment} *)"
    found = resolve_lemma(text).name
    assert found.isprintable() and 0 < len(found) <= LONGEST_NAME
    assert found.startswith(name[:400].removesuffix(" : ") or "A -> A")


def test_files_and_directories_are_found(tmp_path: Path) -> None:
    lesson = tmp_path / "first lesson.txt"
    lesson.write_text("A -> A\nid : B -> B\n")
    (tmp_path / "x.p").write_text("fof(c, conjecture, (a => a)).")
    assert names(resolve(str(lesson))) == ["first lesson:1", "id"]
    assert names(resolve(str(tmp_path / "x.p"))) == ["x"]
    assert names(resolve(str(tmp_path))) == ["x"]
    assert resolve_lemma(f"{lesson}/id").formula is B >> B
    with pytest.raises(InputError, match=r"first lesson\.txt has no lemma called other; it starts with first lesson:1"):
        resolve(f"{lesson}/other")


def test_a_known_name_wins_over_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("thesis").write_text("A -> A\nB -> B\n")
    assert len(resolve("thesis").lemmas) == 6
    assert len(resolve("./thesis").lemmas) == 2
    with pytest.raises(InputError, match=r"thesis has 6 lemmas .* as in thesis/41$"):
        resolve_lemma("thesis")
    with pytest.raises(InputError, match=r"thesis has 2 lemmas .* as in thesis/thesis:1$"):
        resolve_lemma("./thesis")


def test_a_list_of_names_and_files_is_one_curriculum(tmp_path: Path) -> None:
    found = resolve("SYJ202.2, thesis/43,syj205+1.002")
    assert (found.name, names(found)) == ("SYJ202.2,thesis/43,SYJ205.2", ["SYJ202.2", "thesis/43", "SYJ205.2"])
    (tmp_path / "week.lemmas").write_text("swap: A /\\ B -> B /\\ A\n")
    assert names(resolve("thesis/41,week.lemmas", folder=tmp_path)) == ["thesis/41", "swap"]
    of_two = ["SYJ202.2", "SYJ202.3", "SYJ205.2", "SYJ205.3"]
    assert names(resolve("SYJ202,SYJ205", levels=parse_levels("2-3"))) == of_two
    with pytest.raises(InputError, match=r"here one is needed; name one, as in SYJ202\.2"):
        resolve_lemma("SYJ202.2,SYJ205.2")


def test_what_has_a_comma_and_is_no_list_stays_what_it_is(tmp_path: Path) -> None:
    assert resolve_lemma("forall p q, p -> q -> p").formula == resolve_lemma("p -> q -> p").formula
    assert len(resolve("random:count=3,size=4").lemmas) == 3
    (tmp_path / "thesis,course.lemmas").write_text("p -> p\n")
    assert len(resolve("thesis,course.lemmas", folder=tmp_path).lemmas) == 1


def test_standard_input_is_read_when_it_is_offered() -> None:
    assert names(resolve("-", stdin=lambda: "A -> A\nid : B -> B\n")) == ["stdin:1", "id"]
    problem = resolve_lemma("-", stdin=lambda: "% a problem\n fof (c, conjecture, (a)).")
    assert (problem.name, problem.formula) == ("stdin", Atom("a"))
    with pytest.raises(InputError, match="standard input has no lemmas in it"):
        resolve("-", stdin=lambda: "")
    with pytest.raises(InputError, match="Standard input cannot be read here"):
        resolve("-")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thesos", "did you mean thesis, "),
        ("and_comm", "did you mean textbook/and_comm\\?"),
        ("detour", "did you mean choices/detour\\?"),
        ("pierce", "did you mean textbook/peirce"),
        ("thesis/47", "did you mean thesis/46"),
        ("xyzzy", "called xyzzy; see oasis curricula list"),
        ("lessons/week1.p", "file called lessons/week1.p"),
        ("my lessons.txt", "file called my lessons.txt"),
        ("SYJ203.0", "choose a level of SYJ203 from 1 to 1000"),
        ("SYJ203.1001", "choose a level of SYJ203 from 1 to 1000"),
        ("SYJ202.101", "choose a level of SYJ202 from 1 to 100"),
        ("SYJ203." + "9" * 5000, "There is no lemma"),
        ("random/0", "the first one is random/1"),
        ("random:size=0", "size=0 is out of range"),
        ("", "nothing was given"),
        ("SYJ202.2,SYJ999.1", "called SYJ999.1;"),
        ("thesis/43,thesis", "The lemma thesis/43 is there twice; leave one of the two out"),
        ("thesis,", "called thesis,;"),
        ("\0", "There is no lemma"),
        ("x\x1b[31m\x9b\u202ey", r"called x\?\[31m\?\?y;"),  # which does no harm on a terminal
        ("x" * 5000, "There is no lemma"),
        ("course/nowhere", "There is no lemma"),
    ],
)
def test_what_is_not_known_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        resolve(text)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)


@given(st.text(max_size=12))
def test_whatever_is_typed_gives_lemmas_or_an_input_error(text: str) -> None:
    if text.strip() in ("", "-") or os.path.exists(text.strip().replace("\0", "x")):  # noqa: PTH110
        return
    try:
        found = resolve(text)
    except InputError:
        return
    assert found.lemmas


@given(st.sets(st.integers(1, 1000), min_size=1))
def test_levels_are_parsed_however_they_are_written_and_as_they_are_shown(levels: set[int]) -> None:
    assert parse_levels(",".join(map(str, levels))) == parse_levels(show_levels(levels)) == tuple(sorted(levels))
    first, last = min(levels), max(levels)
    assert parse_levels(f" {first} - {last} ") == tuple(range(first, last + 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names no levels"),
        ("a", "names no levels"),
        ("1,,2", "names no levels"),
        ("-3", "names no levels"),
        ("0", "Levels run from 1 to 1000"),
        ("1-999999999", "Levels run from 1 to 1000"),
        ("3-1", "write 1-3"),
    ],
)
def test_levels_that_make_no_sense_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_levels(text)


@pytest.mark.parametrize(
    ("text", "levels", "expected"),
    [
        ("thesis", "1-3", ["thesis/41", "thesis/42", "thesis/43"]),
        ("thesis", "6-9", ["thesis/46"]),
        ("SYJ203", "21-22", ["SYJ203.21", "SYJ203.22"]),
        ("SYJ203.3", "2-4", ["SYJ203.3"]),
        ("SYN007.14", "1,none", ["SYN007.14"]),
        ("SYN001,SYJ203", "none, 2", ["SYN001", "SYJ203.2"]),
    ],
)
def test_levels_select_lemmas(text: str, levels: str, expected: list[str]) -> None:
    assert names(resolve(text, levels=parse_levels(levels))) == expected


def test_levels_of_iltp_leave_every_problem_without_a_level_out_unless_asked() -> None:
    lemmas = resolve("iltp", levels=(1, 2)).lemmas
    assert [lemma.name for lemma in lemmas] == [f"{name}.{n}" for name in FAMILIES for n in (1, 2)]
    assert len(resolve("iltp", levels=(1, 2, None)).lemmas) == 24 + 34


@pytest.mark.slow
def test_the_catalogue_tells_how_many_lemmas_there_are() -> None:
    for entry in catalogue():
        curriculum = resolve(entry.name)
        assert (len(curriculum.lemmas), curriculum.description) == (entry.lemmas, entry.description)


def test_completion() -> None:
    assert "thesis" in complete("")
    assert complete("th") == ["thesis"]
    assert complete("THESIS/") == [f"thesis/{number}" for number in range(41, 47)]
    assert complete("textbook/double_negation_p") == ["textbook/double_negation_peirce"]
    assert complete("syj203.2") == ["SYJ203.2", "SYJ203.20"]
    assert "iltp/SYJ203" in complete("iltp/")
    assert complete("nothing") == []


@pytest.mark.parametrize("prefix", ["thesis/", "textbook/", "SYN", "iltp/LCL", *thoroughly("", "SYJ2")])
def test_every_completion_is_a_name(prefix: str) -> None:
    for name in complete(prefix):
        assert resolve(name).lemmas


def test_names_of_files_begin_in_the_folder_that_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "own.lemmas").write_text("self : A -> A\nswap : A /\\ B -> B /\\ A\n")
    monkeypatch.chdir(tmp_path)
    assert len(resolve("own.lemmas", folder=folder).lemmas) == 2
    assert resolve("own.lemmas/swap", folder=folder).lemmas[0].name == "swap"
    assert resolve(str(folder / "own.lemmas"), folder=tmp_path / "elsewhere").lemmas
    assert resolve("thesis", folder=folder).name == "thesis"
    with pytest.raises(InputError):
        resolve("own.lemmas")


@pytest.mark.parametrize("text", ["False", "p/\\q -> p", "~p", "(p)", "⊤", "id : A -> A", "$true"])
def test_what_reads_as_a_lemma_is_one_despite_files(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(text.partition("/")[0]).write_text("B -> B")
    assert resolve_lemma(text).formula is read_typed(text).formula


@pytest.mark.parametrize("name", ["False", "lessons/one", "one.txt"])
def test_files_are_named_by_slash_ending_or_prefix(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lessons").mkdir()
    Path(name).write_text("own : B -> B")
    for text in ("./False" if name == "False" else name, f"file:{name}"):
        assert resolve_lemma(text).formula is B >> B
        assert resolve_lemma(f"{text}/own").formula is B >> B


def test_the_bare_name_of_a_file_is_refused_with_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("week").write_text("A -> A")
    with pytest.raises(InputError, match=r"called week; write \./week for the file of this name; see oasis"):
        resolve("week")
    assert len(resolve("./week").lemmas) == 1
    with pytest.raises(InputError, match=r"called file:weak; see oasis curricula list"):
        resolve("file:weak")


# What people type is what is decided: texts of courses and provers, each with the verdict of its own notation.

LINES = Path(__file__).with_name("typed.txt").read_text(encoding="utf-8").splitlines()
TYPED = [line.split(": ", 1) for line in LINES if not line.startswith("# ")]


@pytest.mark.parametrize(("verdict", "text"), TYPED)
def test_what_is_typed_is_what_is_decided(verdict: str, text: str) -> None:
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
