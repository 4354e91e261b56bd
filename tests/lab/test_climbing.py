"""Ladders compared: what trials come to, and what the tables and sentences make of them."""

from dataclasses import replace

import numpy as np
import pytest

from curricula import resolve
from oasis.escalation.ladder import EXPLORER, Ladder
from oasis.lab.climbing.plan import STAGES, Climber, ClimbPlan, Climbs, climbers
from oasis.lab.climbing.summary import Comparison, compare, conclusions, tables
from oasis.lab.experiment import stacked
from oasis.lab.searching.trials import STATUSES
from oasis.play.solving import OPEN, PROVED, REFUTED, Status
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.script import parse_script, replay

LEMMAS = resolve("textbook").lemmas
FEW = tuple(lemma for lemma in LEMMAS if lemma.name in ("textbook/and_comm", "textbook/or_comm", "textbook/peirce"))
STUDENT = Settings(learner="and-or-q", episodes=200)


def plan(ladders: str = "table,table+search", seconds: float = 20, seeds: tuple[int, ...] = (0, 1)) -> ClimbPlan:
    return ClimbPlan("few", FEW, climbers(ladders, "tiny"), seeds, seconds, STUDENT)


def made(*lemmas: tuple[Status, str], had_more: bool = True) -> Climbs:
    """Return the outcomes of lemmas, each with the stage that settled it."""
    statuses = np.array([STATUSES.index(status) for status, _ in lemmas], np.uint8)
    stages = np.array([STAGES.index(stage) + 1 if stage else 0 for _, stage in lemmas], np.uint8)
    counts = np.ones(len(lemmas), np.int64)
    seconds = np.ones(len(lemmas))
    scripts, spent = np.array("\n" * (len(lemmas) - 1)), np.array(1.5 * len(lemmas))
    amounts = counts, counts, counts, counts, counts
    return Climbs(statuses, stages, seconds, *amounts, seconds, scripts, spent, np.array(had_more))


def test_a_plan_comes_back_from_json_equal() -> None:
    one = replace(plan(), variants=(Climber("all", Ladder.named("escalate", "tiny", EXPLORER)), *plan().variants))
    assert ClimbPlan.from_json(one.to_json()) == one
    with pytest.raises(InputError, match="another version"):
        ClimbPlan.from_json({**one.to_json(), "variants": [{"name": "x"}]})


