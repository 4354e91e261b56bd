"""Ladders compared: what trials come to, and what is measured of them."""

from dataclasses import replace

import numpy as np
import pytest

from curricula import resolve
from oasis.escalation.ladder import EXPLORER, STAGES, Ladder
from oasis.lab.ladders import Climber, ClimbPlan, climbers
from oasis.lab.measure import Trial, texts
from oasis.lab.report import Report
from oasis.lab.searches.trial import STATUSES
from oasis.play.solving import OPEN, PROVED, REFUTED, Status
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.script import parse_script, replay

LEMMAS = resolve("textbook").lemmas
FEW = tuple(lemma for lemma in LEMMAS if lemma.name in ("textbook/and_comm", "textbook/or_comm", "textbook/peirce"))
STUDENT = Settings(learner="and-or-q", episodes=200)


def plan(ladders: str = "table,table+search", seconds: float = 20, seeds: tuple[int, ...] = (0, 1)) -> ClimbPlan:
    return ClimbPlan("few", FEW, climbers(ladders, "tiny"), seeds, seconds, STUDENT)


def made(*lemmas: tuple[Status, str], at: float = 1.0, had_more: bool = True) -> Trial:
    """Return a trial of lemmas, each with the stage that settled it after so many seconds of the climb."""
    return {
        "status": np.array([STATUSES.index(status) for status, _ in lemmas], np.uint8),
        "stage": np.array([STAGES.index(stage) + 1 if stage else 0 for _, stage in lemmas], np.uint8),
        "settled": np.array([at if stage else np.inf for _, stage in lemmas]),
        "spent": np.array(1.5 * len(lemmas)),
        "had_more": np.array(had_more),
    }


def test_a_plan_comes_back_from_json_equal() -> None:
    one = replace(plan(), variants=(Climber("all", Ladder.named("escalate", "tiny", EXPLORER)), *plan().variants))
    assert ClimbPlan.from_json(one.to_json()) == one
    with pytest.raises(InputError, match="another version"):
        ClimbPlan.from_json({**one.to_json(), "variants": [{"name": "x"}]})


def test_lemmas_of_which_nobody_knows_whether_they_are_theorems_are_climbed() -> None:
    one = plan()
    (peirce,) = (lemma for lemma in FEW if lemma.name == "textbook/peirce")
    assert replace(one, lemmas=(replace(peirce, status=None),)).lemmas, "what nobody knows may be one"


@pytest.mark.slow
def test_a_trial_proves_what_its_stages_can_and_every_script_is_a_proof() -> None:
    both = plan()
    table, searched = both.attempt(0, 0), both.attempt(1, 0)
    names = [lemma.name.removeprefix("textbook/") for lemma in FEW]
    settled = {name: STATUSES[status] for name, status in zip(names, searched["status"].tolist(), strict=True)}
    assert settled == {"and_comm": PROVED, "or_comm": PROVED, "peirce": REFUTED}
    assert [STATUSES[each] for each in table["status"]][names.index("peirce")] is OPEN, "a table refutes nothing"
    assert np.isinf(table["settled"][names.index("peirce")])
    assert (searched["settled"] < both.seconds).all()
    for lemma, script in zip(FEW, texts(searched["script"]), strict=True):
        if script:
            assert not replay(lemma.formula, parse_script(script))[-1]
    assert not table["had_more"], "it has made all its episodes"
    assert table["seconds"].sum() <= table["spent"] < both.seconds


def compared(of: ClimbPlan, **ladders: Trial | list[Trial]) -> Report:
    """Return the report of ladders (`_` for `+` in names) with one trial for all seeds, or one for each."""
    seeds = len(of.seeds)
    done = {
        name.replace("_", "+"): climbs if isinstance(climbs, list) else [climbs] * seeds
        for name, climbs in ladders.items()
    }
    return of.report(done)


def test_theorems_are_counted_by_who_proved_them_and_when() -> None:
    theorems = [each for each in LEMMAS if each.status == "theorem"][:10]
    refutable = next(each for each in LEMMAS if each.status == "non-theorem")
    both = ClimbPlan("some", (*theorems, refutable), climbers("table,table+search", "tiny"), (0, 1, 2), 5)
    low = made(*[(PROVED, "table")] * 2, *[(OPEN, "")] * 9)
    high = made(*[(PROVED, "table")] * 2, *[(PROVED, "search")] * 7, (OPEN, ""), (REFUTED, "search"))
    other = made(*[(PROVED, "table")] * 2, *[(PROVED, "search")] * 8, (REFUTED, "search"))
    found = compared(both, table=low, table_search=[high, other, high])
    numbers = found.to_json()["numbers"]
    shares = {
        name: numbers[name]["table+search"]["value"] for name in ("proved", "by table", "by search", "by network")
    }
    assert shares == pytest.approx({"proved": 28 / 30, "by table": 0.2, "by search": 22 / 30, "by network": 0})
    assert [each["value"] for each in numbers["refuted"].values()] == [0, 1]
    assert [each["value"] for each in numbers["time"].values()] == pytest.approx([4.2, (28 + 2 * 5) / 30])
    assert found.lemmas == tuple(lemma.name for lemma in theorems), "units are what may be proved"
    said = found.sentences()
    assert said[0].startswith("Time: of 10 lemmas each, 8 of table and 1 of table+search did not get there")
    assert said[1].startswith("Time: table+search is ahead with 1.27 s, 2.93 s less than table (")
    assert said[-1].startswith("table+search proves with some seed what table never does: ")


def test_it_is_said_of_which_ladder_more_time_would_change_nothing() -> None:
    both = plan(seeds=(0, 1, 2))
    some, everything = (made(*[(status, "table")] * 3, had_more=False) for status in (OPEN, PROVED))
    sentence = "table had nothing more to try before the time was over, so more time would change nothing."
    found = compared(both, table=some, table_search=everything)
    assert sentence in found.sentences()
    numbers = found.to_json()["numbers"]
    assert (numbers["time in all"]["table"]["value"], numbers["had more"]["table"]["value"]) == (4.5, 0)
    longer = {**some, "had_more": np.array(True)}
    assert sentence not in compared(both, table=[some, longer, some], table_search=everything).sentences()
