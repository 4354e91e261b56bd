"""The one table of calls, and the one function through which every door goes.

Documentation, schemas and routes of doors are made from this table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import Any, Final, get_type_hints

from oasis.api import parameters
from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits
from oasis.api.parameters import ALTERNATIVES, FLAG, TACTICS, TEXT, WORD, Parameter, brief, read_all, whole, word
from oasis.api.session import Session
from oasis.ground.names import EXPORTS, PROVERS


@dataclass(frozen=True)
class Call:
    """Something that a session can be asked.

    Attributes:
        name: by which it is called, that of a method of the session.
        parameters: its arguments.
    """

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def answer(self) -> Any:
        """The type of its answer, one of `oasis.api.answers`."""
        return get_type_hints(getattr(Session, self.name))["return"]

    @property
    def about(self) -> str:
        """What it does, a sentence."""
        return self.told.partition("\n")[0]

    @property
    def told(self) -> str:
        """What it does, and what its answer says, for whoever has not read anything else."""
        return cleandoc(getattr(Session, self.name).__doc__ or "")

    def with_defaults(self, defaults: Mapping[str, Any]) -> Call:
        """The same call with other values for some arguments that are left out."""
        changed = (replace(each, default=defaults.get(each.name, each.default)) for each in self.parameters)
        return replace(self, parameters=tuple(changed))

    def schema(self, limits: Limits) -> dict[str, Any]:
        """The JSON schema of its arguments, as one object."""
        return parameters.schema_of(self.parameters, limits)


_STATE: Final = Parameter("state_id", WORD, "the id of a state, such as s0", example="s0")
CALLS: Final = {
    call.name: call
    for call in (
        Call(
            "start",
            (
                Parameter(
                    "lemma",
                    TEXT,
                    "a name such as textbook/and_comm, or a formula such as A -> A",
                    example="textbook/and_comm",
                ),
            ),
        ),
        Call(
            "apply",
            (
                _STATE,
                Parameter("tactics", TACTICS, "what to apply, in this order", example=["intro", "destruct_and H"]),
                Parameter("graph", FLAG, "whether to tell the proof graph, too, which grows with the proof", True),
            ),
        ),
        Call(
            "try_all",
            (
                _STATE,
                Parameter(
                    "alternatives",
                    ALTERNATIVES,
                    "lists of tactics to be tried, each by itself",
                    example=[["intro", "split"], ["assumption"]],
                ),
            ),
        ),
        Call("goals", (_STATE,)),
        Call(
            "probabilities",
            (
                _STATE,
                Parameter("policy", WORD, "who would move: uniform, first, last, shape, look or tiny", "uniform"),
            ),
        ),
        Call("proof_graph", (_STATE,)),
        Call(
            "node",
            (
                Parameter(
                    "id",
                    TEXT,
                    "a state, and in it a goal, a hypothesis or the conclusion, and sides, as s0, s0.0 or s0.0.H.lr",
                    example="s0.0.conclusion",
                ),
            ),
        ),
        Call("simplify", (_STATE,)),
        Call(
            "premise",
            (
                _STATE,
                Parameter("rule", WORD, "the name of a rule, such as imply1", example="intro"),
                Parameter("hypothesis", WORD, "the name of a hypothesis, empty for none", ""),
            ),
        ),
        Call("decide", (_STATE,)),
        Call("hint", (_STATE, Parameter("level", whole(1, 4), "how much to say", 1))),
        Call("prove", (_STATE, Parameter("solver", WORD, "who proves it, as in prove --solver", "teacher"))),
        Call("countermodel", (_STATE,)),
        Call("certify", (_STATE, Parameter("prover", word("native", *PROVERS.asked), "who is asked", "native"))),
        Call("export", (_STATE, Parameter("to", word(*EXPORTS), "the kind of file"))),
    )
}
"""Every call by its name."""
HEADER: Final = "Oasis-Session"
"""The header of a request that names a session."""
VERSION: Final = "/v1"
"""How addresses may begin; a change that breaks programs would begin another one."""
ACTION: Final = "TacticList"
"""The `action_type` of an action whose `payload` is a list of tactics."""
_QUICK: Final = {"apply", "goals", "node", "premise", "proof_graph"}
_QUICK_TACTICS: Final = 8
OF_TEACHER: Final = frozenset({"decide", "hint", "prove", "countermodel", "certify", "export"})
"""The calls that make no state, and may take as long as a call may take."""
MAKE_STATES: Final = frozenset({"start", "apply", "simplify"})
"""The calls that may make states; all others change nothing."""


def call(session: Session, name: str, arguments: Any) -> dict[str, Any]:
    """The answer to a call: what the session's method gives, or `{"error": {"code": …, "message": …}}`.

    Nothing is raised, whatever the name and the arguments are, unless the interpreter itself is stopped.
    """
    try:
        read = read_all(_known(name).parameters, _unpacked(name, arguments), session.limits)
        answer: dict[str, Any] = getattr(session, name)(**read)
    except Refused as error:
        return refusal(error)
    except MemoryError:
        return refusal(Refused(Code.TOO_LARGE, "The memory is not enough for this; ask for less."))
    except Exception as error:
        print(f"oasis: {name} failed: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return refusal(
            Refused(Code.INTERNAL, f"Something went wrong here ({type(error).__name__}); nothing was changed.")
        )
    return answer


def is_quick(session: Session, name: str, arguments: Any) -> bool:
    """Whether a call takes some milliseconds at most, whatever comes of it, so that others may wait for it."""
    if name not in _QUICK or not isinstance(arguments, dict):
        return False
    place = arguments.get("state_id") or arguments.get("id")
    tactics = _unpacked(name, arguments).get("tactics", ())
    if not isinstance(tactics, list | tuple) or not isinstance(place, str):
        return True  # it is refused
    return len(tactics) <= _QUICK_TACTICS and session.is_small(place.partition(".")[0])


def asks_prover(name: str, arguments: Any) -> bool:
    """Whether a call starts a prover that is a program of its own, which has its own limits."""
    return name == "certify" and isinstance(arguments, dict) and arguments.get("prover", "native") != "native"


def _unpacked(name: str, arguments: Any) -> Any:
    """Arguments of `apply` with their `tactics`, which may also come as the `payload` of an action."""
    if not isinstance(arguments, dict) or name != "apply" or "tactics" in arguments:
        return arguments
    if arguments.get("action_type") != ACTION:
        return arguments
    named = {"payload": "tactics"}
    return {named.get(key, key): value for key, value in arguments.items() if key != "action_type"}


def as_action(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of the arguments of `apply` as an action, made of the usual one."""
    told = dict(schema["properties"])
    action = {"action_type": {"const": ACTION}, "payload": told.pop("tactics")}
    required = [name for name in schema["required"] if name != "tactics"]
    return {**schema, "properties": {**told, **action}, "required": [*required, *action]}


def _known(name: object) -> Call:
    if isinstance(name, str) and name in CALLS:
        return CALLS[name]
    raise Refused(Code.UNKNOWN_CALL, f"There is no call {brief(name)}; there is {', '.join(CALLS)}.")


def refusal(error: Refused) -> dict[str, Any]:
    """The answer to a call that is refused."""
    return {"error": error.to_json()}


def answer(session: Session, name: str, arguments: Any) -> bytes:
    """The answer as every door sends it: JSON with sorted names, no spaces, and ASCII characters alone."""
    return dumps(call(session, name, arguments))


def dumps(content: Any) -> bytes:
    """JSON of which there is only one form."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def loads(body: bytes) -> Any:
    """What a body says. Raises Refused unless it is JSON in UTF-8, nested no more deeply than Python can read."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
        raise Refused(Code.BAD_JSON, f"This is no JSON: {said}.") from None


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")
