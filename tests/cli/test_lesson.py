"""`oasis lesson`: a check that says what is wrong, a preview that gives nothing away."""

from pathlib import Path

import pytest

from oasis.classroom.admission import open_classroom
from tests.classroom.people import local
from tests.commands import Oasis

pytestmark = pytest.mark.slow


def write(folder: Path, text: str, name: str = "lesson.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


def test_an_impossible_exercise_is_told_with_its_countermodel(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, 'lemmas = ["textbook/and_comm", "textbook/excluded_middle", "p -> p"]')
    answer = oasis.ran("lesson", "check", "lesson.toml", code=1)
    assert "Error in textbook/excluded_middle: It has no proof; take another lemma, or write theorem" in answer.stdout
    assert "Remark on p -> p: What is to be proved is among its premises; take that premise out" in answer.stdout
    assert "textbook/excluded_middle is not provable, and fails here:" in answer.stdout
    assert "At world 0, p \\/ ~ p is not true" in answer.stdout


def test_the_check_as_json_has_verdicts_optima_and_findings(oasis: Oasis, tmp_path: Path) -> None:
    write(
        tmp_path, 'tactics = ["intro", "assumption"]\nlemmas = ["p -> q -> p", "textbook/or_comm", "textbook/peirce"]'
    )
    content = oasis.json("lesson", "check", "lesson.toml", "--too-long", "2", code=1)
    assert content["lesson"] == "lesson"
    easy, out_of_reach, unprovable = content["exercises"]
    assert (easy["verdict"], easy["moves"], easy["shortest"]) == ("provable", 3, True)
    assert [finding["error"] for finding in easy["findings"]] == [False, False, False]
    assert easy["findings"][-1]["text"] == (
        "Its shortest proof has 3 moves, and that is more than 2; take a smaller lemma, or allow so many by oasis "
        "lesson check --too-long 3."
    )
    assert (out_of_reach["verdict"], out_of_reach["moves"]) == ("not with these tactics", None)
    assert (unprovable["verdict"], len(unprovable["countermodel"])) == ("no proof", 2)


def test_the_preview_has_a_nameless_lemma_once_and_brackets_as_the_classroom_has(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, 'lemmas = ["p -> q -> p", "p -> (q -> p)"]')
    answer = oasis("lesson", "preview", "lesson.toml", "--format", "coq")
    assert answer.stdout.splitlines()[-2:] == ["p -> q -> p", "p -> (q -> p): p -> q -> p"]


def test_the_preview_is_for_one_student_with_letters_of_their_own(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, 'letters = "own"\nlemmas = ["textbook/and_comm", "textbook/or_comm"]')
    ada, grace = (oasis("lesson", "preview", "lesson.toml", "--student", name).stdout for name in ("Ada", "Grace"))
    assert ada != grace
    nobodys, adas = (oasis("lesson", "preview", "lesson.toml", *options) for options in ([], ["--student", "Ada"]))
    assert nobodys.stderr == "Each student has other letters than these; --student NAME shows theirs.\n"
    assert (adas.stdout, adas.stderr) == (ada, "")
    assert oasis("lesson", "preview", "lesson.toml", "--student", "ada").stdout == ada


def test_the_check_says_how_moves_are_made_and_what_is_due_when(oasis: Oasis, tmp_path: Path) -> None:
    own = 'lemma = "last : p -> q -> p"\nmoves = "listed"\ndue = 2030-12-01T18:00:00'
    write(tmp_path, f'lemmas = ["textbook/and_comm", "textbook/or_comm"]\n[[exercise]]\n{own}')
    *_, nothing_due, listed, due = oasis("lesson", "check", "lesson.toml").stdout.splitlines()
    assert (nothing_due, listed) == ("There is no due date.", "last: All moves that apply are listed.")
    assert due == "last: Due 2030-12-01 18:00."
    exercises = oasis.json("lesson", "check", "lesson.toml")["exercises"]
    assert [each["offered"] for each in exercises] == ["point", "point", "listed"]
    assert exercises[-1]["due"].startswith("2030-12-01T18:00:00")


def test_the_check_of_all_lessons_warns_of_what_an_exam_shares_with_them(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, 'title = "Monday"\nlemmas = ["once : (A -> A -> B) -> A -> B"]', "week.toml")
    write(tmp_path, 'exam = true\nlemmas = ["textbook/contraction", "textbook/or_comm"]', "exam.toml")
    alone = oasis.ran("lesson", "check", "exam.toml")
    assert "\nAn exam: while it is open, students have it alone.\n" in alone.stdout
    assert "Remark on textbook/or_comm: It stands in the course (" in alone.stdout
    assert "Monday" not in alone.stdout
    both = oasis("lesson", "check", "week.toml", "exam.toml")
    assert both.stdout.startswith("week: Monday\n") and "\n\nexam: exam\n" in both.stdout
    assert "Remark on textbook/contraction: It stands in the lesson Monday, too" in " ".join(both.stdout.split())
    content = oasis.json("lesson", "check", "week.toml", "exam.toml")
    assert [(each["lesson"], each["exam"]) for each in content["lessons"]] == [("week", False), ("exam", True)]
    assert "This is an exam: the course" in oasis("lesson", "preview", "exam.toml").stdout
    with open_classroom(tmp_path / "oasis.db") as store:
        local(store, "Bob")
    text = 'exam = true\ncloses = 2040-01-01T10:00:00\nextra = { "Ada" = 5 }\nlemmas = ["textbook/contraction"]'
    write(tmp_path, text, "exam.toml")
    said = " ".join(oasis("lesson", "check", "exam.toml").stdout.split())
    unknown = "Nobody on the list of the class is called Ada, who has extra time; correct it."
    assert "It closes 2040-01-01 10:00; what is there then is handed in." in said
    assert f"Remark on the exam: {unknown}" in said
    content = oasis.json("lesson", "check", "exam.toml")
    assert content["remarks"] == [unknown] and content["held"]["extra"] == {"Ada": 5}
    hers = oasis("lesson", "preview", "exam.toml", "--student", "Ada").stdout
    assert "It closes 2040-01-01 10:05, which is 5 minutes more than for others;" in " ".join(hers.split())


SHEET = """\
Lemma comm (P Q : Prop) : P /\\ Q -> Q /\\ P.
Proof. tauto. Qed.
Theorem em : forall P : Prop, P \\/ ~ P.
Lemma both : forall P Q R : Prop, P → Q ↔ R.
Lemma plus : forall n : nat, n = n.
Lemma odd : forall P : Prop, P /\\ .
Goal forall false' P : Prop, false' -> P -> false'.
"""


def test_a_lesson_is_made_from_a_sheet_and_what_has_no_proof_is_in_it_as_a_remark(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, SHEET, "week.v")
    assert oasis.ran("lesson", "from", "week.v", "-o", "week_3.toml").stdout.startswith("3 exercises read; 1 has no ")
    checked = oasis.json("lesson", "check", "week_3.toml")["exercises"]
    assert [(each["name"], each["verdict"]) for each in checked] == [("comm", "provable"), ("week-7", "provable")]
    # Without its marks it is an exercise.
    text = (tmp_path / "week_3.toml").read_text()
    write(tmp_path, text.replace("# [[", "[[").replace("# lemma", "lemma").replace("# theorem", "theorem"), "all.toml")
    assert len(oasis.json("lesson", "check", "all.toml")["exercises"]) == 3


def test_a_lesson_from_a_sheet_overwrites_nothing_and_is_written_when_asked_for(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, SHEET, "week.v")
    assert oasis.json("lesson", "from", "week.v")["lesson"] is None
    assert [file.name for file in tmp_path.iterdir()] == ["week.v"]
    write(tmp_path, "mine", "week.toml")
    refused = oasis.refused("lesson", "from", "week.v", "-o", "week.toml")
    assert "week.toml is there already, and nothing is overwritten" in refused
    write(tmp_path, "Lemma em : P \\/ ~ P.", "em.v")
    nothing = oasis.ran("lesson", "from", "em.v", "-o", "em.toml", code=1)
    assert nothing.stderr == "Nothing is written, as there is no exercise that has a proof.\n"


def test_the_check_says_how_lemmas_were_read_and_what_of_a_file_was_passed_over(oasis: Oasis, tmp_path: Path) -> None:
    write(tmp_path, "Lemma comm : forall P : Prop, P -> P.\nLemma plus : forall n : nat, n = n.", "sheet.v")
    write(tmp_path, "lemmas = ['p -> q <-> (p -> q)', 'sheet.v']")
    told = oasis("lesson", "check", "lesson.toml").stderr.splitlines()
    assert told[0].startswith("lesson.toml, exercise 1: This is read as Coq reads it: ")
    assert told[1].startswith("lesson.toml, exercise 2: sheet.v: a statement is no formula of propositional logic")
