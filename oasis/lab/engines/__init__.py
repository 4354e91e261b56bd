"""Where trials are run: in this process, in several on this machine, or by Ray on many, with the same numbers."""

from __future__ import annotations

import os
from typing import Final

from oasis.lab.engines.base import Engine, EngineError, Kind, Outcome, every_outcome, every_trial
from oasis.lab.engines.cluster import Ray
from oasis.lab.engines.local import Processes, Serial
from tactics.errors import InputError, check_choice

__all__ = [
    "ENGINES",
    "Engine",
    "EngineError",
    "Kind",
    "Outcome",
    "Processes",
    "Ray",
    "Serial",
    "engine",
    "every_outcome",
    "every_trial",
]

ENGINES: Final = ("serial", "processes", "ray")


def engine(name: str, *, workers: int | None = None, address: str | None = None) -> Engine:
    """An engine.

    Args:
        name: one of `ENGINES`.
        workers: how many trials at a time, at least 1; None for one on each core, or on each that Ray has.
        address: of a Ray cluster; None starts Ray on this machine.

    Raises InputError for an unknown name or number, LibraryMissing without Ray.
    """
    check_choice("--engine", name, ENGINES)
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}.")
    if address is not None and name != "ray":
        raise InputError("--ray-address goes with --engine ray.")
    if name == "ray":
        return Ray(workers, address)
    if name == "processes":
        return Processes(workers or cores())
    return Serial()


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
