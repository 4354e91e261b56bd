"""What calls take, as types: each says how it is checked, what it is for, and what a schema says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NotRequired, TypedDict

from oasis.api.kinds import LONGEST_WORD, either, kind_of, one_of, sent, several, text, whole
from oasis.ground.names import EXPORTS, PROVERS

_WORD: Final = text(LONGEST_WORD)
Word = Annotated[str, _WORD]
Id = Annotated[str, _WORD.for_("the id of a state, such as s0", "s0")]
LemmaText = Annotated[
    str, text().for_("a name such as textbook/and_comm, or a formula such as A -> A", "textbook/and_comm")
]
Place = Annotated[
    str,
    text().for_(
        "a state, and in it a goal, a hypothesis or the conclusion, and sides, as s0, s0.0 or s0.0.H.lr",
        "s0.0.conclusion",
    ),
]


class Tactic(TypedDict):
    """A move as it is sent; who leaves its hypothesis out, or sends null, names none."""

    rule: Word
    hypothesis: NotRequired[Word | None]


_TACTICS: Final = several(
    either(_WORD, sent(Tactic), about='a text such as "imply1 H", or an object with a rule and a hypothesis'),
    "tactic",
    "tactics",
)
Script = Sequence[str | Mapping[str, Any]]
Tactics = Annotated[Script, _TACTICS.for_("what to apply, in this order", ["intro", "destruct_and H"])]
Alternatives = Annotated[
    Sequence[Script],
    several(_TACTICS, "alternative", "alternatives").for_(
        "lists of tactics to be tried, each by itself", [["intro", "split"], ["assumption"]]
    ),
]
WithGraph = Annotated[bool, kind_of(bool).for_("whether to tell the proof graph, too, which grows with the proof")]
PolicyName = Annotated[str, _WORD.for_("who would move: uniform, first, last, shape, look or tiny")]
RuleName = Annotated[str, _WORD.for_("the name of a rule, such as imply1", "intro")]
HypothesisName = Annotated[str, _WORD.for_("the name of a hypothesis, empty for none")]
Level = Annotated[int, whole(1, 4).for_("how much to say")]
SolverName = Annotated[str, _WORD.for_("who proves it, as in prove --solver")]
Prover = Annotated[str, one_of("native", *PROVERS.asked).for_("who is asked")]
FileKind = Annotated[str, one_of(*EXPORTS).for_("the kind of file")]


class BatchCall(TypedDict):
    """A call of a session, as one of many."""

    session: str
    call: str
    arguments: NotRequired[dict[str, Any]]


BatchCalls = Annotated[
    Sequence[BatchCall],
    several(sent(BatchCall), "call", "tactics").for_("what sessions are asked, each call with its session"),
]
