"""Episodes of some lemmas, played by numbers: what the environment and the vector of them have in common."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from curricula import Lemma, resolve_lemma
from oasis.api.gym.numbers import Numbers
from oasis.api.gym.picture import picture
from oasis.api.stepping import InSession
from oasis.play.actions import ACTION_SPACES, ActionSpace
from oasis.rewards import Rounds
from oasis.rewards.named import reward as reward_of
from oasis.student.environment import ProofEnvironment
from tactics.errors import InputError, check_choice
from tactics.goal import State, initial
from tactics.printer import show
from tactics.script import show_script
from tactics.sequent import show_state

RENDER_MODES: Final = ("ansi", "rgb_array")
"""How a state can be shown: as a line, or as a picture."""


@dataclass(frozen=True)
class Task:
    """What is to be played; the same for all players of a vector.

    Attributes:
        lemmas: at least one, of which each episode has one.
        numbers: of their states and moves.
        space: what is on offer.
        rounds: the reward, which all players share.
        max_steps: after which an episode is cut short.
        render_mode: one of `RENDER_MODES`, or None.
    """

    lemmas: tuple[Lemma, ...]
    numbers: Numbers
    space: ActionSpace
    rounds: Rounds
    max_steps: int
    render_mode: str | None

    @classmethod
    def of(cls, lemma: str | Sequence[str], reward: str, actions: str, max_steps: int, render_mode: str | None) -> Task:
        """The task that an environment's arguments tell. Raises InputError."""
        check_choice("actions", actions, ACTION_SPACES)
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        if max_steps < 1:
            raise InputError(f"max_steps must be at least 1, not {max_steps}.")
        lemmas = tuple(map(resolve_lemma, [lemma] if isinstance(lemma, str) else lemma))
        for remark in dict.fromkeys(remark for each in lemmas for remark in each.placed_remarks):
            warnings.warn(remark, stacklevel=4)
        if not lemmas:
            raise InputError("lemma is an empty list; name one lemma at least.")
        space = ACTION_SPACES[actions]
        for each in lemmas:
            if not space.actions(initial(each.formula)):
                raise InputError(f"No move applies to {show(each.formula)}, so there is nothing to learn.")
        numbers = Numbers(lemmas, space)
        return cls(lemmas, numbers, space, Rounds(reward_of(reward, "reward")), max_steps, render_mode)


class Player:
    """One episode after another.

    Attributes:
        calculus: where moves are made.
        proof: the student's environment, which steps and pays.
        running: whether an episode has begun and not ended.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self.calculus = InSession(task.lemmas[0])
        self.proof = ProofEnvironment(self.calculus, task.space, task.rounds.reward, task.max_steps)
        self.running = False

    @property
    def lemma(self) -> Lemma:
        """What is proved in this episode."""
        return self.calculus.lemma

    @property
    def state(self) -> State:
        """The present state."""
        return self.proof.state

    def begin(self, draw: np.random.Generator, options: dict[str, Any] | None) -> None:
        """Begin an episode, of a lemma that is drawn if there are several and the option `lemma` names none.

        An episode that is under way ends where it is.
        """
        if self.running and self.proof.path:
            self._count()
        lemmas, wanted = self._task.lemmas, (options or {}).get("lemma")
        if wanted is not None:
            named = {lemma.name: lemma for lemma in lemmas}
            check_choice("the option lemma", wanted, named)
            self.calculus.lemma = named[wanted]
        elif len(lemmas) > 1:
            self.calculus.lemma = lemmas[draw.integers(len(lemmas))]
        self.proof.reset()
        self.running = True

    def act(self, action: int) -> tuple[float, bool, bool]:
        """Reward, terminated and truncated after an action. Raises InputError for no action, ResetNeeded at an end."""
        if not self.running:
            raise ResetNeeded("This episode is over or has not begun; call reset() first.")
        numbers = self._task.numbers
        if not 0 <= action < numbers.actions:
            raise InputError(f"An action is a number from 0 to {numbers.actions - 1}, not {action}.")
        self._task.rounds.turn_to(self.lemma.formula)
        _, reward, terminated, truncated, _ = self.proof.step(numbers.move(action, self.state))
        self.running = not (terminated or truncated)
        if not self.running:
            self._count()
        return reward, terminated, truncated

    def told(self) -> dict[str, Any]:
        """What an info says beside the mask."""
        info = {"proved": self.proof.proved, "lemma": self.lemma.name, "state_id": self.calculus.state_id}
        return {**info, "script": show_script(self.proof.script)} if self.proof.proved else info

    def _count(self) -> None:
        self._task.rounds.count(self.proof.path)
        self._task.rounds.renew()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The state as a line or a picture, `proved` when no goal is left; None without a render mode."""
        if self._task.render_mode is None:
            return None
        return show_state(self.state) if self._task.render_mode == "ansi" else picture(self.state)
