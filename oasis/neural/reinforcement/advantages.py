"""Advantages: how much better a play or a choice went than was to be expected of it. No torch.

In a group, what is to be expected is the mean of the group (GRPO: Shao et al. 2024, arXiv 2402.03300). The default does
not divide by the standard deviation, which gives groups of nearly equal returns as much weight as others (Dr. GRPO: Liu
et al. 2025, arXiv 2503.20783). A group whose returns are all equal says nothing, and is to be left out and counted.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ADVANTAGES: Final = ("mean", "std", "leave-one-out")
"""How much a return is above the mean of its group; the same in standard deviations; above the mean of the others."""
_EQUAL: Final = 1e-9
"""Returns that differ by less are equal: sums of the same amounts in another order are."""


def mixed(returns: Floats, group: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the returns of each group differ.

    Args:
        returns: shape (n,).
        group: the group of each return, numbered from 0; shape (n,).

    Returns:
        Shape (groups,).
    """
    groups = int(group.max(initial=-1)) + 1
    largest, smallest = np.full(groups, -np.inf), np.full(groups, np.inf)
    np.maximum.at(largest, group, returns)
    np.minimum.at(smallest, group, returns)
    differ: NDArray[np.bool_] = largest - smallest > _EQUAL * np.maximum(1.0, np.abs(largest))
    return differ


def relative(returns: Floats, group: NDArray[np.int64], kind: str = "mean") -> Floats:
    """The advantage of each return within its group, 0 where a group's returns are all equal.

    With the mean of a group of n the expected gradient is (n - 1)/n of the true one, for each return is part of its own
    baseline; with `leave-one-out` it is the true one (Kool, van Hoof and Welling 2019).

    Args:
        returns: shape (n,).
        group: the group of each return, numbered from 0; shape (n,).
        kind: one of `ADVANTAGES`; the standard deviation is that of a sample, with 1/(n - 1).

    Returns:
        Shape (n,).
    """
    sizes = np.bincount(group)
    above = returns - (np.bincount(group, returns) / np.maximum(sizes, 1))[group]
    above[~mixed(returns, group)[group]] = 0.0
    if kind == "leave-one-out":
        return np.asarray(above * (sizes / np.maximum(sizes - 1, 1))[group])
    if kind == "std":
        deviation = np.sqrt(np.bincount(group, above**2) / np.maximum(sizes - 1, 1))[group]
        return np.divide(above, deviation, out=np.zeros_like(above), where=deviation > 0)
    return above


def generalized(rewards: Floats, values: Floats, gamma: float, trace_decay: float, end: float = 0.0) -> Floats:
    """Generalized advantage estimates of the choices of a play (Schulman et al. 2016, arXiv 1506.02438, equation 16).

    Args:
        rewards: what is paid from each choice until the next one, the last until the end; shape (choices,).
        values: what is expected from each choice on; shape (choices,).
        gamma: the discount from a choice to the next.
        trace_decay: λ; with 1 an advantage is the return minus the value, with 0 the error of one step.
        end: what is expected from the end on: nothing, unless the play was broken off.

    Returns:
        Shape (choices,).
    """
    errors = rewards + gamma * np.append(values[1:], end) - values
    advantages = np.zeros(len(errors))
    following = 0.0
    for place in reversed(range(len(errors))):
        following = errors[place] + gamma * trace_decay * following
        advantages[place] = following
    return advantages
