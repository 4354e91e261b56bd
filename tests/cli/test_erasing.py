"""A student who leaves for good, and one who comes from elsewhere, as a teacher types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from oasis.classroom.admission import admit, open_classroom, set_teacher_passphrase
from oasis.classroom.desk.record import problem_key
from tests.classroom.people import OR_COMM, local, make, sit
from tests.classroom.test_work import PROOF
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

TEACHER = environment(OASIS_PASSPHRASE="correct horse")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of Bob and of Quirinius, who both have proved something."""
    path = tmp_path_factory.mktemp("class") / "oasis.db"
    with open_classroom(path) as store:
        set_teacher_passphrase(store, "correct horse")
        for name in ("Bob", "Quirinius"):
            make(sit(local(store, name), OR_COMM), PROOF)
    return path


@pytest.fixture
def class_file(made: Path, tmp_path: Path) -> Path:
    """A copy of it to change."""
    return Path(shutil.copy(made, tmp_path))


def names(path: Path) -> list[str]:
    """Who is on the list."""
    with open_classroom(path) as store:
        return [row.name for row in store.students()]


def test_a_student_is_erased_after_a_copy_and_the_copy_brings_them_back(oasis: Oasis, class_file: Path) -> None:
    answer = oasis("classroom", "students", "erase", "quirinius", "--copy", "q.json", "--yes", env=TEACHER)
    assert (answer.returncode, answer.stdout) == (0, "")
    assert "Quirinius and all of their work are deleted. Spreadsheets and copies" in answer.stderr.replace("\n", " ")
    assert names(class_file) == ["Bob"]
    copy = class_file.with_name("q.json")
    assert json.loads(copy.read_text())["student"] == "Quirinius"
    content = b"".join(each.read_bytes() for each in class_file.parent.iterdir() if each != copy)
    assert b"uirinius" not in content
    back = oasis("classroom", "students", "import", "q.json", env=TEACHER)
    assert back.stderr == "Attempts imported: 1; here already: 0.\n"
    name, passphrase = back.stdout.splitlines()[1].split(",")
    with open_classroom(class_file) as store:
        desk = admit(store, name, passphrase=passphrase, create=False)
        assert desk.results()[problem_key(OR_COMM)].outcome == "proved"
        assert [bool(row.kept.imported) for row in store.attempts(desk.student.id)] == [True]


def test_nothing_is_deleted_without_a_word_and_no_file_is_written_over(oasis: Oasis, class_file: Path) -> None:
    asked = oasis("classroom", "students", "erase", "Bob", env=TEACHER)
    assert asked.returncode == 2
    assert asked.stderr.splitlines()[0].startswith("This deletes Bob and all of their work for good. No copy is kept")
    assert "say --yes." in asked.stderr
    class_file.with_name("there.json").write_text("mine")
    assert "nothing is overwritten" in oasis.refused(
        "classroom", "students", "erase", "Bob", "--copy", "there.json", "--yes", env=TEACHER
    )
    assert "not the teacher's passphrase" in oasis.refused(
        "classroom", "students", "erase", "Bob", "--yes", env=environment(OASIS_PASSPHRASE="wrong one")
    )
    assert "There is no student Rob" in oasis.refused("classroom", "students", "erase", "Rob", "--yes", env=TEACHER)
    assert names(class_file) == ["Bob", "Quirinius"]


def test_work_from_elsewhere_is_brought_to_a_new_student_or_to_the_same_one(oasis: Oasis, class_file: Path) -> None:
    oasis.ran("classroom", "students", "export", "Bob", "-o", "bob.json", env=TEACHER)
    taken = oasis("classroom", "students", "import", "bob.json", env=TEACHER)
    assert taken.returncode == 2 and taken.stdout == ""
    assert taken.stderr == (
        "oasis: Bob is on the list already, so nothing was imported; --into Bob brings the work to this student, "
        "--as NAME to a new one.\n"
    )
    other = oasis("classroom", "students", "import", "bob.json", "--as", "Bob 2", env=TEACHER)
    assert (other.returncode, other.stderr) == (0, "Attempts imported: 1; here already: 0.\n")
    same = oasis("classroom", "students", "import", "bob.json", "--into", "bob", env=TEACHER)
    assert (same.stdout, same.stderr) == ("", "Attempts imported: 0; here already: 1.\n")
    assert "give one of them" in oasis.refused(
        "classroom", "students", "import", "bob.json", "--into", "bob", "--as", "Eve", env=TEACHER
    )
    assert names(class_file) == ["Bob", "Bob 2", "Quirinius"]


def test_what_cannot_be_read_makes_no_student(oasis: Oasis, class_file: Path) -> None:
    class_file.with_name("bad.json").write_text("{}")
    assert oasis("classroom", "students", "import", "bad.json", "--as", "Eve", env=TEACHER).returncode == 2
    assert names(class_file) == ["Bob", "Quirinius"]


def test_traces_are_removed_later_as_well(oasis: Oasis, class_file: Path) -> None:
    answer = oasis("classroom", "students", "sweep", env=TEACHER)
    assert (answer.returncode, answer.stderr) == (0, "Nothing of what was deleted is left in oasis.db.\n")
