"""Settings out of range are refused by the name of their option; schedules of ε and α, and random numbers."""

from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.ground.splitmix import SplitMix64
from oasis.student.schedules import AVERAGE, Rate, Schedule, parse_schedule
from oasis.student.settings import Settings
from tactics.errors import InputError


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        *(("learner", "dyna", "dyna-q"), ("reward", "Terminating", "terminating"), ("state_space", "match!", "match")),
        *((name, dict, "; give its name, as text; what you have made yourself is") for name in ("learner", "reward")),
        *((name, wrong, str(wrong)) for name in ("epsilon", "alpha") for wrong in (-0.001, 1.001, nan)),
        ("alpha", 0, "above 0"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_option(name: str, wrong: Any, said: str) -> None:
    with pytest.raises(InputError, match=f"^--{name.replace('_', '-')}.*{said}"):
        Settings(**{name: wrong})


def test_errors_cannot_be_forgotten_where_none_can_be_made() -> None:
    for actions in ("legal", "simplify"):
        with pytest.raises(InputError, match="--forget-errors goes with --actions blind"):
            Settings(actions=actions, forget_errors=True)
    assert Settings(actions="blind", forget_errors=True).forget_errors


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        (0.4, (0.4, 0.4, 0)),
        ("0.4", (0.4, 0.4, 0)),
        (" .5 .. 0.05 ", (0.5, 0.05, 0)),
        ("1..0", (1, 0, 0)),
        ("1/n", (1, 1, 1)),
        ("0.4/n^0.6", (0.4, 0.4, 0.6)),
        ("0.9..0.1/n^.5", (0.9, 0.1, 0.5)),
    ],
)
def test_a_schedule_is_read_as_it_is_written(text: float | str, schedule: tuple[float, ...]) -> None:
    assert parse_schedule(text) == schedule


@pytest.mark.parametrize("text", ["", "fast", "-0.1", "0.5...0.1", "1/m", "1/n^", "0.5..", "1e3", "0.5/2"])
def test_what_is_no_schedule_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InputError, match=r"no schedule; write a number, 0\.5\.\.0\.05, 1/n"):
        parse_schedule(text)


def test_a_linear_schedule_goes_from_the_first_episode_to_the_last_and_stays_there() -> None:
    schedule = Schedule(0.5, 0.1, 0.0)
    rates = [schedule.rate(episode, 5).at(episode) for episode in (1, 2, 3, 5, 9)]
    assert rates == pytest.approx([0.5, 0.4, 0.3, 0.1, 0.1])
    assert schedule.rate(1, 1).at(1) == 0.5


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=50))
def test_the_average_rate_averages(targets: list[float]) -> None:
    value = 17.0
    for n, target in enumerate(targets, 1):
        value += AVERAGE.at(n) * (target - value)
    assert value == pytest.approx(sum(targets) / len(targets), abs=1e-9)


@given(st.floats(0.01, 1), st.floats(0, 1), st.integers(1, 10**6))
def test_a_rate_falls_with_a_power_of_the_number_of_updates(base: float, power: float, n: int) -> None:
    assert Rate(base, power).at(n) == pytest.approx(base * n**-power)


def test_splitmix_gives_the_published_numbers() -> None:
    # The first outputs for seed 1234567, as in the reference implementation (Vigna, 2015).
    stream = SplitMix64(1234567)
    assert [stream.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_bounded_draws_are_as_good_as_uniform() -> None:
    stream = SplitMix64.seeded(1)
    counts = [0] * 7
    for _ in range(70_000):
        counts[stream.below(7)] += 1
    assert all(0 <= stream.random() < 1 for _ in range(1000))
    # Chi squared with 6 degrees of freedom; 22.5 is exceeded once in a thousand streams, and this one is fixed.
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 22.5


def test_neighbouring_seeds_have_streams_that_do_not_overlap() -> None:
    streams = [SplitMix64.seeded(seed) for seed in range(100)]
    numbers = {stream.next() for stream in streams for _ in range(100)}
    assert len(numbers) == 10_000
