"""A short training in a process of its own, or in those that torchrun starts: `FILE STEPS`, or `FILE STEPS KILLED`.

It says each third step, keeps each sixth, and is killed behind the step that is named last.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from unittest.mock import patch

import torch

from oasis.neural.devices import CPU
from oasis.neural.training import supervised
from oasis.neural.training.ranks import together
from oasis.neural.training.settings import DataSettings, SftSettings
from oasis.neural.training.sft import Training

LEMMAS = (
    "A -> A \\/ B",
    "A -> (B -> C) \\/ A /\\ A",
    "(A -> B) -> ((C -> A -> B) -> D \\/ E) -> E \\/ D",
    "((A -> B) -> C) -> (B -> C) /\\ (D \\/ (B -> C))",
    "(A \\/ B -> C) -> ((A -> C) -> B \\/ D) -> D \\/ B \\/ A",
    "A /\\ B -> (C \\/ A) /\\ (B \\/ C)",
    "(~A -> B) -> ~~B -> C \\/ (~A -> B)",
)


def settings(steps: int) -> SftSettings:
    return SftSettings(steps=steps, nodes=100, data=DataSettings(theorems=5, plays=2, lemmas=LEMMAS), warm_up=4)


def main(file: Path, steps: int, killed: int | None) -> None:
    torch.set_num_threads(1)
    training = Training(settings(steps), file, 0)
    quick = patch.multiple(supervised, REPORT_EVERY=3, SAVE_EVERY=6, hundred=tuple, solve_rate=lambda *_: 1.0)
    with together(CPU) as ranks, quick:
        training.join(ranks)
        for told in training:
            if ranks.is_first:
                print(told.step, told.policy_loss, flush=True)
            if told.step == killed:
                os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
