"""Whether networks judge on a GPU as on the CPU, how fast they are, and what limits them: `python -m benchmarks.gpu`.

Prints tables in Markdown. Goals are those that a training learns from. What a product of large matrices reaches in
bfloat16 is the ceiling; the operations are counted by torch, those of the backward pass included where there is one.
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

from oasis.neural.devices import CPU, precision
from oasis.neural.encoding.batch import chunked
from oasis.neural.encoding.form import Encoding
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.training.data import Portion, portion
from oasis.neural.training.settings import DataSettings

GPU: Final = torch.device("cuda")
REPEATS: Final = 20
NODES: Final = (4_096, 65_536)
"""Of the goals that go through a network together."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="relational,decoder")
    parser.add_argument("--presets", default="tiny,small,base,large")
    parser.add_argument("--theorems", type=int, default=400)
    arguments = parser.parse_args()
    ceiling = matrix_product()
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}: {ceiling / 1e12:,.0f} TFLOP/s in bfloat16\n")
    kinds, presets = arguments.networks.split(","), arguments.presets.split(",")
    portions = {
        kind: portion(DataSettings(theorems=arguments.theorems), 0, made(kind, "tiny", 0).form) for kind in kinds
    }
    agreement(portions, presets)
    print("\n| network | nodes together | pass | goals/s | of these on the GPU, s/s | TFLOP/s while it works | share |")
    print("|---|---|---|---|---|---|---|")
    for kind, found in portions.items():
        for preset in presets:
            for nodes in NODES:
                speed(f"{kind} {preset}", made(kind, preset, 0), found, nodes, ceiling)


def matrix_product(size: int = 8_192) -> float:
    """Operations a second of a product of square matrices in bfloat16."""
    one, other = (torch.randn(size, size, device=GPU, dtype=torch.bfloat16) for _ in range(2))
    return float(2 * size**3 / seconds_on_gpu(lambda: one @ other))


def seconds_on_gpu(work: Callable[[], Any]) -> float:
    """The median time that the GPU needs for some work, after three runs to warm up."""
    times: list[float] = []
    for number in range(REPEATS + 3):
        began, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        began.record()
        work()
        ended.record()
        torch.cuda.synchronize()
        if number >= 3:
            times.append(began.elapsed_time(ended) / 1_000)
    return median(times)


def agreement(portions: dict[str, Portion], presets: Sequence[str]) -> None:
    """How far a GPU is from the CPU, in 32 bits and in 16."""
    print("| network | scores, 32 bits | provability | scores, bfloat16 | provability |")
    print("|---|---|---|---|---|")
    for kind, found in portions.items():
        goals = found.goals[:500]
        for preset in presets:
            network = made(kind, preset, 0)
            expected = said(network, goals)
            network.module.to(GPU)
            cells = []
            for given in (said(network, goals), said(network, goals, halved=True)):
                cells += [f"{float((one - other).abs().max()):.1e}" for one, other in zip(given, expected, strict=True)]
            print(f"| {kind} {preset} | {' | '.join(cells)} |", flush=True)


def said(network: Network, goals: Sequence[Encoding], halved: bool = False) -> tuple[Tensor, Tensor]:
    """What a network says of goals: the scores of their moves, and how likely they are to be provable."""
    scores, provable = [], []
    device = next(network.module.parameters()).device
    with torch.inference_mode(), precision(device if halved else CPU):
        for places in chunked(np.array([len(goal.tokens) for goal in goals]), NODES[0]):
            judgement = network.judged([goals[place] for place in places])
            scores.append(judgement.moves.double().cpu())
            provable.append(judgement.provable.double().sigmoid().cpu())
    return torch.cat(scores), torch.cat(provable)


def speed(name: str, network: Network, found: Portion, nodes: int, ceiling: float) -> None:
    """Goals a second by judging and by learning, and what share of the ceiling the GPU reaches while it works."""
    network.module.to(GPU)
    sizes = np.array([len(goal.tokens) for goal in found.goals])
    batches = [[found.goals[place] for place in places] for places in chunked(sizes, nodes)]

    def forward(goals: Sequence[Encoding]) -> None:
        with torch.inference_mode(), precision(GPU):
            network.judged(goals)

    def both(goals: Sequence[Encoding]) -> None:
        network.module.zero_grad()
        with precision(GPU):
            judgement = network.judged(goals)
        (judgement.moves.float().mean() + judgement.provable.float().mean()).backward()  # type: ignore[no-untyped-call]

    for what, work in (("forward", forward), ("and backward", both)):
        for goals in batches[:1] + batches[-1:]:
            work(goals)
        torch.cuda.synchronize()
        began = perf_counter()
        for goals in batches:
            work(goals)
        torch.cuda.synchronize()
        whole = perf_counter() - began
        busy = kernels(work, batches)
        rate = counted(work, batches) / busy
        print(
            f"| {name} | {nodes:,} | {what} | {len(found.goals) / whole:,.0f} | {busy / whole:.2f} "
            f"| {rate / 1e12:,.1f} | {rate / ceiling:.1%} |",
            flush=True,
        )


def counted(work: Callable[[Sequence[Encoding]], None], batches: Sequence[Sequence[Encoding]]) -> float:
    """Floating-point operations of some work on batches."""
    with FlopCounterMode(display=False) as counter:
        for goals in batches:
            work(goals)
    return float(counter.get_total_flops())


def kernels(work: Callable[[Sequence[Encoding]], None], batches: Sequence[Sequence[Encoding]]) -> float:
    """Seconds for which the GPU computes in some work on batches."""
    with profiled() as profile:
        for goals in batches:
            work(goals)
        torch.cuda.synchronize()
    return worked(profile)


@contextmanager
def profiled() -> Iterator[Any]:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        yield profile


def worked(profile: Any) -> float:
    """Seconds for which the GPU computed."""
    return float(sum(event.self_device_time_total for event in profile.key_averages())) / 1e6


if __name__ == "__main__":
    main()
