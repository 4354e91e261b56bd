"""Databases that somebody changed: what provers said of something else is not shown, and damage is told in words."""

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest

from curricula import resolve
from oasis.store import Store, StoreError
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from tactics.script import show_script
from tests.commands import Oasis

pytestmark = pytest.mark.slow

COMPARED = ("compare", "A -> A", "--learner", "uniform,q-learning", "--episodes=2", "--seeds=2", "--engine=serial")
CHANGED = "UPDATE lemmas SET formula = 'forall p : Prop, p' WHERE position = 0"
FIRST = "WHERE formula = (SELECT formula FROM lemmas WHERE position = 0)"
REJECTED = f"UPDATE certificates SET accepted = 0 {FIRST}"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over two lemmas whose proofs Coq once accepted."""
    path = tmp_path_factory.mktemp("trained") / "oasis.db"
    with Store(path) as store:
        for _ in Training.start(store, resolve("thesis", levels=(1, 2)), Settings(episodes=100)):
            pass
        for lemma in report(store, 1).lemmas:
            assert lemma.best is not None
            store.add_certificates([(lemma.formula, show_script(lemma.best), "coq", "Coq 8.1", True, "")])
    return path


@pytest.fixture
def certified(trained: Path, tmp_path: Path) -> Path:
    """A copy of that database to change."""
    return Path(copy(trained, tmp_path))


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(statement).rowcount
        connection.commit()


@pytest.mark.parametrize(
    "statement",
    [
        REJECTED,
        f"UPDATE certificates SET version = 'Coq 9' {FIRST}",
        f"UPDATE certificates SET script = script || '; intro' {FIRST}",
        f"UPDATE certificates SET digest = '' {FIRST}",
    ],
)
def test_a_certificate_that_was_changed_is_withheld(certified: Path, statement: str) -> None:
    change(certified, statement)
    with Store(certified) as store:
        first, second = report(store, 1).lemmas
    assert [(len(lemma.words_on(lemma.best)), lemma.withheld) for lemma in (first, second)] == [(0, 1), (1, 0)]


def test_a_certificate_that_is_withheld_is_said_to_be_missing(oasis: Oasis, certified: Path) -> None:
    whole = oasis("runs", "show")
    assert (whole.stdout.count("coq"), whole.stderr) == (2, "")
    change(certified, REJECTED)
    answer = oasis.ran("runs", "show")
    assert answer.stdout.count("coq") == 1
    assert answer.stderr == (
        "1 certificate was changed since, so it counts as missing; have it given again with: oasis check --run 1\n"
    )


def test_a_check_of_a_changed_formula_is_shown_with_it_and_without_old_words(oasis: Oasis, certified: Path) -> None:
    change(certified, CHANGED)
    change(certified, "UPDATE lemmas SET name = 'textbook/and_comm' WHERE position = 0")
    answer = oasis.ran("check", "--run", "1", "--with", "native", code=1)
    (first,) = (line for line in answer.stdout.splitlines() if "and_comm" in line)
    assert "forall p : Prop, p " in first
    assert "Step 1" in first
    assert "Coq" not in first
    assert any("thesis/42" in line and "Coq 8.1, the embedded calculus" in line for line in answer.stdout.splitlines())


def test_a_run_without_proofs_is_checked_with_a_sentence(oasis: Oasis) -> None:
    oasis("train", "textbook/peirce", "--all", "--episodes", "5", "--quiet")
    assert oasis.refused("check", "--run", "1", "--with", "native") == (
        "Run 1 has no proof; train for more episodes, or on easier lemmas."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET settings = 'nonsense'",
        "UPDATE runs SET settings = '{\"learner\": 7}'",
        "UPDATE runs SET settings = '{\"wings\": 2}'",
        "UPDATE runs SET settings = x'ff00'",
        "UPDATE lemmas SET name = x'ff00'",
        "UPDATE lemmas SET formula = CAST(x'ff00' AS TEXT)",
        "UPDATE lemmas SET seconds = 'long'",
        "UPDATE lemmas SET best = 'fly H'",
        "UPDATE lemmas SET exam = x'00'",
        "UPDATE lemmas SET optimum = 'short'",
        "UPDATE runs SET curriculum = x'ff'",
        "UPDATE certificates SET reason = x'ff00'",
    ],
)
def test_damage_is_told_in_words(certified: Path, statement: str) -> None:
    change(certified, statement)
    with Store(certified) as store, pytest.raises(StoreError, match=r"oasis\.db is damaged \(.*put back a copy of it"):
        report(store, 1)


def test_names_in_a_database_do_not_steer_the_terminal(oasis: Oasis, certified: Path) -> None:
    oasis.ran(*COMPARED)
    evil = "char(120, 27, 93, 13, 155, 8238)"
    change(certified, f"UPDATE experiments SET name = {evil}, [commit] = {evil}")
    change(certified, f"UPDATE trials SET [commit] = {evil} WHERE seed = 0")
    change(certified, f"UPDATE runs SET finished = NULL, curriculum = {evil}")
    change(certified, f"UPDATE lemmas SET finished = 0, name = {evil} || position")
    for command in (["compare", "--resume"], ["train", "--resume"], ["runs", "show"], ["runs", "list"]):
        answer = oasis(*command)
        text = answer.stdout + answer.stderr
        assert "x?]??" in text, text
        assert text.replace("\n", "").isprintable(), text


def test_a_command_that_meets_damage_ends_with_a_sentence(oasis: Oasis, certified: Path) -> None:
    change(certified, "UPDATE lemmas SET best = 'intro'")
    assert oasis.refused("runs", "proofs").startswith("oasis.db is damaged (q-learning claims to prove")
    change(certified, "UPDATE runs SET settings = x'ff00'")
    for command in ("runs show", "runs list", "check --run 1 --with native"):
        said = oasis.refused(*command.split())
        assert said.startswith("oasis.db is damaged (number 1 has bytes where text was)")


def test_episodes_and_trials_that_are_damaged_are_told_in_words(oasis: Oasis, certified: Path) -> None:
    oasis.ran(*COMPARED)
    for content in ("x'ff00'", "'text'", "zeroblob(9)"):
        change(certified, f"UPDATE blocks SET content = {content}")
        change(certified, f"UPDATE trials SET result = {content}")
        said = oasis.refused("runs", "export", "1", "--format", "json")
        assert "oasis.db is damaged (the episodes of run 1 cannot be read)" in said
        assert "A trial of experiment 1 in oasis.db cannot be read: it is damaged" in oasis.refused(
            "compare", "--resume"
        )


def test_runs_are_listed_whatever_their_settings_say(oasis: Oasis, certified: Path) -> None:
    change(certified, "UPDATE runs SET settings = '{}', curriculum = 'x' || char(27) || '[31m'")
    assert "x?[31m" in oasis.ran("runs", "list").stdout
