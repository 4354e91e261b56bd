"""`oasis classroom` as a teacher and a student type it."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curricula import resolve_lemma
from oasis.classroom.admission import admit, open_classroom, set_passphrase
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.overview import CLASS_COLUMNS
from oasis.cli.doors import ask
from oasis.cli.main import app
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, make, sit
from tests.cli.conftest import Oasis, environment

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "classroom.md"
TEACHER = environment(OASIS_PASSPHRASE="correct horse")


@pytest.fixture
def class_file(tmp_path: Path) -> Path:
    """A class in which the user of this machine and Bob have done something."""
    path = tmp_path / "oasis.db"
    with open_classroom(path) as store:
        make(sit(admit(store, getuser(), account=getuser()), OR_COMM), parse_script("intro; left"))
        bob = admit(store, "Bob", account="bob")
        make(sit(bob, OR_COMM), parse_script("intro; destruct_or H; right; assumption; left; assumption"))
        set_passphrase(bob, "battery staple")
    return path


@pytest.fixture
def opened(oasis: Oasis, class_file: Path) -> Path:
    """The same with a passphrase of the teacher."""
    answer = oasis("classroom", "passphrase", env=TEACHER)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert answer.stderr == (
        "The teacher's view of oasis.db opens with this passphrase from now on.\n"
        f"{getuser()} has worked in oasis.db before and is a student of this class. If that is not meant, begin the "
        "class in a folder of its own, or name another file with --db.\n"
    )
    return class_file


@pytest.mark.some_days
def test_the_passphrase_of_the_teacher_is_changed_by_who_knows_it(oasis: Oasis, opened: Path) -> None:
    without = oasis("classroom", "passphrase", env=TEACHER)
    assert without.returncode == 2
    assert without.stderr == (
        "oasis: A passphrase is asked for on a terminal; without one, put it into OASIS_OLD_PASSPHRASE.\n"
    )
    new = {"OASIS_PASSPHRASE": "battery staple"}
    # Before anybody has to think of a new one.
    wrong = oasis("classroom", "passphrase", env=environment(OASIS_OLD_PASSPHRASE="horse correct"))
    assert wrong.returncode == 2
    assert wrong.stderr == "oasis: That is not the teacher's passphrase; try again.\n"
    assert (
        oasis("classroom", "passphrase", env=environment(OASIS_OLD_PASSPHRASE="correct horse", **new)).returncode == 0
    )
    assert oasis("classroom", "results", env=TEACHER).returncode == 2
    assert oasis("classroom", "results", env=environment(**new)).returncode == 0


def test_a_teacher_who_forgot_the_passphrase_sets_another_one_as_the_page_says(oasis: Oasis, opened: Path) -> None:
    (command,) = re.findall(r"^python3 (-c .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    subprocess.run([sys.executable, *shlex.split(command)], cwd=opened.parent, check=True)
    new = environment(OASIS_PASSPHRASE="battery staple")
    assert oasis("classroom", "passphrase", env=new).returncode == 0
    assert oasis("classroom", "results", env=new).returncode == 0


def test_who_chooses_the_passphrase_of_the_teacher_is_told_first_how_long_it_has_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(question: str, *_: object, **__: object) -> str:
        asked.append(question)
        return "correct horse"

    monkeypatch.setattr("oasis.cli.classroom.ask", answer)
    assert CliRunner().invoke(app, ["classroom", "passphrase", "--db", str(tmp_path / "oasis.db")]).exit_code == 0
    assert asked == ["New passphrase of the teacher, at least 8 characters: "]


def test_a_passphrase_that_is_too_short_is_not_asked_for_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def typed(question: str) -> str:
        asked.append(question)
        return "short"

    monkeypatch.delenv("OASIS_PASSPHRASE", raising=False)
    monkeypatch.setattr("getpass.getpass", typed)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    with pytest.raises(InputError, match="at least 8 characters"):
        ask("New: ", "OASIS_PASSPHRASE", twice=True)
    assert asked == ["New: "]


def test_without_the_passphrase_there_are_no_results(oasis: Oasis, class_file: Path) -> None:
    none = oasis("classroom", "results", env=TEACHER)
    assert (none.returncode, none.stdout) == (2, "")
    assert "set one with `oasis classroom passphrase`" in none.stderr
    oasis("classroom", "passphrase", env=TEACHER)
    for options in ([], ["--by", "problem"], ["--json"], ["--csv", "-"]):
        answer = oasis("classroom", "results", *options, env=environment(OASIS_PASSPHRASE="guess"))
        assert (answer.returncode, answer.stdout) == (2, "")


@pytest.mark.some_days
@pytest.mark.usefixtures("opened")
def test_results_say_what_each_student_has_done_and_how_each_problem_went(oasis: Oasis, tmp_path: Path) -> None:
    by_student = oasis("classroom", "results", env=TEACHER).stdout
    assert "Bob" in by_student and "proved" in by_student and "begun" in by_student
    by_problem = oasis("classroom", "results", "--by", "problem", env=TEACHER).stdout.splitlines()
    assert by_problem[0] == "cases: textbook/or_comm  forall p q : Prop, p \\/ q -> q \\/ p"
    assert by_problem[1].startswith("  done by 1 of 2 who began, in 0:0")
    assert by_problem[3] == "  1 × left loses the proof at H : p \\/ q |- q \\/ p"
    marks = json.loads(oasis("classroom", "results", "--json", env=TEACHER).stdout)
    assert {mark["student"]: mark["outcome"] for mark in marks["marks"]} == {getuser(): "", "Bob": "proved"}
    assert len(marks["whereabouts"]) == 2
    (problem,) = json.loads(oasis("classroom", "results", "--by", "problem", "--json", env=TEACHER).stdout)["problems"]
    assert [wrong["move"] for wrong in problem["wrong_moves"]] == ["left"]
    printed = oasis("classroom", "results", "--csv", "-", env=TEACHER).stdout
    assert [row["student"] for row in csv.DictReader(io.StringIO(printed))] == sorted(
        [getuser(), "Bob"], key=str.casefold
    )
    written = oasis("classroom", "results", "--by", "problem", "--csv", "problems.csv", env=TEACHER)
    assert written.stderr.endswith("The results are in problems.csv.\n")
    (row,) = csv.DictReader(io.StringIO((tmp_path / "problems.csv").read_text("utf-8-sig")))
    assert row["done"] == "1"
    before = (tmp_path / "problems.csv").read_bytes()
    again = oasis("classroom", "results", "--csv", "problems.csv", env=environment(OASIS_PASSPHRASE="guess"))
    assert (again.returncode, again.stdout, again.stderr) == (
        *(2, ""),
        "oasis: problems.csv is there already, and nothing is overwritten; name another file.\n",
    )
    assert (tmp_path / "problems.csv").read_bytes() == before


@pytest.mark.usefixtures("opened")
def test_a_class_is_a_line_for_each_student(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "cases.toml").write_text('lemmas = ["textbook/or_comm", "textbook/and_comm"]')

    def results(*options: str) -> str:
        answer = oasis("classroom", "results", "--by", "class", *options, env=TEACHER)
        said = "" if "--lesson" in options else "No lesson given: what nobody has begun is left out, "
        assert answer.returncode == 0 and answer.stderr.startswith(said) and bool(said) == bool(answer.stderr)
        return answer.stdout

    rows = {row["student"]: row for row in json.loads(results("--json"))["students"]}
    assert set(rows) == {getuser(), "Bob"}
    bob = rows["Bob"]
    assert list(bob) == list(CLASS_COLUMNS)
    assert list(bob.values())[:4] == ["Bob", "working", "cases", "textbook/or_comm"]
    assert list(bob.values())[5:-2] == [1, 1, 0, 10, 1, 0, 0, 0]
    assert (rows[getuser()]["done"], rows[getuser()]["points"]) == (0, 0)
    spreadsheet = csv.DictReader(io.StringIO(results("--csv", "-")))
    assert {row["student"]: {**row, "seen": ""} for row in spreadsheet} == {
        name: {key: "" if key == "seen" else str(value) for key, value in row.items()} for name, row in rows.items()
    }
    lines = [line.split() for line in results().splitlines()]
    (line,) = [line for line in lines if line[:1] == ["Bob"]]
    assert line[1:3] == ["working", "textbook/or_comm"] and line[5:] == ["1/1", "10", "1", "0", "0", line[-1]]
    asked = results("--lesson", "cases.toml")
    assert "2 students: 2 working; 1 of 4 problems done (25%)." in asked
    assert sorted(line.split()[5] for line in asked.splitlines() if "working " in line) == ["0/2", "1/2"]


@pytest.mark.some_days
def test_results_without_a_lesson_say_what_is_missing(oasis: Oasis, opened: Path) -> None:
    told = "No lesson given: what nobody has begun is left out, and due dates are old; --lesson FILE adds one.\n"
    (opened.parent / "week.toml").write_text('due = 2026-11-01\nlemmas = ["textbook/or_comm"]')
    (exercise,) = Lesson.read(opened.parent / "week.toml").exercises_for("Bob")
    with open_classroom(opened) as store:
        make(sit(admit(store, "Bob", passphrase="battery staple"), exercise), parse_script("intro"))
    for options, said in (
        ([], told),
        (["--by", "problem", "--seconds", "0"], told),
        (["--csv", "-"], told),
        (["--by", "class"], told),
        (["--lesson", "week.toml"], ""),
    ):
        assert oasis("classroom", "results", *options, env=TEACHER).stderr == said


def test_what_is_not_done_and_past_its_date_is_overdue_and_a_column_for_nothing_is_left_out(
    oasis: Oasis, opened: Path
) -> None:
    (opened.parent / "week.toml").write_text('due = 2020-11-01\nlemmas = ["textbook/modus_ponens"]')
    (exercise,) = Lesson.read(opened.parent / "week.toml").exercises_for("Bob")
    with open_classroom(opened) as store:
        make(sit(admit(store, "Bob", passphrase="battery staple"), exercise), shortest_script(exercise.formula) or ())
    table = oasis("classroom", "results", "--lesson", "week.toml", env=environment(**TEACHER, COLUMNS="130")).stdout
    due = {line.split()[0]: line.split()[-1] for line in table.splitlines() if "week" in line}
    assert due == {"Bob": "late", getuser(): "overdue"}
    assert "textbook/modus_ponens" in table and "imported" not in table


@pytest.mark.some_days
def test_a_long_name_makes_no_wide_table_and_is_whole_where_programs_read(oasis: Oasis, opened: Path) -> None:
    formula = " -> ".join(["p"] * 200)
    with open_classroom(opened) as store:
        make(sit(admit(store, "Cy", account="cy"), Exercise.of(resolve_lemma(formula))), parse_script("intro"))
    table = oasis("classroom", "results", env=TEACHER).stdout
    assert max(map(len, table.splitlines())) < 200 and f"{formula[:38]} …" in table
    problems = oasis("classroom", "results", "--by", "problem", env=TEACHER).stdout
    assert f"{formula[:38]} …  forall p : Prop, p -> p" in problems
    assert all(len(line) < 130 for line in problems.splitlines() if line.startswith("p ->"))
    attempts = oasis("classroom", "history", "Cy", env=TEACHER).stdout
    assert attempts.startswith(f"{formula[:38]} …, attempt 1 of 1")
    for option in (["--json"], ["--csv", "-"]):
        assert formula in oasis("classroom", "results", *option, env=TEACHER).stdout


@pytest.mark.usefixtures("class_file")
def test_work_travels_to_another_file_and_back(oasis: Oasis) -> None:
    assert oasis("classroom", "export", "-o", "work.json").returncode == 0
    there = oasis("classroom", "export", "-o", "work.json")
    assert there.returncode == 2 and "nothing is overwritten" in there.stderr
    first = oasis("classroom", "import", "work.json", "--db", "home.db")
    assert (first.returncode, first.stderr) == (0, "Attempts imported: 1; here already: 0.\n")
    exported = oasis("classroom", "export", "--db", "home.db").stdout
    assert json.loads(exported)["student"] == getuser()
    again = oasis("classroom", "import", "-", typed=exported)
    assert (again.returncode, again.stderr) == (0, "Attempts imported: 0; here already: 1.\n")


@pytest.mark.usefixtures("class_file")
def test_the_work_of_another_student_needs_their_passphrase(oasis: Oasis) -> None:
    for passphrase in ("horse correct", ""):
        answer = oasis("classroom", "export", "--student", "Bob", env=environment(OASIS_PASSPHRASE=passphrase))
        assert (answer.returncode, answer.stdout) == (2, "")
    answer = oasis("classroom", "export", "--student", "Bob", env=environment(OASIS_PASSPHRASE="battery staple"))
    assert json.loads(answer.stdout)["student"] == "Bob"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["results"],
            "There is no class in oasis.db yet; begin one with `oasis classroom passphrase`, or name its file with "
            "--db.\n",
        ),
        (["students", "add", "Ada"], "There is no class in oasis.db yet; begin one with"),
        (["results", "--by", "day"], "--by is one of student, class, problem, not 'day'."),
        (["results", "--seconds", "-1"], "--seconds must be at least 0."),
        (["export"], "There is no database oasis.db yet"),
        (["passphrase"], "A passphrase is asked for on a terminal"),
        (["import", "nowhere.json"], "There is no file nowhere.json; check the name."),
        (["import", "latin.json"], "latin.json, line 1: this is not UTF-8 text; save it as UTF-8."),
        (["import", "letter.txt"], "This work is damaged: it is not the JSON"),
        (["import", "letter.txt", "--student", "\t"], "A name has 1 to 40 letters"),
        (["import", "letter.txt", "--db", "letter.txt"], "letter.txt is not a database"),
    ],
)
def test_bad_input_gets_one_sentence(oasis: Oasis, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "latin.json").write_bytes("café".encode("latin-1"))
    (tmp_path / "letter.txt").write_text("Dear teacher, " * 100)
    answer = oasis("classroom", *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"oasis: {sentence}"), answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("classroom passphrase", "A passphrase has at least 8 characters"),
        ("classroom import letter.txt", "This work is damaged"),
        ("classroom serve --lesson nowhere.toml", "There is no file"),
        ("classroom serve --host 192.0.2.1", "Nobody can listen at 192.0.2.1:8000"),
        ("classroom serve --listed-only", "There is no class in oasis.db yet"),
        ("dagger fit nowhere", "There is no lemma, curriculum or file called nowhere"),
        ("dagger fit textbook/identity --policy nobody", "--policy is one of"),
        ("experience distill textbook --policy nobody", "--policy is one of"),
        ("prove textbook/identity --search best-first --cache disk --policy nobody", "--policy is one of"),
    ],
)
def test_what_comes_to_nothing_makes_no_database(oasis: Oasis, tmp_path: Path, command: str, sentence: str) -> None:
    (tmp_path / "letter.txt").write_text("Dear teacher, ")
    answer = oasis(*command.split(), env=environment(OASIS_PASSPHRASE="short"))
    assert (answer.returncode, answer.stdout) == (2, "")
    assert f"oasis: {sentence}" in answer.stderr, answer.stderr
    assert not (tmp_path / "oasis.db").exists()


def test_who_exports_from_a_class_that_they_are_not_in_is_told_and_not_enrolled(oasis: Oasis, tmp_path: Path) -> None:
    open_classroom(tmp_path / "oasis.db").close()
    answer = oasis("classroom", "export")
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"oasis: There is no student {getuser()} in oasis.db")
    with open_classroom(tmp_path / "oasis.db") as store:
        assert store.students() == []
