"""A short training in a process of its own, or in those that torchrun starts: `FILE STEPS`, or `FILE` to resume.

It says each third step, and keeps each sixth.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import torch

from oasis.neural.devices import CPU
from oasis.neural.training import loop
from oasis.neural.training.data import DataSettings
from oasis.neural.training.ranks import together
from oasis.neural.training.sft import SftSettings, Training


def settings(steps: int) -> SftSettings:
    return SftSettings(steps=steps, nodes=300, data=DataSettings(theorems=5, plays=2), warm_up=4)


def main(file: Path, steps: int | None) -> None:
    torch.set_num_threads(1)
    training = Training.resumed(file, 0) if steps is None else Training(settings(steps), file, 0)
    quick = patch.multiple(loop, REPORT_EVERY=3, SAVE_EVERY=6, hundred=tuple, solve_rate=lambda *_: 1.0)
    with together(CPU) as ranks, quick:
        training.join(ranks)
        for told in training:
            if ranks.is_first:
                print(told.step, told.policy_loss, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
