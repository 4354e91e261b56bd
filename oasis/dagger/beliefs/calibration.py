"""Calibration of beliefs (`oasis.play.calibration`) on lemmas that they were not fitted to.

A belief is asked about the states in which the policy of the episodes had a move to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from oasis.dagger.beliefs.belief import Belief, believed
from oasis.dagger.episodes import Episode
from oasis.ground.pictures import legend, styles
from oasis.ground.splitmix import SplitMix64
from oasis.play.calibration import Calibration, Scale, calibration, scale
from state_spaces.name import formula_key

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HELD_OUT: Final = 0.2
"""Share of the lemmas by which a belief is calibrated that was taught by the others."""


def scale_of(belief: Belief, episodes: Sequence[Episode]) -> Scale:
    """Return the scale that suits a belief on episodes that it was not fitted to; all of a lemma count as one case."""
    return scale(*cases(belief, episodes), len({episode.lemma for episode in episodes}))


def examined(belief: Belief, episodes: Iterable[Episode]) -> Calibration:
    """The calibration of a belief on episodes, with a state for each step. Raises InputError as `believed` does."""
    return calibration(*cases(belief, episodes))


def cases(belief: Belief, episodes: Iterable[Episode]) -> tuple[list[float], list[bool]]:
    """What a belief says of the state of each step, and whether its episode ended in a proof. Raises InputError."""
    asked = [(step.before, episode.proved) for episode in episodes for step in episode.steps]
    states = list(dict.fromkeys(state for state, _ in asked))
    answers = dict(zip(states, believed(belief, states), strict=True))
    return [answers[state] for state, _ in asked], [proved for _, proved in asked]


def parted(episodes: Sequence[Episode], share: float = HELD_OUT, seed: int = 0) -> tuple[list[Episode], list[Episode]]:
    """Divide episodes by their lemmas: most, and those of lemmas that are held out by lot.

    What differs only in names stays together.

    Args:
        episodes: of any lemmas, in any order, which both parts keep.
        share: of the different lemmas that are held out, in [0, 1); at least one if it is above 0 and there are two.
        seed: of the lot.
    """
    keys = {lemma: formula_key(lemma) for lemma in dict.fromkeys(episode.lemma for episode in episodes)}
    different = sorted(set(keys.values()))
    SplitMix64.seeded(seed).shuffle(different)
    number = min(len(different) - 1, max(1, round(share * len(different)))) if share and different else 0
    held_out = set(different[:number])
    return (
        [episode for episode in episodes if keys[episode.lemma] not in held_out],
        [episode for episode in episodes if keys[episode.lemma] in held_out],
    )


def figure(calibrations: Mapping[str, Calibration]) -> Figure:
    """Draw a reliability diagram: a line for each belief through its bins, and below how many states are in them."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(6.5, 6.5), layout="constrained")
    above, below = drawing.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    above.plot([0, 1], [0, 1], color="#555555", linewidth=1)
    for name, style in styles(calibrations).items():
        found = calibrations[name]
        believed = [each.believed for each in found.bins]
        told = f"{name}: Brier {found.brier:.3f}, ECE {found.ece:.3f}, AUC {found.auc:.3f}"
        above.plot(believed, [each.happened for each in found.bins], label=told, **style.keywords)
        below.plot(believed, [each.states for each in found.bins], **style.keywords)
    bases = {f"{each.base:.3f}" for each in calibrations.values()}
    above.set_title(f"Always saying the share that was proved: Brier {', '.join(sorted(bases))}")
    above.set_ylabel("share that was proved")
    below.set_ylabel("states")
    below.set_yscale("log")
    below.set_xlabel("believed")
    legend(drawing)
    return drawing
