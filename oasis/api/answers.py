"""What calls answer, as types: for programs that are checked before they run, and for schemas.

`oasis.api.calls` takes them from the methods of a session; what a field means is said there, with the call.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from oasis.api.errors import Code
from oasis.api.kinds import one_of


class Hypothesis(TypedDict):
    """A formula that a goal may use, under its name."""

    name: str
    formula: str


class Goal(TypedDict):
    """What is to be proved from which hypotheses, the oldest first; `avoid` has names that none of them may get."""

    hypotheses: list[Hypothesis]
    conclusion: str
    avoid: NotRequired[list[str]]


class Move(TypedDict):
    """A rule, and the hypothesis that it takes, or null."""

    rule: str
    hypothesis: str | None


class Error(TypedDict):
    """Why something was refused: a code for programs, and a sentence for people."""

    code: Annotated[str, one_of(*map(str, Code), about="\n".join(f"`{each}`: {each.about}" for each in Code))]
    message: str


class Refusal(TypedDict):
    """The answer to a call that is refused."""

    error: Error


class TacticError(Error):
    """Why a tactic was refused, and which one, from 1."""

    tactic: int


class State(TypedDict):
    """A state, whose goals are what is left to prove, the focused one first."""

    state_id: str
    proved: bool
    goals: list[Goal]


class Started(State):
    """The state in which the proof of a lemma begins."""

    lemma: str
    reading: NotRequired[str]
    remarks: NotRequired[list[str]]


class GraphNode(TypedDict):
    """A goal of a proof graph."""

    id: str
    proved: bool
    goal: Goal


GraphEdge = TypedDict("GraphEdge", {"step": int, "from": str, "to": list[str], "move": Move})
"""A move of a proof graph, and which goals it leads from and to."""


class Graph(TypedDict):
    """The goals that a proof has met, and the moves between them."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]


class Applied(State):
    """The last state that tactics led to."""

    valid: bool
    cost: int
    error: TacticError | None
    proof_graph: Graph | None


class Alternative(TypedDict):
    """What an alternative would lead to."""

    goals_open: int
    proved: bool
    goals: list[Goal]
    valid: bool
    cost: int
    error: TacticError | None


class Tried(TypedDict):
    """What each alternative would lead to."""

    state_id: str
    alternatives: list[Alternative]


class Goals(State):
    """A state with the moves that apply to its focused goal."""

    moves: list[Move]


class Probability(Move):
    """How likely a policy is to make a move."""

    probability: float


class Probabilities(TypedDict):
    """How likely a policy is to make each move."""

    state_id: str
    policy: str
    moves: list[Probability]


class ProofGraph(Graph):
    """How a state was reached."""

    state_id: str
    lemma: str
    script: list[Move]


class Part(TypedDict):
    """A part of formulas; its sides are places in the list that it stands in."""

    kind: Literal["atom", "false", "and", "or", "implies"]
    name: NotRequired[str]
    left: NotRequired[int]
    right: NotRequired[int]


class HypothesisTree(TypedDict):
    """A hypothesis whose formula is a part."""

    name: str
    formula: int


class GoalTree(TypedDict):
    """A goal whose formulas are parts."""

    hypotheses: list[HypothesisTree]
    conclusion: int


class Trees(TypedDict):
    """The syntax trees of goals: each distinct part of their formulas once, sides before the whole."""

    nodes: list[Part]
    goals: list[GoalTree]


class Node(TypedDict):
    """The syntax tree of a formula, or the trees of goals."""

    id: str
    nodes: list[Part]
    formula: NotRequired[str]
    size: NotRequired[int]
    root: NotRequired[int]
    goals: NotRequired[list[GoalTree]]


class Simplified(State):
    """The state that safe moves lead to."""

    from_id: str
    cost: int
    moves: list[Move]
    ast: Trees
    error: Error | None


class Missing(TypedDict):
    """Something that a rule lacks: a hypothesis to name, a formula of a form, or a formula among the hypotheses."""

    kind: Literal["hypothesis", "form", "formula"]
    takes_hypothesis: NotRequired[bool]
    choices: NotRequired[list[str]]
    where: NotRequired[str]
    wanted: NotRequired[str]
    formula: NotRequired[str]


class Premise(TypedDict):
    """Whether a rule applies."""

    state_id: str
    satisfied: bool
    missing: list[Missing]
    why: str


class Decided(TypedDict):
    """Whether all goals of a state hold."""

    state_id: str
    verdict: Literal["provable", "unprovable", "unknown"]
    reason: str


class Hint(TypedDict):
    """A hint, as far as its level goes."""

    state_id: str
    level: int
    provable: bool
    lost_at: int | None
    words: list[str]
    where: str | None
    rule: str | None
    move: Move | None


class Proved(TypedDict):
    """What came of a solver's attempt; of what it cost, the numbers that the solver counts."""

    state_id: str
    status: Literal["proved", "refuted", "open"]
    length: int | None
    bound: int
    script: list[Move] | None
    by: str
    reason: str
    episodes: NotRequired[int]
    expansions: NotRequired[int]
    plays: NotRequired[int]
    calls: NotRequired[int]
    forwards: NotRequired[int]
    trials: NotRequired[int]
    tokens: NotRequired[int]


class World(TypedDict):
    """A world of a Kripke model: the atoms that are true in it, and the worlds above it by their numbers."""

    true: list[str]
    above: list[int]


class Countermodel(TypedDict):
    """A Kripke model in which a goal fails, whose number is told from 0."""

    goal: int
    worlds: list[World]
    is_smallest: bool
    words: list[str]


class Refuted(TypedDict):
    """A countermodel of a state, if there is one."""

    state_id: str
    countermodel: Countermodel | None


class Certificate(TypedDict):
    """What a prover says of a proof."""

    prover: str
    version: str
    accepted: bool
    reason: str
    step: int | None
    renamed: list[list[str]]


class Certified(TypedDict):
    """What a prover says of the proof of a state."""

    state_id: str
    certificate: Certificate


class Exported(TypedDict):
    """A proof as a file."""

    state_id: str
    to: str
    suffix: str
    text: str


class Begun(TypedDict):
    """A session of a server, and the seconds after which it ends if it is not used."""

    session: str
    seconds: float


class Anew(TypedDict):
    """The one session of a process begins anew."""

    begun: Literal[True]


class Answers(TypedDict):
    """What each call of a batch answers, or why it is refused."""

    answers: list[dict[str, Any]]


class Ended(TypedDict):
    """A session has ended."""

    ended: Literal[True]
