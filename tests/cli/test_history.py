"""`oasis classroom history` as a teacher and a student type it."""

from __future__ import annotations

import shutil
from getpass import getuser
from pathlib import Path

import pytest

from oasis.classroom.admission import admit, open_classroom, set_passphrase, set_teacher_passphrase
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, again, make, sit
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

TEACHER = environment(OASIS_PASSPHRASE="correct horse", TZ="UTC")
BOB = environment(OASIS_PASSPHRASE="battery staple", TZ="UTC")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bob has lost a proof, found it in another attempt, and begun a lemma; the user of this machine has lost it."""
    path = tmp_path_factory.mktemp("class") / "oasis.db"
    with open_classroom(path) as store:
        set_teacher_passphrase(store, "correct horse")
        make(sit(admit(store, getuser(), account=getuser()), OR_COMM), parse_script("intro; left"))
        bob = admit(store, "Bob", account="bob")
        make(sit(bob, OR_COMM), parse_script("intro; left"))
        make(again(bob, OR_COMM), PROOF)
        make(sit(bob, PEIRCE), PROOF[:1])
        set_passphrase(bob, "battery staple")
    return path


@pytest.fixture(autouse=True)
def _class(made: Path, tmp_path: Path) -> None:
    """A copy of it to change."""
    shutil.copy(made, tmp_path)


def without_times(text: str) -> list[str]:
    """The lines of a history, whatever the clock said."""
    return [line if ". " not in line[:6] else line[:5] + line[5:].partition(": ")[2] for line in text.splitlines()]


def test_a_student_has_a_line_for_each_attempt(oasis: Oasis) -> None:
    answer = oasis("classroom", "history", "bob", env=TEACHER)
    lines = [line.partition(", 20") for line in answer.stdout.splitlines()]
    assert [start for start, _, _ in lines] == [
        "cases: textbook/or_comm, attempt 1 of 2",
        "cases: textbook/or_comm, attempt 2 of 2",
        "cases: textbook/peirce, attempt 1 of 1",
    ]
    assert [end.partition(": ")[2] for _, _, end in lines] == [
        "not done, 0:00",
        "proved in 6 moves, 10 of 10 points for this attempt alone, 0:00",
        "not done, 0:00",
    ]


def test_one_of_several_names_will_do_where_nobody_else_has_it(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        for name in ("Zoë Ångström", "Ada Lovelace", "Ada Yonath"):
            make(sit(admit(store, name, account=name), OR_COMM), PROOF[:1])
    for name in ("Zoë", "zoe", "Angstrom", "Zoe Angstrom"):
        answer = oasis.json("classroom", "history", name, env=TEACHER)
        assert (answer["student"], len(answer["attempts"])) == ("Zoë Ångström", 1)
    assert "did you mean Ada Lovelace or Ada Yonath?" in oasis.refused("classroom", "history", "Ada", env=TEACHER)


def test_a_lemma_is_shown_moment_by_moment_with_the_move_that_lost_it(oasis: Oasis) -> None:
    answer = oasis("classroom", "history", "Bob", "or_comm", env=TEACHER)
    first, *moments, last, second = without_times(answer.stdout)[:8]
    assert first.startswith("cases: textbook/or_comm, attempt 1 of 2, ")
    assert moments == [
        "  0. began.",
        "     |- p \\/ q -> q \\/ p",
        "  1. made intro.",
        "  2. made left. This loses the proof.",
        "  3. went back to the beginning.",
    ]
    assert last == "     This can still be proved."
    assert second.startswith("cases: textbook/or_comm, attempt 2 of 2, ")
    assert answer.stdout.endswith(": made assumption, which proves it.\n")
    assert answer.stdout.isascii()


def test_goals_are_shown_when_they_are_asked_for(oasis: Oasis) -> None:
    answer = oasis("classroom", "history", "Bob", "peirce", "--goals", "--format", "unicode", env=TEACHER)
    assert without_times(answer.stdout)[1:] == [
        "  0. began.",
        "     ⊢ ((p → q) → p) → p",
        "  1. made intro.",
        "     H : (p → q) → p ⊢ p",
        "     This lemma has no proof.",
    ]


def test_json_says_the_same(oasis: Oasis) -> None:
    shown = oasis.json("classroom", "history", "bob", "or_comm", "--goals", env=TEACHER)
    first, second = shown["attempts"]
    said = [(moment["sentence"], moment["lost"]) for moment in first["moments"]]
    assert said == [
        ("began", False),
        ("made intro", False),
        ("made left", True),
        ("went back to the beginning", False),
    ]
    assert first["moments"][2]["goals"] == [
        {"hypotheses": [{"name": "H", "formula": "p \\/ q"}], "conclusion": "q"},
    ]
    assert second["moments"][-1]["script"] == "; ".join(map(str, PROOF))
    assert first["damage"] == second["damage"] == ""


def test_a_students_own_is_opened_by_their_passphrase_and_tells_what_was_lost_once_the_lemma_is_done(
    oasis: Oasis,
) -> None:
    assert "That is not the passphrase of Bob" in oasis.refused("classroom", "history", "Bob", "--own", env=TEACHER)
    done = oasis("classroom", "history", "Bob", "or_comm", "--own", env=BOB)
    assert "made left. This loses the proof." in done.stdout
    own = oasis("classroom", "history", getuser(), "or_comm", "--own")
    assert without_times(own.stdout)[1:] == [
        "  0. began.",
        "     |- p \\/ q -> q \\/ p",
        "  1. made intro.",
        "  2. made left.",
    ]
    told = oasis.json("classroom", "history", getuser(), "or_comm", "--own")
    assert all("lost" not in moment for moment in told["attempts"][0]["moments"])


def test_nobody_reads_the_history_of_another_with_a_passphrase_of_their_own(oasis: Oasis) -> None:
    for name in ("Bob", getuser()):
        assert "That is not the teacher's passphrase" in oasis.refused("classroom", "history", name, "or_comm", env=BOB)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bbo"], "There is no student bbo in this class; did you mean Bob?"),
        (["Zoe"], "There is no student Zoe in this class; look for the name on the list."),
        (["Bob", "or_com"], "or_com is not begun by Bob; did you mean or_comm?"),
        (["Bob", "SYJ203.3"], "SYJ203.3 is not begun by Bob; leave it out to see what is."),
        (["Bob", "--seconds", "0"], "--seconds must be above 0."),
        (["Bob", "--format", "html"], "--format is one of"),
        (["Bob", "--db", "nowhere.db"], "There is no class in nowhere.db yet"),
    ],
)
def test_bad_input_gets_one_sentence(oasis: Oasis, arguments: list[str], sentence: str) -> None:
    answer = oasis("classroom", "history", *arguments, env=TEACHER)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"oasis: {sentence}"), answer.stderr
    assert answer.stderr.count("\n") == 1


def test_who_has_begun_nothing_has_no_lines(oasis: Oasis, tmp_path: Path) -> None:
    with open_classroom(tmp_path / "oasis.db") as store:
        admit(store, "Zoe", account="zoe")
    answer = oasis("classroom", "history", "Zoe", env=TEACHER)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "Nothing is begun yet.\n")
