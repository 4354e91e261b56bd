"""A picture of a state for agents and wrappers that record what they see, by matplotlib, which is imported to draw."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tactics.errors import check_installed
from tactics.goal import State
from tactics.sequent import show_goal

HEIGHT: Final = 400
WIDTH: Final = 640
_LINE: Final = 76
"""Characters that have room on a line."""


def picture(state: State) -> NDArray[np.uint8]:
    """Draw a state, the goal in focus first, as far as there is room; shape (HEIGHT, WIDTH, 3).

    Raises LibraryMissing if matplotlib is not installed.
    """
    check_installed("A picture of a state needs", "plots", "matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = [line for goal in state for line in wrap(show_goal(goal), _LINE, subsequent_indent="    ")] or ["proved"]
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
    figure.text(0.02, 0.96, "\n".join(lines[:20]), family="monospace", size=10, va="top", parse_math=False)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.array(canvas.buffer_rgba())[..., :3]  # type: ignore[no-untyped-call]
