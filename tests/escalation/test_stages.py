"""What each stage costs and how that is counted, when it has nothing more to try, and what it obeys."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from oasis.escalation.costs import Counted, Counter, total
from oasis.escalation.energy import Energy
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import GREEDY, SAMPLES, SEARCH, SPENT, Playing, Searching, Slice, Table
from oasis.play.committed import Choosing, Committed, committed
from oasis.play.policy import Floats, Uniform
from oasis.play.solving import MEMORY, OPEN, PROVED, Budget, Cost, Status
from oasis.search.cache import GoalCache
from oasis.search.proof_number import ProofNumber
from oasis.student.settings import Settings
from oasis.student.student import NoRoom
from tactics.goal import State, initial
from tactics.parser import parse
from tests.escalation.doubles import EASY, HARD, NEVER, PROOFS, Heat, Network, Patient, Watch

CHOICE = parse("A \\/ (B -> B)")
"""Proved by `right`, after which nothing is to be chosen."""
ALWAYS = Slice(1e9)
SAMPLING = Choosing(temperature=1.0)
GIB = 1 << 30


def counter(watch: Watch) -> Counter:
    return Counter(watch, Heat(watch))


def table(episodes: int) -> Table:
    """Return a student who needs half a second for an episode."""
    watch, settings = Watch(), Settings(learner="and-or-q", episodes=episodes)
    return Table(Pupil(Patient(settings, watch), lambda: Patient(settings, watch), {}), counter(watch))


def searching(network: Network, expansions: int | None = None, search: str = "proof-number") -> Searching:
    return Searching(lambda: network, search, GoalCache(), counter(network.watch), 0, SEARCH, expansions)


def playing(network: Network, choosing: Choosing, name: str = GREEDY, plays: int = 1, seed: int = 0) -> Playing:
    return Playing(network, choosing, counter(network.watch), seed, name, plays)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """The budgets of proof-number searches."""
    budgets: list[Budget] = []

    class Seen(ProofNumber):
        def run(self, budget: Budget, *others: Any) -> Iterator[Self]:
            budgets.append(budget)
            return super().run(budget, *others)

    monkeypatch.setattr("oasis.search.proof_number.ProofNumber", Seen)
    return budgets


@pytest.fixture
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches check their budget after every expansion."""
    monkeypatch.setattr("oasis.search.search._BETWEEN_WORDS", -1.0)
    monkeypatch.setattr("oasis.search.search._BETWEEN_LOOKS", -1.0)


def test_a_table_costs_episodes_and_time_and_ends_with_them_or_when_it_is_told_to() -> None:
    tried = table(3).attempt(EASY, ALWAYS)
    assert tried.cost == Cost(episodes=3, seconds=1.5, joules=15.0)
    assert tried.status is PROVED
    stage = table(3)
    parts = [stage.attempt(EASY, Slice(seconds)) for seconds in (0.5, 0.25, 9.0)]
    assert [(tried.cost.episodes, tried.reason == SPENT) for tried in parts] == [(1, False), (1, False), (1, True)]
    stage = table(9)
    tried = stage.attempt(NEVER, Slice(1e9, stop=lambda: stage.counter.clock() >= 1))
    assert (tried.cost.episodes, tried.status, tried.reason == SPENT) == (2, OPEN, False)


def test_a_search_costs_goals_that_it_expands_and_asks_about() -> None:
    network = Network(Watch())
    tried = searching(network).attempt(HARD, ALWAYS)
    assert (tried.status, tried.script) == (PROVED, PROOFS[HARD])
    # Of its three goals the last one is closed by an assumption, without a question.
    assert tried.cost == Cost(expansions=3, calls=2, forwards=6, seconds=2.0, joules=20.0, gpu_seconds=0.5)
    assert tried.reason != SPENT


def test_a_search_is_spent_when_its_expansions_are_made() -> None:
    for made, expansions, status, is_spent in ((0, 1, OPEN, True), (1, 2, OPEN, True), (1, 5, PROVED, False)):
        tried = searching(Network(Watch()), expansions).attempt(HARD, Slice(1e9, expansions=made))
        assert (tried.status, tried.reason == SPENT) == (status, is_spent)
        assert status is PROVED or tried.cost.expansions == 1
    assert searching(Network(Watch()), 2).attempt(HARD, Slice(1e9, expansions=3)).reason == SPENT


