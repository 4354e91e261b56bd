"""pass@k: how likely a policy or a search proves a lemma in one of k tries with chance of its own.

A seed is a try. Of n tries, c of which proved a lemma, every choice of k is as good as any other, so their mean is an
estimate without bias (`oasis.search.sampling.pass_at_k`). To take the first k would waste the others, and
1 - (1 - c/n)^k would be too low.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.lab.statistics import Floats, Interval, share_interval
from oasis.search.sampling import pass_at_k

_TRIES: Final = (1, 2, 5)
"""Times powers of ten, and all that there are."""


def tries(seeds: int) -> tuple[int, ...]:
    """The numbers k for which so many seeds are asked, from 1 to all of them."""
    round_numbers = (factor * 10**power for power in range(len(str(seeds))) for factor in _TRIES)
    return tuple(sorted({*(number for number in round_numbers if number < seeds), seeds}))


def shares(proved: NDArray[np.bool_], k: int) -> Floats:
    """pass@k of each lemma; shape (lemmas,).

    Args:
        proved: whether each try proved each lemma; shape (seeds, lemmas).
        k: from 1 to the number of seeds.
    """
    seeds, lemmas = proved.shape
    found = [pass_at_k(seeds, int(count), k) for count in proved.sum(axis=0)]
    return np.array(found, np.float64).reshape(lemmas)


def interval(proved: NDArray[np.bool_], k: int) -> Interval:
    """The mean of pass@k over lemmas, and its interval.

    Of several lemmas the interval is over lemmas and seeds at once: each lemma's estimate has both in it, and those of
    different lemmas have nothing in common, so their spread says how the mean would come out with other lemmas like
    these and other seeds. Of a single lemma it is over seeds: that of pass@1 (Clopper, Pearson 1934), its bounds p
    taken to 1 - (1 - p)^k, which grows with p.

    Args:
        proved: as in `shares`, at least one lemma and two seeds.
        k: from 1 to the number of seeds.
    """
    if proved.shape[1] > 1:
        return share_interval(shares(proved, k))
    _, low, high = share_interval(proved[:, 0].astype(np.float64))
    value = shares(proved, k)[0]
    # With few tries the estimate may lie beyond the bounds, which have a bias of their own.
    return Interval(value, np.minimum(value, 1 - (1 - low) ** k), np.maximum(value, 1 - (1 - high) ** k))
