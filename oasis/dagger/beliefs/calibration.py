"""The calibration of a belief (`oasis.play.calibration`), asked on lemmas that it was not fitted to.

Asked about the states in which the policy of the episodes had a move to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oasis.dagger.beliefs.belief import Belief
from oasis.dagger.beliefs.registry import believed
from oasis.dagger.episodes import Episode
from oasis.ground.splitmix import SplitMix64
from oasis.play.calibration import BINS, Calibration, calibration
from state_spaces.name import formula_key
from tactics.formula import Formula


def examined(belief: Belief, episodes: Iterable[Episode], bins: int = BINS) -> Calibration:
    """The calibration of a belief on episodes, with a state for each step. Raises InputError as `believed` does."""
    asked = [(step.before, episode.proved) for episode in episodes for step in episode.steps]
    states = list(dict.fromkeys(state for state, _ in asked))
    answers = dict(zip(states, believed(belief, states), strict=True))
    return calibration([answers[state] for state, _ in asked], [proved for _, proved in asked], bins)


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
