"""Steps of 64 environments at once, in ours and in Gymnasium's vector over single ones: `pytest benchmarks -k vector`.

Nothing is asserted about time. A player who makes any move that applies is part of what is measured, in both alike.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import oasis.api.gym  # noqa: F401 - registers the environment

ENVIRONMENTS, STEPS = 64, 100


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_a_vector_steps(benchmark: Any, mode: str) -> None:
    environments = gymnasium.make_vec(
        "oasis/Dyckhoff-v0", num_envs=ENVIRONMENTS, vectorization_mode=mode, lemma="SYJ203.3"
    )
    draw = np.random.default_rng(0)

    def play() -> None:
        _, infos = environments.reset(seed=0)
        for _ in range(STEPS):
            mask = infos["action_mask"]
            *_, infos = environments.step((draw.random(mask.shape) * mask).argmax(axis=1))

    benchmark.pedantic(play, rounds=7, warmup_rounds=1)
    print(f"\n{mode}: {ENVIRONMENTS * STEPS / benchmark.stats.stats.min:,.0f} steps a second")
