"""Dividing time among lemmas, with stages that do nothing but let a clock run."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.escalation.climb import Climb, Pace, Record
from oasis.escalation.costs import Cost
from oasis.escalation.stages import GREEDY, SEARCH, TABLE, Slice, Tried
from oasis.search.graph import OPEN, PROVED, REFUTED, Status
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import parse_script


@dataclass
class Watch:
    """A clock that only stages move."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Slow:
    """A stage that settles a lemma once it was given so many seconds at once, and cannot stop within a step.

    Attributes:
        needs: of each lemma the seconds that settle it.
        step: of each lemma the seconds of a step, which nothing interrupts.
    """

    name: str
    watch: Watch
    needs: dict[Formula, float]
    step: dict[Formula, float] = field(default_factory=dict)
    status: Status = PROVED
    asked: list[tuple[Formula, float]] = field(default_factory=list)

    def attempt(self, lemma: Formula, part: Slice) -> Tried:
        self.asked.append((lemma, part.seconds))
        needs, step = self.needs.get(lemma, float("inf")), self.step.get(lemma, 0.0)
        took = min(needs, max(part.seconds, step))
        self.watch.now += took
        done = took >= needs
        script = parse_script("intro; assumption") if done and self.status is PROVED else None
        return Tried(self.status if done else OPEN, script, Cost(seconds=took))


def lemma(size: int) -> Formula:
    """Each is larger than those before."""
    text = "p0"
    for number in range(1, size + 1):
        text = f"p{number} -> {text}"
    return parse(text)


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


def test_what_is_refuted_is_settled_and_proved_by_nobody() -> None:
    watch, one = Watch(), lemma(1)
    stages = [Slow(SEARCH, watch, {one: 0.001}, status=REFUTED), Slow(GREEDY, watch, {one: 0.001})]
    (record,) = climbed(stages, [one], 10).records
    assert (record.status, record.by, record.stage) == (REFUTED, None, SEARCH)
    assert not stages[1].asked


def test_slices_grow_so_that_hard_lemmas_do_not_eat_the_time_of_easy_ones() -> None:
    watch, lemmas = Watch(), [lemma(size) for size in range(10)]
    table = Slow(TABLE, watch, dict.fromkeys(lemmas[5:], 0.3))
    found = climbed([table], lemmas, 60)
    assert found.proved == 5
    slices = [seconds for each, seconds in table.asked if each is lemmas[0]]
    assert slices == sorted(slices)
    assert slices[1] >= 2 * slices[0]
    assert {each for each, _ in table.asked[:10]} == set(lemmas), "each has a short slice before one has a longer one"


def test_a_step_that_takes_long_is_paid_back_before_the_next_one() -> None:
    watch, lemmas = Watch(), [lemma(size) for size in range(20)]
    # Every look of the network at the larger half takes a second; the search would prove these in a tenth.
    network = Slow(GREEDY, watch, {}, dict.fromkeys(lemmas[10:], 1.0))
    search = Slow(SEARCH, watch, dict.fromkeys(lemmas[10:], 0.1))
    found = climbed([search, network], lemmas, 12)
    assert found.proved == 10
    looks = [each for each, seconds in network.asked if each in lemmas[10:]]
    assert len(looks) < 10, "not every lemma was looked at for a second before the search had its turn"


@given(
    st.lists(st.floats(0.001, 100), min_size=1, max_size=8),
    st.lists(st.floats(0.0, 3), min_size=8, max_size=8),
    st.floats(0.1, 50),
)
@settings(max_examples=60, deadline=None)
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