@pytest.mark.parametrize(
    ("ladders", "said"),
    [
        ("tabel", "'tabel' is no ladder"),
        ("table+", "'table\\+' is no ladder"),
        ("table,table", "variant table is there twice"),
    ],
)
def test_ladders_that_are_none_or_the_same_are_refused(ladders: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        plan(ladders)
    with pytest.raises(InputError, match="is no run"):
        climbers(ladders, "7")


def test_lemmas_of_which_none_may_be_a_theorem_are_refused() -> None:
    one = plan()
    (peirce,) = (lemma for lemma in FEW if lemma.name == "textbook/peirce")
    with pytest.raises(InputError, match="few has no theorems; ladders are compared by what they prove"):
        replace(one, lemmas=(peirce,))
    assert replace(one, lemmas=(replace(peirce, status=None),)).lemmas, "what nobody knows may be one"


@pytest.mark.slow
def test_a_trial_proves_what_its_stages_can_and_every_script_is_a_proof() -> None:
    both = plan()
    table, searched = both.attempt(0, 0), both.attempt(1, 0)
    names = [lemma.name.removeprefix("textbook/") for lemma in FEW]
    settled = {name: STATUSES[status] for name, status in zip(names, searched.status.tolist(), strict=True)}
    assert settled == {"and_comm": PROVED, "or_comm": PROVED, "peirce": REFUTED}
    assert [STATUSES[each] for each in table.status][names.index("peirce")] is OPEN, "a table refutes nothing"
    assert np.isinf(table.settled[names.index("peirce")])
    assert (searched.settled < both.seconds).all()
    for lemma, script in zip(FEW, searched.scripts[0].tolist(), strict=True):
        if script:
            assert not replay(lemma.formula, parse_script(script))[-1]
    assert not table.had_more, "it has made all its episodes"
    assert table.seconds.sum() <= table.spent < both.seconds
    trials = stacked(both, [searched, both.attempt(1, 1)])
    assert trials.status.shape == trials.scripts[0].shape == (2, 3)


def compared(of: ClimbPlan, **ladders: Climbs | list[Climbs]) -> Comparison:
    """Return the comparison of ladders (`_` for `+` in names) with one outcome for all seeds, or one for each."""
    seeds = len(of.seeds)
    done = {
        name.replace("_", "+"): stacked(of, climbs if isinstance(climbs, list) else [climbs] * seeds)
        for name, climbs in ladders.items()
    }
    return compare(of, done)


def test_theorems_are_counted_by_who_proved_them_and_differences_have_intervals() -> None:
    theorems = [each for each in LEMMAS if each.status == "theorem"][:6]
    refutable = next(each for each in LEMMAS if each.status == "non-theorem")
    names = climbers("table,table+search", "tiny")
    both = ClimbPlan("some", (*theorems, refutable), names, (0, 1, 2), 5)
    low = made(*[(PROVED, "table")] * 2, *[(OPEN, "")] * 5)
    high = made(*[(PROVED, "table")] * 2, *[(PROVED, "search")] * 3, (OPEN, ""), (REFUTED, "search"))
    other = made(*[(PROVED, "table")] * 2, *[(PROVED, "search")] * 4, (REFUTED, "search"))
    found = compared(both, table=low, table_search=[high, other, high])
    table, searched = found.summaries
    assert found.theorems == 6
    assert float(table.proved.value) == 2
    assert float(searched.proved.value) == pytest.approx(16 / 3)
    assert searched.by == pytest.approx({"table": 2.0, "search": 10 / 3, "network": 0.0})
    assert (table.refuted, searched.refuted) == (0, 1)
    (pair,) = found.pairs
    assert (pair.one, pair.other) == ("table+search", "table")
    assert float(pair.more.value) == pytest.approx(10 / 3)
    assert pair.more.sign == 1
    assert (len(pair.only_one), len(pair.only_other)) == (4, 0)
    assert conclusions(found)[0].startswith("table+search proves more than table in the same time, by 3.3 (")
    turned = compared(replace(both, variants=names[::-1]), table=low, table_search=[high, other, high])
    assert conclusions(turned)[0].startswith("table+search proves more than table in the same time")
    assert "table+search proves with some seed what table never does" in conclusions(turned)[1]


def test_ladders_are_told_apart_or_not_by_these_seeds() -> None:
    both = plan(seeds=(0, 1, 2))
    same = made((PROVED, "table"), (OPEN, ""), (OPEN, ""))
    sentence = "table+search and table cannot be told apart by these seeds."
    assert conclusions(compared(both, table=same, table_search=same)) == [f"{sentence} Take --seeds 10 or more."]
    assert conclusions(compared(plan(seeds=tuple(range(10))), table=same, table_search=same)) == [sentence]
    some, everything = (made(*[(status, "table")] * 3) for status in (OPEN, PROVED))
    assert "no difference" not in " ".join(conclusions(compared(both, table=some, table_search=everything)))


def test_of_ladders_that_prove_nothing_it_is_said_that_no_difference_can_be_seen() -> None:
    nothing = made(*[(OPEN, "")] * 3)
    three = plan("table,search,table+search", seeds=(0, 1, 2))
    (sentence,) = conclusions(compared(three, table=nothing, search=nothing, table_search=nothing))
    assert sentence.startswith("table, search and table+search prove no theorem with any seed, so no difference ")
    assert "Take easier lemmas or a longer --budget" in sentence


def test_it_is_said_of_which_ladder_more_time_would_change_nothing() -> None:
    both = plan(seeds=(0, 1, 2))
    some, everything = (made(*[(status, "table")] * 3, had_more=False) for status in (OPEN, PROVED))
    found = compared(both, table=some, table_search=everything)
    first, _ = tables(found)
    assert first.note.endswith(
        " table had nothing more to try before the time was over, so more time would change nothing."
    )
    assert (found.summaries[0].seconds, found.summaries[0].had_more) == (4.5, 0), "what the lemmas took, and studies"
    longer = some._replace(had_more=np.array(True))
    first, _ = tables(compared(both, table=[some, longer, some], table_search=everything))
    assert "nothing more to try" not in first.note
