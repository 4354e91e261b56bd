"""Work that Python's collector of cyclic garbage is kept from. The ground floor: imports nothing of ours.

Where many formulas are made at once, the collector looks at all of them again and again and takes as long as the work;
they have no cycles, so there is nothing for it to find.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector; also as a decorator, `@uncollected()`. What was paused already stays so."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
