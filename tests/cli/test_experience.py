"""`oasis experience`: the maxims and their journal, as a person sees them, and who follows them."""

from pathlib import Path
from typing import Any

import pytest

from oasis.experience.library import Library
from oasis.experience.maxims import Evidence
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.store import Store
from tests.commands import Oasis

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_folder")]

APART = Scope("or", "or", "destruct_or")
RIGHT = Scope("or", "any", "right")


def planted(scope: Scope = APART, helped: float = 9) -> None:
    told: dict[str, Any] = {"source": "textbook/or_comm", "by": "me", "reason": "seen often"}
    with Store(Path("oasis.db")) as store:
        Library(store).add(scope, Evidence(helped, 1), **told)


def test_a_journal_is_taken_to_another_database_and_what_was_cut_off_is_told(oasis: Oasis) -> None:
    planted()
    planted()
    text = oasis("experience", "export").stdout
    done = oasis.ran("experience", "import", "-", "--db", "other.db", typed=text[:-20])
    assert "Entries taken: 1; 0 were here already." in done.stderr and "The file was cut short" in done.stderr
    done = oasis("experience", "import", "-", "--db", "other.db", typed=text)
    assert "Entries taken: 1; 1 were here already." in done.stderr and "cut short" not in done.stderr
    with Store(Path("other.db")) as store:
        assert [*Library(store).maxims()] == [1, 2]


def test_what_is_not_there_and_what_is_no_journal_is_told(oasis: Oasis) -> None:
    planted()
    assert oasis.refused("experience", "show", "7").startswith("Maxim 7 is not there")
    assert oasis.refused("experience", "history", "7").startswith("There never was a maxim 7")
    said = oasis.refused("experience", "import", "-", typed="nonsense")
    assert said.startswith("Standard input is no journal of maxims")
    Path("x.json").write_text('{"format": "oasis experience", "layout": 1, "entries": 1}\n{}\n')
    said = oasis.refused("experience", "import", "x.json")
    assert said.startswith("x.json, line 2: A line of a journal needs operation")


def test_what_is_distilled_is_listed_and_followed(oasis: Oasis) -> None:
    few = ("--plays", "30", "--seeds", "10", "--exam-plays", "20", "--most", "2", "--quiet")
    lemmas = ("p -> p \\/ q", "p /\\ q -> p \\/ r", "~p -> ~p \\/ q", "p -> q -> q \\/ r")
    verdicts = oasis.json("experience", "distill", *lemmas, "--held-out", "q -> q \\/ p", *few)["verdicts"]
    assert any(verdict["accepted"] for verdict in verdicts)
    maxims = oasis.json("experience", "list")["maxims"]
    assert len(maxims) == sum(verdict["accepted"] for verdict in verdicts)
    assert all(entry["by"] in lemmas for entry in oasis.json("experience", "history")["entries"])


def test_maxims_are_followed_by_who_plays_and_is_evaluated(oasis: Oasis) -> None:
    planted(RIGHT, 10**6)
    lemma = "p -> q \\/ p"
    for seed in range(5):
        played = oasis.json("prove", lemma, "--policy", "uniform", "--seed", str(seed), "--experience")
        assert played["experience"] is True
        assert {"rule": "right", "hypothesis": None} in played["script"]
    asked = ("policy", "eval", "uniform", "--benchmark", lemma, "--certify", "none")
    assert [oasis.json(*asked, *more)["experience"] for more in (["--experience"], [])] == [True, False]


def test_a_search_is_led_by_maxims(oasis: Oasis) -> None:
    """The first play of each seed is a proof that without maxims only some of them find."""
    planted(RIGHT, 10**6)
    told = ("prove", "p -> q \\/ p", "--search", "sampling", "--budget", "4", "--cache", "none")

    def proved(*more: str) -> int:
        return sum(oasis.json(*told, "--seed", str(seed), *more)["status"] == "proved" for seed in range(8))

    assert proved("--experience") == 8 > proved()


def test_a_student_practises_with_maxims_and_goes_on_with_those_that_it_began_with(oasis: Oasis) -> None:
    planted()
    kept = oasis.json("train", "textbook/or_comm", "--episodes", "3", "--experience")["settings"]["experience"]
    assert Prior.read(kept).text == kept and len(Prior.read(kept)) == 1
    planted(RIGHT)
    more = ("train", "textbook/and_comm", "--episodes", "2", "--student", "1")
    assert oasis.json(*more)["settings"]["experience"] == kept
    assert len(Prior.read(oasis.json(*more, "--experience")["settings"]["experience"])) == 2
    assert "with experience" in oasis("runs", "show", "1").stdout
    oasis.ran("train", "--resume", "--run", "1", "--experience", "-q")


def test_students_without_maxims_that_they_could_follow_are_refused(oasis: Oasis) -> None:
    with Store(Path("oasis.db")):
        assert "There are no maxims in oasis.db; distil some" in oasis.refused("train", "p -> p", "--experience")
    planted()
    for more, said in (
        ("--learner uniform", "uniform has no values that could be equal"),
        ("--actions blind", "--experience goes with --actions legal"),
    ):
        assert said in oasis.refused("train", "p -> p", *more.split(), "--experience")
    written = ("--policy", "uniform", "--writing", "free", "--experience")
    assert "leave out --experience" in oasis.refused("prove", "p -> p", *written)
    oasis("train", "p -> p", "--episodes", "1")
    said = oasis.refused("train", "--resume", "--run", "1", "--experience")
    assert "Run 1 was begun without --experience" in said


def test_students_and_searches_with_and_without_maxims_are_compared_and_gone_on_with(oasis: Oasis) -> None:
    planted(helped=10**6)
    few = ("textbook/or_comm", "--experience", "with,without", "--seeds", "6", "--quiet", "--engine", "serial")
    done = oasis("compare", *few, "--learner", "q-learning", "--episodes", "8")
    assert "Maxims were learned from textbook/or_comm: what they are worth there says nothing" in done.stderr
    with Store(Path("oasis.db")) as store:
        Library(store).delete(1, by="me", reason="the experiment keeps what it began with")
    found = oasis.json("compare", "--resume", "--experiment", "1", "--quiet")
    assert found["kinds"] == ["with experience", "without experience"]
    assert [bool(each["settings"]["experience"]) for each in found["plan"]["variants"]] == [True, False]
    proved = found["numbers"]["while exploring"]
    assert proved["with experience"]["value"] > proved["without experience"]["value"]
    assert "draws lots by the odds of maxims; exams and exact values follow none" in done.stdout
    planted(helped=10**6)
    told = oasis("compare", *few, "--search", "sampling", "--budget", "expansions=20")
    assert "with experience – sampling without experience" in told.stdout, told.stderr
