"""Work that Python's collector of cyclic garbage is kept from. The ground floor: imports nothing of ours.

Where many formulas are made at once, the collector looks at all of them again and again and takes as long as the work;
they have no cycles, so there is nothing for it to find.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MANY: Final = 2_000
"""Objects made meanwhile from which on it is worth while to pass over them: to look at them takes a millisecond."""
MOST: Final = 500_000
"""Objects passed over after which all objects are looked at, or as many as there are old ones, if these are more."""

_passed_over = 0
_old = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector; also as a decorator, `@uncollected()`. What was paused already stays so.

    Where many objects were made meanwhile they are old afterwards: the collector does not look at them as at young ones
    but when it looks at everything, which is seldom, and which this sees to, so that cycles among them are freed.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _pass_over()
        gc.enable()


def _pass_over() -> None:
    """Make the young objects old; what others froze would thaw thereby, so there nothing is done."""
    global _passed_over, _old
    young = gc.get_count()[0]
    if young < MANY or gc.get_freeze_count():
        return
    gc.freeze()
    gc.unfreeze()  # to the oldest generation
    _passed_over += young
    if _passed_over > max(MOST, _old):
        gc.collect()
        _passed_over, _old = 0, len(gc.get_objects())