@pytest.mark.usefixtures("step_by_step")
def test_a_search_ends_with_its_time_and_when_it_is_told_to() -> None:
    hard = parse("((((A -> B) -> A) -> A) -> B) -> C")
    network = Network(Watch())
    in_time = searching(network).attempt(hard, Slice(2.5))
    assert (in_time.cost.seconds, in_time.status, in_time.reason == SPENT) == (3.0, OPEN, False)
    network = Network(Watch())
    told = searching(network).attempt(hard, Slice(1e9, stop=lambda: network.watch.now >= 2))
    assert (told.cost.seconds, told.status, told.reason == SPENT) == (2.0, OPEN, False)


@pytest.mark.parametrize(("occupied", "memory"), [(7 * GIB, 8 * GIB), (GIB, MEMORY), (None, MEMORY)])
def test_a_search_may_occupy_a_gibibyte_more_than_is_occupied(
    occupied: int | None, memory: int, seen: list[Budget], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oasis.escalation.stages.occupied", lambda: occupied)
    searching(Network(Watch()), 9).attempt(EASY, Slice(5.0, expansions=2))
    assert seen == [Budget(7, seconds=5.0, memory=memory)]


def test_a_policy_without_room_ends_a_search_and_is_no_error() -> None:
    class Full(Network):
        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            shares = super().probabilities(states)
            if self.watch.now > 1:
                raise NoRoom("full")
            return shares

    tried = searching(Full(Watch())).attempt(HARD, ALWAYS)
    assert (tried.status, tried.script, tried.reason == SPENT) == (OPEN, None, False)
    assert (tried.cost.expansions, tried.cost.forwards, tried.cost.seconds) == (2, 6, 2.0)


@pytest.mark.parametrize(
    ("rule", "choosing", "plays", "status", "cost"),
    [
        ("right", Choosing(), 1, PROVED, Cost(plays=1, calls=1, forwards=3, seconds=1.0)),
        ("", Choosing(judge=True), 1, PROVED, Cost(plays=1, calls=2, forwards=6, seconds=2.0)),
        ("left", SAMPLING, 4, OPEN, Cost(plays=4, calls=4, forwards=12, seconds=4.0)),
        ("right", SAMPLING, 4, PROVED, Cost(plays=1, calls=1, forwards=3, seconds=1.0)),
    ],
)
def test_a_play_costs_questions_and_plays_end_with_the_one_that_proves(
    rule: str, choosing: Choosing, plays: int, status: Status, cost: Cost
) -> None:
    tried = playing(Network(Watch(), rule), choosing, SAMPLES, plays).attempt(CHOICE, ALWAYS)
    assert tried.status is status
    assert tried.cost == replace(cost, joules=10 * cost.seconds, gpu_seconds=cost.seconds / 4)


@pytest.mark.parametrize("choosing", [Choosing(), Choosing(judge=True)])
def test_a_stage_that_plays_without_chance_is_spent_after_a_whole_play(choosing: Choosing) -> None:
    def is_spent(part: Slice) -> bool:
        return playing(Network(Watch(), "left"), choosing).attempt(CHOICE, part).reason == SPENT

    assert is_spent(ALWAYS)
    assert not is_spent(Slice(0.5)), "the play was cut short"
    assert not is_spent(Slice(0.0)), "there was no play"


@pytest.mark.parametrize(("play", "proved"), [(0.0, False), (1.0, False), (2.0, True)])
def test_a_play_that_was_begun_may_go_on_in_a_short_slice_and_no_other_is_begun(play: float, proved: bool) -> None:
    stage = playing(Network(Watch(), "right"), SAMPLING, SAMPLES, plays=4)
    tried = stage.attempt(CHOICE, Slice(0.5, play=play))
    assert (tried.status is PROVED, tried.cost.plays) == (proved, 1)


@pytest.mark.parametrize(("seconds", "stop_at", "plays"), [(2.5, 1e9, 3), (1e9, 2.0, 2), (1e9, 0.0, 0)])
def test_plays_end_with_the_time_and_when_they_are_told_to(seconds: float, stop_at: float, plays: int) -> None:
    network = Network(Watch(), "left")
    part = Slice(seconds, stop=lambda: network.watch.now >= stop_at)
    tried = playing(network, SAMPLING, SAMPLES, plays=5).attempt(CHOICE, part)
    assert (tried.cost.plays, tried.reason == SPENT) == (plays, False)


def test_a_play_is_cut_short_within_a_move() -> None:
    network = Network(Watch(), "left")
    tried = playing(network, Choosing()).attempt(CHOICE, Slice(1e9, stop=lambda: network.watch.now >= 1))
    assert (tried.cost.plays, tried.reason == SPENT) == (1, False)


def test_every_play_draws_lots_of_its_own_in_every_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def noted(*arguments: Any, seed: int, **others: Any) -> Iterator[Committed]:
        seeds.append(seed)
        return committed(*arguments, seed=seed, **others)

    monkeypatch.setattr("oasis.escalation.stages.committed", noted)
    for seed in range(2):
        for visit in range(3):
            playing(Network(Watch(), "left"), SAMPLING, SAMPLES, 4, seed).attempt(CHOICE, Slice(1e9, visit))
    assert len(set(seeds)) == len(seeds) == 24


def test_the_policy_is_asked_for_anew_for_each_search() -> None:
    watch = Watch()
    networks = [Network(watch), Network(watch)]
    waiting = iter(networks)
    stage = Searching(lambda: next(waiting), "proof-number", GoalCache(), counter(watch), 0, SEARCH)
    assert [stage.attempt(lemma, ALWAYS).cost.forwards for lemma in (EASY, HARD)] == [3, 6]
    assert [network.forwards for network in networks] == [3, 6]


def meter(folder: Path, name: str, microjoules: int, span: int = 10_000_000) -> Path:
    """Write a meter as Linux shows it."""
    (folder / name).mkdir()
    (folder / name / "energy_uj").write_text(f"{microjoules}\n")
    (folder / name / "max_energy_range_uj").write_text(f"{span}\n")
    return folder / name / "energy_uj"


def test_costs_add_up_and_what_nobody_knows_stays_unknown() -> None:
    one, other = Cost(episodes=3, seconds=0.5), Cost(expansions=2, forwards=4, seconds=1.5)
    assert one + other == Cost(episodes=3, expansions=2, forwards=4, seconds=2.0)
    assert (one + Cost(joules=2.0) + Cost(joules=1.0)).joules == 3.0
    assert total([]) == Cost()
    assert Cost.from_json((one + other).to_json()) == one + other


def test_the_energy_of_all_processors_is_added_up_and_parts_of_them_are_not(tmp_path: Path) -> None:
    first, second = meter(tmp_path, "intel-rapl:0", 1_000_000), meter(tmp_path, "intel-rapl:1", 9_000_000, 9_999_999)
    part, energy = meter(tmp_path, "intel-rapl:0:0", 0), Energy(tmp_path)
    for file, microjoules in ((first, 3_000_000), (second, 500_000), (part, 9_000_000)):
        file.write_text(str(microjoules))
    for _ in range(2):
        assert energy.joules() == pytest.approx(2 + 1.5), "a meter that began anew goes on counting"


@pytest.mark.parametrize("broken", ["missing", "gone", "no number"])
def test_energy_is_unknown_where_no_meter_can_be_read(tmp_path: Path, broken: str) -> None:
    file = None if broken == "missing" else meter(tmp_path, "intel-rapl:0", 1)
    energy = Energy(tmp_path)
    if file is not None and broken == "gone":
        file.unlink()
    elif file is not None:
        file.write_text("many")
    assert energy.joules() is None
    assert energy.joules() is None


def test_what_a_network_computes_is_counted_while_it_is_asked_and_not_before() -> None:
    network = Network(Watch())
    network.probabilities([initial(EASY), initial(HARD)])
    policy = Counted(network)
    with Counter(network.watch).counting(network) as spending:
        policy.probabilities([initial(EASY)])
    assert (policy.calls, spending.cost) == (1, Cost(forwards=3, seconds=1.0, gpu_seconds=0.25))


@pytest.mark.parametrize(
    ("forwards", "gpu_seconds", "counted"),
    [
        (len, "cuda:0", (0, None)),
        ("many", 1.5, (0, 0.5)),
        (7, print, (2, None)),
    ],
)
def test_costs_that_are_no_numbers_are_not_counted(
    forwards: Any, gpu_seconds: Any, counted: tuple[int, float | None]
) -> None:
    class Own(Uniform):
        """A policy of one's own, which may mean something else by these names."""

    policy: Any = Own()
    policy.forwards, policy.gpu_seconds = forwards, gpu_seconds
    with Counter(lambda: 0.0).counting(policy) as spending:
        policy.forwards = forwards + 2 if forwards == 7 else forwards
        policy.gpu_seconds = gpu_seconds + 0.5 if gpu_seconds == 1.5 else gpu_seconds
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == counted
