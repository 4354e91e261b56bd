"""Memory: widgets in use are kept out of every search for what is dead, and what was left behind is forgotten."""

from __future__ import annotations

import gc


def keep() -> None:
    """Keep what is there now out of every full search for cycles, for which keys would have to wait."""
    gc.freeze()


def forget() -> None:
    """Forget what nobody uses any more, also what was kept; it takes a moment, and who leaves does not mind."""
    gc.unfreeze()
    gc.collect()
