"""Masked PPO in one file, in the style of CleanRL; `oasis/Dyckhoff-v0` is named by its id alone.

Left out of the usual algorithm: a clipped loss of values, an annealed learning rate, and the value of a state in which
an episode is cut short, as moves that the mask allows end each episode long before.

Install:  pip install 'oasis-student[gym,neural]'
Run:      python examples/ppo_loop.py SYJ203.3 --steps 20000
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

ID = "oasis.api.gym:oasis/Dyckhoff-v0"
ENVS, STEPS, EPOCHS, BATCH, WIDTH = 16, 64, 6, 128, 128
GAMMA, TRACE, CLIP, ENTROPY, RATE = 0.95, 0.95, 0.2, 0.01, 1e-3


class Agent(nn.Module):
    """Actor and critic on one body, to which each formula at each place of an observation is a feature of its own."""

    def __init__(self, environments: Any) -> None:
        super().__init__()
        sizes = torch.as_tensor(environments.single_observation_space.nvec)
        self.places = sizes.cumsum(0) - sizes
        features = nn.EmbeddingBag(int(sizes.sum()), WIDTH, mode="sum")
        self.body = nn.Sequential(features, nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh())
        self.actor, self.critic = nn.Linear(WIDTH, int(environments.single_action_space.n)), nn.Linear(WIDTH, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over the actions that the mask allows, and the value, for each observation."""
        hidden = self.body(seen + self.places)
        return Categorical(logits=self.actor(hidden).masked_fill(mask == 0, -1e9)), self.critic(hidden)[:, 0]


def learn(lemma: str, steps: int, seed: int) -> tuple[Agent, list[float]]:
    """Return an agent that has learned from so many steps, and the share of proofs among the episodes of each round."""
    torch.manual_seed(seed)
    environments = gymnasium.make_vec(ID, num_envs=ENVS, lemma=lemma, autoreset_mode=AutoresetMode.SAME_STEP)
    agent, shares = Agent(environments), list[float]()
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    seen, infos = environments.reset(seed=seed)
    for _ in range(steps // (ENVS * STEPS)):
        rows, proofs, ends = [], 0, 0
        for _ in range(STEPS):
            now, mask = torch.as_tensor(seen), torch.as_tensor(infos["action_mask"])
            with torch.no_grad():
                chances, value = agent(now, mask)
            action = chances.sample()
            seen, reward, terminated, truncated, infos = environments.step(action.numpy())
            goes_on, paid = torch.as_tensor(~(terminated | truncated)), torch.as_tensor(reward, dtype=torch.float32)
            rows.append((now, mask, action, chances.log_prob(action), value, paid, goes_on))
            proofs, ends = proofs + int((paid > 0).sum()), ends + int((~goes_on).sum())
        with torch.no_grad():
            _, ahead = agent(torch.as_tensor(seen), torch.as_tensor(infos["action_mask"]))
        gain, gains = torch.zeros(ENVS), list[torch.Tensor]()
        for *_, value, paid, goes_on in reversed(rows):  # generalised advantages, the last step first
            gain = paid - value + GAMMA * goes_on * (ahead + TRACE * gain)
            gains, ahead = [gain, *gains], value
        now, mask, action, before, value, *_ = (torch.cat(column) for column in zip(*rows, strict=True))
        gain = torch.cat(gains)
        target = gain + value
        for _ in range(EPOCHS):
            for part in torch.randperm(ENVS * STEPS).split(BATCH):
                chances, value = agent(now[part], mask[part])
                ratio = (chances.log_prob(action[part]) - before[part]).exp()
                better = (gain[part] - gain[part].mean()) / (gain[part].std() + 1e-8)
                loss = -torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
                loss += 0.5 * (value - target[part]).square().mean() - ENTROPY * chances.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        shares.append(proofs / max(1, ends))
        print(f"{len(shares) * ENVS * STEPS:>7} steps: {shares[-1]:6.1%} of {ends} episodes proved", flush=True)
    return agent, shares


def prove(agent: Agent, lemma: str) -> str:
    """Return the proof that the agent's likeliest moves make, or nothing."""
    environment = gymnasium.make(ID, lemma=lemma)
    ended, (seen, info) = False, environment.reset()
    while not ended:
        chances, _ = agent(torch.as_tensor(seen)[None], torch.as_tensor(info["action_mask"])[None])
        seen, _, terminated, truncated, info = environment.step(int(chances.logits.argmax()))
        ended = terminated or truncated
    return str(info.get("script", ""))


if __name__ == "__main__":
    parser = ArgumentParser(description="Masked PPO proves a lemma.")
    parser.add_argument("lemma", nargs="?", default="SYJ203.3")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(prove(learn(given.lemma, given.steps, given.seed)[0], given.lemma) or "no proof")
