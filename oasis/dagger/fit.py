r"""What R† needs to know, fitted to episodes and kept as one thing: knowledge, and the two beliefs that are counted.

The packaged one (`data/fitted.json.gz`) was fitted to random lemmas, none of which is in another curriculum, by

    oasis dagger fit random:size=6,atoms=3,kind=theorem,count=200,seed=2020 \
        random:size=12,atoms=4,kind=theorem,count=200,seed=2020 \
        random:size=18,atoms=4,kind=theorem,count=200,seed=2020 \
        random:size=10,atoms=4,kind=any,count=200,seed=2020 --seed 2020 -o oasis/dagger/data/fitted.json.gz
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, Self

from oasis.dagger.beliefs.bayes import Bayes
from oasis.dagger.beliefs.belief import Belief
from oasis.dagger.beliefs.knn import Knn
from oasis.dagger.beliefs.registry import belief_named
from oasis.dagger.episodes import Episode
from oasis.dagger.kept import Kept
from oasis.dagger.knowledge import Knowledge

DEFAULT: Final = "default"
"""What the packaged one is called."""
_GZIP: Final = b"\x1f\x8b"
_LARGEST: Final = 2**28
"""Bytes of JSON that are read."""


@dataclass(frozen=True, eq=False)
class Fitted(Kept):
    """What was learned from episodes, and does not change.

    Attributes:
        knowledge: the graph of rules and shapes, and the frequencies of formulas.
        knn: the belief M2.
        bayes: the belief M3.
    """

    called = "fit"

    knowledge: Knowledge
    knn: Knn
    bayes: Bayes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fitted) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

    @cached_property
    def version(self) -> str:
        """The number of the JSON form, and 16 hexadecimal digits that stand for its parts' versions."""
        return self._version_of({"parts": (self.knowledge.version, self.knn.version, self.bayes.version)})

    def belief(self, name: str, option: str = "--belief") -> Belief:
        """The belief of a name: `knn` and `bayes` are those fitted here. Raises InputError as `belief_named` does."""
        return belief_named(name, self.knn, self.bayes, option)

    def _content(self) -> dict[str, Any]:
        return {"knowledge": self.knowledge.to_json(), "knn": self.knn.to_json(), "bayes": self.bayes.to_json()}

    @classmethod
    def _made(cls, fields: Any) -> Self:
        return cls(
            Knowledge.from_json(fields["knowledge"]), Knn.from_json(fields["knn"]), Bayes.from_json(fields["bayes"])
        )

    def to_bytes(self) -> bytes:
        """The JSON, compressed; the same bytes for the same content."""
        return gzip.compress(json.dumps(self.to_json(), separators=(",", ":")).encode(), mtime=0)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What `to_bytes` gave, or the JSON itself. Raises InputError for anything else."""
        try:
            if content.startswith(_GZIP):
                content = zlib.decompressobj(wbits=31).decompress(content, _LARGEST)  # what is cut short is no JSON
            read = json.loads(content)
        except (RecursionError, ValueError, zlib.error):
            read = None
        return cls.from_json(read)


def fit(episodes: Iterable[Episode]) -> Fitted:
    """Fit knowledge and beliefs to episodes; the order of the episodes does not matter."""
    episodes = list(episodes)
    return Fitted(Knowledge.of(episodes), Knn.of(episodes), Bayes.of(episodes))


@cache
def default_fitted() -> Fitted:
    """The packaged one, read once."""
    return Fitted.from_bytes(files("oasis.dagger").joinpath("data", "fitted.json.gz").read_bytes())
