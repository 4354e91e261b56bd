"""The environment `oasis/Dyckhoff-v0`: what Gymnasium's agents see of a proof and can do in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from curricula import Lemma
from oasis.api.gym.numbers import Observed
from oasis.api.gym.player import RENDER_MODES, Player, Task
from oasis.api.session import Session
from tactics.formula import Formula
from tactics.goal import Move, State


class DyckhoffEnv(gymnasium.Env[Observed, np.int64]):
    """Proving a lemma of intuitionistic propositional logic with Dyckhoff's twelve rules, a move at a time.

    ## Actions
    `Discrete(6 + 6 * hypotheses)`, of which the mask tells those that are on offer; `hypotheses` is a bound on how many
    a goal of this lemma can have.

    - 0 to 5: `intro`, `assumption`, `contradiction`, `split`, `left`, `right`;
    - 6 + 6p to 11 + 6p: `destruct_and`, `destruct_or`, `imply1`, `imply2`, `imply3`, `imply4` on the hypothesis at
      place p of the focused goal, counted from 0 and from the oldest on.

    An action that does not apply leaves the state as it is and costs a step, whatever the mask said. With
    `actions="simplify"` there is one action more, the last: assumption, contradiction, intro and split as often as they
    apply.

    ## Observations
    `MultiDiscrete`, one row after the other, a row for each goal that can be open, the focused one first: its
    conclusion, then its hypotheses from the oldest on. A formula is its place in `formulas` plus 1, and 0 is none. Two
    states look the same exactly if they differ in the names of hypotheses alone, so nothing that matters is hidden.

    ## Rewards
    `terminating`: +1 for the step that completes the proof, -1 for one after which no move applies, else 0. `standard`:
    +1 for a step that changes the state, -1 for one that does not. `standard-qed`: +100 for completing the proof, else
    as `standard`. `dagger`: the reward R†, with weights as in `dagger:all:P=0.3`; undiscounted. Terms that
    count take into account what was done after every round of episodes, those that `reset` breaks off among them.

    ## Start and ends
    The lemma, its atoms introduced. Of several lemmas one is drawn for each episode, unless `options={"lemma": NAME}`
    of `reset` names it; nothing else is random. `terminated` when no goal is left or no action is on offer, `truncated`
    after `max_steps` steps. With `actions="blind"` every action on an existing hypothesis is on offer, so only a proof
    terminates.

    ## Info
    `action_mask`, an int8 array for `action_space.sample`, which at an end has the first action alone, as a
    distribution over none would be no numbers; `proved`; `lemma`, the name; `state_id`, the state's in `session`, of
    which anything may be asked that programs may ask; and with a proof `script`, the moves that `oasis check` takes.
    Agents that ask the environment for its mask find the method `action_masks`.

    ## Arguments
    lemma: a name (`SYJ203.3`, `thesis/43`), a formula, or a file with one lemma; or a list of such. Numbers mean the
        same in all lemmas of a list.
    reward: `terminating`, `standard`, `standard-qed` or `dagger`, or `module:object` for a maker of one's own.
    actions: what the mask offers: `legal`, `blind` or `simplify`.
    max_steps: after which an episode is cut short, at least 1.
    render_mode: `ansi` for `render()` to return the state as a line that `oasis same` reads, `rgb_array` for a picture
        of it (which needs matplotlib), or None.

    Raises InputError, a ValueError whose text is a plain sentence.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        lemma: str | Sequence[str] = "SYJ203.3",
        reward: str = "terminating",
        actions: str = "legal",
        max_steps: int = 200,
        render_mode: str | None = None,
    ) -> None:
        task = Task.of(lemma, reward, actions, max_steps, render_mode)
        self.render_mode, self._numbers, self._player = render_mode, task.numbers, Player(task)
        self.action_space = task.numbers.action_space
        self.observation_space = task.numbers.observation_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin an episode; the option `lemma` is the name of its lemma."""
        super().reset(seed=seed)
        self._player.begin(self.np_random, options)
        return self.observation(self.state), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info after an action.

        Raises InputError for what is no action, and Gymnasium's ResetNeeded before the first `reset` or after an end.
        """
        reward, terminated, truncated = self._player.act(int(action))
        return self.observation(self.state), reward, terminated, truncated, self._info()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The state as a line or a picture, `proved` when no goal is left; None without a render mode."""
        return self._player.render()

    @property
    def lemma(self) -> Lemma:
        """What is proved in this episode."""
        return self._player.lemma

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All that can stand in a goal; a formula's number is its place in here plus 1."""
        return self._numbers.formulas

    @property
    def session(self) -> Session:
        """The session of this episode, for `oasis.api.call`."""
        return self._player.calculus.session

    @property
    def state(self) -> State:
        """The present state."""
        return self._player.state

    @property
    def script(self) -> list[Move]:
        """The moves made since `reset`."""
        return self._player.proof.script

    @property
    def steps(self) -> int:
        """Actions since `reset`."""
        return self._player.proof.steps

    def move(self, action: int, state: State | None = None) -> Move:
        """What an action is in a state, the present one unless another is given.

        It is no legal move if it is on a hypothesis that is not there.
        """
        return self._numbers.move(action, self.state if state is None else state)

    def action(self, move: Move) -> int:
        """The number of a move in the present state. Raises KeyError if it names no hypothesis of the focused goal."""
        return self._numbers.action(move, self.state)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are on offer; the first, which changes nothing, at an end."""
        return self.mask(self.state)

    def mask(self, state: State) -> NDArray[np.bool_]:
        """Which actions are on offer in a state of this lemma; the first if none is."""
        return self._numbers.mask(state).astype(np.bool_)

    def observation(self, state: State) -> Observed:
        """What is seen of a state of this lemma."""
        return self._numbers.observation(state)

    def _info(self) -> dict[str, Any]:
        mask = self._numbers.mask(self.state if self._player.running else ())
        return {"action_mask": mask.copy(), **self._player.told()}
