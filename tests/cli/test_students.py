"""`oasis classroom students` as a teacher types it, and the classroom that only those on the list come into."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from oasis.classroom.admission import admit, open_classroom, set_teacher_passphrase
from oasis.classroom.people.roll import Roll
from oasis.cli import students
from tactics.errors import InputError
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

TEACHER = environment(OASIS_PASSPHRASE="correct horse")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of Bob, with a passphrase of the teacher."""
    path = tmp_path_factory.mktemp("class") / "oasis.db"
    with open_classroom(path) as store:
        set_teacher_passphrase(store, "correct horse")
        admit(store, "Bob", account="bob")
    return path


@pytest.fixture
def class_file(made: Path, tmp_path: Path) -> Path:
    """A copy of it to change."""
    return Path(shutil.copy(made, tmp_path))


def done(answer: subprocess.CompletedProcess[str]) -> str:
    """What it said besides, when all went well."""
    assert answer.returncode == 0, answer.stderr
    return answer.stderr


def tickets(answer: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The passphrases that were printed."""
    done(answer)
    return {row["name"]: row["passphrase"] for row in csv.DictReader(io.StringIO(answer.stdout.removeprefix("\ufeff")))}


def test_a_list_of_names_is_added_and_its_passphrases_open(oasis: Oasis, class_file: Path) -> None:
    names = "\ufeffGrace Hopper\r\n\r\nŁucja\r\n"
    answer = oasis("classroom", "students", "add", "Ada", "--file", "-", env=TEACHER, typed=names)
    given = tickets(answer)
    assert list(given) == ["Ada", "Grace Hopper", "Łucja"]
    assert answer.stderr == (
        "3 students are new on the list; each passphrase is shown only this once, so hand them out.\n"
    )
    with open_classroom(class_file) as store:
        for name, passphrase in given.items():
            assert admit(store, name, passphrase=passphrase, create=False).name == name
    listed = oasis("classroom", "students", "list", env=TEACHER).stdout.splitlines()
    assert [line.split()[0] for line in listed if line.strip()][2:] == ["Ada", "Bob", "Grace", "Łucja"]
    assert done(oasis("classroom", "students", "add", "Emmy", env=TEACHER)) == (
        "Emmy is new on the list; the passphrase is shown only this once, so pass it on.\n"
    )


def test_passphrases_go_to_a_new_file_and_a_list_with_who_comes_later_is_added_again(
    oasis: Oasis, class_file: Path
) -> None:
    def add(*options: str, file: str = "kept.csv") -> subprocess.CompletedProcess[str]:
        return oasis(
            "classroom", "students", "add", "--file", "names.txt", "--passphrases", file, *options, env=TEACHER
        )

    names, kept = class_file.with_name("names.txt"), class_file.with_name("kept.csv")
    names.write_text("Ada\nBob\n")
    said = done(add())
    assert said.startswith(
        "Ada is new on the list; the passphrase is in kept.csv and nowhere else, so pass it"
    ) and said.endswith(" On the list already, and left as they are: 1; `list --all` shows also who left.\n")
    written = kept.read_bytes()
    assert written.startswith(b"\xef\xbb\xbfname,passphrase\nAda,") and kept.stat().st_mode & 0o777 == 0o600
    names.write_text("ADA\nBob\nZoe\n")
    again = add()
    assert (again.returncode, again.stdout) == (2, "") and "kept.csv is there already" in again.stderr
    assert kept.read_bytes() == written
    assert done(add(file="later.csv")).startswith("Zoe is new on the list;")
    assert class_file.with_name("later.csv").read_text(encoding="utf-8-sig").splitlines()[1].startswith("Zoe,")
    nobody = add(file="nobody.csv")
    assert nobody.returncode == 2 and "Nobody was added. On the list already, and left as they are: 3;" in nobody.stderr
    assert not class_file.with_name("nobody.csv").exists()
    assert "Zoe comes in with it" in done(
        oasis("classroom", "students", "passphrase", "Zoe", "--passphrases", "zoe.csv", env=TEACHER)
    )
    with open_classroom(class_file) as store:
        passphrase = class_file.with_name("zoe.csv").read_text().split(",")[-1].strip()
        assert admit(store, "Zoe", passphrase=passphrase, create=False).name == "Zoe"


def test_a_whole_copy_is_written_while_others_have_the_file_open(oasis: Oasis, class_file: Path) -> None:
    with open_classroom(class_file) as store:
        admit(store, "Zoe", account="zoe")  # in the log alone, as long as the file is open
        assert done(oasis("classroom", "copy", "backup.db")) == "All of oasis.db is in backup.db.\n"
    backup = class_file.with_name("backup.db")
    assert backup.stat().st_mode & 0o777 == 0o600
    with open_classroom(backup) as store:
        assert {each.name for each in store.students()} == {"Bob", "Zoe"}
        assert store.teacher() is not None
    before = backup.read_bytes()
    said = oasis.refused("classroom", "copy", "backup.db")
    assert said == "backup.db is there already, and nothing is overwritten; name another file."
    assert backup.read_bytes() == before


def test_a_student_leaves_comes_back_is_renamed_and_gets_another_passphrase(oasis: Oasis, class_file: Path) -> None:
    def students(*arguments: str) -> subprocess.CompletedProcess[str]:
        return oasis("classroom", "students", *arguments, env=TEACHER)

    def listed(*options: str) -> list[tuple[str, bool]]:
        found = json.loads(students("list", "--json", *options).stdout)["students"]
        return [(each["name"], each["left"] is None) for each in found]

    assert done(students("dismiss", "bob")).startswith("Bob is off the list and is not let in any more.")
    assert (listed(), listed("--all")) == ([], [("Bob", False)])
    assert done(students("list")) == "1 student left and is not shown; --all shows who left, too.\n"
    shown = students("list", "--all")
    assert done(shown) == "" and "account on this machine" in shown.stdout
    assert oasis.refused("classroom", "students", "passphrase", "bob", env=TEACHER) == (
        "Bob left the class and comes in with no passphrase; first: oasis classroom students readmit Bob."
    )
    assert done(students("readmit", "bob")) == "Bob is on the list, with all work.\n"
    assert done(students("rename", "bob", "Bob Smith")).startswith("bob is Bob Smith from now on")
    assert listed() == [("Bob Smith", True)]
    (name, passphrase), *none = tickets(students("passphrase", "bob smith")).items()
    assert (name, none) == ("Bob Smith", [])
    with open_classroom(class_file) as store:
        assert admit(store, name, passphrase=passphrase).name == "Bob Smith"


def test_a_list_without_accounts_of_this_machine_has_no_column_for_them(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        set_teacher_passphrase(store, "correct horse")
        Roll(store).add(["Ada"])
    listed = oasis("classroom", "students", "list", env=TEACHER)
    assert done(listed) == "" and "Ada" in listed.stdout and "account" not in listed.stdout


@pytest.mark.usefixtures("class_file")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("add bob", "Nobody was added: bob is on the list already; add the others without them."),
        ("add", "There are no names yet; type at least one."),
        ("add --file nowhere.txt", "There is no file nowhere.txt; check the name."),
        ("readmit bob", "Bob is on the list and has not left; there is nothing to do."),
        ("dismiss bop", "There is no student bop in this class; did you mean Bob?"),
    ],
)
def test_what_cannot_be_changed_is_told_in_one_sentence(oasis: Oasis, arguments: str, sentence: str) -> None:
    answer = oasis("classroom", "students", *arguments.split(), env=TEACHER)
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", f"oasis: {sentence}\n")


def test_who_is_meant_by_a_part_of_a_name_is_asked_and_without_a_terminal_only_a_whole_name_will_do(
    class_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reset(name: str) -> str:
        try:
            students.passphrase(name, None, class_file)
        except InputError as error:
            return str(error)
        return ""

    def passphrases() -> list[bytes | None]:
        with open_classroom(class_file) as store:
            return [each.secret and each.secret[1] for each in store.students()]

    asked: list[str] = []
    answers = iter("y n")

    def answer(question: str) -> str:
        asked.append(question)
        return next(answers)

    nothing = "Nothing was done; type the whole name of whom you mean."
    monkeypatch.setenv("OASIS_PASSPHRASE", "correct horse")
    with open_classroom(class_file) as store:
        Roll(store).add(["Kurt Gödel"])
    before = passphrases()
    assert reset("Kurt") == "There is no student Kurt in this class; did you mean Kurt Gödel?"
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", answer)
    for typed, said in (("kurt", ""), ("Kurt Godel", nothing), ("Godel", nothing)):
        assert reset(typed) == said
        assert (passphrases() == before) == bool(said)
        before = passphrases()
    assert asked == ["Is Kurt Gödel meant? Type y for yes: "] * 3
    assert (reset("KURT GÖDEL"), len(asked)) == ("", 3)
    with pytest.raises(InputError, match="There is no student Kurt in this class"):
        students.erase("Kurt", None, True, class_file)


@pytest.mark.parametrize("passphrase", ["", "guess"])
def test_only_the_teacher_sees_or_changes_the_list(oasis: Oasis, class_file: Path, passphrase: str) -> None:
    before = class_file.read_bytes()
    for arguments in (["list"], ["add", "Eve"], ["passphrase", "Bob"], ["rename", "Bob", "Eve"], ["dismiss", "Bob"]):
        said = oasis.refused("classroom", "students", *arguments, env=environment(OASIS_PASSPHRASE=passphrase))
        assert "teacher's passphrase" in said or "too many wrong tries" in said
    with open_classroom(class_file) as store:
        assert [(student.name, student.secret, student.left) for student in store.students()] == [("Bob", None, None)]
    assert class_file.read_bytes()[:16] == before[:16]


def test_the_user_of_this_machine_exports_by_the_name_that_was_corrected(oasis: Oasis, class_file: Path) -> None:
    del class_file
    env = {**TEACHER, "USER": "bob", "LOGNAME": "bob"}
    done(oasis("classroom", "students", "rename", "Bob", "Bob Smith", env=env))
    answer = oasis("classroom", "export", env=env)
    assert json.loads(answer.stdout)["student"] == "Bob Smith"


def test_a_classroom_for_those_on_the_list_is_served_as_one(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from oasis.server.server import ClassroomServer

    commands: list[list[str]] = []
    monkeypatch.setattr(ClassroomServer, "serve", lambda server: commands.append(server.command))
    with open_classroom(tmp_path / "oasis.db") as store:
        set_teacher_passphrase(store, "correct horse")
        Roll(store).add(["Ada"])
    for options in ([], ["--listed-only"]):
        oasis.ran("classroom", "serve", *options)
    assert ["--listed-only" in command for command in commands] == [False, True]


def test_a_server_that_could_serve_nobody_is_not_started(oasis: Oasis, tmp_path: Path) -> None:
    answer = oasis("classroom", "serve", "--host", "192.0.2.1")
    assert answer.returncode == 2
    said = "Nobody can listen at 192.0.2.1:8000"
    assert f"oasis: {said}" in answer.stderr and "--host is an address of this machine, or 0.0.0.0" in answer.stderr
    assert not (tmp_path / "oasis.db").exists()


def test_a_classroom_that_nobody_could_come_into_is_not_served(oasis: Oasis, class_file: Path, tmp_path: Path) -> None:
    def refusal(file: Path) -> str:
        return oasis.refused("classroom", "serve", "--listed-only", "--db", str(file))

    assert "begin one with `oasis classroom passphrase`" in refusal(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    open_classroom(tmp_path / "empty.db").close()
    assert "has no teacher yet to have a list; set a passphrase with" in refusal(tmp_path / "empty.db")
    nobody = f"Nobody on the list of {class_file} has a passphrase to come in with; "
    assert refusal(class_file).startswith(nobody)
    with open_classroom(class_file) as store:
        roll = Roll(store)
        roll.add(["Ada"])
        roll.dismiss("Ada")
    assert refusal(class_file).startswith(nobody)


@pytest.mark.parametrize("options", [[], ["--listed-only"]])
def test_the_classroom_is_opened_for_those_on_the_list(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    from tui.app import Classroom

    seen: list[bool] = []
    monkeypatch.setattr(Classroom, "run", lambda classroom: seen.append(classroom.session.setup.listed_only))
    oasis.ran("tui", "--served", *options)
    assert seen == [bool(options)]
