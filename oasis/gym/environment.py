"""The environment `oasis/Dyckhoff-v0`: what Gymnasium's agents see of a proof and can do in it.

Spaces have a fixed size here, which is what this file is about; what moves do is the calculus's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.gym.reach import reach
from oasis.policy import Floats, equal_shares
from oasis.rewarding import reward as reward_of
from oasis.student.calculus import Embedded
from oasis.student.environment import ProofEnvironment
from tactics.errors import InputError, check_choice
from tactics.goal import Goal, Move, State
from tactics.printer import show
from tactics.rules import RULES, legal_moves
from tactics.script import show_script
from tactics.sequent import show_state

MAX_NUMBERS: Final = 100_000
"""The longest observation."""

Observed = NDArray[np.int64]


class DyckhoffEnv(gymnasium.Env[Observed, np.int64]):
    """Proving one lemma of intuitionistic propositional logic with Dyckhoff's twelve rules, a move at a time.

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
    as `standard`. `dagger`: the reward R†, with weights as in `dagger:sound:P=0.3`; undiscounted.

    ## Start and ends
    The lemma, its atoms introduced; nothing is random. `terminated` when no goal is left or no action is on offer,
    `truncated` after `max_steps` steps. With `actions="blind"` every action on an existing hypothesis is on offer, so
    only a proof terminates.

    ## Info
    `action_mask`, an int8 array for `action_space.sample`, of zeros at an end; `proved`; and with a proof `script`, the
    moves that `oasis check` takes. Agents that ask the environment for its mask find the method `action_masks`.

    ## Arguments
    lemma: a name (`SYJ203.3`, `thesis/43`), a formula, or a file with one lemma.
    reward: `terminating`, `standard`, `standard-qed` or `dagger`, or `module:object` for a maker of one's own.
    actions: what the mask offers: `legal`, `blind` or `simplify`.
    max_steps: after which an episode is cut short, at least 1.
    render_mode: `ansi` for `render()` to return the state as a line that `oasis same` reads, or None.

    Raises InputError, a ValueError whose text is a plain sentence.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        lemma: str = "SYJ203.3",
        reward: str = "terminating",
        actions: str = "legal",
        max_steps: int = 200,
        render_mode: str | None = None,
    ) -> None:
        check_choice("actions", actions, ACTION_SPACES)
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode is 'ansi' or None, not {render_mode!r}.")
        if max_steps < 1:
            raise InputError(f"max_steps must be at least 1, not {max_steps}.")
        self.lemma, self.render_mode = resolve_lemma(lemma), render_mode
        self._proof = ProofEnvironment(
            Embedded(self.lemma.formula), ACTION_SPACES[actions], reward_of(reward, "reward"), max_steps
        )
        self._running = False
        if not self._proof.space.actions(self.state):
            raise InputError(f"No move applies to {show(self.lemma.formula)}, so there is nothing to learn.")

        self.formulas, hypotheses, goals = reach(self.lemma.formula)
        self._number = {formula: number for number, formula in enumerate(self.formulas, 1)}
        self._shape = goals, 1 + hypotheses
        if goals * (1 + hypotheses) > MAX_NUMBERS:
            raise InputError(
                f"{self.lemma.name} would need observations of {goals * (1 + hypotheses):,} numbers, more than "
                f"{MAX_NUMBERS:,}; choose a smaller lemma."
            )
        self._names: list[tuple[str, int | None]] = [
            *((rule.name, None) for rule in RULES.values() if not rule.takes_hypothesis),
            *((rule.name, place) for place in range(hypotheses) for rule in RULES.values() if rule.takes_hypothesis),
            *([("simplify", None)] if actions == "simplify" else []),
        ]
        self._action = {name: action for action, name in enumerate(self._names)}
        self.action_space = spaces.Discrete(len(self._names))
        self.observation_space = spaces.MultiDiscrete(np.full(goals * (1 + hypotheses), 1 + len(self.formulas)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Back to the lemma; there are no options."""
        super().reset(seed=seed)
        self._proof.reward.begin(self.lemma.formula)
        self._proof.reset()
        self._running = True
        return self.observation(self.state), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info after an action.

        Raises InputError for what is no action, and Gymnasium's ResetNeeded before the first `reset` or after an end.
        """
        if not self._running:
            raise ResetNeeded("This episode is over or has not begun; call reset() first.")
        if not 0 <= action < len(self._names):
            raise InputError(f"An action is a number from 0 to {len(self._names) - 1}, not {action}.")
        _, reward, terminated, truncated, _ = self._proof.step(self.move(int(action)))
        self._running = not (terminated or truncated)
        return self.observation(self.state), reward, terminated, truncated, self._info()

    def render(self) -> str | None:
        """The state as a line, `proved` when no goal is left; None without the render mode."""
        return show_state(self.state) if self.render_mode == "ansi" else None

    @property
    def state(self) -> State:
        """The present state."""
        return self._proof.state

    @property
    def script(self) -> list[Move]:
        """The moves made since `reset`."""
        return self._proof.script

    @property
    def steps(self) -> int:
        """Actions since `reset`."""
        return self._proof.steps

    def move(self, action: int, state: State | None = None) -> Move:
        """What an action is in a state, the present one unless another is given.

        It is no legal move if it is on a hypothesis that is not there.
        """
        rule, place = self._names[action]
        names = [*_places(self.state if state is None else state)]
        return Move(rule, names[place] if place is not None and place < len(names) else None)

    def action(self, move: Move) -> int:
        """The number of a move in the present state. Raises KeyError if it names no hypothesis of the focused goal."""
        return self._action[move.rule, None if move.hypothesis is None else _places(self.state)[move.hypothesis]]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are on offer."""
        return self.mask(self.state)

    def mask(self, state: State) -> NDArray[np.bool_]:
        """Which actions are on offer in a state of this lemma."""
        mask = np.zeros(len(self._names), dtype=np.bool_)
        places = _places(state)
        for rule, hypothesis in self._proof.space.actions(state):
            mask[self._action[rule, None if hypothesis is None else places[hypothesis]]] = True
        return mask

    def observation(self, state: State) -> Observed:
        """What is seen of a state of this lemma."""
        rows = np.zeros(self._shape, dtype=np.int64)
        for row, goal in zip(rows, state, strict=False):
            row[0] = self._number[goal.conclusion]
            row[1 : 1 + len(goal.hypotheses)] = [self._number[formula] for _, formula in goal.hypotheses]
        return rows.reshape(-1)

    def _info(self) -> dict[str, Any]:
        mask = self.action_masks() if self._running else np.zeros(len(self._names), np.bool_)
        info: dict[str, Any] = {"action_mask": mask.astype(np.int8), "proved": self._proof.proved}
        if self._proof.proved:
            info["script"] = show_script(self.script)
        return info


class AgentPolicy:
    """An agent of this environment as a policy, which can be examined (`oasis.exam`) and searched with.

    Args:
        environment: whose observations and actions the agent knows; with `actions="legal"`.
        likely: for an observation and its mask the probability of each action; shape (actions,).
    """

    def __init__(self, environment: DyckhoffEnv, likely: Callable[[Observed, NDArray[np.bool_]], Floats]) -> None:
        self._environment, self._likely = environment, likely

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """What the agent gives to each legal move; moves that are none are left out, and the rest sums to 1."""
        return [self._shares(state) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """None: what an agent believes of a goal is not asked."""
        return None

    def _shares(self, state: State) -> Floats:
        mask = self._environment.mask(state)
        likely = np.asarray(self._likely(self._environment.observation(state), mask), np.float64)
        of_move = {self._environment.move(action, state): likely[action] for action in np.flatnonzero(mask).tolist()}
        shares = np.array([of_move[move] for move in (legal_moves(state[0]) if state else ())])
        return shares / shares.sum() if shares.any() else equal_shares(len(shares))


def _places(state: State) -> dict[str, int]:
    """The hypotheses of the focused goal by name, oldest first, with their places."""
    hypotheses = state[0].hypotheses if state else ()
    return {name: place for place, (name, _) in enumerate(hypotheses)}
