"""OpenAPI pages: what programs read of the doors over HTTP, made from the types of what is sent and answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from oasis.api.answers import Answers, Begun, Ended, Refusal
from oasis.api.calls import BATCH, CALLS, HEADER, VERSION, Call, as_action
from oasis.api.errors import Code
from oasis.api.guard import STATUS
from oasis.api.kinds import Kind, Page, kind_of
from oasis.api.limits import Limits
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
    """The page of the door for programs, a JSON object after OpenAPI 3.1.

    Args:
        about: what the door is, a few sentences.
        routes: the method and the path of each call.
        limits: of a session.
        token: whether everybody has to send one.
    """
    page = Page(limits, {})
    begin = operation("begin", "Begin a session.", kind_of(Begun), page, status=201)
    end = operation("end", "End a session.", kind_of(Ended), page) | {"parameters": [_SESSION]}
    batch = operation("batch", "Ask many sessions at once.", kind_of(Answers), page, BATCH.schema(page))
    paths: dict[str, Any] = {"/session": {"post": begin, "delete": end}, "/batch": {"post": batch}}
    for name, (method, path) in routes.items():
        paths[path] = {method.lower(): _asked(CALLS[name], re.findall(r"\{(\w+)\}", path), page)}
    told = written(version(), about, paths, page)
    told["servers"] = [{"url": VERSION}]
    if token:
        told["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        told["security"] = [{"token": []}]
    return told


def written(version: str, about: str, paths: Mapping[str, Any], page: Page) -> dict[str, Any]:
    """A whole page; `page` has the schemas of all objects in it."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Oasis", "version": version, "description": about},
        "paths": paths,
        "components": {"schemas": page.objects},
    }


def operation(
    name: str, about: str, answer: Kind, page: Page, body: dict[str, Any] | None = None, *, status: int = 200
) -> dict[str, Any]:
    """What is said of a method at a path.

    Args:
        name: of the operation.
        about: what it does, a sentence.
        answer: what it answers if nothing is refused.
        page: takes the schemas of objects.
        body: the schema of what is sent; None for nothing.
        status: of that answer.
    """
    by_status: dict[int, list[Code]] = {}
    for code in Code:
        by_status.setdefault(STATUS.get(code, 422), []).append(code)
    refused = {
        str(each): _content(kind_of(Refusal).schema(page), " ".join(code.about for code in codes))
        for each, codes in sorted(by_status.items())
    }
    return {
        "operationId": name,
        "summary": about,
        "responses": {str(status): _content(answer.schema(page), "The answer."), **refused},
        **({} if body is None else {"requestBody": _content(body) | {"required": True}}),
    }


def _content(schema: dict[str, Any], about: str = "") -> dict[str, Any]:
    return {"content": {_JSON: {"schema": schema}}, **({"description": about} if about else {})}


def _asked(call: Call, placed: list[str], page: Page) -> dict[str, Any]:
    """The operation of a call, some of whose arguments stand in the path and the others in the body."""
    schema = call.arguments.schema(page)
    inside = [
        {"name": name, "in": "path", "required": True, "schema": schema["properties"].pop(name)} for name in placed
    ]
    asked = None
    if schema["properties"]:
        schema["properties"]["session"] = {"type": "string", "description": "What `POST /session` has given."}
        asked = {"oneOf": [schema, as_action(schema)]} if call.name == "apply" else schema
    told = operation(call.name, call.about, call.answer, page, asked)
    return told | {"description": call.told, "parameters": [_NAMED, *inside]}
