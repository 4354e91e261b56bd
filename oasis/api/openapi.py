"""The OpenAPI page: what programs read of the door over HTTP, made from the table of calls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from oasis.api.answers import Answers, Begun, Ended, Refusal
from oasis.api.calls import CALLS, HEADER, VERSION, Call, as_action
from oasis.api.errors import Code
from oasis.api.guard import STATUS
from oasis.api.limits import Limits
from oasis.api.parameters import BATCH, schema_of
from oasis.api.schemas import REFERENCE, components
from oasis.ground.version import version

_JSON: Final = "application/json"
_SESSION: Final = {
    "name": HEADER,
    "in": "header",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{32}$"},
    "description": "What `POST /session` has given.",
}
_NAMED: Final = {
    **_SESSION,
    "required": False,
    "description": "What `POST /session` has given, unless the body or the id of the state names it.",
}


def openapi(about: str, routes: Mapping[str, tuple[str, str]], limits: Limits, token: bool) -> dict[str, Any]:
    """The page, a JSON object after OpenAPI 3.1.

    Args:
        about: what the door is, a few sentences.
        routes: the method and the path of each call.
        limits: of a session.
        token: whether everybody has to send one.
    """
    paths: dict[str, dict[str, Any]] = {
        "/session": {
            "post": _operation("begin", "Begin a session.", {"201": ("The session.", _referred(Begun))}),
            "delete": _operation("end", "End a session.", {"200": ("It has ended.", _referred(Ended))}, [_SESSION]),
        }
    }
    batch = _operation("batch", "Ask many sessions at once.", {"200": ("The answers.", _referred(Answers))})
    batch["requestBody"] = {"required": True, "content": {_JSON: {"schema": schema_of([BATCH], limits)}}}
    paths["/batch"] = {"post": batch}
    for name, (method, path) in routes.items():
        paths.setdefault(path, {})[method.lower()] = _asked(CALLS[name], re.findall(r"\{(\w+)\}", path), limits)
    answered = [Answers, Begun, Ended, Refusal, *(call.answer for call in CALLS.values())]
    page: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Oasis", "version": version(), "description": about},
        "servers": [{"url": VERSION}],
        "paths": paths,
        "components": {"schemas": components(answered)},
    }
    if token:
        page["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        page["security"] = [{"token": []}]
    return page


def _asked(call: Call, placed: list[str], limits: Limits) -> dict[str, Any]:
    """The operation of a call, some of whose arguments stand in the path and the others in the body."""
    schema = call.schema(limits)
    inside = [
        {"name": name, "in": "path", "required": True, "schema": schema["properties"].pop(name)} for name in placed
    ]
    answered = {"200": ("The answer.", _referred(call.answer))}
    operation = _operation(call.name, call.about, answered, [_NAMED, *inside])
    operation["description"] = call.told
    if schema["properties"]:
        schema["properties"]["session"] = {"type": "string", "description": "What `POST /session` has given."}
        asked = {"oneOf": [schema, as_action(schema)]} if call.name == "apply" else schema
        operation["requestBody"] = {"required": True, "content": {_JSON: {"schema": asked}}}
    return operation


def _referred(answer: Any) -> dict[str, str]:
    """Where the page has the schema of a type."""
    return {"$ref": REFERENCE.format(model=answer.__name__)}


def _operation(
    name: str, about: str, answers: Mapping[str, tuple[str, dict[str, Any]]], parameters: list[Any] | None = None
) -> dict[str, Any]:
    by_status: dict[int, list[Code]] = {}
    for code in Code:
        by_status.setdefault(STATUS.get(code, 422), []).append(code)
    refused = {
        str(status): {
            "description": " ".join(code.about for code in codes),
            "content": {_JSON: {"schema": _referred(Refusal)}},
        }
        for status, codes in sorted(by_status.items())
    }
    answered = {
        status: {"description": told, "content": {_JSON: {"schema": schema}}}
        for status, (told, schema) in answers.items()
    }
    return {
        "operationId": name,
        "summary": about,
        **({"parameters": parameters} if parameters else {}),
        "responses": {**answered, **refused},
    }
