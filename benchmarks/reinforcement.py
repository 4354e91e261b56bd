"""Does reward teach what labels do not? Networks go on by GRPO, PPO, imitation or more of the same, about as long.

`OMP_NUM_THREADS=1 python -m benchmarks.reinforcement -o FOLDER --arms grpo,imitate,sft --seeds 3` first trains, for
each seed, a network for a short time on ordinary theorems of 16 connectives; then it goes on with it by each arm, and
plays PropL's tests with all of them. What is done already is in the folder and is not done again: a training that was
killed goes on, and with everything there it only prints the table, in Markdown. Arms have numbers of steps that take
about as long; the CPU-seconds that each took are in the table. The arm `nothing` begins from random weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np
import torch

from curricula.benchmark import benchmark
from oasis.ground.statistics import mean_interval
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.policies import policy_named
from oasis.neural.policy import NetworkPolicy
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.ppo import Ppo
from oasis.neural.reinforcement.settings import PoolSettings
from oasis.neural.reinforcement.train import Reinforcement
from oasis.neural.training.checkpoint import load
from oasis.neural.training.header import header
from oasis.neural.training.imitate import Imitation
from oasis.neural.training.loop import Loop
from oasis.neural.training.settings import DataSettings, ImitationSettings, SftSettings
from oasis.neural.training.sft import Training
from oasis.play.committed import committed
from oasis.play.controls import CHOOSING
from oasis.play.policy import Policy

START: Final = "start"
START_STEPS: Final = 1_500
MOST_MOVES: Final = 300
"""Of a play of an ILTP lemma, after which it is given up."""


Begin = Callable[[int, Path, Network, float], Loop]
"""Begins a training: its seed, its file, the network to go on from, and how many times as long as usual it is."""


def _start(seed: int, file: Path, _: Network, __: float) -> Loop:
    data = DataSettings(seed=seed, connectives=(16,))
    return Training(SftSettings(seed=seed, steps=START_STEPS, data=data), file, 0)


def _practised(kind: type[Reinforcement], steps: int, **how: Any) -> Begin:
    def begun(seed: int, file: Path, network: Network, times: float) -> Loop:
        settings = kind.SETTINGS(seed=seed, steps=round(steps * times), pool=PoolSettings(seed=seed), **how)
        return kind(settings, file, 0, network)

    return begun


def _imitate(seed: int, file: Path, network: Network, times: float) -> Loop:
    data = DataSettings(seed=seed + 100, connectives=PoolSettings.connectives, longest=None)
    settings = ImitationSettings(seed=seed, steps=round(400 * times), rounds=8, learning_rate=1e-3, data=data)
    return Imitation(settings, file, 0, network)


def _sft(seed: int, file: Path, network: Network, times: float) -> Loop:
    data = DataSettings(seed=seed + 100, connectives=(16,))
    return Training(SftSettings(seed=seed, steps=round(600 * times), learning_rate=1e-3, data=data), file, 0, network)


def _nothing(seed: int, file: Path, _: Network, times: float) -> Loop:
    return _practised(Grpo, 300)(seed, file, made("relational", "tiny", seed), times)


ARMS: Final[Mapping[str, Begin]] = {
    "grpo": _practised(Grpo, 80),
    "ppo": _practised(Ppo, 80),
    "ppo dagger:all": _practised(Ppo, 80, reward="dagger:all"),
    "grpo rmaxts": _practised(Grpo, 80, sampler="rmaxts"),
    "imitate": _imitate,
    "sft": _sft,
    "nothing": _nothing,
}
"""Ways to go on; what is paid to networks is compared by `oasis dagger study`."""


def trained(name: str, seed: int, folder: Path, begun: Begin, times: float) -> Path:
    """The file of a training that is over, which is begun or gone on with if it is not."""
    file = folder / f"{name}-{seed}.safetensors"
    spent = file.with_suffix(".seconds")
    at = header(file) if file.exists() else None
    if at is not None and at["at"]["step"] >= at["settings"]["steps"]:
        return file
    start = folder / f"{START}-{seed}.safetensors"
    network = load(start).network if start.exists() else made("relational", "tiny", seed)
    training = begun(seed, file, network, times)
    if at is not None:
        training = type(training).resumed(file, 0)
    before = float(spent.read_text()) if at is not None and spent.exists() else 0.0
    began = process_time()
    for told in training:
        if told.solved is not None:
            spent.write_text(f"{before + process_time() - began:.1f}")
            print(f"{file.stem}, {spent.read_text()} CPU-seconds, step {told.step:,}: {told.news}", flush=True)
    spent.write_text(f"{before + process_time() - began:.1f}")
    return file


def evaluated(file: Path) -> dict[str, list[int]]:
    """Return what the network of a file proves (`proved`); it is kept beside the file."""
    kept = file.with_suffix(".json")
    if not kept.exists():
        kept.write_text(json.dumps(proved(lambda: NetworkPolicy(load(file).network))))
    found: dict[str, list[int]] = json.loads(kept.read_text())
    return found


def proved(made: Callable[[], Policy]) -> dict[str, list[int]]:
    """Return how many theorems of PropL's tests, of 64 connectives, and of ILTP a policy proves, of how many."""
    propl, iltp = benchmark("propl"), benchmark("iltp", levels=_levels())
    sets = {
        **propl.parts["sets"],
        "64": propl.parts["sizes"]["64"],
        "iltp": next(iter(iltp.parts["sets"].values())),
    }
    found = {}
    for name, lemmas in sets.items():
        plays = committed(made(), [lemma.formula for lemma in lemmas], max_moves=MOST_MOVES)
        found[name] = [sum(play.proved for play in plays), len(lemmas)]
    return found


