"""What attempts cost: sums, what is counted, and the meters of the machine."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from oasis.escalation.costs import Cost, Counted, Counter, total
from oasis.escalation.energy import Energy
from oasis.policy import Floats, Uniform
from tactics.goal import State, initial
from tactics.parser import parse


def meter(folder: Path, name: str, microjoules: int, span: int = 10_000_000) -> Path:
    """A meter as Linux shows it."""
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


class Network(Uniform):
    """A policy that counts as a network does."""

    forwards = 0
    gpu_seconds: float | None = None

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        self.forwards += len(states)
        self.gpu_seconds = (self.gpu_seconds or 0.0) + 0.25
        return super().probabilities(states)


def test_what_a_network_computes_is_counted_while_it_is_asked_and_not_before() -> None:
    network, seconds = Network(), iter([10.0, 12.5])
    counter = Counter(lambda: next(seconds))
    state = initial(parse("p -> p"))
    network.probabilities([state, state])
    policy = Counted(network)
    with counter.counting(network) as spending:
        policy.probabilities([state])
    assert policy.calls == 1
    assert spending.cost.forwards == 1
    assert spending.cost.seconds == 2.5
    assert spending.cost.gpu_seconds == 0.25


@pytest.mark.parametrize(
    ("forwards", "gpu_seconds", "counted"),
    [
        (len, "cuda:0", (0, None)),
        ("many", 1.5, (0, 0.5)),
        (7, print, (2, None)),
    ],
)
def test_what_is_no_number_is_not_counted(forwards: Any, gpu_seconds: Any, counted: tuple[int, float | None]) -> None:
    class Own(Uniform):
        """A policy of one's own, which may mean something else by these names."""

    policy: Any = Own()
    policy.forwards, policy.gpu_seconds = forwards, gpu_seconds
    with Counter(lambda: 0.0).counting(policy) as spending:
        policy.forwards = forwards + 2 if forwards == 7 else forwards
        policy.gpu_seconds = gpu_seconds + 0.5 if gpu_seconds == 1.5 else gpu_seconds
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == counted
