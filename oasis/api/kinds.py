"""What a type says of arguments and answers: how a value is checked, what sentences call it, and its JSON Schema.

A type is written once, as any is in Python, and `kind_of` makes a `Kind` of it. What an argument means to the calculus
is not known here: a tactic may be no rule, and an id may be no state's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NotRequired, Self, Union, get_args, get_origin, get_type_hints

from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits

LONGEST_WORD: Final = 200
"""Characters of an id, a name or a tactic."""
REFERENCE: Final = "#/components/schemas/"
"""How an OpenAPI page begins to refer to a schema."""


@dataclass(frozen=True)
class Page:
    """How schemas are written.

    Attributes:
        limits: of the sessions that they tell of.
        objects: takes the schemas of answers by the names of their types, to which others refer then; None to write
            each where it stands.
    """

    limits: Limits
    objects: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of value.

    Attributes:
        about: what a value is, as in `level is ABOUT`.
        python: its type; `object` if it may have several.
        read: the value after a check; the name that sentences call it comes first. Raises Refused.
        schema: what JSON Schema says of it.
        purpose: what it is for, a phrase.
        example: a value, for whoever reads the schema; None for none.
    """

    about: str
    python: type
    read: Callable[[str, Any, Limits], Any]
    schema: Callable[[Page], dict[str, Any]]
    purpose: str = ""
    example: Any = None

    def for_(self, purpose: str, example: Any = None) -> Kind:
        """Return the kind of such a value for some purpose: `level: Annotated[int, whole(1, 4).for_("how much")]`."""
        return replace(self, purpose=purpose, example=example)


class Fields:
    """What is sent as one object, such as the arguments of a call.

    Args:
        kinds: of the fields by their names, in their order.
        defaults: of those that need not be sent; None for no value.
        about: what the object is, as in `X is ABOUT`.

    Attributes:
        kinds: as given.
        defaults: as given.
    """

    def __init__(self, kinds: Mapping[str, Kind], defaults: Mapping[str, Any], about: str = "an object") -> None:
        self.kinds, self.defaults, self._about = kinds, defaults, about
        self._told = {name: each for name, each in defaults.items() if each is not None}

    @classmethod
    def of(cls, function: Callable[..., Any], defaults: Mapping[str, Any] | None = None) -> Self:
        """Return the arguments of a function or of a method, perhaps with other defaults for some."""
        given = {each.name: each.default for each in signature(function).parameters.values() if each.name != "self"}
        types = get_type_hints(function, include_extras=True)
        usual = {name: each for name, each in given.items() if each is not Parameter.empty}
        return cls({name: kind_of(types[name]) for name in given}, usual | dict(defaults or {}))

    def read(self, name: str, given: Any, limits: Limits) -> dict[str, Any]:
        """Return the fields of an object, each checked, and defaults for those that are left out.

        Args:
            name: what sentences call the object; empty for arguments.
            given: as it came.
            limits: of the session.

        Raises Refused.
        """
        if not isinstance(given, dict):
            raise _wrong(f"{name} is {self._about}" if name else "Arguments are an object", given)
        read, inside = dict(self._told), f" of {name}" if name else ""
        for key, value in given.items():
            kind = self.kinds.get(key)
            if kind is None:
                there = f"in {name}" if name else "here"
                message = f"There is no argument {brief(key)} {there}; there is {', '.join(self.kinds)}."
                raise Refused(Code.BAD_ARGUMENT, message)
            read[key] = kind.read(key + inside, value, limits)
        if len(read) < len(self.kinds):
            for key, kind in self.kinds.items():
                if key not in read and key not in self.defaults:
                    purpose = f": {kind.purpose}" if kind.purpose else ""
                    raise Refused(Code.BAD_ARGUMENT, f"The argument {key}{inside} is missing{purpose}.")
        return read

    def schema(self, page: Page) -> dict[str, Any]:
        """Return the JSON schema of an object that has these fields and no others."""
        told = _object(self.kinds, self.defaults, page)
        for name, default in self._told.items():
            told["properties"][name]["default"] = default
        return {**told, "additionalProperties": False}


def text(most: int | None = None) -> Kind:
    """Return the kind of a text of at most so many characters, as many as the limits allow if None."""

    def read(name: str, value: Any, limits: Limits) -> str:
        if not isinstance(value, str):
            raise _wrong(f"{name} is a text", value)
        longest = limits.characters if most is None else most
        if len(value) > longest:
            raise _too_many(name, len(value), "characters", longest)
        return value

    return replace(
        TEXT,
        read=read,
        schema=lambda page: {"type": "string", "maxLength": page.limits.characters if most is None else most},
    )


def whole(least: int, most: int) -> Kind:
    """Return the kind of a whole number within bounds."""
    about, told = f"a whole number from {least} to {most}", {"type": "integer", "minimum": least, "maximum": most}
    return _plain(about, int, told, lambda value: least <= value <= most)


