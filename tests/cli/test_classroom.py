"""`oasis classroom` as a teacher and a student type it: passphrases, results, work to take along, students, history."""

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
from typing import Any

import pytest

from curricula import resolve_lemma
from oasis.classroom.admission import admit, open_classroom, set_passphrase, set_teacher_passphrase
from oasis.classroom.desk.record import problem_key
from oasis.classroom.lessons.exams import give
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.roll import Roll
from oasis.classroom.proving.exercise import Exercise
from oasis.cli import students
from oasis.cli.doors import ask
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tests.classroom.people import LOST, OR_COMM, PROOF, again, local, make, sit
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "classroom.md"
TEACHER = environment(OASIS_PASSPHRASE="correct horse", TZ="UTC")
BOB = environment(OASIS_PASSPHRASE="battery staple", TZ="UTC")
WRONG = environment(OASIS_PASSPHRASE="guess")
THERE = "is there already, and nothing is overwritten; name another file."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a teacher, in which the user of this machine has lost a proof, and Bob has, too, and found it."""
    path = tmp_path_factory.mktemp("class") / "oasis.db"
    with open_classroom(path) as store:
        make(sit(local(store, getuser()), OR_COMM), LOST)
        bob = admit(store, "Bob", account="bob")
        make(sit(bob, OR_COMM), LOST)
        make(again(bob, OR_COMM), PROOF)
        set_passphrase(bob, "battery staple")
        set_teacher_passphrase(store, "correct horse")
    return path


@pytest.fixture
def opened(made: Path, tmp_path: Path) -> Path:
    """A copy of that class to change."""
    return Path(shutil.copy(made, tmp_path))


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A class of a teacher and of Bob, who has no passphrase."""
    with open_classroom(tmp_path / "oasis.db") as store:
        set_teacher_passphrase(store, "correct horse")
        admit(store, "Bob", account="bob")
    return tmp_path / "oasis.db"


def names(path: Path) -> list[str]:
    """Return the names on the list of the class."""
    with open_classroom(path) as store:
        return [row.name for row in store.students()]


def tickets(text: str) -> dict[str, str]:
    """Return the passphrases of a printed table, by name."""
    return {row["name"]: row["passphrase"] for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))}


# Passphrases


