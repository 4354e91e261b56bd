"""Open-addressing tables: numbers, at places that depend on what they are the numbers of.

The first place of a table says how many slots are in use, a power of two; the slots follow, and 0 is an empty one. At
most half of those in use are taken, and no more of a table is touched than what is in it needs.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.jit import inlined, inner

Ints = NDArray[np.int32]

_FEWEST: Final = 2**10
"""Slots in use while there is next to nothing in a table."""


def empty_table(size: int) -> Ints:
    """A table with room for so many numbers."""
    table = np.zeros(1 + max(_FEWEST, 1 << (2 * size - 1).bit_length()), np.int32)
    table[0] = _FEWEST
    return table


@inlined
def mixed(one: int, other: int) -> int:
    """Two numbers as one that looks random."""
    bits = ((one * 0x9E3779B1) ^ (other * 0x85EBCA77)) & 0x7FFFFFFF
    return bits ^ (bits >> 15)


@inlined
def first_slot(table: Ints, bits: int) -> int:
    """Where what has this hash is looked for first."""
    return int(1 + (bits & (table[0] - 1)))


@inlined
def next_slot(table: Ints, slot: int) -> int:
    """Where it is looked for if another one has that slot."""
    return int(1 + (slot & (table[0] - 1)))


@inlined
def has_room(table: Ints, numbers: int) -> bool:
    """Whether so many numbers take at most half of the slots in use."""
    return bool(2 * numbers <= table[0])


@inner
def clear(table: Ints, numbers: int) -> None:
    """Empty all slots, and use as many as so many numbers need."""
    table[1 : table[0] + 1] = 0
    while not has_room(table, numbers):
        table[0] *= 2


@inner
def put(table: Ints, bits: int, number: int) -> None:
    """Put a number that is not there into the first free slot for its hash."""
    slot = first_slot(table, bits)
    while table[slot]:
        slot = next_slot(table, slot)
    table[slot] = number
