"""The energy that the machine has used, as its own meters tell it (RAPL, by the powercap files of Linux).

The meters are of whole processors: what else ran at the same time is in it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

POWERCAP: Final = Path("/sys/class/powercap")
"""Where Linux shows the meters; most systems let only root read them."""
_PACKAGE: Final = "intel-rapl:?"
"""A whole processor, of Intel or AMD; its parts have a colon more."""
_MICRO: Final = 1e-6


class _Meter(NamedTuple):
    """A counter of microjoules, and the number at which it begins anew."""

    file: Path
    span: int

    def read(self) -> int:
        return int(self.file.read_text())


class Energy:
    """Adds up what the meters count; they begin anew every hour or so, so ask more often than that.

    Args:
        powercap: the folder of the meters.
    """

    def __init__(self, powercap: Path = POWERCAP) -> None:
        self._meters: list[tuple[_Meter, int]] = []
        self._sum = 0
        for folder in sorted(powercap.glob(_PACKAGE)):
            with suppress(OSError, ValueError):  # a meter that may not be read is as good as none
                meter = _Meter(folder / "energy_uj", int((folder / "max_energy_range_uj").read_text()) + 1)
                self._meters.append((meter, meter.read()))

    def joules(self) -> float | None:
        """What was used since this was made; None where no meter can be read."""
        if not self._meters:
            return None
        read: list[tuple[_Meter, int]] = []
        for meter, before in self._meters:
            try:
                now = meter.read()
            except (OSError, ValueError):
                self._meters = []
                return None
            self._sum += (now - before) % meter.span
            read.append((meter, now))
        self._meters = read
        return self._sum * _MICRO
