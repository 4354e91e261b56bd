"""Many proofs at once: the environments of a vector see, act and are paid as `DyckhoffEnv`, without one for each.

What is known of the lemmas is worked out once for all of them, and observations are written where they are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from oasis.api.gym.environment import DyckhoffEnv
from oasis.api.gym.numbers import Observed
from oasis.api.gym.player import Player, Task
from tactics.errors import InputError

Flags = NDArray[np.bool_]


class DyckhoffVectorEnv(VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """Several environments like `DyckhoffEnv`, whose arguments it takes, each with a seed and episodes of its own.

    Observations, rewards, ends and infos are those of Gymnasium's `SyncVectorEnv` over such environments. With a list
    of lemmas each environment draws its own. A reward that depends on history is one for all of them, and learns of the
    episodes of all.

    Args:
        num_envs: how many, at least 1.
        autoreset_mode: when an episode begins after an end: `NextStep`, in place of the next step, whose action, such
            as the one that the mask has then, counts for nothing; `SameStep`, within the step that ends, whose info
            then has `final_obs` and `final_info`; `Disabled`, when `reset` is called with the option `reset_mask`.

    Raises InputError, a ValueError whose text is a plain sentence.
    """

    def __init__(
        self,
        num_envs: int = 1,
        lemma: str | Sequence[str] = "SYJ203.3",
        reward: str = "terminating",
        actions: str = "legal",
        max_steps: int = 200,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs must be at least 1, not {num_envs}.")
        task = Task.of(lemma, reward, actions, max_steps, render_mode)
        self.num_envs, self.render_mode, self._mode = num_envs, render_mode, AutoresetMode(autoreset_mode)
        self.metadata = {**DyckhoffEnv.metadata, "autoreset_mode": self._mode}
        self.single_action_space = task.numbers.action_space
        self.single_observation_space = task.numbers.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._numbers, self._players = task.numbers, [Player(task) for _ in range(num_envs)]
        self._draws = [seeding.np_random()[0] for _ in range(num_envs)]
        self._seen = np.zeros((num_envs, *task.numbers.shape), dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=np.bool_)

    def reset(  # Gymnasium's own vectors take a seed for each environment, too
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin an episode in every environment, or in those that the option `reset_mask` has.

        Args:
            seed: of the first, the others having the next ones; or of each; or None to go on drawing.
            options: `reset_mask`, shape (num_envs,), and those of `DyckhoffEnv.reset`.
        """
        seeds = [seed + place for place in range(self.num_envs)] if isinstance(seed, int) else seed
        for place, each in enumerate(seeds or ()):
            if each is not None:
                self._draws[place] = seeding.np_random(each)[0]
        begun = np.ones(self.num_envs, dtype=np.bool_)
        if options and "reset_mask" in options:
            begun = np.asarray(options["reset_mask"], dtype=np.bool_)
        for place in np.flatnonzero(begun).tolist():
            self._begin(place, options)
        self._ended[begun] = False
        return self._observations(), self._infos({}, begun)

    def step(self, actions: NDArray[np.int64]) -> tuple[Observed, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Observations, rewards, terminated, truncated and infos after an action in each environment.

        Raises InputError for what is no action, and ResetNeeded in an environment that needs to be reset.
        """
        rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros((2, self.num_envs), dtype=np.bool_)
        infos: dict[str, Any] = {}
        for place, (player, action) in enumerate(zip(self._players, actions.tolist(), strict=True)):
            if self._ended[place] and self._mode is AutoresetMode.NEXT_STEP:
                self._begin(place, None)
                continue
            rewards[place], terminated[place], truncated[place] = player.act(action)
            self._numbers.see(player.state, self._seen[place])
            if self._mode is AutoresetMode.SAME_STEP and not player.running:
                last = {"action_mask": self._numbers.mask(()), **player.told()}
                infos = self._add_info(infos, {"final_obs": self._seen[place].flatten(), "final_info": last}, place)
                self._begin(place, None)
        self._ended = terminated | truncated
        return self._observations(), rewards, terminated, truncated, self._infos(infos, np.ones_like(self._ended))

    def render(self) -> tuple[Any, ...] | None:
        """The state of each environment, as `DyckhoffEnv` shows it; None without a render mode."""
        return tuple(player.render() for player in self._players) if self.render_mode else None

    def action_masks(self) -> Flags:
        """Which actions are on offer in each environment; shape (num_envs, actions)."""
        return np.stack([self._numbers.mask(player.state) for player in self._players]).astype(np.bool_)

    def _begin(self, place: int, options: dict[str, Any] | None) -> None:
        player = self._players[place]
        player.begin(self._draws[place], options)
        self._numbers.see(player.state, self._seen[place])

    def _observations(self) -> Observed:
        return self._seen.reshape(self.num_envs, -1).copy()

    def _infos(self, infos: dict[str, Any], told: Flags) -> dict[str, Any]:
        """What is told of some environments, with a flag for each of whom it is told, as Gymnasium does it."""
        masks = np.zeros((self.num_envs, self._numbers.actions), dtype=np.int8)
        columns: dict[str, NDArray[Any]] = {"proved": np.zeros(self.num_envs, dtype=np.bool_), "action_mask": masks}
        columns |= {name: np.full(self.num_envs, None, dtype=object) for name in ("lemma", "state_id")}
        for place in np.flatnonzero(told).tolist():
            player = self._players[place]
            masks[place] = self._numbers.mask(player.state if player.running else ())
            info = player.told()
            if "script" in info:
                infos = self._add_info(infos, {"script": info.pop("script")}, place)
            for name, value in info.items():
                columns[name][place] = value
        return {**infos, **columns, **{f"_{name}": told.copy() for name in columns}}
