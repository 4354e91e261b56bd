"""Imitation of the oracle where the network itself comes to: DAgger (Ross, Gordon and Bagnell 2011, algorithm 3.1).

Supervised training sees the goals that never-losing plays meet. A network that plays makes mistakes, and comes to other
goals. So the network plays, mixed with the oracle by a share that falls from round to round, the oracle labels what is
met, and the network learns from all rounds so far. Where a mistake was made nothing is to be proved any more, and the
goals that are met there teach the provability head alone.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.moves import Formulas
from oasis.neural.labels import Labelled, Oracle, answered
from oasis.neural.networks.network import Network
from oasis.neural.policy import judgements, softmax
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.data import Example, Met, Portion, learned, lessons, theorems
from oasis.neural.training.settings import ImitationSettings, LoopSettings
from oasis.neural.training.stream import streamed
from oasis.neural.training.supervised import Supervised
from oasis.neural.training.writing import read, written
from oasis.play.policy import Floats
from tactics.formula import Formula
from tactics.uncollected import uncollected


class Imitation(Supervised):
    """An imitation of the oracle, of a network that goes on from where it is."""

    KIND: ClassVar[str] = "imitate"
    SETTINGS: ClassVar[type[LoopSettings]] = ImitationSettings
    settings: ImitationSettings

    def __init__(self, settings: ImitationSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        self._gathered, self._written = Portion.of([], network.form), ""
        self._rounds = 0
        self._lost: float | None = None

    @property
    def lost(self) -> float | None:
        """The share of the network's choices in the last round that lost a provable goal; None before it made any."""
        return self._lost

    def data(self) -> Iterator[Portion]:
        """The goals of all rounds so far, round after round."""
        coming = streamed(partial(theorems, self.settings.data), self._rounds, self.workers)
        while True:
            if self._rounds == self.portions:
                played = play_round(self.network, next(coming), self.settings, self._rounds)
                self._lost = played.lost
                self.add_to_digest(self._gather(played.examples, written(played.examples)))
                self._rounds += 1
            yield self._gathered

    def batches_of(self, portion: Portion) -> list[NDArray[np.int64]]:
        """Batches of all goals so far, as many as a round has steps; over and over if there are less.

        None if no goal was met yet at which a move can be wrong.
        """
        wanted = -(-self.settings.steps // self.settings.rounds)
        batches = super().batches_of(portion)
        return list(islice(cycle(batches), wanted))

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """The examples of all rounds so far."""
        return {"lost": self._lost}, self._written

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was, with the examples of the rounds that were played."""
        super().restore(checkpoint)
        self._gather(read(checkpoint.examples), checkpoint.examples)
        self._lost = None if checkpoint.about["lost"] is None else float(checkpoint.about["lost"])
        self._rounds = self.portions + 1  # a checkpoint is written in the middle of a round, or at its end

    def _gather(self, examples: Sequence[Example], text: str) -> Portion:
        """Take some more examples, which are written so, to those that there are; gives them in the network's form."""
        portion = Portion.of(examples, self.network.form)
        self._gathered, self._written = self._gathered.joined(portion), self._written + text
        return portion


class Round(NamedTuple):
    """What came of a round.

    Attributes:
        examples: what there is to learn from what was met.
        lost: the share of the network's choices that lost, of those that could; None if it made none.
    """

    examples: list[Example]
    lost: float | None


@uncollected()
def play_round(network: Network, theorems: Sequence[Met], settings: ImitationSettings, number: int) -> Round:
    """Let a network and the oracle play theorems together, side by side, and label what they meet."""
    oracle, beta = Oracle(), settings.share_of_oracle(number)
    of_theorem = [
        [
            _Play(met.theorem, oracle, f"{settings.seed} {number} {place} {again}", settings)
            for again in range(settings.data.plays)
        ]
        for place, met in enumerate(theorems)
    ]
    plays = [play for each in of_theorem for play in each]
    running = plays
    while running := [play for play in running if play.labelled is not None]:
        alone = [play for play in running if not play.draws_oracle(beta)]
        scores = _scores(network, [play.labelled for play in alone if play.labelled is not None])
        for play in alone:
            play.choose(scores)
    own, lost = sum(play.own for play in plays), sum(play.lost for play in plays)
    draw = random.Random(f"certain {settings.seed} {number}").random
    lots = random.Random(f"questions {settings.seed} {number}")
    met = (learned([labelled for play in each for labelled in play.met], draw, settings.data) for each in of_theorem)
    found = chain.from_iterable(lessons(each, oracle, lots, settings.data) for each in met)
    return Round(list(found), lost / own if own else None)


def _scores(network: Network, asked: Sequence[Labelled]) -> dict[Formulas, Floats]:
    """The scores of the moves of goals, each goal judged once."""
    distinct = {labelled.formulas: labelled for labelled in asked}
    goals = [network.form(labelled.formulas, labelled.options) for labelled in distinct.values()]
    names = list(distinct)
    return {names[place]: scores for place, scores, _ in judgements(network, goals)}


class _Play:
    """A play under way.

    Attributes:
        labelled: the goal at which there is a choice now; None when the play is over.
        met: those at which there was one.
        own: choices of the network at provable goals with a losing move.
        lost: those of them that lost.
    """

    def __init__(self, theorem: Formula, oracle: Oracle, seed: str, settings: ImitationSettings) -> None:
        self._settings, self._draw = settings, random.Random(seed).random
        is_eager = self._draw() < settings.data.eager
        self._play: Generator[Labelled, int, None] = oracle.play(
            (theorem,), self._draw, is_eager, settings.data.certain > 0
        )
        self.met: list[Labelled] = []
        self.own = self.lost = 0
        self.labelled = next(self._play, None)

    def draws_oracle(self, beta: float) -> bool:
        """Draw who chooses, and make the move if it is the oracle."""
        assert self.labelled is not None
        is_oracle = self._draw() < beta
        if is_oracle:
            self._make(self.labelled.by_oracle(self._draw))
        return is_oracle

    def choose(self, scores: Mapping[Formulas, Floats]) -> None:
        """Make the move that the network chooses, by its scores."""
        assert self.labelled is not None
        of_moves = scores[self.labelled.formulas]
        if self._settings.greedy:
            place = int(np.argmax(of_moves))
        else:
            shares = np.cumsum(softmax(of_moves))
            place = min(int(np.searchsorted(shares, self._draw() * shares[-1], side="right")), len(shares) - 1)
        if self.labelled.provable and not all(self.labelled.keeps):
            self.own += 1
            self.lost += not self.labelled.keeps[place]
        self._make(place)

    def _make(self, place: int) -> None:
        assert self.labelled is not None
        self.met.append(self.labelled)
        self.labelled = answered(self._play, place) if len(self.met) < self._settings.choices else None
