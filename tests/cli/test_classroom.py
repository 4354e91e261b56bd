"""`oasis classroom` as a teacher and a student type it."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from getpass import getuser
from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.classroom.admission import admit, open_classroom, set_passphrase, set_teacher_passphrase
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.cli.doors import ask
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, make, sit
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "classroom.md"
TEACHER = environment(OASIS_PASSPHRASE="correct horse")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which the user of this machine and Bob have done something, with passphrases of Bob and a teacher."""
    path = tmp_path_factory.mktemp("class") / "oasis.db"
    with open_classroom(path) as store:
        make(sit(admit(store, getuser(), account=getuser()), OR_COMM), parse_script("intro; left"))
        bob = admit(store, "Bob", account="bob")
        make(sit(bob, OR_COMM), parse_script("intro; destruct_or H; right; assumption; left; assumption"))
        set_passphrase(bob, "battery staple")
        set_teacher_passphrase(store, "correct horse")
    return path


@pytest.fixture
def opened(made: Path, tmp_path: Path) -> Path:
    """A copy of that class to change."""
    return Path(shutil.copy(made, tmp_path))


def test_the_passphrase_of_the_teacher_is_set_and_changed_by_who_knows_it(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        make(sit(admit(store, getuser(), account=getuser()), OR_COMM), parse_script("intro; left"))
    assert "set one with `oasis classroom passphrase`" in oasis("classroom", "results", env=TEACHER).stderr
    first = oasis("classroom", "passphrase", env=TEACHER)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr == (
        "The teacher's view of oasis.db opens with this passphrase from now on.\n"
        f"{getuser()} has worked in oasis.db before and is a student of this class. If that is not meant, begin the "
        "class in a folder of its own, or name another file with --db.\n"
    )
    without = oasis("classroom", "passphrase", env=TEACHER)
    assert (without.returncode, without.stderr) == (
        2,
        "oasis: A passphrase is asked for on a terminal; without one, put it into OASIS_OLD_PASSPHRASE.\n",
    )
    # Before anybody has to think of a new one.
    wrong = oasis("classroom", "passphrase", env=environment(OASIS_OLD_PASSPHRASE="horse correct"))
    assert (wrong.returncode, wrong.stderr) == (2, "oasis: That is not the teacher's passphrase; try again.\n")
    new = environment(OASIS_PASSPHRASE="battery staple", OASIS_OLD_PASSPHRASE="correct horse")
    oasis.ran("classroom", "passphrase", env=new)
    assert oasis("classroom", "results", env=TEACHER).returncode == 2
    oasis.ran("classroom", "results", env=new)


def test_a_teacher_who_forgot_the_passphrase_sets_another_one_as_the_page_says(oasis: Oasis, opened: Path) -> None:
    (command,) = re.findall(r"^python3 (-c .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    subprocess.run([sys.executable, *shlex.split(command)], cwd=opened.parent, check=True)
    new = environment(OASIS_PASSPHRASE="battery staple")
    oasis.ran("classroom", "passphrase", env=new)
    oasis.ran("classroom", "results", env=new)


def test_who_chooses_the_passphrase_of_the_teacher_is_told_first_how_long_it_has_to_be(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(question: str, *_: object, **__: object) -> str:
        asked.append(question)
        return "correct horse"

    monkeypatch.setattr("oasis.cli.classroom.ask", answer)
    oasis.ran("classroom", "passphrase")
    assert asked == ["New passphrase of the teacher, at least 8 characters: "]


def test_a_passphrase_that_is_too_short_is_not_asked_for_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.usefixtures("opened")
def test_without_the_passphrase_there_are_no_results(oasis: Oasis) -> None:
    for options in ([], ["--by", "problem"], ["--json"], ["--csv", "-"]):
        answer = oasis("classroom", "results", *options, env=environment(OASIS_PASSPHRASE="guess"))
        assert (answer.returncode, answer.stdout) == (2, "")


@pytest.mark.usefixtures("opened")
def test_results_go_to_a_file_that_is_not_there_yet(oasis: Oasis, tmp_path: Path) -> None:
    written = oasis("classroom", "results", "--by", "problem", "--csv", "problems.csv", env=TEACHER)
    assert written.stderr.endswith("The results are in problems.csv.\n")
    before = (tmp_path / "problems.csv").read_bytes()
    (row,) = csv.DictReader(io.StringIO(before.decode("utf-8-sig")))
    assert row["done"] == "1"
    again = oasis("classroom", "results", "--csv", "problems.csv", env=environment(OASIS_PASSPHRASE="guess"))
    assert (again.returncode, again.stderr) == (
        2,
        "oasis: problems.csv is there already, and nothing is overwritten; name another file.\n",
    )
    assert (tmp_path / "problems.csv").read_bytes() == before


@pytest.mark.usefixtures("opened")
def test_a_class_is_a_line_for_each_student(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "cases.toml").write_text('lemmas = ["textbook/or_comm", "textbook/and_comm"]')
    asked = oasis("classroom", "results", "--by", "class", "--lesson", "cases.toml", env=TEACHER)
    assert "2 students: 2 working; 1 of 4 problems done (25%)." in asked.stdout and asked.stderr == ""
    assert sorted(line.split()[5] for line in asked.stdout.splitlines() if "working " in line) == ["0/2", "1/2"]
    shown, printed = (
        oasis("classroom", "results", "--by", "class", *option, env=TEACHER).stdout
        for option in (["--json"], ["--csv", "-"])
    )
    rows = {row["student"]: row for row in json.loads(shown)["students"]}
    assert {name: (row["done"], row["points"]) for name, row in rows.items()} == {"Bob": (1, 10), getuser(): (0, 0)}
    assert {row["student"]: {**row, "seen": ""} for row in csv.DictReader(io.StringIO(printed))} == {
        name: {key: "" if key == "seen" else str(value) for key, value in row.items()} for name, row in rows.items()
    }


def test_results_without_a_lesson_say_what_is_missing(oasis: Oasis, opened: Path) -> None:
    told = "No lesson given: what nobody has begun is left out, and due dates are old; --lesson FILE adds one.\n"
    (opened.parent / "week.toml").write_text('due = 2026-11-01\nlemmas = ["textbook/or_comm"]')
    (exercise,) = Lesson.read(opened.parent / "week.toml").exercises_for("Bob")
    with open_classroom(opened) as store:
        make(sit(admit(store, "Bob", passphrase="battery staple"), exercise), parse_script("intro"))
    for options, said in (
        ([], told),
        (["--by", "problem", "--seconds", "0"], told),
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


def test_a_long_name_makes_no_wide_table_and_is_whole_where_programs_read(oasis: Oasis, opened: Path) -> None:
    formula = " -> ".join(["p"] * 200)
    with open_classroom(opened) as store:
        make(sit(admit(store, "Cy", account="cy"), Exercise.of(resolve_lemma(formula))), parse_script("intro"))
    for words in ("results", "results --by problem", "history Cy"):
        shown = oasis("classroom", *words.split(), env=TEACHER).stdout
        assert max(map(len, shown.splitlines())) < 200 and f"{formula[:38]} …" in shown
    for option in ("--json", "--csv=-"):
        assert formula in oasis("classroom", "results", option, env=TEACHER).stdout


@pytest.mark.usefixtures("opened")
def test_work_travels_to_another_file_and_back(oasis: Oasis) -> None:
    oasis.ran("classroom", "export", "-o", "work.json")
    assert "nothing is overwritten" in oasis.refused("classroom", "export", "-o", "work.json")
    first = oasis("classroom", "import", "work.json", "--db", "home.db")
    assert (first.returncode, first.stderr) == (0, "Attempts imported: 1; here already: 0.\n")
    exported = oasis("classroom", "export", "--db", "home.db").stdout
    assert json.loads(exported)["student"] == getuser()
    again = oasis("classroom", "import", "-", typed=exported)
    assert (again.returncode, again.stderr) == (0, "Attempts imported: 0; here already: 1.\n")


@pytest.mark.usefixtures("opened")
def test_the_work_of_another_student_needs_their_passphrase(oasis: Oasis) -> None:
    for passphrase in ("horse correct", ""):
        answer = oasis("classroom", "export", "--student", "Bob", env=environment(OASIS_PASSPHRASE=passphrase))
        assert (answer.returncode, answer.stdout) == (2, "")
    answer = oasis("classroom", "export", "--student", "Bob", env=environment(OASIS_PASSPHRASE="battery staple"))
    assert json.loads(answer.stdout)["student"] == "Bob"


def test_who_exports_from_a_class_that_they_are_not_in_is_told_and_not_enrolled(oasis: Oasis, tmp_path: Path) -> None:
    open_classroom(tmp_path / "oasis.db").close()
    answer = oasis("classroom", "export")
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"oasis: There is no student {getuser()} in oasis.db")
    with open_classroom(tmp_path / "oasis.db") as store:
        assert store.students() == []
