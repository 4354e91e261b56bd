"""Where trials are run: in this process, in several on this machine, or by Ray on many, with the same numbers."""

from oasis.lab.engines.base import Engine, EngineError, Jobs, Outcome, Seeds, by_variant
from oasis.lab.engines.cluster import Ray
from oasis.lab.engines.local import Processes, Serial
from oasis.lab.engines.names import ENGINES, engine, kept

__all__ = [
    "ENGINES",
    "Engine",
    "EngineError",
    "Jobs",
    "Outcome",
    "Processes",
    "Ray",
    "Seeds",
    "Serial",
    "by_variant",
    "engine",
    "kept",
]
