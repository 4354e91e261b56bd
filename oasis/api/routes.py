"""The addresses of a server: a request goes to the route of its method and path, and an answer is JSON if no page.

There is no framework between the server and the calls, which would cost more than they do.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from oasis.api.calls import HEADER, VERSION, dumps, refusal
from oasis.api.errors import Code, Refused
from oasis.api.guard import BUSY, STATUS, send_body

_HEADER = HEADER.lower().encode()


class Request(NamedTuple):
    """What a route is given: the session's id, the rest of the path after the route's, the body, and who asks."""

    session: str
    rest: str
    body: bytes
    client: str


class Answer(NamedTuple):
    """A status, a type of content, the content, and further headers."""

    status: int
    content_type: bytes
    body: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()


Route = Callable[[Request], Awaitable[Answer]]


class Routes:
    """An application that gets only what its guard lets in, whose bodies come in one piece.

    Args:
        routes: what answers a method at a path, such as `/node/{id}`.
        socket: what answers web sockets.
    """

    def __init__(self, routes: Mapping[tuple[str, str], Route], socket: ASGIApp | None = None) -> None:
        self._socket, self._there = socket, ", ".join(f"{method} {path}" for method, path in routes)
        self._routes = {(method, re.sub(r"\{\w+\}", "", path)): route for (method, path), route in routes.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises Refused."""
        if scope["type"] == "websocket" and self._socket is not None:
            return await self._socket(scope, receive, send)
        method, path, rest = scope["method"], scope["path"].removeprefix(VERSION), ""
        route = self._routes.get((method, path))
        if route is None and (begin := path.find("/", 1) + 1):
            path, rest = path[:begin], path[begin:]
            route = self._routes.get((method, path))
        if route is None:
            return await send_body(send, *self._nothing(method, scope["path"], path))
        session = next((value for name, value in scope["headers"] if name == _HEADER), b"")
        body = (await receive()).get("body", b"")
        client = str((scope.get("client") or ("",))[0])
        return await send_body(send, *await route(Request(session.decode("latin-1"), rest, body, client)))

    def _nothing(self, method: str, asked: str, path: str) -> Answer:
        """The answer for an address that there is not, or that there is with other methods alone."""
        if allowed := ", ".join(sorted(other for other, there in self._routes if there == path)):
            error = Refused(Code.WRONG_METHOD, f"{asked[:80]!r} is asked with {allowed}, not with {method[:80]}.")
            return answered(refusal(error))._replace(headers=((b"allow", allowed.encode()),))
        message = f"There is nothing at {asked[:80]!r}; there is {self._there}."
        return answered(refusal(Refused(Code.UNKNOWN_CALL, message)))


def answered(content: dict[str, Any], status: int = 200) -> Answer:
    """Return an answer in JSON: 200 also for a tactic that does not apply; other statuses for what is refused."""
    if content.keys() == {"error"}:
        status = STATUS.get(content["error"]["code"], 422)
    return Answer(status, b"application/json", dumps(content), BUSY if status == STATUS[Code.BUSY] else ())


def constant(content: dict[str, Any] | Answer) -> Route:
    """Return a route that always gives the same answer."""
    return partial(_same, content if isinstance(content, Answer) else answered(content))


async def _same(answer: Answer, request: Request) -> Answer:
    return answer
