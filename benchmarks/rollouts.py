"""What limits rollouts, the network or what goes on around it: `OMP_NUM_THREADS=1 python -m benchmarks.rollouts`.

Updates of GRPO with its usual settings, but for the lemmas that are drawn at a time: what a second of the processor is
spent on, and how many plays it has room for, in rollouts alone, in these without the network, and in whole updates,
learning and new lemmas included. An update that is not counted comes first. Prints a table in Markdown.

With `--device cuda` seconds are those of the clock, and the rollouts of one more update say for how long the GPU was at
work: it limits them where that is most of their time, and elsewhere it waits for Python and for being told what to do.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple
from unittest.mock import patch

import torch

from benchmarks.gpu import profiled, worked
from oasis.neural.devices import CPU, device_named
from oasis.neural.encoding.form import Encoding
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.policy import judgements
from oasis.neural.reinforcement import goals
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.settings import GrpoSettings
from oasis.neural.reinforcement.train import Played, Weighed
from oasis.neural.training.checkpoint import load
from oasis.neural.training.ranks import Ranks
from oasis.play.policy import Floats


class Spent(NamedTuple):
    """Seconds that an update took, of the processor or, on a GPU, of the clock, and its plays."""

    plays: int
    proved: int
    moves: int
    network: float
    rollouts: float
    update: float


def network_named(name: str) -> Network:
    """The network that comes along for `tiny`; else one of random weights."""
    if name == "tiny":
        with resources.as_file(resources.files("oasis.neural") / "data" / "tiny.safetensors") as file:
            return load(file).network
    return made("relational", name, 0)


def spent(training: Grpo) -> Spent:
    """Make an update."""
    in_network = in_rollouts = 0.0
    plays = proved = moves = 0
    seconds = process_time if training.ranks.device == CPU else perf_counter

    def judging(network: Network, asked: Sequence[Encoding]) -> Iterator[tuple[int, Floats, float]]:
        nonlocal in_network
        began = seconds()
        found = [*judgements(network, asked)]  # numbers of the CPU, so the GPU is done with them
        in_network += seconds() - began
        return iter(found)

    played = training.play

    def playing() -> tuple[Played, Weighed]:
        nonlocal in_rollouts, plays, proved, moves
        began = seconds()
        found, weighed = played()
        in_rollouts += seconds() - began
        plays, proved, moves = len(found.plays), int(found.proved.sum()), int(found.plays.moves.sum())
        return found, weighed

    with patch.object(goals, "judgements", judging), patch.object(training, "play", playing):
        began = seconds()
        training.update()
        return Spent(plays, proved, moves, in_network, in_rollouts, seconds() - began)


def at_work(training: Grpo) -> str:
    """For how long of the rollouts of one more update the GPU was at work, beside how many moves these made."""
    if training.ranks.device == CPU:
        return "–"
    with profiled(training.ranks.device) as profile:
        played, _ = training.play()
    return f"{worked(profile, training.ranks.device):.3f} s for {int(played.plays.moves.sum()):,} moves"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="tiny")
    parser.add_argument("--drawn", default="128,512", help="lemmas at a time")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print(
        "| network, lemmas drawn | plays, moves | rollouts | without the network | whole update | network in rollouts "
        "| GPU at work |"
    )
    print("|---|---|---|---|---|---|---|")
    for name in arguments.networks.split(","):
        for drawn in map(int, arguments.drawn.split(",")):
            with TemporaryDirectory() as folder:
                training = Grpo(GrpoSettings(drawn=drawn), Path(folder) / "net.safetensors", 0, network_named(name))
                training.join(Ranks(device=device_named(arguments.device)))
                training.pool.fill()
                _, *found = [spent(training) for _ in range(arguments.updates + 1)]
                busy = at_work(training)
            rates = [
                (each.plays / each.rollouts, each.plays / (each.rollouts - each.network), each.plays / each.update)
                for each in found
            ]
            cells = [f"{median(column):,.0f} plays/s" for column in zip(*rates, strict=True)]
            plays, moves = (median(getattr(each, name) for each in found) for name in ("plays", "moves"))
            share = median(each.network / each.rollouts for each in found)
            row = f"{plays:,.0f}, {moves:,.0f}", *cells, f"{share:.0%}", busy
            print(f"| {name}, {drawn} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