def test_the_passphrase_of_the_teacher_is_set_and_changed_by_who_knows_it(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        make(sit(local(store, getuser()), OR_COMM), LOST)
    assert "set one with `oasis classroom passphrase`" in oasis("classroom", "results", env=TEACHER).stderr
    assert oasis.ran("classroom", "passphrase", env=TEACHER).stderr.splitlines()[1:] == [
        f"{getuser()} has worked in oasis.db before and is a student of this class. If that is not meant, begin the "
        "class in a folder of its own, or name another file with --db."
    ]
    assert oasis.refused("classroom", "passphrase", env=TEACHER) == (
        "A passphrase is asked for on a terminal; without one, put it into OASIS_OLD_PASSPHRASE."
    )
    # Before anybody has to think of a new one.
    wrong = oasis.refused("classroom", "passphrase", env=environment(OASIS_OLD_PASSPHRASE="horse correct"))
    assert wrong == "That is not the teacher's passphrase; try again."
    new = environment(OASIS_PASSPHRASE="battery staple", OASIS_OLD_PASSPHRASE="correct horse")
    assert "student of this class" not in oasis.ran("classroom", "passphrase", env=new).stderr
    assert oasis("classroom", "results", env=TEACHER).returncode == 2
    oasis.ran("classroom", "results", env=new)


def test_a_teacher_who_forgot_the_passphrase_sets_another_one_as_the_page_says(oasis: Oasis, opened: Path) -> None:
    (command,) = re.findall(r"^python3 (-c .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    subprocess.run([sys.executable, *shlex.split(command)], cwd=opened.parent, check=True)
    new = environment(OASIS_PASSPHRASE="another one")
    oasis.ran("classroom", "passphrase", env=new)
    oasis.ran("classroom", "results", env=new)


def test_a_new_passphrase_is_typed_twice_unless_it_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OASIS_PASSPHRASE", raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for typed, refused in (("short", "at least 8 characters"), ("long enough, other one", "are not the same")):
        given = iter(typed.split(", "))
        monkeypatch.setattr("getpass.getpass", lambda _, given=given: next(given))
        with pytest.raises(InputError, match=refused):
            ask("New: ", "OASIS_PASSPHRASE", twice=True)
        assert [*given] == []


def test_nobody_sees_or_changes_anything_without_the_passphrase(oasis: Oasis, opened: Path) -> None:
    for words in (
        *("results", "results --by problem", "results --json", "results --csv -", "log", "history Bob or_comm"),
        *("students list", "students add Eve", "students passphrase Bob", "students rename Bob Eve"),
        *("students dismiss Bob", "students erase Bob --yes"),
    ):
        for env in (BOB, WRONG, environment(OASIS_PASSPHRASE="")):
            said = oasis.refused("classroom", *words.split(), env=env)
            assert "teacher's passphrase" in said or "too many wrong tries" in said
    for env in (TEACHER, environment(OASIS_PASSPHRASE="")):
        assert "Bob" in oasis.refused("classroom", "export", "--student", "Bob", env=env)
    exported = oasis.ran("classroom", "export", "--student", "Bob", env=BOB).stdout
    assert json.loads(exported)["student"] == "Bob"
    with open_classroom(opened) as store:
        assert {(student.name, student.left) for student in store.students()} == {(getuser(), None), ("Bob", None)}


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("history bbo", "There is no student bbo in this class; did you mean Bob?"),
        ("history Bob or_com", "or_com is not begun by Bob; did you mean or_comm?"),
        ("history Bob SYJ203.3", "SYJ203.3 is not begun by Bob; leave it out to see what is."),
        ("history Bob --seconds 0", "--seconds is 0; give a number above 0."),
        ("history Bob --format html", "--format is one of coq, tptp, unicode, not 'html'."),
        ("students add bob", "Nobody was added: bob is on the list already; add the others without them."),
        ("students add", "There are no names yet; type at least one."),
        ("students add --file nowhere.txt", "There is no file nowhere.txt; check the name."),
        ("students readmit bob", "Bob is on the list and has not left; there is nothing to do."),
        ("students dismiss bop", "There is no student bop in this class; did you mean Bob?"),
        ("students erase Rob --yes", "There is no student Rob in this class; did you mean Bob?"),
        ("students import q.json --into bob --as Eve", "--as is for a new student and --into for one on"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(oasis: Oasis, words: str, sentence: str) -> None:
    assert oasis.refused("classroom", *words.split(), env=TEACHER).startswith(sentence)


# Results


@pytest.mark.usefixtures("opened")
def test_results_go_to_a_file_that_is_not_there_yet(oasis: Oasis, tmp_path: Path) -> None:
    written = oasis.ran("classroom", "results", "--by", "problem", "--csv", "problems.csv", env=TEACHER)
    assert written.stderr.endswith("The results are in problems.csv.\n")
    before = (tmp_path / "problems.csv").read_bytes()
    (row,) = csv.DictReader(io.StringIO(before.decode("utf-8-sig")))
    assert row["done"] == "1"
    assert oasis.refused("classroom", "results", "--csv", "problems.csv", env=WRONG) == f"problems.csv {THERE}"
    assert (tmp_path / "problems.csv").read_bytes() == before


@pytest.mark.usefixtures("opened")
def test_a_class_is_a_line_for_each_student(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "cases.toml").write_text('lemmas = ["textbook/or_comm", "textbook/and_comm"]')
    by_class = ("classroom", "results", "--by", "class")
    asked = oasis(*by_class, "--lesson", "cases.toml", env=TEACHER)
    assert "2 students: 2 working; 1 of 4 problems done (25%)." in asked.stdout and asked.stderr == ""
    assert sorted(line.split()[5] for line in asked.stdout.splitlines() if "working " in line) == ["0/2", "1/2"]
    rows = {row["student"]: row for row in oasis.json(*by_class, env=TEACHER)["students"]}
    assert {name: (row["done"], row["points"]) for name, row in rows.items()} == {"Bob": (1, 10), getuser(): (0, 0)}
    printed = csv.DictReader(io.StringIO(oasis.ran(*by_class, "--csv", "-", env=TEACHER).stdout))
    assert {row["student"]: {**row, "seen": ""} for row in printed} == {
        name: {key: "" if key == "seen" else str(value) for key, value in row.items()} for name, row in rows.items()
    }


def test_what_is_overdue_and_what_is_missing_without_a_lesson_is_said(oasis: Oasis, opened: Path) -> None:
    (opened.parent / "week.toml").write_text('due = 2020-11-01\nlemmas = ["textbook/modus_ponens"]')
    (exercise,) = Lesson.read(opened.parent / "week.toml").exercises_for("Bob")
    with open_classroom(opened) as store:
        make(sit(admit(store, "Bob", passphrase="battery staple"), exercise), shortest_script(exercise.formula) or ())
    shown = oasis("classroom", "results", "--lesson", "week.toml", env={**TEACHER, "COLUMNS": "130"})
    due = {line.split()[0]: line.split()[-1] for line in shown.stdout.splitlines() if "week" in line}
    assert due == {"Bob": "late", getuser(): "overdue"}
    assert "textbook/modus_ponens" in shown.stdout and shown.stderr == ""
    assert "imported" not in shown.stdout, "a column for nothing is left out"
    without = oasis("classroom", "results", "--by", "problem", "--seconds", "0", env=TEACHER).stderr
    assert without.startswith("No lesson given: what nobody has begun is left out, and due dates are old;")


def test_an_exam_shuts_the_doors_of_its_students_and_its_points_are_shown_by_the_teacher(
    oasis: Oasis, opened: Path
) -> None:
    text = 'title = "Finals"\nexam = true\nresults = "when shown"\nlemmas = ["textbook/or_comm"]'
    (opened.parent / "exam.toml").write_text(text)
    exam = Lesson.read(opened.parent / "exam.toml")
    oasis.ran("classroom", "export", "-o", "work.json")
    with open_classroom(opened) as store:
        give(store, [exam])
        make(sit(local(store, getuser()), exam.exercises[0].exercise), PROOF)
    shut = "Finals is an exam that is open to you: nothing else is there until it is ended by your teacher."
    for words in ("export", "import work.json", f"history --own {getuser()}"):
        assert oasis.refused("classroom", *words.split()) == shut
    with open_classroom(opened) as store:
        give(store, [])
        assert [each.points for each in local(store, getuser()).results().values() if not each.is_shown] == [0]
    said = oasis.ran("classroom", "results", "--lesson", "exam.toml", "--show", env=TEACHER)
    assert "The students see the points of Finals from now on." in said.stderr and " 10 " in said.stdout
    with open_classroom(opened) as store:
        assert all(each.is_shown for each in local(store, getuser()).results().values())
    assert "--show is said of an exam" in oasis.refused("classroom", "results", "--show", env=TEACHER)
    assert "passphrase" in oasis.refused("classroom", "results", "--lesson", "exam.toml", "--show", env=WRONG)


def test_a_long_name_makes_no_wide_table_and_is_whole_where_programs_read(oasis: Oasis, opened: Path) -> None:
    formula = " -> ".join(["p"] * 200)
    with open_classroom(opened) as store:
        make(sit(admit(store, "Cy", account="cy"), Exercise.of(resolve_lemma(formula))), PROOF[:1])
    for words in ("results", "results --by problem", "history Cy"):
        shown = oasis("classroom", *words.split(), env=TEACHER).stdout
        assert max(map(len, shown.splitlines())) < 200 and f"{formula[:38]} …" in shown
    for option in ("--json", "--csv=-"):
        assert formula in oasis("classroom", "results", option, env=TEACHER).stdout


# Work to take along


@pytest.mark.usefixtures("opened")
def test_work_travels_to_another_file_and_back(oasis: Oasis) -> None:
    oasis.ran("classroom", "export", "-o", "work.json")
    assert "nothing is overwritten" in oasis.refused("classroom", "export", "-o", "work.json")
    first = oasis.ran("classroom", "import", "work.json", "--db", "home.db")
    assert first.stderr == (
        "Attempts imported: 1; here already: 0.\n"
        "What is new counts as done now, and in an exam only if your teacher answers for it.\n"
    )
    exported = oasis.ran("classroom", "export", "--db", "home.db").stdout
    assert json.loads(exported)["student"] == getuser()
    again = oasis.ran("classroom", "import", "-", typed=exported)
    assert again.stderr == "Attempts imported: 0; here already: 1.\n"


def test_who_exports_from_a_class_that_they_are_not_in_is_told_and_not_enrolled(oasis: Oasis, tmp_path: Path) -> None:
    open_classroom(tmp_path / "oasis.db").close()
    assert oasis.refused("classroom", "export").startswith(f"There is no student {getuser()} in oasis.db")
    assert names(tmp_path / "oasis.db") == []


def test_a_whole_copy_is_written_while_others_have_the_file_open(oasis: Oasis, listed: Path) -> None:
    with open_classroom(listed) as store:
        admit(store, "Zoe", account="zoe")  # in the log alone, as long as the file is open
        oasis.ran("classroom", "copy", "backup.db")
    backup = listed.with_name("backup.db")
    assert backup.stat().st_mode & 0o777 == 0o600
    assert names(backup) == ["Bob", "Zoe"]
    before = backup.read_bytes()
    assert oasis.refused("classroom", "copy", "backup.db") == f"backup.db {THERE}"
    assert backup.read_bytes() == before


# Students


def test_a_list_of_names_is_added_and_its_passphrases_open(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        set_teacher_passphrase(store, "correct horse")
    added = oasis.ran(
        "classroom", "students", "add", "Ada", "--file", "-", env=TEACHER, typed="\ufeffGrace Hopper\r\n\r\nŁucja\r\n"
    )
    assert added.stderr == (
        "3 students are new on the list; each passphrase is shown only this once, so hand them out.\n"
    )
    given = tickets(added.stdout)
    assert list(given) == ["Ada", "Grace Hopper", "Łucja"]
    with open_classroom(tmp_path / "oasis.db") as store:
        for name, passphrase in given.items():
            assert admit(store, name, passphrase=passphrase, create=False).name == name
    shown = oasis.ran("classroom", "students", "list", env=TEACHER)
    assert "Ada" in shown.stdout and "account" not in shown.stdout, "nobody has one"
    one = oasis.ran("classroom", "students", "add", "Emmy", env=TEACHER).stderr
    assert one == "Emmy is new on the list; the passphrase is shown only this once, so pass it on.\n"


def test_passphrases_go_to_a_new_file_and_a_list_with_newcomers_is_added_again(oasis: Oasis, listed: Path) -> None:
    def add(file: str) -> subprocess.CompletedProcess[str]:
        return oasis("classroom", "students", "add", "--file", "names.txt", "--passphrases", file, env=TEACHER)

    wanted, kept = listed.with_name("names.txt"), listed.with_name("kept.csv")
    wanted.write_text("Ada\nBob\n")
    said = add("kept.csv").stderr
    assert said.startswith("Ada is new on the list; the passphrase is in kept.csv and nowhere else, so pass it")
    assert said.endswith(" On the list already, and left as they are: 1; `list --all` shows also who left.\n")
    written = kept.read_bytes()
    assert written.startswith(b"\xef\xbb\xbfname,passphrase\nAda,") and kept.stat().st_mode & 0o777 == 0o600
    wanted.write_text("ADA\nBob\nZoe\n")
    assert f"kept.csv {THERE}" in add("kept.csv").stderr and kept.read_bytes() == written
    assert add("later.csv").stderr.startswith("Zoe is new on the list;")
    nobody = add("nobody.csv")
    assert nobody.returncode == 2 and "Nobody was added. On the list already, and left as they are: 3;" in nobody.stderr
    assert not listed.with_name("nobody.csv").exists()
    reset = oasis.ran("classroom", "students", "passphrase", "Zoe", "--passphrases", "zoe.csv", env=TEACHER)
    assert "Zoe comes in with it" in reset.stderr
    with open_classroom(listed) as store:
        passphrase = tickets(listed.with_name("zoe.csv").read_text())["Zoe"]
        assert admit(store, "Zoe", passphrase=passphrase, create=False).name == "Zoe"


def test_a_table_is_shown_as_it_is_read_before_anybody_of_it_is_added(oasis: Oasis, listed: Path) -> None:
    listed.with_name("moodle.csv").write_bytes("Surname;First name;ID number\nÖdön;Zoë;007\n-;Bob;8\n".encode("cp1252"))
    add = ("classroom", "students", "add", "--file", "moodle.csv")
    read, planned, refused = oasis.ran(*add, env=TEACHER, code=2).stderr.splitlines()
    assert read.startswith("Read as Windows-1252 with semicolons: Surname is the surname, First name is the first name")
    assert planned == (
        "1 student would be new: “Zoë Ödön”; 1 on the list already, and of 1 student of these something is noted."
    )
    assert refused == "oasis: Nobody was added: without a terminal to ask on, say --yes."
    shown = oasis.json(*add, env=TEACHER)
    assert names(listed) == ["Bob"] and [new["number"] for new in shown["new"]] == ["007"] and shown["noted"] == 1
    done = oasis.json(*add, "--yes", env=TEACHER)
    assert list(done["passphrases"]) == ["Zoë Ödön"]
    rows = oasis.json("classroom", "students", "list", env=TEACHER)["students"]
    assert [(row["name"], row["surname"], row["number"]) for row in rows] == [
        ("Bob", "-", "8"),
        ("Zoë Ödön", "Ödön", "007"),
    ]
    listed.with_name("moodle.csv").write_text("Name,ID number,E-mail\nBob,8,b@x.org\n")
    assert oasis(*add, "--yes", env=TEACHER).stderr.endswith(
        "Nobody is new; what the table says of 1 student is noted.\n"
    )
    assert "b@x.org" in oasis.ran("classroom", "students", "list", env=TEACHER).stdout
    put = oasis.ran("classroom", "students", "group", "Group 1", "bob", env=TEACHER)
    assert put.stderr == "Bob: Group 1.\n"
    rows = oasis.json("classroom", "results", "--by", "class", "--group", "Group 1", env=TEACHER)["students"]
    assert [(row["student"], row["identifier"], row["group"]) for row in rows] == [("Bob", "8", "Group 1")]


def test_a_student_leaves_comes_back_is_renamed_and_gets_another_passphrase(oasis: Oasis, listed: Path) -> None:
    def teacher(*arguments: str) -> subprocess.CompletedProcess[str]:
        return oasis.ran("classroom", "students", *arguments, env=TEACHER)

    def there(*options: str) -> list[tuple[str, bool]]:
        found = json.loads(teacher("list", "--json", *options).stdout)["students"]
        return [(each["name"], each["left"] is None) for each in found]

    teacher("dismiss", "bob")
    assert (there(), there("--all")) == ([], [("Bob", False)])
    assert teacher("list").stderr == "1 student left and is not shown; --all shows who left, too.\n"
    shown = teacher("list", "--all")
    assert shown.stderr == "" and "account on this machine" in shown.stdout
    assert oasis.refused("classroom", "students", "passphrase", "bob", env=TEACHER) == (
        "Bob left the class and comes in with no passphrase; first: oasis classroom students readmit Bob."
    )
    assert teacher("readmit", "bob").stderr == "Bob is on the list, with all work.\n"
    assert teacher("rename", "bob", "Bob Smith").stderr.startswith("bob is Bob Smith from now on")
    assert there() == [("Bob Smith", True)]
    given = tickets(teacher("passphrase", "bob smith").stdout)
    assert list(given) == ["Bob Smith"]
    with open_classroom(listed) as store:
        assert admit(store, "Bob Smith", passphrase=given["Bob Smith"]).name == "Bob Smith"


def test_who_is_meant_by_a_part_of_a_name_is_asked_at_a_terminal(listed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reset(name: str) -> str:
        try:
            students.passphrase(name, None, listed)
        except InputError as error:
            return str(error)
        return ""

    def passphrases() -> list[bytes | None]:
        with open_classroom(listed) as store:
            return [each.secret and each.secret[1] for each in store.students()]

    def answer(question: str, **how: object) -> str:
        asked.append(question)
        return next(answers)

    asked: list[str] = []
    answers, nothing = iter("y n"), "Nothing was done; type the whole name of whom you mean."
    monkeypatch.setenv("OASIS_PASSPHRASE", "correct horse")
    with open_classroom(listed) as store:
        Roll(store).add(["Kurt Gödel"])
    before = passphrases()
    assert reset("Kurt") == "There is no student Kurt in this class; did you mean Kurt Gödel?"
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("typer.prompt", answer)
    for typed, said in (("kurt", ""), ("Kurt Godel", nothing), ("Godel", nothing)):
        assert reset(typed) == said
        assert (passphrases() == before) == bool(said)
        before = passphrases()
    assert asked == ["Is Kurt Gödel meant? Type y for yes"] * 3
    assert (reset("KURT GÖDEL"), len(asked)) == ("", 3)
    with pytest.raises(InputError, match="There is no student Kurt in this class"):
        students.erase("Kurt", None, True, listed)


def test_a_student_is_erased_after_a_copy_and_the_copy_brings_them_back(oasis: Oasis, listed: Path) -> None:
    with open_classroom(listed) as store:
        make(sit(local(store, "Quirinius"), OR_COMM), PROOF)
    erased = oasis.ran("classroom", "students", "erase", "quirinius", "--copy", "q.json", "--yes", env=TEACHER)
    assert "Quirinius and all of their work are deleted." in erased.stderr.replace("\n", " ")
    assert names(listed) == ["Bob"]
    content = b"".join(each.read_bytes() for each in listed.parent.iterdir() if each.name != "q.json")
    assert b"uirinius" not in content
    swept = oasis.ran("classroom", "students", "sweep", env=TEACHER)
    assert swept.stderr == "Nothing of what was deleted is left in oasis.db.\n"
    back = oasis.ran("classroom", "students", "import", "q.json", env=TEACHER)
    ((name, passphrase),) = tickets(back.stdout).items()
    with open_classroom(listed) as store:
        desk = admit(store, name, passphrase=passphrase, create=False)
        assert desk.results()[problem_key(OR_COMM)].outcome == "proved"
        assert [bool(row.kept.imported) for row in store.attempts(desk.student.id)] == [True]


def test_nothing_is_deleted_without_a_word_and_no_file_is_written_over(oasis: Oasis, listed: Path) -> None:
    asked = oasis.ran("classroom", "students", "erase", "Bob", env=TEACHER, code=2)
    assert "say --yes." in asked.stderr
    assert asked.stderr.splitlines()[0].startswith("This deletes Bob and all of their work for good. No copy is kept")
    listed.with_name("there.json").write_text("mine")
    copied = ("classroom", "students", "erase", "Bob", "--copy", "there.json", "--yes")
    assert oasis.refused(*copied, env=TEACHER) == f"there.json {THERE}"
    assert names(listed) == ["Bob"]


def test_work_from_elsewhere_is_brought_to_a_new_student_or_to_the_same_one(oasis: Oasis, opened: Path) -> None:
    def brought(*arguments: str) -> str:
        return oasis("classroom", "students", "import", *arguments, env=TEACHER).stderr

    oasis.ran("classroom", "students", "export", "Bob", "-o", "bob.json", env=TEACHER)
    assert brought("bob.json") == (
        "oasis: Bob is on the list already, so nothing was imported; --into Bob brings the work to this student, "
        "--as NAME to a new one.\n"
    )
    assert brought("bob.json", "--as", "Bob 2") == (
        "Attempts imported: 2; here already: 0.\n"
        "What is new counts as done now, and in an exam not at all; if you answer for it, add --vouch.\n"
    )
    assert "imported" in oasis.ran("classroom", "results", "--by", "class", env=TEACHER).stdout
    assert brought("bob.json", "--into", "Bob 2", "--vouch") == "Attempts imported: 2; here already: 0.\n"
    assert brought("bob.json", "--into", "bob") == "Attempts imported: 0; here already: 2.\n"
    opened.with_name("bad.json").write_text("{}")
    assert "damaged" in brought("bad.json", "--as", "Eve")
    assert {*names(opened)} == {getuser(), "Bob", "Bob 2"}


# History


def sentences(attempt: dict[str, Any]) -> list[tuple[str, bool | None]]:
    """Return what was done at each moment of an attempt, and whether it is told as the loss of the proof."""
    return [(moment["sentence"], moment.get("lost")) for moment in attempt["moments"]]


@pytest.mark.usefixtures("opened")
def test_a_history_as_json_says_which_move_lost_the_proof_to_a_student_only_once_it_is_found(oasis: Oasis) -> None:
    shown = oasis.json("classroom", "history", "bob", "or_comm", "--goals", env=TEACHER)
    first, second = shown["attempts"]
    assert sentences(first) == [
        ("began", False),
        ("made intro", False),
        ("made left", True),
        ("went back to the beginning", False),
    ]
    assert first["moments"][2]["goals"] == [{"hypotheses": [{"name": "H", "formula": "p \\/ q"}], "conclusion": "q"}]
    assert second["moments"][-1]["script"] == "; ".join(map(str, PROOF))
    assert first["damage"] == second["damage"] == ""
    own = oasis.json("classroom", "history", "Bob", "or_comm", "--own", env=BOB)["attempts"]
    assert sentences(own[0]) == sentences(first)
    (unproved,) = oasis.json("classroom", "history", getuser(), "or_comm", "--own")["attempts"]
    assert sentences(unproved) == [("began", None), ("made intro", None), ("made left", None)]
    text = oasis.ran("classroom", "history", getuser(), "or_comm", "--own").stdout
    assert text.endswith("made left.\n") and text.isascii()
    assert "That is not the passphrase of Bob" in oasis.refused("classroom", "history", "Bob", "--own", env=TEACHER)


def test_one_of_several_names_will_do_and_who_has_begun_nothing_has_no_lines(oasis: Oasis, listed: Path) -> None:
    with open_classroom(listed) as store:
        for name in ("Zoë Ångström", "Ada Lovelace", "Ada Yonath"):
            make(sit(local(store, name), OR_COMM), PROOF[:1])
    for name in ("zoe", "Angstrom"):
        answer = oasis.json("classroom", "history", name, env=TEACHER)
        assert (answer["student"], len(answer["attempts"])) == ("Zoë Ångström", 1)
    assert "did you mean Ada Lovelace or Ada Yonath?" in oasis.refused("classroom", "history", "Ada", env=TEACHER)
    nothing = oasis.ran("classroom", "history", "Bob", env=TEACHER)
    assert (nothing.stdout, nothing.stderr) == ("", "Nothing is begun yet.\n")


# The classroom that is served


@pytest.mark.parametrize("options", [[], ["--listed-only"]])
def test_the_classroom_is_opened_and_served_for_those_on_the_list(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    from oasis.server.server import ClassroomServer
    from tui.app import Classroom

    seen: list[bool] = []
    monkeypatch.setattr(ClassroomServer, "serve", lambda server: seen.append("--listed-only" in server.command))
    monkeypatch.setattr(Classroom, "run", lambda classroom: seen.append(classroom.session.setup.listed_only))
    with open_classroom(tmp_path / "oasis.db") as store:
        set_teacher_passphrase(store, "correct horse")
        Roll(store).add(["Ada"])
    oasis.ran("classroom", "serve", *options)
    oasis.ran("tui", "--served", *options)
    assert seen == [bool(options)] * 2


def test_a_server_that_could_serve_nobody_is_not_started(oasis: Oasis, listed: Path) -> None:
    def refusal(file: str) -> str:
        return oasis.refused("classroom", "serve", "--listed-only", "--db", file)

    said = oasis.refused("classroom", "serve", "--host", "192.0.2.1", "--db", "none.db")
    assert said.startswith("Nobody can listen at 192.0.2.1:8000") and "--host is an address of this machine" in said
    assert not listed.with_name("none.db").exists()
    open_classroom(listed.with_name("empty.db")).close()
    assert "has no teacher yet to have a list; set a passphrase with" in refusal("empty.db")
    nobody = "Nobody on the list of oasis.db has a passphrase to come in with; "
    assert refusal("oasis.db").startswith(nobody)
    with open_classroom(listed) as store:
        roll = Roll(store)
        roll.add(["Ada"])
        roll.dismiss("Ada")
    assert refusal("oasis.db").startswith(nobody)
