"""Which partners there are, by name; what only one of them needs is imported when it begins."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.companion import Lesson
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.switches import SWITCHES
from oasis.neural.files import TINY
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.rules import RULES

AGENT: Final = "agent"
ESCALATING: Final = "escalating"
EXACT: Final = "exact"
ASKED: Final = "network"
COMPANION: Final = "companion"
NETWORK: Final = TINY
"""The name of the network that comes along, which is asked unless another one is named."""


class Means(NamedTuple):
    """What a partner is given besides its lemma, if it takes it.

    Attributes:
        network: the name of the policy that it asks (`oasis.neural.policies.policy_named`).
        lessons: what its person has taught it.
    """

    network: str = NETWORK
    lessons: tuple[Lesson, ...] = ()


USUAL: Final = Means()
"""The network that comes along, and no lessons."""


class PartnerKind(NamedTuple):
    """A kind of partner.

    Attributes:
        title: what it is called.
        about: what it is, in a sentence.
        make: makes one for a lemma, with settings, the rules that it may use, and its means.
        reveals: whether it may know at once what a person is to find out.
        switches: its settings that can be switched, of `oasis.classroom.partner.switches.SWITCHES`.
        has_voices: whether it has several voices, so that it has to be said whose a reason is.
        is_own: whether it knows only what its person has taught it, so that it gives nothing away.
    """

    title: str
    about: str
    make: Callable[[Formula, Settings, Collection[str], Means], Partner]
    reveals: bool
    switches: tuple[str, ...]
    has_voices: bool = False
    is_own: bool = False


def _agent(formula: Formula, settings: Settings, rules: Collection[str], means: Means) -> Partner:
    return Agent(formula, settings, rules)


def _escalating(formula: Formula, settings: Settings, rules: Collection[str], means: Means) -> Partner:
    from oasis.classroom.partner.escalating import Escalating

    return Escalating(formula, settings, rules, means.network)


def _exact(formula: Formula, settings: Settings, rules: Collection[str], means: Means) -> Partner:
    from oasis.classroom.partner.exact import Exact

    return Exact(formula, settings, rules)


def _asked(formula: Formula, settings: Settings, rules: Collection[str], means: Means) -> Partner:
    from oasis.classroom.partner.asked import Asked

    return Asked(formula, settings, rules, means.network)


def _raised(formula: Formula, settings: Settings, rules: Collection[str], means: Means) -> Partner:
    from oasis.classroom.partner.raised import Raised

    return Raised(formula, settings, rules, means.lessons)


PARTNERS: Final = {
    AGENT: PartnerKind(
        "Agent",
        "A machine that tries moves at random and remembers what paid.",
        _agent,
        False,
        tuple(SWITCHES),
    ),
    ESCALATING: PartnerKind(
        "Escalating student",
        "It practises with a table, searches where the table is not sure, and asks a network where the search is not.",
        _escalating,
        True,
        tuple(name for name in SWITCHES if name != "actions"),
        has_voices=True,
    ),
    EXACT: PartnerKind("Exact play", "It knows the truth, and plays a shortest proof.", _exact, True, ()),
    ASKED: PartnerKind(
        "Network",
        "A network or a language model: it makes the move that it takes to be likeliest, and makes claims that may be "
        "wrong.",
        _asked,
        True,
        (),
    ),
    COMPANION: PartnerKind(
        "Companion",
        "It knows the proofs that you have found, and nothing else; other lemmas it plays by habit.",
        _raised,
        False,
        (),
        is_own=True,
    ),
}
"""Every kind of partner by its name."""


def partner(
    kind: str, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES), means: Means = USUAL
) -> Partner:
    """Return a partner of a kind at a lemma."""
    return PARTNERS[kind].make(formula, settings, rules, means)
