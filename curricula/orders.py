"""Orders: in which the lemmas of a curriculum are practised, each order as one generator.

An order yields blocks of episodes without end or until none are left, and is told how each went; a trial stops when it
has all its episodes, so every order has equally many. All that an adaptive order knows of the student is which of its
episodes ended in a proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactics.formula import Formula

BLOCKS: Final = 50
"""Into how many blocks the adaptive orders would divide the episodes of one lemma."""
LONGEST_BLOCK: Final = 50
"""The most episodes in such a block."""
WINDOW: Final = 10
"""How many of a lemma's last blocks count as recent."""
MASTERED: Final = 0.9
"""The share of proofs in the recent blocks with which a lemma counts as mastered."""
EXPLORATION: Final = 0.1
"""The share of blocks in which `progress` takes any lemma."""


class Block(NamedTuple):
    """Some episodes on one lemma.

    Attributes:
        lemma: its place in the curriculum.
        episodes: at least 1.
    """

    lemma: int
    episodes: int


Blocks = Generator[Block, NDArray[np.bool_], None]
"""Blocks to practise; what is sent back is whether each episode of the block ended in a proof."""
Order = Callable[[Sequence[Formula], int, int], Blocks]
"""(lemmas, episodes for each, seed)"""


def fixed(lemmas: Sequence[Formula], episodes: int, seed: int) -> Blocks:
    """One lemma after the other as the curriculum has them, each in one go."""
    for lemma in range(len(lemmas)):
        yield Block(lemma, episodes)


def shuffled(lemmas: Sequence[Formula], episodes: int, seed: int) -> Blocks:
    """One lemma after the other in an order that chance draws, each in one go."""
    for lemma in _chance("order", seed).sample(range(len(lemmas)), len(lemmas)):
        yield Block(lemma, episodes)


def easiest(lemmas: Sequence[Formula], episodes: int, seed: int) -> Blocks:
    """What comes easiest to the student now, until it is mastered; what then is left of the time goes to the hardest.

    A lemma is left when the student proves it in nine of ten attempts, or when its own share of the episodes is used
    up, so that one which stays difficult cannot take all the time. What was never tried counts as easy, smaller lemmas
    first. After learning for mastery (Bloom 1968); left out: whatever is known of the lemmas but their size.
    """
    records = [Record() for _ in lemmas]
    block = block_length(episodes)

    def ease(lemma: int) -> tuple[float, int, int]:
        return records[lemma].rate, -lemmas[lemma].size, -lemma

    while True:
        unmastered = [n for n, record in enumerate(records) if not record.mastered and record.episodes < episodes]
        lemma = max(unmastered, key=ease) if unmastered else min(range(len(lemmas)), key=ease)
        records[lemma].add((yield Block(lemma, block)))


def progress(lemmas: Sequence[Formula], episodes: int, seed: int) -> Blocks:
    """Where the student's share of proofs changes most, up or down; now and then any lemma.

    The "window" algorithm of teacher-student curriculum learning (Matiisen, Oliver, Cohen, Schulman 2017): learning
    progress on a lemma is the slope of the line through its recent shares of proofs, and its size counts, for what gets
    worse is being forgotten. The choice is ε-greedy, among equal slopes by chance; what has no slope yet comes
    first, smaller lemmas first. Left out: the bandit's running average of slopes, so that the window alone forgets and
    proofs that stay a matter of chance look like some progress; and a slope is taken over the lemma's own blocks, not
    over those of the whole curriculum.
    """
    records = [Record() for _ in lemmas]
    block, chance = block_length(episodes), _chance("progress", seed)
    while True:
        unknown = [lemma for lemma, record in enumerate(records) if len(record.rates) < 2]
        if unknown:
            lemma = min(unknown, key=lambda lemma: (len(records[lemma].rates), lemmas[lemma].size, lemma))
        elif chance.random() < EXPLORATION:
            lemma = chance.randrange(len(lemmas))
        else:
            slopes = [abs(record.slope) for record in records]
            lemma = chance.choice([lemma for lemma, slope in enumerate(slopes) if slope == max(slopes)])
        records[lemma].add((yield Block(lemma, block)))


ORDERS: Final[dict[str, Order]] = {
    "fixed": fixed,
    "shuffled": shuffled,
    "easiest": easiest,
    "progress": progress,
    "afresh": fixed,  # each lemma has a student of its own; the order is the same
}
"""The orders by the name that a person types."""


class Record:
    """How a student has done at one lemma.

    Attributes:
        episodes: practised so far.
        rates: the share of proofs in each of the last blocks, at most `WINDOW`.
    """

    def __init__(self) -> None:
        self.episodes = 0
        self.rates: deque[float] = deque(maxlen=WINDOW)

    def add(self, proved: NDArray[np.bool_]) -> None:
        """Count one more block, of at least one episode."""
        self.episodes += len(proved)
        self.rates.append(float(np.mean(proved)))

    @property
    def rate(self) -> float:
        """The share of proofs in the recent blocks; 1 before the first."""
        return sum(self.rates) / len(self.rates) if self.rates else 1.0

    @property
    def mastered(self) -> bool:
        """Whether the student proves it almost always, in as many blocks as count as recent."""
        return len(self.rates) == WINDOW and self.rate >= MASTERED

    @property
    def slope(self) -> float:
        """Change of the share of proofs from one block to the next: the least-squares line through the recent ones.

        At least two blocks.
        """
        times = np.arange(len(self.rates)) - (len(self.rates) - 1) / 2
        return float(times @ np.array(self.rates) / (times @ times))


def block_length(episodes: int) -> int:
    """Give the episodes in a block of the adaptive orders, if each lemma has so many."""
    return max(1, min(LONGEST_BLOCK, episodes // BLOCKS))


def _chance(purpose: str, seed: int) -> Random:
    """Random numbers of the order's own: not those of the student with the same seed."""
    return Random(f"{purpose} {seed}")
