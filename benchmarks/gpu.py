"""Whether networks judge on a GPU as on the CPU, how fast they are, and what limits them: `python -m benchmarks.gpu`.

Prints tables in Markdown. Goals are those that a training learns from. What a product of large matrices reaches in
bfloat16 is the ceiling; the operations are counted by torch, those of the backward pass included where there is one.
Without a GPU the CPU takes its place, in bfloat16 as well, which tries the program and measures little:

    python -m benchmarks.gpu --presets tiny --theorems 2 --nodes 512 --size 256
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from oasis.neural.devices import computing, device_named, precision
from oasis.neural.encoding.batch import chunked
from oasis.neural.encoding.form import Encoding
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.training.data import Portion, portion
from oasis.neural.training.settings import DataSettings

REPEATS: Final = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="relational,decoder")
    parser.add_argument("--presets", default="tiny,small,base,large")
    parser.add_argument("--theorems", type=int, default=400)
    parser.add_argument("--nodes", default="4096,65536", help="of the goals that go through a network together")
    parser.add_argument("--size", type=int, default=8_192, help="of the matrices whose product is the ceiling")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    device = device_named(arguments.device)
    ceiling = matrix_product(device, arguments.size)
    print(f"{name_of(device)}, torch {torch.__version__}: {ceiling / 1e12:,.3g} TFLOP/s in bfloat16\n")
    kinds, presets = arguments.networks.split(","), arguments.presets.split(",")
    portions = {
        kind: portion(DataSettings(theorems=arguments.theorems), 0, made(kind, "tiny", 0).form) for kind in kinds
    }
    agreement(portions, presets, device)
    print("\n| network | nodes together | pass | goals/s | of these at work, s/s | TFLOP/s while it works | share |")
    print("|---|---|---|---|---|---|---|")
    for kind, found in portions.items():
        for preset in presets:
            for nodes in map(int, arguments.nodes.split(",")):
                network = made(kind, preset, 0)
                network.module.to(device)
                speed(f"{kind} {preset}", network, found, nodes, ceiling)


def name_of(device: torch.device) -> str:
    """What a device calls itself."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def done(device: torch.device) -> None:
    """Wait until a device has done all that it was told to."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def matrix_product(device: torch.device, size: int, together: int = 10) -> float:
    """Operations a second of products of square matrices in bfloat16, the median after three times to warm up."""
    one, other = (torch.randn(size, size, device=device, dtype=torch.bfloat16) for _ in range(2))
    times: list[float] = []
    for _ in range(REPEATS + 3):
        began = perf_counter()
        for _ in range(together):
            one @ other.T  # as linear layers have it; in bfloat16 some CPUs take five times as long for the other
        done(device)
        times.append(perf_counter() - began)
    return together * 2 * size**3 / median(times[3:])


def agreement(portions: dict[str, Portion], presets: Sequence[str], device: torch.device) -> None:
    """How far a device is from the CPU, in 32 bits and in 16."""
    print("| network | scores, 32 bits | provability | scores, bfloat16 | provability |")
    print("|---|---|---|---|---|")
    for kind, found in portions.items():
        goals = found.goals[:500]
        for preset in presets:
            network = made(kind, preset, 0)
            expected = said(network, goals, "float32")
            network.module.to(device)
            cells = []
            for given in (said(network, goals, name) for name in ("float32", "bfloat16")):
                cells += [f"{float((one - other).abs().max()):.1e}" for one, other in zip(given, expected, strict=True)]
            print(f"| {kind} {preset} | {' | '.join(cells)} |", flush=True)


def said(network: Network, goals: Sequence[Encoding], numbers: str) -> tuple[Tensor, Tensor]:
    """What a network says of goals: the scores of their moves, and how likely they are to be provable."""
    scores, provable = [], []
    with torch.inference_mode(), computing(numbers), precision(device_of(network)):
        for places in chunked(np.array([len(goal.tokens) for goal in goals]), 4_096):
            judgement = network.judged([goals[place] for place in places])
            scores.append(judgement.moves.double().cpu())
            provable.append(judgement.provable.double().sigmoid().cpu())
    return torch.cat(scores), torch.cat(provable)


def device_of(network: Network) -> torch.device:
    """Where a network is."""
    return next(network.module.parameters()).device


def speed(name: str, network: Network, found: Portion, nodes: int, ceiling: float) -> None:
    """Goals a second by judging and by learning, and what share of the ceiling is reached meanwhile."""
    device = device_of(network)
    sizes = np.array([len(goal.tokens) for goal in found.goals])
    batches = [[found.goals[place] for place in places] for places in chunked(sizes, nodes)]

    def forward(goals: Sequence[Encoding]) -> None:
        with torch.inference_mode(), computing("bfloat16"), precision(device):
            network.judged(goals)

    def both(goals: Sequence[Encoding]) -> None:
        network.module.zero_grad()
        with computing("bfloat16"), precision(device):
            judgement = network.judged(goals)
        (judgement.moves.float().mean() + judgement.provable.float().mean()).backward()  # type: ignore[no-untyped-call]

    for what, work in (("forward", forward), ("and backward", both)):
        for goals in batches[:1] + batches[-1:]:
            work(goals)
        done(device)
        began = perf_counter()
        for goals in batches:
            work(goals)
        done(device)
        whole = perf_counter() - began
        busy = at_work(work, batches, device)
        rate = counted(work, batches) / busy
        print(
            f"| {name} | {nodes:,} | {what} | {len(found.goals) / whole:,.0f} | {busy / whole:.2f} "
            f"| {rate / 1e12:,.3g} | {rate / ceiling:.1%} |",
            flush=True,
        )


def counted(work: Callable[[Sequence[Encoding]], None], batches: Sequence[Sequence[Encoding]]) -> float:
    """Floating-point operations of some work on batches."""
    with FlopCounterMode(display=False) as counter:
        for goals in batches:
            work(goals)
    return float(counter.get_total_flops())


def at_work(
    work: Callable[[Sequence[Encoding]], None], batches: Sequence[Sequence[Encoding]], device: torch.device
) -> float:
    """Seconds for which a device computes in some work on batches."""
    with profiled(device) as profile:
        for goals in batches:
            work(goals)
        done(device)
    return worked(profile, device)


@contextmanager
def profiled(device: torch.device) -> Iterator[Any]:
    """Take note of what a device does within."""
    activity = torch.profiler.ProfilerActivity
    with torch.profiler.profile(activities=[activity.CUDA if device.type == "cuda" else activity.CPU]) as profile:
        yield profile


def worked(profile: Any, device: torch.device, beginning: str = "") -> float:
    """Seconds for which a device was at work, or at what is called by names with some beginning."""
    clock = "self_device_time_total" if device.type == "cuda" else "self_cpu_time_total"
    events = (event for event in profile.key_averages() if event.key.startswith(beginning))
    return float(sum(getattr(event, clock) for event in events)) / 1e6


if __name__ == "__main__":
    main()
