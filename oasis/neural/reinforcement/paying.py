"""What plays are paid, by any reward (`oasis.rewards`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from oasis.neural.encoding.moves import Option
from oasis.neural.reinforcement.rollouts import Plays
from oasis.play.policy import Floats
from oasis.rewards import Dependence, Outcome, Pay, Rounds, Transition, asked, paid, paid_at_end, state_of
from oasis.rewards.named import reward
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial
from tactics.rules import RULES, apply


class Payer:
    """A reward that pays plays.

    Args:
        name: of the reward, as a person types it.

    Attributes:
        coin: what a lost and a proved play are paid, if the reward pays for nothing else, and the same for all.

    Raises InputError if there is no such reward.
    """

    def __init__(self, name: str) -> None:
        self._reward = reward(name)
        is_kind = self._reward.dependence == Dependence.KIND and not self._reward.pays_at_end
        self._pay = Pay.of(self._reward) if is_kind else None
        self.coin = (self._pay.stuck, self._pay.proved) if self._pay is not None and self._pay.step == 0 else None
        self._rounds = Rounds(self._reward)

    def paid(self, plays: Plays) -> Floats:
        """What plays are paid from each choice until the next one of the play; shape (choices,).

        What comes before the first choice is the same for all plays of a lemma, and left out. A play that was cut is
        paid for its steps alone.
        """
        if self._pay is None:
            return self._paid_by_steps(plays)
        begins, lasts = plays.before, plays.starts[1:][np.diff(plays.starts) > 0] - 1
        ends = np.append(begins, 0)[1:]
        ends[lasts] = plays.moves[plays.play[lasts]]
        amounts = self._pay.step * (ends - begins).astype(np.float64)
        of_end = np.where(plays.proved, self._pay.proved, self._pay.stuck) - self._pay.step
        amounts[lasts] += np.where(plays.is_cut, 0.0, of_end)[plays.play[lasts]]
        return amounts

    def refresh(self) -> None:
        """Let the reward count what was done since the last time, by which it pays from now on."""
        self._rounds.refresh()

    def remark(self) -> str:
        """What people should know of what was paid so far; empty if all went as usual."""
        return asked(self._reward, self._reward.remark)

    def state(self) -> Any:
        """What the reward has counted, as JSON can hold it."""
        return state_of(self._reward)

    def restore(self, state: Any) -> None:
        """Go on from what `state` gave. Raises InputError if it cannot."""
        if state is not None:
            asked(self._reward, self._reward.restore, state)

    def _paid_by_steps(self, plays: Plays) -> Floats:
        """The same by what each step of each play is paid."""
        amounts = np.zeros(len(plays.before))
        for play, of_play in enumerate(plays.split(np.arange(len(amounts)))):
            if len(of_play):
                amounts[of_play] = np.add.reduceat(self._paid_steps(plays, play), plays.before[of_play])
        return amounts

    def _paid_steps(self, plays: Plays, play: int) -> Floats:
        """What each step of a play is paid, the last one also for the end of the play; shape (steps,)."""
        lemma = plays.lemmas[plays.lemma[play]]
        proved, is_cut = bool(plays.proved[play]), bool(plays.is_cut[play])
        self._rounds.turn_to(lemma)
        path = path_of(lemma, plays.script(play))
        last = len(path) - 1
        amounts = np.array([paid(self._reward, *step, not is_cut and place == last) for place, step in enumerate(path)])
        if self._reward.pays_at_end:
            script = tuple(step.move for step in path)
            amounts[-1] += paid_at_end(self._reward, Outcome(proved, is_cut, len(path), script, path))
        self._rounds.count(path)
        return amounts


def path_of(lemma: Formula, script: Iterable[Option]) -> list[Transition]:
    """The steps of a play of a lemma, with the names that hypotheses have in the calculus."""
    state: State = initial(lemma)
    path: list[Transition] = []
    for option in script:
        takes_hypothesis = RULES[option.rule].takes_hypothesis
        move = Move(option.rule, _name(state[0], option.principal) if takes_hypothesis else None)
        after = apply(state, move)
        path.append(Transition(state, move, after))
        state = after
    return path


def _name(goal: Goal, formula: Formula) -> str:
    """The first hypothesis that is a formula."""
    return next(name for name, each in goal.hypotheses if each is formula)
