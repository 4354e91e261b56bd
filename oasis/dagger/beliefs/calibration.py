"""Calibration of beliefs (`oasis.play.calibration`) on lemmas that they did not learn from: measured, and mended.

A belief is asked about the states in which the policy of the episodes had a move to make.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final

from oasis.dagger.beliefs.bayes import Bayes
from oasis.dagger.beliefs.belief import Belief, Floats, Visit, believed, looking
from oasis.dagger.episodes import Episode
from oasis.ground.splitmix import SplitMix64
from oasis.play.calibration import BINS, SAME, Calibration, Scale, calibration, scale
from state_spaces.name import formula_key
from tactics.formula import Formula
from tactics.goal import State

HELD_OUT: Final = 0.2
"""Share of the lemmas by which a belief is calibrated that was taught by the others."""


class Calibrated:
    """What another belief says, on a scale by which it means what it says.

    Args:
        belief: the other.
        scale: of its log-odds.
    """

    def __init__(self, belief: Belief, scale: Scale = SAME) -> None:
        self.belief, self.scale = belief, scale
        self.version, self.leaks = f"{belief.version}*{scale.slope:g}{scale.shift:+g}", belief.leaks

    def probabilities(self, states: Sequence[State]) -> Floats:
        """As the other, on the scale."""
        return self.scale.applied(self.belief.probabilities(states))

    def looks_at(self, state: State) -> Hashable:
        """What the other one looks at."""
        return looking(self.belief)(state)


class Learning(Calibrated):
    """A Bayesian network that goes on learning, on the scale that it was given."""

    belief: Bayes

    def learn(self, visits: Iterable[Visit]) -> Learning:
        """As `Bayes.learn`."""
        return Learning(self.belief.learn(visits), self.scale)

    def state(self) -> Any:
        """The network as JSON."""
        return self.belief.to_json()

    def restored(self, state: Any) -> Learning:
        """A network that learned, on this scale. Raises InputError."""
        return Learning(Bayes.from_json(state), self.scale)


def scale_of(taught: Callable[[Sequence[Episode]], Belief], episodes: Sequence[Episode]) -> Scale:
    """The scale that suits a belief on lemmas that it was not taught by.

    Args:
        taught: makes the belief of episodes.
        episodes: of any lemmas; if they all have one, nothing is known, and nothing scaled. All of a lemma count as
            one case.
    """
    most, held_out = parted(episodes)
    lemmas = len({episode.lemma for episode in held_out})
    return scale(*cases(taught(most), held_out), lemmas) if held_out else SAME


def examined(belief: Belief, episodes: Iterable[Episode], bins: int = BINS) -> Calibration:
    """The calibration of a belief on episodes, with a state for each step. Raises InputError as `believed` does."""
    return calibration(*cases(belief, episodes), bins)


def cases(belief: Belief, episodes: Iterable[Episode]) -> tuple[list[float], list[bool]]:
    """What a belief says of the state of each step, and whether its episode ended in a proof. Raises InputError."""
    asked = [(step.before, episode.proved) for episode in episodes for step in episode.steps]
    states = list(dict.fromkeys(state for state, _ in asked))
    answers = dict(zip(states, believed(belief, states), strict=True))
    return [answers[state] for state, _ in asked], [proved for _, proved in asked]


def parted(episodes: Sequence[Episode], share: float = HELD_OUT) -> tuple[list[Episode], list[Episode]]:
    """Divide episodes by their lemmas, always in the same way: most, and those of the lemmas that are held out."""
    _, test = split(list(dict.fromkeys(episode.lemma for episode in episodes)), share, 0)
    held_out = set(test)
    return (
        [episode for episode in episodes if episode.lemma not in held_out],
        [episode for episode in episodes if episode.lemma in held_out],
    )


def split(lemmas: Sequence[Formula], share: float, seed: int) -> tuple[list[Formula], list[Formula]]:
    """Divide lemmas by lot into those to fit to and those to examine on; what differs only in names stays together.

    Args:
        lemmas: in any order.
        share: of the different lemmas that are to examine on, in [0, 1); at least one if it is above 0 and there are
            two.
        seed: of the lot.

    Returns:
        The two parts, each in the order of the lemmas.
    """
    keys = {lemma: formula_key(lemma) for lemma in lemmas}
    different = sorted(set(keys.values()))
    SplitMix64.seeded(seed).shuffle(different)
    number = min(len(different) - 1, max(1, round(share * len(different)))) if share and different else 0
    held_out = set(different[:number])
    return (
        [lemma for lemma in lemmas if keys[lemma] not in held_out],
        [lemma for lemma in lemmas if keys[lemma] in held_out],
    )