def one_of(*values: str | bool, about: str = "") -> Kind:
    """Return the kind of one of some words, or of a constant, if there is one value; `about` says what they mean."""
    python = type(values[0])
    told = {**_PLAIN[python].schema(Page(Limits())), **({"description": about} if about else {})}
    told |= {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
    return _plain(f"one of {', '.join(map(str, values))}", python, told, lambda value: value in values)


def either(*kinds: Kind, about: str = "") -> Kind:
    """Return the kind of a value of one of some kinds that differ in their types in Python."""
    words, by_type = about or " or ".join(each.about for each in kinds), {each.python: each for each in kinds}

    def read(name: str, value: Any, limits: Limits) -> Any:
        if type(value) not in by_type:
            raise _wrong(f"{name} is {words}", value)
        return by_type[type(value)].read(name, value, limits)

    return Kind(words, object, read, lambda page: {"anyOf": [each.schema(page) for each in kinds]})


def several(kind: Kind, each: str = "element", most: Literal["tactics", "alternatives"] | None = None) -> Kind:
    """Return the kind of a list: what one of its elements is called, and which limit is on their number."""

    def read(name: str, value: Any, limits: Limits) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(f"{name} is a list of {each}s", value)
        if most is not None and len(value) > getattr(limits, most):
            raise _too_many(name, len(value), f"{each}s", getattr(limits, most))
        return [kind.read(f"{each} {place} of {name}", one, limits) for place, one in enumerate(value, 1)]

    def schema(page: Page) -> dict[str, Any]:
        bound = {} if most is None else {"maxItems": getattr(page.limits, most)}
        return {"type": "array", "items": kind.schema(page), **bound}

    return Kind(f"a list of {each}s", list, read, schema)


def sent(kind: Any) -> Kind:
    """Return the kind of an object that is sent, and may have no other fields than those of a TypedDict."""
    kinds, optional = _fields(kind)
    *words, last = [f"perhaps {name}" if name in optional else name for name in kinds]
    about = f"an object with {', '.join(words)} and {last}"
    fields = Fields(kinds, optional, about)
    return Kind(about, dict, fields.read, fields.schema)


@cache
def kind_of(kind: Any) -> Kind:
    """Return what a type says: the Kind that it is annotated with, or else one that is made of it."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return next((each for each in inside if isinstance(each, Kind)), None) or kind_of(inside[0])
    if origin is NotRequired:
        return kind_of(inside[0])
    if origin is Literal:
        return one_of(*inside)
    if origin in (Union, UnionType):
        return either(*map(kind_of, inside))
    if origin in (list, Sequence):
        return several(kind_of(inside[0]))
    return _PLAIN.get(origin or kind) or _answered(kind)


def _answered(kind: Any) -> Kind:
    """Return the kind of a TypedDict in an answer, which may get more fields in time."""

    def schema(page: Page) -> dict[str, Any]:
        if page.objects is not None and kind.__name__ in page.objects:
            return {"$ref": REFERENCE + kind.__name__}
        about = vars(kind).get("__doc__")  # and not that of `dict`
        told = {"title": kind.__name__, **({"description": about} if about else {}), **_object(*_fields(kind), page)}
        if page.objects is None:
            return told
        page.objects[kind.__name__] = told
        return {"$ref": REFERENCE + kind.__name__}

    return replace(_PLAIN[dict], schema=schema)


def _fields(kind: Any) -> tuple[dict[str, Kind], dict[str, None]]:
    """Return the kinds of the fields of a TypedDict, and those that need not be there."""
    types = get_type_hints(kind, include_extras=True)
    optional = {name: None for name, each in types.items() if get_origin(each) is NotRequired}
    return {name: kind_of(each) for name, each in types.items()}, optional


def _object(kinds: Mapping[str, Kind], optional: Mapping[str, Any], page: Page) -> dict[str, Any]:
    told = {name: each.schema(page) for name, each in kinds.items()}
    for name, each in kinds.items():
        if each.purpose:
            told[name]["description"] = f"{each.purpose[0].upper()}{each.purpose[1:]}."
        if each.example is not None:
            told[name]["examples"] = [each.example]
    return {"type": "object", "properties": told, "required": [name for name in kinds if name not in optional]}


def _plain(about: str, python: type, told: Mapping[str, Any], holds: Callable[[Any], bool] | None = None) -> Kind:
    """Return the kind of a value of one type that may need to be one of some."""

    def read(name: str, value: Any, limits: Limits) -> Any:
        if type(value) is not python or (holds is not None and not holds(value)):
            raise _wrong(f"{name} is {about}", value)
        return value

    return Kind(about, python, read, lambda page: dict(told))


TEXT: Final = _plain("a text", str, {"type": "string"})
_PLAIN: Final[dict[Any, Kind]] = {
    str: TEXT,
    bool: _plain("true or false", bool, {"type": "boolean"}),
    int: _plain("a whole number", int, {"type": "integer"}),
    float: _plain("a number", float, {"type": "number"}),
    NoneType: _plain("null", NoneType, {"type": "null"}),
    dict: _plain("an object", dict, {"type": "object"}),
}


def _wrong(wanted: str, value: Any) -> Refused:
    return Refused(Code.BAD_ARGUMENT, f"{wanted}, not {brief(value)}.")


def _too_many(name: str, number: int, what: str, most: int) -> Refused:
    return Refused(Code.TOO_LARGE, f"{name} has {number:,} {what}; at most {most:,} are read.")


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
