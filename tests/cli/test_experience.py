"""`oasis experience`: the maxims and their journal, as a person sees them; all in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from oasis.cli.main import _told, app
from oasis.experience.library import Library
from oasis.experience.maxims import PREFER, Evidence
from oasis.experience.scope import Scope
from oasis.store import Store

CONTENT = "Where the goal is a disjunction and a hypothesis is one too, take it apart first."


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def planted() -> None:
    with Store(Path("oasis.db")) as store:
        Library(store).add(
            CONTENT,
            PREFER,
            Scope("or", "or", "destruct_or"),
            Evidence(9, 1),
            source="p -> p",
            by="me",
            reason="seen often",
        )


def oasis(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["experience", *arguments], input=typed)


def refused(*arguments: str, typed: str = "") -> str:
    """The sentence with which something is refused."""
    error = oasis(*arguments, typed=typed).exception
    assert isinstance(error, Exception)
    sentence, exit_code = _told(error)
    assert exit_code == 2 and "\n" not in sentence, sentence
    return sentence


def test_maxims_are_listed_shown_and_have_a_history() -> None:
    planted()
    assert CONTENT in oasis("list").stdout
    assert json.loads(oasis("list", "--json").stdout)["maxims"][0]["evidence"] == [9, 1]
    shown = oasis("show", "1").stdout
    assert f"1. {CONTENT}" in shown and "9.0 pairs of rollouts for the move and 1.0 against it, odds 5" in shown
    assert "seen often" in shown and "seen often" in oasis("history").stdout
    told = json.loads(oasis("show", "1", "--json").stdout)
    assert [entry["operation"] for entry in told["history"]] == ["add"]


def test_a_journal_is_taken_to_another_database_and_what_was_cut_off_is_told() -> None:
    planted()
    planted()
    text = oasis("export").stdout
    done = oasis("import", "-", "--db", "other.db", typed=text[:-20])
    assert done.exit_code == 0
    assert "Entries taken: 1; 0 were here already." in done.stderr and "The file was cut short" in done.stderr
    done = oasis("import", "-", "--db", "other.db", typed=text)
    assert "Entries taken: 1; 1 were here already." in done.stderr and "cut short" not in done.stderr
    with Store(Path("other.db")) as store:
        assert [*Library(store).maxims()] == [1, 2]


def test_bad_input_gets_one_sentence() -> None:
    assert "There is no database" in refused("list")
    planted()
    assert refused("show", "7").startswith("Maxim 7 is not there")
    assert refused("history", "7").startswith("There never was a maxim 7")
    assert refused("import", "-", typed="nonsense").startswith("Standard input is no journal of maxims")
    Path("x.json").write_text('{"format": "oasis experience", "layout": 1, "entries": 1}\n{}\n')
    assert refused("import", "x.json").startswith("x.json, line 2: A line of a journal needs operation")


def test_what_is_distilled_is_listed_and_followed() -> None:
    few = ("--plays", "30", "--seeds", "10", "--exam-plays", "20", "--most", "2", "--quiet")
    lemmas = ("p -> p \\/ q", "p /\\ q -> p \\/ r", "~p -> ~p \\/ q", "p -> q -> q \\/ r")
    done = oasis("distill", *lemmas, "--held-out", "q -> q \\/ p", *few, "--json")
    assert done.exit_code == 0, done.exception
    verdicts = json.loads(done.stdout)["verdicts"]
    assert any(verdict["accepted"] for verdict in verdicts)
    maxims = json.loads(oasis("list", "--json").stdout)["maxims"]
    assert len(maxims) == sum(verdict["accepted"] for verdict in verdicts)
    assert "distill p -> p" in oasis("history").stdout


def test_maxims_are_followed_by_who_plays_and_is_evaluated() -> None:
    with Store(Path("oasis.db")) as store:
        Library(store).add(
            "Right.", PREFER, Scope("or", "any", "right"), Evidence(9, 0), source="p", by="me", reason="r"
        )
    lemma = "p -> q \\/ p"
    for seed in range(5):
        told = ("--policy", "uniform", "--seed", str(seed), "--json")
        done = CliRunner().invoke(app, ["prove", lemma, *told, "--experience"])
        assert done.exit_code == 0 and json.loads(done.stdout)["experience"] is True
        assert "right" in done.stdout
    scores = [
        json.loads(
            CliRunner()
            .invoke(app, ["policy", "eval", "uniform", "--benchmark", lemma, "--certify", "none", "--json", *more])
            .stdout
        )
        for more in (["--experience"], [])
    ]
    assert [score["experience"] for score in scores] == [True, False]


def test_maxims_go_with_a_policy_that_chooses() -> None:
    planted()
    for more, said in (
        (("--search", "best-first"), "--experience goes with --policy and not with --search"),
        ((), "--experience goes with --policy"),
        (("--policy", "uniform", "--writing", "free"), "leave out --experience"),
    ):
        error = CliRunner().invoke(app, ["prove", "p -> p", *more, "--experience"]).exception
        assert isinstance(error, Exception) and said in str(error)
    assert "held-out" in refused("distill", "p -> p")
    assert "--seeds" in refused("distill", "textbook", "--seeds", "1")
