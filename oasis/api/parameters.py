"""The types of arguments: how each is checked, and how a JSON schema says what it is.

What an argument means to the calculus is not known here: a tactic may be no rule, and an id may be no state's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits

LONGEST_WORD: Final = 200
"""Characters of an id, a name or a tactic."""


@dataclass(frozen=True)
class Kind:
    """A type of argument.

    Attributes:
        about: what a value is, as in `X is about`.
        read: the value after a check. Raises Refused.
        schema: what JSON Schema says of it.
    """

    about: str
    read: Callable[[str, Any, Limits], Any]
    schema: Callable[[Limits], dict[str, Any]]


@dataclass(frozen=True)
class Parameter:
    """An argument of a call.

    Attributes:
        name: under which it is sent.
        kind: what it may be.
        about: what it is for, a phrase.
        default: its value if it is left out; None if it may not be.
        example: a value, for whoever reads the schema; None for none.
    """

    name: str
    kind: Kind
    about: str
    default: Any = None
    example: Any = None

    def schema(self, limits: Limits) -> dict[str, Any]:
        """The JSON schema of a value."""
        told = {} if self.default is None else {"default": self.default}
        shown = {} if self.example is None else {"examples": [self.example]}
        about = f"{self.about[0].upper()}{self.about[1:]}."
        return {**self.kind.schema(limits), "description": about, **told, **shown}


def schema_of(parameters: Sequence[Parameter], limits: Limits) -> dict[str, Any]:
    """The JSON schema of arguments, as one object."""
    return {
        "type": "object",
        "properties": {each.name: each.schema(limits) for each in parameters},
        "required": [each.name for each in parameters if each.default is None],
        "additionalProperties": False,
    }


def read_all(parameters: Sequence[Parameter], given: Any, limits: Limits) -> dict[str, Any]:
    """The arguments of a call, each checked, with defaults for those that are left out. Raises Refused."""
    if not isinstance(given, dict):
        raise Refused(Code.BAD_ARGUMENT, f"Arguments are an object, not {brief(given)}.")
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise Refused(Code.BAD_ARGUMENT, f"There is no argument {brief(name)} here; there is {', '.join(known)}.")
    for name, parameter in known.items():
        if name not in given and parameter.default is None:
            raise Refused(Code.BAD_ARGUMENT, f"The argument {name} is missing: {parameter.about}.")
    return {
        name: parameter.kind.read(name, given[name], limits) if name in given else parameter.default
        for name, parameter in known.items()
    }


def brief(value: object) -> str:
    """What a value is, in a few words, whatever its size; a short text is quoted."""
    match value:
        case str():
            return repr(value) if len(value) <= 40 else f"a text of {len(value):,} characters"
        case list() | tuple():
            return f"a list of {len(value):,}"
        case dict():
            return "an object"
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int() if abs(value) >= 10**20:
            return "a huge number"
        case _:
            return repr(value)[:40]


def text(most: int | None = None) -> Kind:
    """A text of at most so many characters, as many as the limits allow if none are told."""

    def read(name: str, value: Any, limits: Limits) -> str:
        longest = limits.characters if most is None else most
        if not isinstance(value, str):
            raise Refused(Code.BAD_ARGUMENT, f"{name} is a text, not {brief(value)}.")
        if len(value) > longest:
            raise Refused(Code.TOO_LARGE, f"{name} has {len(value):,} characters; at most {longest:,} are read.")
        return value

    return Kind(
        "text", read, lambda limits: {"type": "string", "maxLength": limits.characters if most is None else most}
    )


def word(*choices: str) -> Kind:
    """One of some words."""

    def read(name: str, value: Any, limits: Limits) -> str:
        if value not in choices:
            raise Refused(Code.BAD_ARGUMENT, f"{name} is one of {', '.join(choices)}, not {brief(value)}.")
        return str(value)

    return Kind(" or ".join(choices), read, lambda limits: {"type": "string", "enum": list(choices)})


def words(*choices: str) -> Kind:
    """A list of some of these words."""
    about = f"a list of some of {', '.join(choices)}"

    def read(name: str, value: Any, limits: Limits) -> list[str]:
        if not isinstance(value, list) or any(each not in choices for each in value):
            raise Refused(Code.BAD_ARGUMENT, f"{name} is {about}, not {brief(value)}.")
        return value

    return Kind(about, read, lambda limits: {"type": "array", "items": {"enum": list(choices)}})


def whole(least: int, most: int) -> Kind:
    """A whole number within bounds."""

    def read(name: str, value: Any, limits: Limits) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Refused(Code.BAD_ARGUMENT, f"{name} is a whole number from {least} to {most}, not {brief(value)}.")
        return value

    return Kind(
        f"a whole number from {least} to {most}",
        read,
        lambda limits: {"type": "integer", "minimum": least, "maximum": most},
    )


def _read_flag(name: str, value: Any, limits: Limits) -> bool:
    if not isinstance(value, bool):
        raise Refused(Code.BAD_ARGUMENT, f"{name} is true or false, not {brief(value)}.")
    return value


def _read_tactics(name: str, value: Any, limits: Limits) -> list[Any]:
    if not isinstance(value, list):
        raise Refused(Code.BAD_ARGUMENT, f"{name} is a list of tactics, not {brief(value)}.")
    if len(value) > limits.tactics:
        raise Refused(Code.TOO_LARGE, f"{name} has {len(value):,} tactics; at most {limits.tactics:,} are read.")
    return [_tactic(f"tactic {place} of {name}", each) for place, each in enumerate(value, 1)]


def _tactic(name: str, value: Any) -> Any:
    parts = [value]
    if isinstance(value, dict) and "rule" in value and value.keys() <= {"rule", "hypothesis"}:
        parts = [value["rule"], "" if value.get("hypothesis") is None else value["hypothesis"]]
    if not all(isinstance(part, str) for part in parts):
        raise Refused(
            Code.BAD_ARGUMENT,
            f'{name} is a text such as "imply1 H", or an object with a rule and a hypothesis, not {brief(value)}.',
        )
    if any(len(part) > LONGEST_WORD for part in parts):
        raise Refused(Code.TOO_LARGE, f"{name} is longer than {LONGEST_WORD} characters, so it is no tactic.")
    return value


def _read_alternatives(name: str, value: Any, limits: Limits) -> list[list[Any]]:
    if not isinstance(value, list):
        raise Refused(Code.BAD_ARGUMENT, f"{name} is a list of lists of tactics, not {brief(value)}.")
    if len(value) > limits.alternatives:
        raise Refused(
            Code.TOO_LARGE, f"{name} has {len(value):,} alternatives; at most {limits.alternatives} are tried at once."
        )
    read = [_read_tactics(f"alternative {place}", each, limits) for place, each in enumerate(value, 1)]
    if sum(map(len, read)) > limits.tactics:
        raise Refused(
            Code.TOO_LARGE,
            f"{name} has {sum(map(len, read)):,} tactics together; at most {limits.tactics:,} are read.",
        )
    return read


def _read_calls(name: str, value: Any, limits: Limits) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise Refused(Code.BAD_ARGUMENT, f"{name} is a list of calls, not {brief(value)}.")
    if len(value) > limits.tactics:
        raise Refused(Code.TOO_LARGE, f"{name} has {len(value):,} calls; at most {limits.tactics:,} are read.")
    for place, each in enumerate(value, 1):
        is_call = isinstance(each, dict) and {"session", "call"} <= each.keys() <= {"session", "call", "arguments"}
        kinds = {"session": str, "call": str, "arguments": dict}
        if not is_call or not all(isinstance(value, kinds[key]) for key, value in each.items()):
            raise Refused(
                Code.BAD_ARGUMENT,
                f"Call {place} of {name} is an object with a session, a call and arguments, not {brief(each)}.",
            )
    return value


_TACTIC: Final = {
    "oneOf": [
        {"type": "string", "maxLength": LONGEST_WORD},
        {
            "type": "object",
            "properties": {
                "rule": {"type": "string", "maxLength": LONGEST_WORD},
                "hypothesis": {"type": ["string", "null"], "maxLength": LONGEST_WORD},
            },
            "required": ["rule"],
            "additionalProperties": False,
        },
    ]
}


def _tactics_schema(limits: Limits) -> dict[str, Any]:
    return {"type": "array", "items": _TACTIC, "maxItems": limits.tactics}


TEXT: Final = text()
WORD: Final = text(LONGEST_WORD)
FLAG: Final = Kind("true or false", _read_flag, lambda limits: {"type": "boolean"})
TACTICS: Final = Kind('a list of tactics, each as "imply1 H" or as an object', _read_tactics, _tactics_schema)
ALTERNATIVES: Final = Kind(
    "a list of lists of tactics",
    _read_alternatives,
    lambda limits: {"type": "array", "items": _tactics_schema(limits), "maxItems": limits.alternatives},
)
BATCH: Final = Parameter(
    "calls",
    Kind(
        "a list of calls of sessions",
        _read_calls,
        lambda limits: {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "session": {"type": "string"},
                    "call": {"type": "string"},
                    "arguments": {"type": "object"},
                },
                "required": ["session", "call"],
                "additionalProperties": False,
            },
            "maxItems": limits.tactics,
        },
    ),
    "what sessions are asked, each call with its session",
)
"""What a batch is."""
