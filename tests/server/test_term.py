"""A term in the life of a class, as docs/classroom.md has it: nothing is lost, nothing of who was erased is left."""

import asyncio
import csv
import re
import shlex
import shutil
from pathlib import Path
from typing import Final

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.lessons.lesson import Lesson
from oasis.teacher.proofs import Proof, prove
from tests.classroom.people import make, sit
from tests.commands import Oasis, environment
from tests.server.serving import Visitor, served
from tests.server.test_real_tabs import fill_in

pytestmark = pytest.mark.slow

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "classroom.md"
TEACHER: Final = "an apple a day"
NAMES: Final = ["Ada Lovelace", "Niels Abel", "Zoë Ångström", "Çağla Öztürk", *(f"Student {n}" for n in range(1, 9))]
LESSONS: Final = {
    "week_1": 'due = 2020-09-20\nlemmas = ["textbook/and_comm", "textbook/or_comm"]',
    "week_2": 'due = 2120-09-27\nletters = "own"\nlemmas = ["textbook/transitivity"]',
    "week_3": """\
due = 2120-10-04
lemmas = ["textbook/and_elim"]
[[exercise]]
lemma = "no : A -> A /\\\\ B"
theorem = false
""",
}


class Term:
    """A class in a folder, for which a teacher types the commands of the page one after the other."""

    def __init__(self, folder: Path) -> None:
        blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        self.left = [line for block in blocks for line in block.splitlines()]
        self.passphrases: dict[str, str] = {}
        self.lives_in(folder)

    def lives_in(self, folder: Path) -> None:
        """Find the file of the class in this folder from now on."""
        self.folder, self.file = folder, folder / "class.db"

    def types(self, beginning: str) -> str:
        """Type the next command of the page, which begins like this; return what it prints."""
        line = self.left.pop(0)
        assert line.startswith(beginning), line
        variables = environment(OASIS_PASSPHRASE=TEACHER, OASIS_DB=str(self.file))
        return Oasis(self.folder).ran(*shlex.split(line)[1:], env=variables).stdout

    def handed_out(self, text: str) -> None:
        """Let the handed-out passphrases reach their students."""
        self.passphrases |= {row["name"]: row["passphrase"] for row in rows(text)}

    def works(self, name: str, lessons: int) -> None:
        """Have a student come in with the passphrase and do the first lessons."""
        with open_classroom(self.file, create=False) as store:
            desk = admit(store, name, passphrase=self.passphrases[name], create=False)
            given = [Lesson.read(self.folder / f"{name}.toml") for name in list(LESSONS)[:lessons]]
            for exercise in (each for lesson in given for each in lesson.exercises_for(name)):
                attempt = sit(desk, exercise)
                if exercise.name == "no":
                    attempt.claim(right=True)
                else:
                    found = prove(exercise.formula)
                    assert isinstance(found, Proof) and found.script is not None
                    make(attempt, found.script)

    def done(self) -> dict[str, int]:
        """Return how many exercises each student has done."""
        with open_classroom(self.file, create=False) as store:
            results = {each.name: Desk(store, each).results().values() for each in store.students()}
            return {name: sum(bool(each.outcome) for each in of_student) for name, of_student in results.items()}


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a spreadsheet, which may begin with the mark of Excel's."""
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))


