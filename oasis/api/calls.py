"""The one table of calls, and the one function through which every door goes.

Documentation, schemas and routes of doors are made from this table.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import Any, Final, get_type_hints

from oasis.api.arguments import BatchCalls
from oasis.api.errors import Code, Refused
from oasis.api.kinds import Fields, Kind, brief, kind_of
from oasis.api.session import Session

try:
    import orjson
except ModuleNotFoundError:
    orjson = None  # type: ignore[assignment]  # Python's own does, in ten times the time


@dataclass(frozen=True)
class Call:
    """Something that a session can be asked.

    Attributes:
        name: by which it is called, that of a method of the session, whose types and words say all the rest.
        makes_states: whether it may make states; all others change nothing.
        is_quick: whether it takes some milliseconds at most if its arguments are small.
        asks_teacher: whether it may take as long as a call may take, and makes no state.
    """

    name: str
    makes_states: bool = False
    is_quick: bool = False
    asks_teacher: bool = False

    @cached_property
    def arguments(self) -> Fields:
        """What it takes."""
        return self.with_defaults({})

    @cached_property
    def answer(self) -> Kind:
        """What it answers."""
        return kind_of(get_type_hints(getattr(Session, self.name), include_extras=True)["return"])

    @property
    def about(self) -> str:
        """What it does, a sentence."""
        return self.told.partition("\n")[0]

    @property
    def told(self) -> str:
        """What it does, and what its answer says, for whoever has not read anything else."""
        return cleandoc(getattr(Session, self.name).__doc__ or "")

    def with_defaults(self, defaults: Mapping[str, Any]) -> Fields:
        """What it takes, with other values for some arguments that are left out."""
        return Fields.of(getattr(Session, self.name), defaults)


CALLS: Final = {
    call.name: call
    for call in (
        Call("start", makes_states=True),
        Call("apply", makes_states=True, is_quick=True),
        Call("try_all"),
        Call("goals", is_quick=True),
        Call("probabilities"),
        Call("proof_graph", is_quick=True),
        Call("node", is_quick=True),
        Call("simplify", makes_states=True),
        Call("premise", is_quick=True),
        Call("decide", asks_teacher=True),
        Call("hint", asks_teacher=True),
        Call("prove", asks_teacher=True),
        Call("countermodel", asks_teacher=True),
        Call("certify", asks_teacher=True),
        Call("export", asks_teacher=True),
    )
}
"""Every call by its name."""
BATCH: Final = Fields({"calls": kind_of(BatchCalls)}, {})
"""What a batch takes."""
HEADER: Final = "Oasis-Session"
"""The header of a request that names a session."""
VERSION: Final = "/v1"
"""How addresses may begin; a change that breaks programs would begin another one."""
ACTION: Final = "TacticList"
"""The `action_type` of an action whose `payload` is a list of tactics."""
_QUICK_TACTICS: Final = 8
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
_EXPONENT: Final = re.compile(rb"e[-\d]")
_DELETE: Final = b"\x7f"
"""Beside exponents of numbers, what orjson writes otherwise than Python does; other text may look so, too."""


def call(session: Session, name: str, arguments: Any) -> dict[str, Any]:
    """The answer to a call: what the session's method gives, or `{"error": {"code": …, "message": …}}`.

    Nothing is raised, whatever the name and the arguments are, unless the interpreter itself is stopped.
    """
    try:
        read = _known(name).arguments.read("", _unpacked(name, arguments), session.limits)
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
    if name not in CALLS or not CALLS[name].is_quick or not isinstance(arguments, dict):
        return False
    place = arguments.get("state_id") or arguments.get("id")
    tactics = arguments.get("tactics") or arguments.get("payload", ())
    if not isinstance(tactics, list | tuple) or not isinstance(place, str):
        return True  # it is refused
    return len(tactics) <= _QUICK_TACTICS and session.is_small(place.partition(".")[0])


def asks_teacher(name: str) -> bool:
    """Whether a call may take as long as a call may take, and makes no state."""
    return name in CALLS and CALLS[name].asks_teacher


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
    if orjson is not None:
        with suppress(orjson.JSONEncodeError):  # of numbers that are too large for it
            told: bytes = orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
            if told.isascii() and _DELETE not in told and not _EXPONENT.search(told):
                return told
    return _ENCODER.encode(content).encode()


def loads(body: bytes) -> Any:
    """What a body says. Raises Refused unless it is JSON in UTF-8, nested no more deeply than Python can read."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
        raise Refused(Code.BAD_JSON, f"This is no JSON: {said}.") from None


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")
