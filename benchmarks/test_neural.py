"""How fast networks are, on one core: `python -m pytest benchmarks/test_neural.py -s`.

Data made, goals encoded, forward passes, training steps, and greedy decisions (each distinct goal once), a CPU-second.
The targets for `tiny` are 1,500 goals trained and 1,500 decisions; for labels 45,000 pairs of a goal and a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import numpy as np
import pytest
import torch

from curricula import propl
from curricula.propl_lemmas import published
from oasis.neural.encoding.batch import batched, chunked
from oasis.neural.encoding.moves import Formulas, formulas_of, options
from oasis.neural.encoding.nodes import encoded
from oasis.neural.encoding.pages import page
from oasis.neural.labels import Oracle
from oasis.neural.networks.network import Writing
from oasis.neural.networks.presets import made
from oasis.neural.policy import NetworkPolicy, judged
from oasis.neural.training.data import portion
from oasis.neural.training.progress import Window
from oasis.neural.training.reserved import reserved_keys
from oasis.neural.training.settings import DataSettings, SftSettings
from oasis.neural.training.sft import Training
from tactics.goal import State, initial
from tactics.rules import apply, legal_moves

GOALS: Final = DataSettings(theorems=800)
PRESETS: Final = tuple(product(("relational", "decoder"), ("tiny", "small", "base")))
ARRAYS: Final[dict[str, Callable[[Any], Any]]] = {"relational": batched, "decoder": page}
"""How goals in the form of each kind of network are put side by side."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def told(benchmark: Any, what: str, work: Callable[[], int]) -> None:
    """Run some work, which gives how many it did, and tell the rate."""
    rates: list[float] = []

    def timed() -> None:
        began = process_time()
        number = work()
        rates.append(number / (process_time() - began))

    benchmark.pedantic(timed, rounds=1, iterations=1)
    benchmark.extra_info["a CPU-second"] = rates[0]
    print(f"\n{what}: {rates[0]:,.0f} a CPU-second")


def test_labels(benchmark: Any) -> None:
    oracle, draw = Oracle(), Random(0).random
    theorems = [propl.formula(entry.number, entry.n) for entry in published()["propl-train"][:3_000]]

    def label() -> int:
        pairs = 0
        pending: list[Formulas] = [(theorem,) for theorem in theorems]
        while pending:
            labelled = oracle.labelled(pending.pop())
            pairs += len(labelled.keeps)
            keeping = [move for move, keeps in zip(labelled.options, labelled.keeps, strict=True) if keeps]
            pending += keeping[int(draw() * len(keeping))].premises
        return pairs

    told(benchmark, "pairs of a goal and a move labelled", label)


def test_data(benchmark: Any) -> None:
    reserved_keys()  # which every process works out once
    told(
        benchmark,
        "goals to learn from, sampled, filtered, labelled and encoded",
        lambda: len(portion(GOALS, 0, encoded).goals),
    )


@pytest.mark.parametrize("kind", ARRAYS)
def test_encoding(kind: str, benchmark: Any) -> None:
    form = made(kind, "tiny", 0).form
    theorems = [initial(propl.formula(entry.number, entry.n))[0] for entry in published()["propl-train"][:3_000]]

    def encode() -> int:
        goals = [form(formulas, options(formulas)) for formulas in map(formulas_of, theorems)]
        for places in chunked(np.array([len(goal.tokens) for goal in goals]), 4_096):
            ARRAYS[kind]([goals[place] for place in places])
        return len(goals)

    told(benchmark, f"{kind}: theorems encoded and put side by side", encode)


@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_forward(kind: str, preset: str, benchmark: Any) -> None:
    network = made(kind, preset, 0)
    goals = portion(DataSettings(theorems=100), 0, network.form).goals

    def forward() -> int:
        for places in chunked(np.array([len(goal.tokens) for goal in goals]), 4_096):
            judged(network, [goals[place] for place in places])
        return len(goals)

    told(benchmark, f"{kind}, {preset}: goals judged", forward)


@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_training(kind: str, preset: str, benchmark: Any, tmp_path: Path) -> None:
    training = Training(SftSettings(network=kind, preset=preset), tmp_path / "net", workers=0)
    made_before = portion(DataSettings(theorems=400 if preset == "tiny" else 40), 0, training.network.form)
    training.learn(made_before, np.arange(8), Window())  # what torch does once

    def train() -> int:
        for batch in training.batches_of(made_before):
            training.learn(made_before, batch, Window())
        return len(made_before.goals)

    told(benchmark, f"{kind}, {preset}: goals trained", train)


@pytest.mark.parametrize(("kind", "preset"), PRESETS)
def test_decisions(kind: str, preset: str, benchmark: Any) -> None:
    network = made(kind, preset, 0)
    entries = published()["propl-test-hard"][: 1_000 if preset == "tiny" else 100]
    states: list[State] = [initial(propl.formula(entry.number, entry.n)) for entry in entries]

    def play() -> int:
        policy, playing, decisions = NetworkPolicy(network), states, 0
        while playing:
            shares = policy.probabilities(playing)
            decisions += len(playing)
            after = [
                apply(state, legal_moves(state[0])[int(np.argmax(each))])
                for state, each in zip(playing, shares, strict=True)
                if len(each)
            ]
            playing = [state for state in after if state]
        return decisions

    told(benchmark, f"{kind}, {preset}: greedy decisions, the calculus included", play)


@pytest.mark.parametrize("preset", ["tiny", "small", "base"])
def test_writing(preset: str, benchmark: Any) -> None:
    network = made("decoder", preset, 0)
    assert isinstance(network, Writing)
    entries = published()["propl-test-hard"][: 1_000 if preset == "tiny" else 100]
    goals = [formulas_of(initial(propl.formula(entry.number, entry.n))[0]) for entry in entries]
    told(benchmark, f"decoder, {preset}: moves written freely", lambda: len(network.written(goals)))
