"""An agent from elsewhere learns to prove: MaskablePPO of sb3-contrib in `oasis/Dyckhoff-v0`.

Install:  pip install 'oasis-student[gym]' sb3-contrib
Run:      python examples/masked_ppo.py SYJ203.3 --steps 50000
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from oasis.api.gym import AgentPolicy, DyckhoffEnv  # and registers it
from oasis.play.exam import examine
from tactics.script import show_script

Chooser = Callable[[Any, Any], int]
"""An action for an observation and its mask."""


def play(environment: gymnasium.Env[Any, Any], choose: Chooser) -> tuple[bool, DyckhoffEnv]:
    """One episode: whether it ended in a proof, and the environment as it was left."""
    observation, info = environment.reset()
    ended = False
    while not ended:
        action = choose(observation, info["action_mask"])
        observation, _, terminated, truncated, info = environment.step(action)
        ended = terminated or truncated
    inner = environment.unwrapped
    assert isinstance(inner, DyckhoffEnv)
    return info["proved"], inner


def share_of_proofs(environment: gymnasium.Env[Any, Any], choose: Chooser, episodes: int) -> tuple[float, float]:
    """The share of episodes with a proof, and the mean length of these proofs."""
    lengths = [inner.steps for _ in range(episodes) for proved, inner in [play(environment, choose)] if proved]
    return len(lengths) / episodes, float(np.mean(lengths)) if lengths else float("nan")


def main(arguments: list[str] | None = None) -> None:
    """Learn one lemma, and compare with a player who picks any legal move."""
    from sb3_contrib import MaskablePPO

    parser = ArgumentParser(description="MaskablePPO proves a lemma.")
    parser.add_argument("lemma", nargs="?", default="SYJ203.3")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--episodes", type=int, default=500, help="to measure with")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)

    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma=given.lemma)
    environment.action_space.seed(given.seed)
    agent = MaskablePPO(
        "MlpPolicy", environment, gamma=0.9, n_steps=1024, batch_size=128, ent_coef=0.01, seed=given.seed
    )

    def at_random(_: Any, mask: Any) -> int:
        return int(environment.action_space.sample(mask))

    def learned(observation: Any, mask: Any) -> int:
        action, _ = agent.predict(observation, action_masks=mask)
        return int(action)

    print(f"{given.lemma}: observations {environment.observation_space.shape}, {environment.action_space}")
    for name, choose in [("any legal move", at_random), ("before learning", learned)]:
        share, length = share_of_proofs(environment, choose, given.episodes)
        print(f"{name:>16}: {share:6.1%} proved, {length:.1f} moves")
    agent.learn(given.steps)
    share, length = share_of_proofs(environment, learned, given.episodes)
    print(f"{'after learning':>16}: {share:6.1%} proved, {length:.1f} moves")
    inner = environment.unwrapped
    assert isinstance(inner, DyckhoffEnv)

    def greedy(observation: Any, mask: Any) -> Any:
        action, _ = agent.predict(observation, action_masks=mask, deterministic=True)
        return np.eye(len(mask))[int(action)]

    exam = examine(AgentPolicy(inner, greedy), inner.lemma.formula)
    print(f"{'exam':>16}: {exam.share:6.1%} proved", *([show_script(exam.script)] if exam.script else []))


if __name__ == "__main__":
    main()
