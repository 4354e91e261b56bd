"""`oasis experience`: the maxims and their journal, as a person sees them; all in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from oasis.cli.main import _told, app
from oasis.experience.library import Library
from oasis.experience.maxims import PREFER, Evidence
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.store import Store

APART = Scope("or", "or", "destruct_or")
CONTENT = "Where the goal is a disjunction and a hypothesis is one too, take it apart first."


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def planted(scope: Scope = APART, helped: float = 9) -> None:
    with Store(Path("oasis.db")) as store:
        Library(store).add(
            CONTENT,
            PREFER,
            scope,
            Evidence(helped, 1),
            source="textbook/or_comm",
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
    assert oasis.json("list")["maxims"][0]["evidence"] == [9, 1]
    shown = oasis("show", "1").stdout
    assert (
        f"1. {CONTENT}" in shown
        and "9.0 for the move and 1.0 against it in pairs of rollouts, or as somebody believes, odds 5" in shown
    )
    assert "seen often" in shown and "seen often" in oasis("history").stdout
    told = oasis.json("show", "1")
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
    maxims = oasis.json("list")["maxims"]
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


def test_a_search_is_led_by_maxims() -> None:
    """The first play of each seed is a proof that without maxims only some of them find."""
    planted(Scope("or", "any", "right"), 10**6)
    told = ("p -> q \\/ p", "--search", "sampling", "--budget", "4", "--cache", "none", "--json")

    def proved(*more: str) -> int:
        runs = [CliRunner().invoke(app, ["prove", *told, "--seed", str(seed), *more]) for seed in range(8)]
        return sum(json.loads(run.stdout)["status"] == "proved" for run in runs)

    assert proved("--experience") == 8 > proved()


def test_a_student_practises_with_maxims_and_goes_on_with_those_that_it_began_with() -> None:
    planted()
    train = ("train", "textbook/or_comm", "--episodes", "3", "--certify", "none")
    done = CliRunner().invoke(app, [*train, "--experience", "--json"])
    assert done.exit_code == 0, done.output
    kept = json.loads(done.stdout)["settings"]["experience"]
    assert Prior.read(kept).text == kept and len(Prior.read(kept)) == 1
    planted(Scope("or", "any", "right"))
    more = ("train", "textbook/and_comm", "--episodes", "2", "--student", "1", "--certify", "none", "--json")
    assert json.loads(CliRunner().invoke(app, [*more]).stdout)["settings"]["experience"] == kept
    newer = json.loads(CliRunner().invoke(app, [*more, "--experience"]).stdout)["settings"]["experience"]
    assert len(Prior.read(newer)) == 2
    assert "with experience" in CliRunner().invoke(app, ["runs", "show", "1"]).stdout
    assert CliRunner().invoke(app, ["train", "--resume", "--run", "1", "--experience", "-q"]).exit_code == 0


def test_students_without_maxims_that_they_could_follow_are_refused() -> None:
    def said(*more: str) -> str:
        error = CliRunner().invoke(app, ["train", *more, "--experience"]).exception
        assert isinstance(error, Exception)
        return _told(error)[0]

    assert "There is no database oasis.db" in said("p -> p") and not Path("oasis.db").exists()
    with Store(Path("oasis.db")):
        assert "There are no maxims in oasis.db; distil some" in said("p -> p")
    planted()
    assert "uniform has no values that could be equal" in said("p -> p", "--learner", "uniform")
    assert "--experience goes with --actions legal" in said("p -> p", "--actions", "blind")
    CliRunner().invoke(app, ["train", "p -> p", "--episodes", "1", "--certify", "none"])
    assert "Run 1 was begun without --experience" in said("--resume", "--run", "1")


def test_students_and_searches_with_and_without_maxims_are_compared_and_gone_on_with() -> None:
    planted(helped=10**6)
    few = ("textbook/or_comm", "--experience", "with,without", "--seeds", "6", "--certify", "none", "--quiet")
    here = ("--engine", "serial")
    students = ("compare", *few, *here, "--learner", "q-learning", "--episodes", "8")
    done = CliRunner().invoke(app, [*students, "--json"])
    assert done.exit_code == 0, done.output
    assert "Maxims were learned from textbook/or_comm: what they are worth there says nothing" in done.stderr
    found = json.loads(done.stdout)
    assert [each["name"] for each in found["variants"]] == ["with experience", "without experience"]
    assert [bool(each["settings"]["experience"]) for each in found["variants"]] == [True, False]
    (gain,) = found["experience"]
    assert (gain["one"], gain["other"]) == ("with experience", "without experience") and gain["proofs"]["value"] > 0
    with Store(Path("oasis.db")) as store:
        Library(store).delete(1, by="me", reason="the experiment keeps what it began with")
    again = CliRunner().invoke(app, ["compare", "--resume", "--experiment", "1", "--quiet", "--certify", "none"])
    assert "What experience was worth" in again.stdout
    planted(helped=10**6)
    searched = CliRunner().invoke(app, ["compare", *few, *here, "--search", "sampling", "--budget", "expansions=20"])
    assert "What experience was worth" in searched.stdout, searched.output
    for more in (("--ladder", "table"), ("--search", "sampling", "--experience", "perhaps"), ("--experience", "no")):
        error = CliRunner().invoke(app, ["compare", "p -> p", *more, "--experience", "perhaps"]).exception
        assert isinstance(error, Exception) and "--experience" in _told(error)[0]


def test_maxims_go_with_a_policy_that_chooses() -> None:
    planted()
    for more, said in (
        ((), "--experience goes with --search or --policy"),
        (("--escalate",), "--experience does not go with --escalate"),
        (("--policy", "uniform", "--writing", "free"), "leave out --experience"),
        (("--search", "best-first", "--db", "other.db"), "There is no database other.db"),
    ):
        error = CliRunner().invoke(app, ["prove", "p -> p", *more, "--experience"]).exception
        assert isinstance(error, Exception) and said in str(error)
    assert "held-out" in refused("distill", "p -> p")
    assert "--seeds" in refused("distill", "textbook", "--seeds", "1")