def _levels() -> Any:
    from curricula import parse_levels

    return parse_levels("1-4,none")


def table(arms: Iterable[str], seeds: int, folder: Path) -> None:
    """Print shares in percent and gains over the start, with 95 % intervals over seeds (t); controls first."""
    print(
        "| goes on by | CPU-s | "
        + " | ".join(f"{name}, % | gain" for name in ("ordinary", "hard", "64", "ILTP"))
        + " |"
    )
    print("|---|---|" + "---|---|" * 4)
    for name in CHOOSING:
        cells = [f"{share:.1f} | " for share in _percent(proved(partial(policy_named, name, None)))]
        print(f"| {name} | 0 | {' | '.join(cells)} |")
    files = {arm: [folder / f"{arm}-{seed}.safetensors" for seed in range(seeds)] for arm in (START, *arms)}
    shares = {arm: np.array([_percent(evaluated(file)) for file in of_arm]) for arm, of_arm in files.items()}
    for arm, of_arm in files.items():
        seconds = [float(file.with_suffix(".seconds").read_text()) for file in of_arm]
        cells = []
        for column in range(4):
            each = shares[arm][:, column]
            gains = each - shares[START][:, column]
            gain = "" if arm == START else _gain(gains)
            cells += [", ".join(f"{share:.1f}" for share in each), gain]
        print(f"| {arm} | {', '.join(f'{each:.0f}' for each in seconds)} | {' | '.join(cells)} |")


def _percent(found: Mapping[str, list[int]]) -> list[float]:
    return [100 * won / theorems for won, theorems in found.values()]


def _gain(gains: np.ndarray[Any, Any]) -> str:
    if len(gains) < 2:
        return f"{gains.mean():+.1f}"
    interval = mean_interval(gains, least=-100.0, most=100.0)
    return f"{float(interval.value):+.1f} ({float(interval.low):+.1f} to {float(interval.high):+.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arms", default="grpo,imitate,sft", help=f"of {', '.join(ARMS)}")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--times", type=float, default=1.0, help="how many times as long as usual arms are")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="where networks are kept")
    arguments = parser.parse_args()
    arms = arguments.arms.split(",")
    torch.set_num_threads(1)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for seed in range(arguments.seeds):
        for arm in (START, *arms):
            begun = _start if arm == START else ARMS[arm]
            evaluated(trained(arm, seed, arguments.output, begun, arguments.times))
    table(arms, arguments.seeds, arguments.output)


if __name__ == "__main__":
    main()
