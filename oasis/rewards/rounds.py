"""Rounds of episodes: who plays counts what was done in them, for a reward that takes it into account in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from oasis.rewards.paying import asked
from oasis.rewards.seam import Dependence, Reward, Transition, Uses, closing
from tactics.formula import Formula


class Rounds:
    """A reward at work, and what was done since it last took into account what was done.

    Several players may share it, so that all their episodes count: each says before a step whose turn it is.

    Args:
        reward: pays; if it does not depend on history, nothing is kept for it.

    Attributes:
        episodes: of the present round, so far.
    """

    def __init__(self, reward: Reward) -> None:
        self.reward, self.episodes = reward, 0
        self._lemma: Formula | None = None
        self._times: Counter[Transition] = Counter()
        self._closed: Counter[Transition] = Counter()

    def turn_to(self, lemma: Formula) -> None:
        """Let the reward know which lemma the steps that follow are of, if it was another one."""
        if lemma is not self._lemma:
            asked(self.reward, self.reward.begin, lemma)
            self._lemma = lemma

    def count(self, path: Sequence[Transition], episodes: int = 1) -> None:
        """Count the steps of an episode, and the episode itself unless told otherwise."""
        self.episodes += episodes
        if self.reward.dependence == Dependence.HISTORY:
            self._times.update(path)
            self._closed.update(closing(path))

    def renew(self) -> None:
        """Let the reward take a round into account if it is over."""
        if self.episodes >= self.reward.round:
            self.refresh()

    def refresh(self) -> None:
        """Let the reward take into account what was done since the last time, by which it pays from now on."""
        self.episodes = 0
        if self.reward.dependence == Dependence.HISTORY:
            steps = {step: Uses(times, self._closed[step]) for step, times in self._times.items()}
            asked(self.reward, self.reward.refresh, steps)
            self._times.clear()
            self._closed.clear()
