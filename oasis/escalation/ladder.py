"""Which stages a ladder has, by name, and the stages themselves with all that they need."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from oasis.escalation.costs import Counter
from oasis.escalation.pupil import Pupil
from oasis.escalation.stages import (
    BY,
    GREEDY,
    JUDGED,
    LANGUAGE,
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
from oasis.play.choices import Writing
from oasis.play.committed import Choosing
from oasis.play.exam import SMALL, has_values, proposed
from oasis.play.policy import Policy, Uniform
from oasis.play.writing import Written
from oasis.search.cache import GoalCache
from tactics.errors import InputError, LibraryMissing, check_choice

NETWORK: Final = (GREEDY, JUDGED, SAMPLES, NETWORK_SEARCH)
"""The stages that ask a network."""
LADDERS: Final = {"table": (TABLE,), "search": (SEARCH,), "network": NETWORK, "language": (LANGUAGE,)}
"""Stages by the names that are put together with a plus, in this order."""
STAGES: Final = tuple(stage for stages in LADDERS.values() for stage in stages)
"""All stages, from below."""
ESCALATE: Final = "escalate"
"""The name of the ladder with all stages; those of a language model if one is named."""
WRITING: Final = Writing(resumes=4)
"""How a language model writes: each proof is cut and gone on with a few times before the next one is begun."""
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
        language: the name of the policy that writes whole proofs where all others are silent; empty for none.
        search: the name of the search, with the student's policy and with the network's.
        expansions: of a search for each lemma at most; None for no limit but time.
        digest: stands for the content of the files of these policies; empty if they have none.
    """

    stages: tuple[str, ...] = (TABLE, SEARCH, *NETWORK)
    network: str = "tiny"
    search: str = EXPLORER
    expansions: int | None = None
    digest: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        name, _, policy = self.search.partition(":")
        if policy and name in SEARCHES:
            raise InputError(f"A ladder's search asks the student and the network; leave :{policy} out of --search.")
        SEARCHES.find(self.search)
        object.__setattr__(self, "stages", tuple(self.stages))
        for stage in self.stages:
            check_choice("stage", stage, STAGES)

    @classmethod
    def named(cls, text: str, network: str = "tiny", search: str = EXPLORER, language: str = "") -> Ladder:
        """The ladder that a name stands for: `escalate`, or as in `table+search`. Raises InputError."""
        names = [name for name in LADDERS if language or name != "language"] if text == ESCALATE else text.split("+")
        for name in names:
            if name not in LADDERS:
                raise InputError(
                    f"{name or text!r} is no ladder; take {ESCALATE}, or some of {', '.join(LADDERS)} with a plus "
                    "between them, as in table+search."
                )
        if "language" in names and not language:
            raise InputError("The stage language needs a policy that writes proofs, as in --language hf:FOLDER.")
        stages = tuple(stage for name, of_it in LADDERS.items() if name in names for stage in of_it)
        return cls(
            stages,
            network if "network" in names else "",
            search,
            language=language if "language" in names else "",
        )

    def asks(self, stages: Collection[str]) -> bool:
        """Return True if it has one of some stages."""
        return any(stage in stages for stage in self.stages)

    def without(self, stages: Collection[str]) -> Ladder:
        """Return the ladder without some stages, and without the policies that no other stage asks."""
        left = replace(self, stages=tuple(stage for stage in self.stages if stage not in stages))
        network, language = self.network * left.asks(NETWORK), self.language * left.asks((LANGUAGE,))
        return replace(left, network=network, language=language)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        return asdict(self)


class Asked(NamedTuple):
    """The policies that a ladder asks; None for none.

    Attributes:
        network: where the table and search are silent.
        language: writes whole proofs where all others are silent.
    """

    network: Policy | None = None
    language: Policy | None = None


NOBODY: Final = Asked()


def asked_by(
    ladder: Ladder, named: Callable[[str], Policy], say: Callable[[str], object] = lambda _: None
) -> tuple[Ladder, Asked]:
    """Return a ladder and the policies of its stages; stages whose policy lacks a library are left out.

    Args:
        ladder: asks for them.
        named: gives the policy that a name stands for.
        say: is told, in a sentence, why stages are left out.

    Raises InputError if there is no such policy, or if it fails when it is asked about a small goal.
    """
    found: dict[str, Policy] = {}
    for who, stages in (("network", NETWORK), ("language", (LANGUAGE,))):
        if not ladder.asks(stages):
            continue
        try:
            policy = found[who] = named(getattr(ladder, who))
        except LibraryMissing as error:
            say(f"The stages of the {BY[stages[0]]} are left out. {error}")
            ladder = ladder.without(stages)
            continue
        proposed(policy, [SMALL], LEGAL)
        has_values(policy)
    return ladder, Asked(**found)


def built(
    ladder: Ladder, pupil: Pupil | None, asked: Asked, cache: GoalCache, counter: Counter, seed: int
) -> list[Stage]:
    """The stages of a ladder.

    Args:
        ladder: which.
        pupil: the student; None where there is no table, and a search asks nobody.
        asked: the policies of its stages.
        cache: what is known of goals, shared by all searches.
        counter: counts what they do.
        seed: of their chance.
    """
    made: dict[str, Stage] = {}
    propose = Uniform if pupil is None else pupil.policy
    made[SEARCH] = Searching(propose, ladder.search, cache, counter, seed, SEARCH, ladder.expansions)
    if pupil is not None:
        made[TABLE] = Table(pupil, counter)
    if (network := asked.network) is not None:
        made[GREEDY] = Playing(network, Choosing(), counter, seed, GREEDY)
        if has_values(network):
            made[JUDGED] = Playing(network, Choosing(judge=True), counter, seed, JUDGED)
        made[SAMPLES] = Playing(network, Choosing(temperature=1.0), counter, seed, SAMPLES, PLAYS)
        made[NETWORK_SEARCH] = Searching(
            lambda: network, ladder.search, cache, counter, seed, NETWORK_SEARCH, ladder.expansions
        )
    if asked.language is not None:
        writer = Written(asked.language, WRITING)
        made[LANGUAGE] = Searching(lambda: writer, "sampling", cache, counter, seed, LANGUAGE, ladder.expansions)
    return [made[stage] for stage in ladder.stages if stage in made]
