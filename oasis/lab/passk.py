"""pass@k: how likely a policy or a search proves a lemma in one of k tries with chance of its own.

A seed is a try. Of n tries, c of which proved a lemma, every choice of k is as good as any other, so their mean is an
estimate without bias (`oasis.search.sampling.pass_at_k`). To take the first k would waste the others, and
1 - (1 - c/n)^k would be too low.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from oasis.lab.statistics import Floats
from oasis.search.sampling import pass_at_k

_TRIES: Final = (1, 2, 5)
"""Times powers of ten, and all that there are."""


def tries(seeds: int) -> tuple[int, ...]:
    """The numbers k for which so many seeds are asked, from 1 to all of them."""
    round_numbers = (factor * 10**power for power in range(len(str(seeds))) for factor in _TRIES)
    return tuple(sorted({*(number for number in round_numbers if number < seeds), seeds}))


def passes(proofs: NDArray[Any], tries: int, ks: NDArray[np.int64]) -> Floats:
    """pass@k of each lemma; shape (lemmas, ks).

    Args:
        proofs: how many tries proved each lemma; shape (lemmas,).
        tries: their number.
        ks: each from 1 to `tries`.
    """
    return np.array([[pass_at_k(tries, int(count), int(k)) for k in ks] for count in proofs]).reshape(-1, len(ks))