async def test_a_term(tmp_path: Path) -> None:
    term = Term(tmp_path / "old machine")
    term.folder.mkdir()
    (term.folder / "names.txt").write_text("\n".join(NAMES), encoding="utf-8")
    # Before the first week.
    term.types("oasis classroom passphrase")
    term.types("oasis classroom students add --file names.txt")
    term.handed_out((term.folder / "passphrases.csv").read_text(encoding="utf-8"))
    assert list(term.passphrases) == NAMES
    term.types("oasis lesson new week_1.toml")
    for name, text in LESSONS.items():
        (term.folder / f"{name}.toml").write_text(text)
    term.types("oasis lesson check")
    # Students and the teacher come in with browsers.
    options = shlex.split(term.left.pop(0))
    assert options[:3] == ["oasis", "classroom", "serve"]
    options = [str(term.folder / each) if each.endswith(".toml") else each for each in options[3:]]
    with served(term.folder, *options) as server:
        async with Visitor(server) as visitor, Visitor(server) as teacher:
            await asyncio.gather(visitor.get("/"), teacher.get("/"))
            tab = await visitor.tab(100, 30)
            await fill_in(tab, "Ada Lovelace", term.passphrases["Ada Lovelace"])
            await tab.wait_for("Where things are")
            for name, lessons in (("Ada Lovelace", 3), ("Zoë Ångström", 2), ("Niels Abel", 2), ("Çağla Öztürk", 1)):
                term.works(name, lessons)
            tab = await teacher.tab(100, 30)
            await tab.wait_for("I am the teacher")
            await tab.type("\t\t\t\r", shows="Type the teacher's passphrase")
            await tab.type(TEACHER, shows="*" * len(TEACHER))
            await tab.type("\r", shows=f"{len(NAMES)} students: 4 working; {len(NAMES) - 4} began nothing")
    # A forgotten passphrase, and somebody who comes later.
    forgotten = term.passphrases["Ada Lovelace"]
    term.handed_out(term.types("oasis classroom students passphrase"))
    term.handed_out(term.types("oasis classroom students add"))
    term.works("Emmy Noether", 3)
    # Results.
    assert f"{len(NAMES) + 1} students" in term.types("oasis classroom results --by class --lesson")
    for _ in range(3):
        term.types("oasis classroom results")
    by_class, by_student, by_problem = (
        rows((term.folder / f"{name}.csv").read_text(encoding="utf-8")) for name in ("class", "students", "problems")
    )
    students = {row["student"]: (row["done"], row["asked"], row["late"]) for row in by_class}
    assert list(students)[:3] == ["Ada Lovelace", "Çağla Öztürk", "Emmy Noether"] and list(students)[-1] == NAMES[2]
    assert students[NAMES[2]] == ("3", "5", "2") and len(by_student) == (len(NAMES) + 1) * 5
    problems = {row["lemma"]: (row["begun"], row["asked"]) for row in by_problem}
    assert problems["textbook/and_comm"] == ("5", "13") and problems["no"] == ("2", "13")
    for _ in ("moodle", "canvas"):
        term.types("oasis classroom results --for")
    moodle = rows((term.folder / "moodle.csv").read_text(encoding="utf-8"))
    assert {row["First name"]: row["week_1"] for row in moodle}["Ada Lovelace"] == "20"
    assert "no proof of copying" in term.types("oasis classroom likeness")
    assert "passphrase" in term.types("oasis classroom log")
    # A student leaves for good, and is back from the copy under another name.
    before = term.done()
    term.types("oasis classroom students erase")
    content = b"".join(path.read_bytes() for path in term.folder.glob("class.db*"))
    assert b"Niels" not in content and b"niels" not in content
    assert term.done() == {name: done for name, done in before.items() if name != "Niels Abel"}
    term.handed_out(term.types("oasis classroom students import"))
    assert term.done()["Niels Henrik Abel"] == before["Niels Abel"] == 3
    # To another machine, with the file alone.
    after, moved = term.done(), tmp_path / "new machine"
    moved.mkdir()
    term.types("oasis classroom copy backup.db")
    shutil.copy(term.folder / "backup.db", moved / "class.db")
    shutil.rmtree(term.folder)
    term.lives_in(moved)
    assert len(term.types("oasis classroom students list").splitlines()) >= len(NAMES) + 2
    assert (term.left, term.done()) == ([], after)
    with served(term.folder, "--listed-only") as server:
        async with Visitor(server) as visitor:
            await visitor.get("/")
            tab = await visitor.tab(100, 30)
            await fill_in(tab, "Ada Lovelace", forgotten)
            await tab.wait_for("That name and that passphrase do not go together")
            tab = await visitor.tab(100, 30)
            await fill_in(tab, "Zoe Angstrom", term.passphrases["Zoë Ångström"])
            await tab.wait_for("Zoë Ångström")
