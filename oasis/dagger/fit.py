r"""What R† needs to know, fitted to episodes and kept as one thing: knowledge, and the three beliefs.

The packaged one (`data/fitted.json.gz`) was fitted to random lemmas, theorems and others, none of which is in another
curriculum, by

    oasis dagger fit random:size=6,atoms=3,kind=theorem,count=200,seed=2020 \
        random:size=12,atoms=4,kind=theorem,count=200,seed=2020 \
        random:size=18,atoms=4,kind=theorem,count=200,seed=2020 \
        random:size=10,atoms=4,kind=any,count=200,seed=2020 --seed 2020 --network -o oasis/dagger/data/fitted.json.gz

on one thread of a processor; another processor's network may differ in its last digits.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, Protocol, Self

from oasis.dagger.beliefs.bayes import Bayes
from oasis.dagger.beliefs.belief import Belief, Floats, Remembered
from oasis.dagger.beliefs.calibration import parted, scale_of
from oasis.dagger.beliefs.knn import Knn
from oasis.dagger.episodes import Episode
from oasis.dagger.kept import Kept
from oasis.dagger.knowledge import Knowledge
from oasis.ground.names import BELIEFS
from oasis.ground.registry import imported
from oasis.play.calibration import Scale
from tactics.errors import InputError, check_installed
from tactics.formula import Formula
from tactics.goal import State

DEFAULT: Final = "default"
"""What the packaged one is called."""
GRAPH: Final = "oasis.neural.beliefs.graph:GraphBelief"
"""Where graph networks are read."""
OF_MOVES: Final = ".safetensors", "oasis.neural.beliefs.provability:of_file"
"""The suffix of a policy network's file, and where such a file is read as a belief."""
NO_NETWORK: Final = "No graph network was fitted here; fit again with --network, or name another belief or fit."
STEPS: Final = 4
"""Steps in a standard deviation by which neighbours in a network's embedding are told apart."""
_GZIP: Final = b"\x1f\x8b"
_LARGEST: Final = 2**28
"""Bytes of JSON that are read."""


class Outlook(Belief, Protocol):
    """M1: the belief of a graph network, which gives vectors as well (`oasis.neural.beliefs.graph`)."""

    def vectors(self, states: Sequence[State]) -> Floats:
        """The embedding of states with goals; shape (states, numbers)."""
        ...

    def formulas(self, formulas: Sequence[Formula]) -> Floats:
        """The embedding of formulas, of length 1 each; shape (formulas, numbers)."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The whole network."""
        ...


@dataclass(frozen=True, eq=False)
class Fitted(Kept):
    """What was learned from episodes, and does not change.

    Attributes:
        knowledge: the graph of rules and shapes, and the frequencies of formulas.
        knn: the belief M2.
        bayes: the belief M3.
        network: the belief M1 as JSON, read when somebody asks for it; None if none was trained.
        scales: of the beliefs, by their names.
    """

    called = "fit"
    layout = 2

    knowledge: Knowledge
    knn: Knn
    bayes: Bayes
    network: Mapping[str, Any] | None
    scales: Mapping[str, Scale]

    def belief(self, name: str, option: str = "--belief") -> Remembered:
        """Return the belief of a name: one fitted here, another of `BELIEFS`, a network's file, or `module:object`.

        An object of somebody's own is a belief, or makes one when it is called without arguments.

        Raises InputError if there is none of that name, if what is there is no belief, or if no graph network was
        trained, and LibraryMissing.
        """
        ending, of_moves = OF_MOVES
        if name in ("bayes", "bayes-online"):
            return Remembered(self.bayes, self.scales.get("bayes"), learns=name == "bayes-online")
        if name == "gnn":
            return Remembered(self.graph, self.scales.get(name))
        if name == "knn":
            knn = self.knn if self.network is None else replace(self.knn, embedding=self.graph.vectors)
            return Remembered(knn, self.scales.get(name))
        if name.endswith(ending):
            return Remembered(imported(of_moves)(name))
        own: Belief = BELIEFS.make(name, option)
        learn, *storing = (callable(getattr(own, method, None)) for method in ("learn", "to_json", "from_json"))
        is_told = isinstance(getattr(own, "version", None), str) and isinstance(getattr(own, "leaks", None), bool)
        if not is_told or (learn and not all(storing)):
            raise InputError(
                f"{option} {name} is no belief: it needs a text version and a bool leaks, and if it can learn, also "
                "to_json and from_json (see oasis.dagger.beliefs.belief.Belief)."
            )
        return Remembered(own, learns=learn)

    @cached_property
    def graph(self) -> Outlook:
        """The graph network. Raises InputError if none was trained, and LibraryMissing."""
        if self.network is None:
            raise InputError(NO_NETWORK)
        check_installed("The beliefs gnn and knn look at states by a network, and need", "neural", "torch")
        graph: Outlook = imported(GRAPH).from_json(self.network)
        return graph

    def _content(self) -> dict[str, Any]:
        parts = {"knowledge": self.knowledge.to_json(), "knn": self.knn.to_json(), "bayes": self.bayes.to_json()}
        return {**parts, "network": self.network, "scales": {name: [*each] for name, each in self.scales.items()}}

    @classmethod
    def _made(cls, fields: Any) -> Self:
        parts = Knowledge.from_json(fields["knowledge"]), Knn.from_json(fields["knn"]), Bayes.from_json(fields["bayes"])
        return cls(*parts, fields["network"], {name: Scale(*each) for name, each in fields["scales"].items()})

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


def fit(episodes: Iterable[Episode], trained: Callable[[Sequence[Episode]], Outlook] | None = None) -> Fitted:
    """Fit knowledge and beliefs to episodes; their order does not matter, unless a network is trained on them.

    Args:
        episodes: of any lemmas. Each belief's scale is fitted on some of them, after it was fitted to the others.
        trained: trains a graph network, in whose embedding neighbours are looked for then; that and the memory of the
            neighbours are left as they were taught by the lemmas that are not held out.
    """
    episodes = list(episodes)
    most, held_out = parted(episodes)
    beliefs: dict[str, Belief] = {"bayes": Bayes.of(most)}
    if trained is None:
        network, knn, beliefs["knn"] = None, Knn.of(episodes), Knn.of(most)
    else:
        beliefs["gnn"] = graph = trained(most)
        knn = beliefs["knn"] = Knn.of(most, embedding=graph.vectors, space=graph.version, steps=STEPS)
        network = graph.to_json()
    scales = {name: scale_of(belief, held_out) for name, belief in sorted(beliefs.items())}
    return Fitted(Knowledge.of(episodes), knn, Bayes.of(episodes), network, scales)


@cache
def default_fitted() -> Fitted:
    """The packaged one, read once."""
    return Fitted.from_bytes(files("oasis.dagger").joinpath("data", "fitted.json.gz").read_bytes())
