"""Examples as text: they come back as they were, and other text is refused."""

from __future__ import annotations

from itertools import chain

import pytest

from oasis.neural.training.data import DataSettings, examples, theorems
from oasis.neural.training.writing import read, written


def test_examples_come_back_as_they_were() -> None:
    met = theorems(DataSettings(theorems=5, plays=2), 0)
    found = list(chain.from_iterable(examples(each.labelled) for each in met))
    assert {example.provable for example in found} == {True, False}
    assert read(written(found)) == found
    assert read(written(found[:1]) + written(found[1:])) == found
    assert read("") == []


FORMULA = '["A \\\\/ B"]'


@pytest.mark.parametrize("labels", [",", ", true]", ", true, [0]]", ", true, [0, 0]]", ", true, [1, 0, 1]]"])
def test_examples_with_other_labels_are_refused(labels: str) -> None:
    assert read(f"[{FORMULA}, true, [1, 0]]")
    with pytest.raises((TypeError, ValueError)):
        read(f"[{FORMULA}{labels}")


@pytest.mark.parametrize("line", ["{", "[]", "3", "[[], true, []]", '[["A /\\\\"], true, []]', "[[3], true, []]"])
def test_other_text_is_refused(line: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        read(line)
