"""Rollouts here, in other processes and on a Ray cluster, what happens when these die, and sampling by rollouts."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.ground.passes import pass_at_k
from oasis.play.actions import ACTION_SPACES, LEGAL
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget, is_proof
from oasis.search.cache import GoalCache
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.rollouts.cluster import Ray
from oasis.search.rollouts.play import Job, Rollout, Tick
from oasis.search.rollouts.players import Here, Players, PlayersLost, Processes, divided, played
from oasis.search.sampling import Sampling
from tactics.errors import InputError, LibraryMissing
from tactics.formula import And, Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tests.optional import missing
from tests.search.made import Asked, Failing, Resigned, by_chance, finished
from tests.strategies import PLAIN_NAMES, formulas

LEMMA = resolve_lemma("SYJ201.1").formula


def jobs(formula: Formula, number: int, steps: int = 200) -> list[Job]:
    return [Job(initial(formula), chance, steps) for chance in range(number)]


def after(players: Players, policy: Policy, asked: Sequence[Job]) -> list[Rollout]:
    playing = players.play(policy, LEGAL, asked, None)
    while True:
        try:
            next(playing)
        except StopIteration as ended:
            rollouts: list[Rollout] = ended.value
            return rollouts


# Players in this process


@given(formulas(PLAIN_NAMES, max_steps=6, max_size=25), st.integers(1, 6), st.integers(1, 30), st.data())
def test_rollouts_are_ways_through_the_calculus(formula: Formula, number: int, steps: int, data: st.DataObject) -> None:
    space = ACTION_SPACES[data.draw(st.sampled_from(sorted(ACTION_SPACES)))]
    if not legal_moves(initial(formula)[0]):
        return
    rollouts, ticks = played(Asked(space), space, jobs(formula, number, steps))
    for rollout in rollouts:
        state = initial(formula)
        for step in rollout:
            for move in step.moves:
                state = apply(state, move)
            assert step.state == state
            assert step.offered is None
        assert 0 < len(rollout) <= steps
        assert all(step.moves for step in rollout[:-1])
        ends = not state or not rollout[-1].moves or not legal_moves(state[0])
        assert ends or len(rollout) == steps
    assert sum(tick.decisions for tick in ticks) == sum(map(len, rollouts))
    assert all(tick.calls <= tick.decisions for tick in ticks)


def test_a_rollout_does_not_depend_on_those_beside_it() -> None:
    together = played(Uniform(), LEGAL, jobs(LEMMA, 5)).rollouts
    assert together == [played(Uniform(), LEGAL, [job]).rollouts[0] for job in jobs(LEMMA, 5)]
    assert len(set(together)) > 1


def test_what_is_offered_is_told_where_it_is_not_everything() -> None:
    ((step,),), ticks = played(Resigned(), LEGAL, jobs(parse("p /\\ q"), 1))
    assert step[:3] == ((), (), initial(parse("p /\\ q")))
    assert ticks == [Tick(1, 1)]


@given(st.integers(0, 20), st.integers(1, 8))
def test_jobs_are_divided_evenly_and_in_order(number: int, parts: int) -> None:
    asked = jobs(parse("p"), number)
    shares = divided(asked, parts)
    assert [job for share in shares for job in share] == asked
    assert len(shares) == min(number, parts)
    assert not shares or max(map(len, shares)) - min(map(len, shares)) <= 1


# Players in other processes


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as started:
        yield started


@pytest.mark.slow
def test_processes_play_what_is_played_here(processes: Processes) -> None:
    for number in (1, 2, 5):
        for policy in (Uniform(), Asked(), Resigned()):
            assert after(processes, policy, jobs(LEMMA, number)) == after(Here(), policy, jobs(LEMMA, number))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [RMaxTS, Sampling])
def test_a_search_in_processes_finds_what_it_finds_here(processes: Processes, kind: type[RMaxTS | Sampling]) -> None:
    outcomes = []
    for players in (None, processes):
        found = kind(initial(LEMMA)[0], workers=5, seed=2, players=players)
        *_, last = found.run(Budget(expansions=30_000))
        outcomes.append((found.status, found.script(), found.rollouts, last.expansions, last.reached, found.rng.state))
    assert outcomes[0] == outcomes[1]
    assert kind is Sampling or outcomes[0][0] is PROVED


@pytest.mark.slow
def test_an_error_of_the_policy_is_raised_here(processes: Processes) -> None:
    with pytest.raises(InputError, match="fails with ZeroDivisionError: by nought") as raised:
        after(processes, Failing(ZeroDivisionError("by nought")), jobs(LEMMA, 3))
    assert "play.py" in raised.value.__notes__[0]
    with pytest.raises(InputError, match="one for each action"):
        after(processes, Asked(ACTION_SPACES["blind"]), jobs(LEMMA, 3))
    assert len(after(processes, Uniform(), jobs(LEMMA, 3))) == 3  # they are still there


@pytest.mark.slow
def test_the_death_of_a_process_is_told() -> None:
    with Processes(2) as players:
        after(players, Uniform(), jobs(LEMMA, 2))
        [*players._workers.values()][1].kill()
        with pytest.raises(PlayersLost, match="has died"):
            after(players, Uniform(), jobs(LEMMA, 2))
        with pytest.raises(PlayersLost, match="have ended"):
            after(players, Uniform(), jobs(LEMMA, 2))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
def test_processes_end_with_the_one_that_started_them() -> None:
    code = (
        "import os, signal\n"
        "from oasis.search.rollouts.players import Processes\n"
        "with Processes(2) as players:\n"
        "    print(*[process.pid for process in players._workers.values()], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    pids = [int(each) for each in done.stdout.split()]
    assert len(pids) == 2
    until = time.monotonic() + 20
    while any(is_alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(is_alive(pid) for pid in pids)


def is_alive(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_processes_that_were_not_started_or_are_none_are_refused() -> None:
    with pytest.raises(PlayersLost, match="`with` statement"):
        after(Processes(1), Uniform(), jobs(LEMMA, 1))
    with pytest.raises(ValueError, match="at least 1, not 0"):
        Processes(0)


# Players on a cluster


def test_without_ray_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.ground.cluster.find_spec", lambda _: None)
    with pytest.raises(LibraryMissing, match="pip install"):
        Ray()


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told() -> None:
    if find_spec("ray") is None:
        missing("Ray is not installed: pip install '.[cluster]'")
    players = Ray(1, "127.0.0.1:1")
    with pytest.raises(PlayersLost, match="not connected"):
        after(players, Uniform(), jobs(LEMMA, 1))
    with pytest.raises(PlayersLost, match=r"127\.0\.0\.1:1 .*start one there"):
        players.__enter__()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    if find_spec("ray") is None:
        missing("Ray is not installed: pip install '.[cluster]'")
    handler = signal.getsignal(signal.SIGTERM)
    with Ray(2) as connected:
        assert signal.getsignal(signal.SIGTERM) is handler
        yield connected


@pytest.mark.thorough
@pytest.mark.slow
def test_ray_plays_what_is_played_here(cluster: Ray) -> None:
    for number in (1, 5):
        assert after(cluster, Uniform(), jobs(LEMMA, number)) == after(Here(), Uniform(), jobs(LEMMA, number))
    found = RMaxTS(initial(LEMMA)[0], workers=4, seed=1, players=cluster)
    here = RMaxTS(initial(LEMMA)[0], workers=4, seed=1)
    for each in (found, here):
        for _ in each.run(Budget(expansions=2_000)):
            pass
    assert (found.status, found.script(), found.rng.state) == (here.status, here.script(), here.rng.state)


@pytest.mark.thorough
@pytest.mark.slow
def test_an_error_on_the_cluster_is_raised_here(cluster: Ray) -> None:
    with pytest.raises(InputError, match="fails with ZeroDivisionError: by nought"):
        after(cluster, Failing(ZeroDivisionError("by nought")), jobs(LEMMA, 2))


@pytest.mark.thorough
@pytest.mark.slow
def test_a_machine_with_another_version_is_refused(cluster: Ray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.ground.cluster.commit", lambda: "0123456789")
    with pytest.raises(PlayersLost, match="and not 0123456789; install the same"):
        after(cluster, Uniform(), jobs(LEMMA, 2))


# Sampling: plain rollouts that prove as often as chance does, and the estimate of pass@k.

SAMPLED = resolve_lemma("SYJ203.2").formula


def sampling(formula: Formula, seed: int = 0, workers: int = 1) -> Sampling:
    return Sampling(initial(formula)[0], seed=seed, workers=workers)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 5])
def test_proofs_come_as_often_as_chance_has_them(workers: int) -> None:
    share = by_chance(initial(SAMPLED)[0])
    rounds = []
    for seed in range(400):
        found = sampling(SAMPLED, seed, workers)
        assert finished(found).status is PROVED
        assert is_proof(SAMPLED, found.script() or ())
        rounds.append(found.rollouts / workers)
    in_a_round = 1 - (1 - share) ** workers
    deviation = sqrt((1 - in_a_round) / in_a_round**2 / len(rounds))  # of the mean of geometric numbers
    assert 0.05 < share < 0.95
    assert abs(sum(rounds) / len(rounds) - 1 / in_a_round) < 4 * deviation


def test_what_has_no_proof_stays_open_unless_nothing_can_be_done() -> None:
    assert finished(sampling(parse("p -> q")), 1_000).status is OPEN
    last = finished(sampling(parse("p")))
    assert (last.status, last.expansions) == (REFUTED, 0)


def test_plays_stand_side_by_side_and_share_answers() -> None:
    policy = Asked()
    found = Sampling(initial(SAMPLED)[0], policy, workers=6, max_steps=3)
    finished(found, 90)
    assert len(policy.batches[0]) == 1
    assert found.calls == sum(map(len, policy.batches)) < found.expansions


def test_a_blind_play_ends_with_what_does_not_apply() -> None:
    space = ACTION_SPACES["blind"]
    found = Sampling(initial(parse("p -> p"))[0], Asked(space), space=space)
    assert finished(found).status is PROVED
    assert found.expansions > found.length == 2  # type: ignore[operator]


def test_known_goals_are_not_played_again() -> None:
    cache = GoalCache()
    assert finished(Sampling(initial(SAMPLED)[0], cache=cache)).status is PROVED
    both = And(SAMPLED, SAMPLED)
    found = Sampling(initial(both)[0], cache=cache)
    assert finished(found).expansions == 1
    assert is_proof(both, found.script() or ())


# pass@k


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_choices_of_k_plays_with_a_proof(numbers: tuple[int, int, int]) -> None:
    plays, proved, k = numbers
    choices = list(combinations(range(plays), k))
    share = Fraction(sum(any(play < proved for play in chosen) for chosen in choices), len(choices))
    assert pass_at_k(plays, proved, k) == float(share)


def test_pass_at_k_loses_no_digits() -> None:
    assert pass_at_k(10**5, 1, 1) == 1e-5
    assert pass_at_k(10**5, 1, 3) == pytest.approx(3e-5, rel=1e-15)
    assert pass_at_k(10_000, 9_999, 2) == 1.0


@pytest.mark.parametrize("numbers", [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0)])
def test_numbers_out_of_range_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        pass_at_k(*numbers)
