"""Which stages a ladder has, by name, and the stages themselves with all that they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from oasis.escalation.costs import Counter
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import (
    GREEDY,
    JUDGED,
    NETWORK_SEARCH,
    SAMPLES,
    SEARCH,
    TABLE,
    Playing,
    Searching,
    Stage,
    Table,
)
from oasis.ground.names import SEARCHES
from oasis.play.actions import LEGAL
from oasis.play.committed import Choosing
from oasis.play.exam import SMALL, has_values, proposed
from oasis.play.policy import Policy, Uniform
from oasis.search.cache import GoalCache
from tactics.errors import InputError, LibraryMissing, check_choice

NETWORK: Final = (GREEDY, JUDGED, SAMPLES, NETWORK_SEARCH)
"""The stages that ask a network."""
LADDERS: Final = {"table": (TABLE,), "search": (SEARCH,), "network": NETWORK}
"""Stages by the names that are put together with a plus, in this order."""
ESCALATE: Final = "escalate"
"""The name of the ladder with all stages."""
EXPLORER: Final = "proof-number"
"""The search, unless another one is named."""
PLAYS: Final = 16
"""Of the network by its probabilities, for each lemma in each round."""


@dataclass(frozen=True)
class Ladder:
    """What stages there are, and who is asked in them; raises InputError for what cannot be.

    Attributes:
        stages: by their names, from below.
        network: the name of the policy that is asked where the table and search are silent; empty for none.
        search: the name of the search, with the student's policy and with the network's.
        expansions: of a search for each lemma at most; None for no limit but time.
        digest: stands for the content of the network's file; empty if it has none.
    """

    stages: tuple[str, ...] = (TABLE, SEARCH, *NETWORK)
    network: str = "tiny"
    search: str = EXPLORER
    expansions: int | None = None
    digest: str = ""

    def __post_init__(self) -> None:
        name, _, policy = self.search.partition(":")
        if policy and name in SEARCHES:
            raise InputError(f"A ladder's search asks the student and the network; leave :{policy} out of --search.")
        SEARCHES.find(self.search)
        object.__setattr__(self, "stages", tuple(self.stages))
        for stage in self.stages:
            check_choice("stage", stage, (TABLE, SEARCH, *NETWORK))

    @classmethod
    def named(cls, text: str, network: str = "tiny", search: str = EXPLORER) -> Ladder:
        """The ladder that a name stands for: `escalate`, or as in `table+search`. Raises InputError."""
        names = list(LADDERS) if text == ESCALATE else text.split("+")
        for name in names:
            if name not in LADDERS:
                raise InputError(
                    f"{name or text!r} is no ladder; take {ESCALATE}, or some of {', '.join(LADDERS)} with a plus "
                    "between them, as in table+search."
                )
        stages = tuple(stage for name, of_it in LADDERS.items() if name in names for stage in of_it)
        return cls(stages, network if "network" in names else "", search)

    @property
    def asks_network(self) -> bool:
        """Whether a stage asks a network."""
        return any(stage in NETWORK for stage in self.stages)

    def without_network(self) -> Ladder:
        """The same without the stages that ask a network."""
        stages = tuple(stage for stage in self.stages if stage not in NETWORK)
        return Ladder(stages, "", self.search, self.expansions)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        return asdict(self)


def network_of(
    ladder: Ladder, named: Callable[[str], Policy], say: Callable[[str], object] = lambda _: None
) -> tuple[Ladder, Policy | None]:
    """The network of a ladder; without the libraries that it needs, the ladder without its stages.

    Args:
        ladder: asks for it.
        named: gives the policy that a name stands for.
        say: is told, in a sentence, why stages are left out.

    Raises InputError if there is no such policy, or if it fails when it is asked about a small goal.
    """
    if not ladder.asks_network:
        return ladder, None
    try:
        network = named(ladder.network)
    except LibraryMissing as error:
        say(f"The stages of the network are left out. {error}")
        return ladder.without_network(), None
    proposed(network, [SMALL], LEGAL)
    has_values(network)
    return ladder, network


def built(
    ladder: Ladder, pupil: Pupil | None, network: Policy | None, cache: GoalCache, counter: Counter, seed: int
) -> list[Stage]:
    """The stages of a ladder.

    Args:
        ladder: which.
        pupil: the student; None where there is no table, and a search asks nobody.
        network: asked in the stages of the network; None if there are none of these.
        cache: what is known of goals, shared by all searches.
        counter: counts what they do.
        seed: of their chance.
    """
    made: dict[str, Stage] = {}
    propose = Uniform if pupil is None else pupil.policy
    made[SEARCH] = Searching(propose, ladder.search, cache, counter, seed, SEARCH, ladder.expansions)
    if pupil is not None:
        made[TABLE] = Table(pupil, counter)
    if network is not None:
        made[GREEDY] = Playing(network, Choosing(), counter, seed, GREEDY)
        if has_values(network):
            made[JUDGED] = Playing(network, Choosing(judge=True), counter, seed, JUDGED)
        made[SAMPLES] = Playing(network, Choosing(temperature=1.0), counter, seed, SAMPLES, PLAYS)
        made[NETWORK_SEARCH] = Searching(
            lambda: network, ladder.search, cache, counter, seed, NETWORK_SEARCH, ladder.expansions
        )
    return [made[stage] for stage in ladder.stages if stage in made]
