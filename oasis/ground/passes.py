"""pass@k: how likely one of k tries succeeds, from how many of n did, and which k to tell of."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_ROUND: Final = (1, 2, 5)
"""Numbers of plays to tell of, times powers of ten, and all that there are."""
_PROOFS: Final = (1, 8, 32, 128)
"""Numbers of whole proofs to tell of, as in Xin et al. (2024), and all that there are."""


def pass_at_k(plays: int, proved: int, k: int) -> float:
    """The probability that at least one of k plays ends in a proof, estimated from a number of plays without bias.

    1 - C(n - c, k) / C(n, k) for c proofs in n plays (Chen et al. 2021), in integers, so that nothing is rounded before
    the end.

    Args:
        plays: n, at least 1.
        proved: c, how many of them ended in a proof, at most n.
        k: from 1 to n.

    Raises ValueError if a number is out of its range.
    """
    if not (0 <= proved <= plays and 1 <= k <= plays):
        raise ValueError(f"pass@k needs 0 <= c <= n and 1 <= k <= n, not n = {plays}, c = {proved}, k = {k}")
    every = comb(plays, k)
    return (every - comb(plays - proved, k)) / every


def passes(proved: NDArray[Any], plays: int, ks: NDArray[np.int64]) -> NDArray[np.float64]:
    """`pass_at_k` of lemmas by how many of so many plays, or of searches with seeds of their own, proved each.

    To take the first k would waste the others, and 1 - (1 - c/n)^k would be too low.

    Args:
        proved: shape (lemmas,).
        plays: at least 1.
        ks: each from 1 to `plays`; shape (ks,).

    Returns:
        shape (lemmas, ks).
    """
    return np.array([[pass_at_k(plays, int(count), int(k)) for k in ks] for count in proved]).reshape(-1, len(ks))


def tries(plays: int) -> tuple[int, ...]:
    """The numbers k to tell of, from 1 to so many."""
    numbers = (factor * 10**power for power in range(len(str(plays))) for factor in _ROUND)
    return _up_to(plays, numbers)


def tries_at_proofs(proofs: int) -> tuple[int, ...]:
    """The numbers k to tell of where whole proofs are written, from 1 to so many."""
    return _up_to(proofs, _PROOFS)


def _up_to(most: int, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers below the most, and the most."""
    return tuple(sorted({*(number for number in numbers if number < most), most}))
