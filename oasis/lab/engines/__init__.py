"""Where trials are run: in this process, in several on this machine, or by Ray on many, with the same numbers."""

from oasis.lab.engines.base import Engine, EngineError, Kind, Outcome, by_variant, every_trial
from oasis.lab.engines.cluster import Ray
from oasis.lab.engines.local import Processes, Serial
from oasis.lab.engines.names import ENGINES, engine

__all__ = [
    "ENGINES",
    "Engine",
    "EngineError",
    "Kind",
    "Outcome",
    "Processes",
    "Ray",
    "Serial",
    "by_variant",
    "engine",
    "every_trial",
]
