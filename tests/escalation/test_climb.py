"""Dividing time among lemmas, with stages that do nothing but let a clock run."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.escalation.climb import Climb, Pace, Record
from oasis.escalation.stages import GREEDY, JUDGED, SAMPLES, SEARCH, TABLE, Slice, Stage
from oasis.play.solving import PROVED, Attempt, Cost
from tactics.formula import Formula
from tactics.script import parse_script
from tests.escalation.doubles import Acting, Slow, Watch, lemma, took
from tests.thorough import examples


def climbed(stages: list[Slow], lemmas: list[Formula], seconds: float) -> Climb:
    made = Climb(stages, lemmas, [Record() for _ in lemmas], Pace(seconds), stages[0].watch)
    list(made)
    return made


def test_a_lemma_goes_to_the_next_stage_when_the_one_before_is_silent() -> None:
    watch, one, other = Watch(), lemma(1), lemma(2)
    table, search = Slow(TABLE, watch, {one: 0.001}), Slow(SEARCH, watch, {other: 0.001})
    found = climbed([table, search], [other, one], 10)
    assert [record.by for record in found.records] == ["search", "table"]
    assert [each for each, _ in search.asked] == [other], "what the table has proved is not searched"
    assert [record.order for record in found.records] == [1, 0], "the smaller one came first"


@given(
    st.lists(st.floats(0.001, 100), min_size=1, max_size=8),
    st.lists(st.floats(0.0, 3), min_size=8, max_size=8),
    st.floats(0.1, 50),
)
@settings(max_examples=examples(60), deadline=None)
def test_a_climb_ends_and_keeps_to_its_time_but_for_the_step_it_is_in(
    needs: list[float], steps: list[float], seconds: float
) -> None:
    watch, lemmas = Watch(), [lemma(size) for size in range(len(needs))]
    table = Slow(TABLE, watch, dict(zip(lemmas, needs, strict=True)), dict(zip(lemmas, steps, strict=False)))
    found = climbed([table], lemmas, seconds)
    assert watch.now <= seconds + max(steps)
    assert found.pace.spent == pytest.approx(watch.now)
    assert sum(record.cost.seconds for record in found.records) == pytest.approx(watch.now)
    if found.proved < len(lemmas):
        assert found.pace.left < 0.005
    assert found.pace.slice <= seconds


def test_a_climb_that_is_stopped_goes_on_with_the_lemma_it_was_at() -> None:
    lemmas = [lemma(size) for size in range(4)]
    needs = dict.fromkeys(lemmas, 0.5)
    whole = Slow(TABLE, Watch(), needs)
    climbed([whole], lemmas, 100)
    parts = Slow(TABLE, Watch(), needs)
    records, pace = [Record() for _ in lemmas], Pace(100)
    first = Climb([parts], lemmas, records, pace, parts.watch)
    for number, _ in enumerate(first):
        if number == 5:
            break
    kept = [Record.from_json(record.to_json()) for record in records]
    list(Climb([parts], lemmas, kept, Pace(**vars(pace)), parts.watch))
    assert all(record.status is PROVED for record in kept)
    assert [each for each, _ in parts.asked[:5]] == [each for each, _ in whole.asked[:5]]
    assert len(parts.asked) <= len(whole.asked) + 1, "only the attempt that was broken off is made again"


def test_a_record_comes_back_from_json_as_it_was() -> None:
    record = Record(PROVED, SEARCH, parse_script("intro; assumption"), order=3)
    record.of(TABLE).cost += Cost(episodes=7, seconds=0.5, joules=2.0)
    record.of(SEARCH).is_spent = True
    assert Record.from_json(record.to_json()) == record


LEMMAS = [lemma(size) for size in range(6)]


def one_lemma(*stages: Stage, watch: Watch, pace: Pace | None = None) -> Climb:
    """Return a climb of one lemma at its beginning."""
    return Climb(stages, LEMMAS[:1], [Record()], pace or Pace(100.0), watch)


def under_way(stages: Sequence[Stage], watch: Watch, lemmas: int, seconds: float = 100.0) -> Climb:
    """Return a climb of some lemmas that goes on in its fourth round, with stages that had no slice before."""
    records = [Record() for _ in range(lemmas)]
    return Climb(stages, LEMMAS[:lemmas], records, Pace(seconds, round=3, slice=0.2, slices=0.2), watch)


def costing(seconds: Sequence[float]) -> tuple[Climb, list[int]]:
    """Return a climb of lemmas whose attempts cost so much, and a list of those that had their turn."""
    watch = Watch()
    costs = dict(zip(LEMMAS, seconds, strict=False))
    climb = under_way([Acting(TABLE, watch, lambda lemma, part: took(costs[lemma]))], watch, len(seconds))
    tried: list[int] = []
    for visit in climb:
        if climb.pace.round > 3:
            break
        tried.append(visit.position)
    return climb, tried


@pytest.mark.parametrize(
    ("left", "slice_before", "attempts", "expected"),
    [
        (100.0, 1.0, 10, 4.0),  # four times as long
        (30.0, 1.0, 10, 3.0),  # evenly
        (10.0, 1.0, 10, 2.0),  # twice as long, as far as it goes
        (1.5, 1.0, 10, 1.5),  # all that is left
        (100.0, 0.0, 10, 0.2),  # the first one
        (4.0, 0.0, 10, 0.1),  # the first one, with a quarter of the time for its round
        (0.1, 0.0, 10, 0.005),  # less is none
    ],
)
def test_a_slice_is_four_times_as_long_as_before_as_long_as_the_time_suffices(
    left: float, slice_before: float, attempts: int, expected: float
) -> None:
    pace = Pace(200.0, spent=200.0 - left, round=4, slice=slice_before, slices=7.0)
    pace.next_round(attempts)
    assert [pace.slice, pace.slices, pace.round] == pytest.approx([expected, 7.0 + expected, 5])


def test_a_lemma_that_cost_more_than_its_slices_waits_until_they_come_to_more() -> None:
    watch = Watch()
    stage = Slow(TABLE, watch, {}, {LEMMAS[0]: 1.5})
    climb = one_lemma(stage, watch=watch)
    assert [climb.pace.slice for _ in islice(climb, 3)] == pytest.approx([0.2, 3.2, 12.8])


def test_stages_of_one_kind_share_their_slices_of_a_lemma() -> None:
    watch = Watch()
    greedy, samples = Slow(GREEDY, watch, {}, {LEMMAS[0]: 0.35}), Slow(SAMPLES, watch, {}, {LEMMAS[0]: 0.9})
    climb = one_lemma(greedy, samples, watch=watch)
    found = [(visit.stage, round(climb.pace.slice, 3)) for visit in islice(climb, 5)]
    # In the second round the first of them uses up what was left to both.
    assert found == [(GREEDY, 0.2), (SAMPLES, 0.2), (GREEDY, 0.8), (GREEDY, 3.2), (SAMPLES, 3.2)]


def test_a_stage_that_used_up_its_slices_of_a_lemma_has_none_of_others() -> None:
    watch = Watch()
    greedy, samples = Acting(GREEDY, watch, lambda lemma, part: took(0.1)), Slow(SAMPLES, watch, {}, {LEMMAS[0]: 1.5})
    climb = one_lemma(greedy, samples, watch=watch)
    assert [visit.stage for visit in islice(climb, 5)] == [GREEDY, SAMPLES, GREEDY, GREEDY, SAMPLES]


def test_a_stage_waits_when_it_cost_ten_slices_more_than_the_lemmas_had() -> None:
    climb, tried = costing([2.5, 0.2, 0.2, 0.2])
    assert tried == [0, 2, 3], "the third slice brings it back to less than ten"
    assert all(record.of(TABLE).round >= 3 for record in climb.records)


def test_a_stage_waits_when_each_of_the_last_two_lemmas_cost_more_than_twice_the_slices_so_far() -> None:
    assert costing([0.5, 0.1, 0.5, 0.5, 0.1, 0.1])[1] == [0, 1, 2, 3]
    assert costing([0.5, 0.3, 0.5, 0.3, 0.5, 0.3])[1] == [0, 1, 2, 3, 4, 5]


def test_nobody_is_asked_about_a_lemma_for_which_the_stage_below_waits() -> None:
    watch = Watch()
    table = Acting(TABLE, watch, lambda lemma, part: took(0.5))
    climb = under_way([table, Slow(SEARCH, watch, {})], watch, 3)
    assert [(visit.position, visit.stage, climb.pace.round) for visit in islice(climb, 5)] == [
        *((0, TABLE, 3), (0, SEARCH, 3)),
        *((1, TABLE, 3), (1, SEARCH, 3)),
        (0, TABLE, 4),
    ]


def test_a_stage_that_comes_late_has_one_slice_a_round_as_everybody_has() -> None:
    watch = Watch()
    climb = under_way([Slow(TABLE, watch, {})], watch, 2)
    assert [(visit.position, visit.record.of(TABLE).round) for visit in islice(climb, 3)] == [(0, 3), (1, 3), (0, 4)]


def noting(watch: Watch, cost: Cost) -> tuple[Acting, list[Slice]]:
    """Return a stage that costs so much and uses up its time, and the list of the slices that it gets."""
    parts: list[Slice] = []

    def note(lemma: Formula, part: Slice) -> Attempt:
        parts.append(part)
        return replace(took(0.0), cost=cost + Cost(seconds=part.seconds))

    return Acting(TABLE, watch, note), parts


def test_a_stage_is_told_how_often_it_was_asked_and_what_it_expanded() -> None:
    watch = Watch()
    stage, parts = noting(watch, Cost(expansions=5))
    assert len([*islice(one_lemma(stage, watch=watch), 4)]) == 4
    assert [(part.visit, part.expansions) for part in parts] == [(0, 0), (1, 5), (2, 10), (3, 15)]


@pytest.mark.parametrize(("budget", "spent", "play"), [(1e6, 0.0, 2.0), (100.0, 0.0, 0.5), (100.0, 99.8, 0.2)])
def test_a_play_may_take_two_seconds_or_a_small_part_of_the_budget_and_no_more_than_is_left(
    budget: float, spent: float, play: float
) -> None:
    watch = Watch()
    stage, parts = noting(watch, Cost())
    next(iter(one_lemma(stage, watch=watch, pace=Pace(budget, spent=spent))))
    assert parts[0].play == pytest.approx(play)


def test_a_proof_that_was_too_long_stays_known() -> None:
    watch = Watch()
    lengths = iter([None, 60_000, None, None])
    stage = Acting(SEARCH, watch, lambda lemma, part: replace(took(0.1), length=next(lengths)))
    climb = one_lemma(stage, watch=watch)
    assert [visit.record.too_long for visit in islice(climb, 4)] == [0, 60_000, 60_000, 60_000]


def test_only_the_stages_that_changed_try_again_what_they_gave_up() -> None:
    watch, names = Watch(), (TABLE, GREEDY, JUDGED, SAMPLES)
    climb = under_way([Slow(name, watch, {}) for name in names], watch, 3)
    for record in climb.records:
        for name in (TABLE, GREEDY, JUDGED):
            record.of(name).is_spent, record.of(name).round = True, 3
        record.of(SAMPLES).round = 3
    climb.records[1].status, climb.records[2].stages = PROVED, {}
    climb.reopen((GREEDY, SAMPLES))
    open_again, settled, untouched = climb.records
    assert [(open_again.of(name).is_spent, open_again.of(name).round) for name in names] == [
        *((True, 3), (False, 2), (True, 3)),
        (False, 3),  # which has not given up, and had its turn
    ]
    assert settled.of(GREEDY).is_spent
    assert not untouched.stages


def test_an_attempt_has_had_its_turn_before_anybody_hears_of_it() -> None:
    watch = Watch()
    climb = under_way([Slow(TABLE, watch, {})], watch, 2)
    for visit in climb:
        assert visit.record.of(TABLE).round == 3
        climb.stop_requested = 1
    assert climb.records[0].of(TABLE).visits == 1
    assert climb.records[1].of(TABLE).visits == 0, "it ends after the attempt"


def test_an_attempt_that_was_cut_short_has_its_turn_again() -> None:
    watch, asked = Watch(), list[Formula]()

    def cut(lemma: Formula, part: Slice) -> Attempt:
        asked.append(lemma)
        if len(asked) == 2:
            climb.stop_requested = 1
            assert part.stop()
        return took(0.1)

    climb = under_way([Acting(TABLE, watch, cut)], watch, 3)
    assert [visit.position for visit in climb] == [0, 1]
    assert [record.of(TABLE).round for record in climb.records] == [3, -1, -1]
    climb.stop_requested = 0
    assert [visit.position for visit in islice(climb, 2)] == [1, 2]
    assert climb.pace.round == 3
