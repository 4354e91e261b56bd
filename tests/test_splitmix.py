"""Random numbers are the same whether they are worked out one by one or ahead."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from oasis.splitmix import SplitMix64


@given(st.integers(0, 2**64 - 1))
def test_a_stream_gives_what_asking_again_and_again_gives(state: int) -> None:
    one_by_one = SplitMix64(state)
    assert list(islice(SplitMix64(state).stream(), 150)) == [one_by_one.next() for _ in range(150)]
