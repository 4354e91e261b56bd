"""The door for programs over HTTP: a route for each call, JSON in and out, and a page that says so (`/docs`).

What may be asked and what comes back is `oasis.api.calls`' concern: a body is a call's arguments, and an answer its
bytes. A session is begun with `POST /session` and named in the header `Oasis-Session`; `POST /batch` has many calls of
many sessions. There is no framework between the server and the calls, which would cost more than they do.
"""

from __future__ import annotations

import re
import sys
from asyncio import Protocol, Semaphore, gather
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from socket import socket
from typing import Any, Final, NamedTuple

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from oasis.api import wire
from oasis.api.calls import CALLS, HEADER, VERSION, dumps, loads, refusal
from oasis.api.docs import page
from oasis.api.errors import Code, Refused
from oasis.api.guard import BUSY, MOST_BYTES, STATUS, Guard, send_body
from oasis.api.limits import Served
from oasis.api.listening import may_open
from oasis.api.openapi import openapi
from oasis.api.parameters import BATCH, read_all
from oasis.api.sessions import Sessions
from oasis.api.working import SWITCH, Workers
from oasis.backends.processes import kill_all
from oasis.ground.workers import cores

ROUTES: Final = {name: ("POST", f"/{name}") for name in CALLS} | {
    "apply": ("POST", "/tactic"),
    "node": ("GET", "/node/{id}"),
}
"""The method and the path of each call."""
_HEADER: Final = HEADER.lower().encode()
_IDS: Final = ("state_id", "from_id", "id")
"""What is the id of a state, or begins with one."""
_QUALIFIED: Final = re.compile(r"([A-Za-z0-9_-]{32})\.(.*)", re.DOTALL)
_TOGETHER: Final = 8
"""Sessions of a batch that are asked at the same time, each one call after the other."""
_OTHER_FILES: Final = 100
"""That a server has open beside its connections."""


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


_Route = Callable[[Request], Awaitable[Answer]]


class Door:
    """The routes, as an application that gets only what its guard lets in.

    Args:
        sessions: where sessions are kept.
        token: whether everybody has to send one, which the page for programs says.
        workers: who work out the answers; threads if None.
    """

    def __init__(self, sessions: Sessions, *, token: bool = False, workers: Workers | None = None) -> None:
        self._sessions, self._workers = sessions, workers or Workers()
        about = _about(sessions)
        told = Answer(200, b"application/json", dumps(openapi(about, ROUTES, sessions.limits, token)))
        docs = Answer(200, b"text/html; charset=utf-8", page("Doors of Oasis", about, ROUTES).encode())
        self._routes: dict[tuple[str, str], _Route] = {
            ("GET", "/docs"): partial(_constant, docs),
            ("GET", "/openapi.json"): partial(_constant, told),
            ("POST", "/session"): self._begin,
            ("DELETE", "/session"): self._end,
            ("POST", "/batch"): self._batch,
            **{
                (method, re.sub(r"\{\w+\}", "", path)): partial(self._call, name)
                for name, (method, path) in ROUTES.items()
            },
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose body comes in one piece. Raises Refused."""
        method, path, rest = scope["method"], scope["path"].removeprefix(VERSION), ""
        route = self._routes.get((method, path))
        if route is None:
            begin = path.find("/", 1) + 1
            if begin:
                path, rest = path[:begin], path[begin:]
                route = self._routes.get((method, path))
        if route is None:
            await send_body(send, *_nothing(method, scope["path"], sorted(m for m, p in self._routes if p == path)))
            return
        session = next((value for name, value in scope["headers"] if name == _HEADER), b"")
        body = (await receive()).get("body", b"")
        client = str((scope.get("client") or ("",))[0])
        await send_body(send, *await route(Request(session.decode("latin-1"), rest, body, client)))

    async def _begin(self, request: Request) -> Answer:
        return _answer({"session": self._sessions.open(request.client), "seconds": self._sessions.seconds}, 201)

    async def _end(self, request: Request) -> Answer:
        self._sessions.close(_named(request.session))
        return _answer({"ended": True})

    async def _call(self, name: str, request: Request) -> Answer:
        told = {"id": request.rest} if name == "node" else loads(request.body or b"{}")
        session, arguments, is_in_id = _addressed(request.session, told)
        show = partial(_qualified, session) if is_in_id else _answer
        return await self._workers.answer(self._sessions.get(session), name, arguments, show, request.client)

    async def _batch(self, request: Request) -> Answer:
        """Answer calls of many sessions, those of one session in their order. Raises Refused for what is no batch."""
        (calls,) = read_all([BATCH], loads(request.body or b"{}"), self._sessions.limits).values()
        answers, places = [b""] * len(calls), dict[str, list[int]]()
        for place, each in enumerate(calls):
            places.setdefault(each["session"], []).append(place)
        at_once = Semaphore(_TOGETHER)

        async def of_session(session: str) -> None:
            async with at_once:
                for place in places[session]:
                    name, arguments = calls[place]["call"], calls[place].get("arguments", {})
                    try:
                        held = self._sessions.get(session)
                        answers[place] = await self._workers.answer(held, name, arguments, dumps, request.client)
                    except Refused as error:
                        answers[place] = dumps(refusal(error))

        await gather(*map(of_session, places))
        return Answer(200, b"application/json", b'{"answers":[' + b",".join(answers) + b"]}")


def application(sessions: Sessions | None = None, token: str = "", workers: Workers | None = None) -> ASGIApp:
    """The whole door.

    Args:
        sessions: where sessions are kept; with the usual limits if None.
        token: that everybody has to send; empty for none.
        workers: who work out the answers; threads if None.
    """
    return Guard(Door(sessions or Sessions(), token=bool(token), workers=workers), token)


def serve(sock: socket, token: str = "", served: Served | None = None) -> None:
    """Answer at a socket that is bound, until the process is told to end."""
    with working(served or Served()) as (sessions, workers):
        Serving(configuration(application(sessions, token, workers)), workers).run([sock])


@contextmanager
def working(served: Served) -> Iterator[tuple[Sessions, Workers]]:
    """Make sessions and workers as a server has them; the processes end with the block."""
    sessions = Sessions(most=served.sessions, seconds=served.idle, of_client=served.per_client)
    workers = Workers(cores() if served.workers is None else served.workers)
    try:
        yield sessions, workers
    finally:
        workers.close()


class Serving(uvicorn.Server):
    """uvicorn's server, whose threads take turns sooner, and which may open as many connections as it is to have.

    It waits for no prover when it ends, and leaves no process.

    Args:
        config: of uvicorn.
        workers: whose processes end with the server; after a polite kill uvicorn lets this process do nothing more.
    """

    def __init__(self, config: uvicorn.Config, workers: Workers | None = None) -> None:
        super().__init__(config)
        self._workers = workers
        sys.setswitchinterval(SWITCH)
        may_open((config.limit_concurrency or 0) + _OTHER_FILES)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End what was asked of provers, then all the rest."""
        kill_all()
        await super().shutdown(sockets)
        kill_all()  # also those that had been about to begin
        if self._workers is not None:
            self._workers.close()


def configuration(app: ASGIApp, web_socket: type[Protocol] | None = None, sockets: int = 0) -> uvicorn.Config:
    """How a door is served: quietly, and without what it does not use.

    Args:
        app: the door.
        web_socket: that it speaks; None for none.
        sockets: that it may have open, beside other connections.
    """
    return uvicorn.Config(
        app,
        http=wire.Connection,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws=web_socket or "none",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        limit_concurrency=wire.MOST_CONNECTIONS + sockets + 1,  # the first that `wire` refuses
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
    )


def _named(*sessions: str) -> str:
    """The id of the session that is asked. Raises Refused if none is told, or more than one."""
    told = {each for each in sessions if each}
    if not told:
        raise Refused(Code.BAD_ARGUMENT, f"The header {HEADER} is missing; send what POST /session has given.")
    if len(told) > 1:
        raise Refused(Code.BAD_ARGUMENT, "This names more than one session; name one.")
    return told.pop()


def _addressed(named: str, arguments: Any) -> tuple[str, Any, bool]:
    """The session that is asked, the arguments without it, and whether the id of the state names it.

    Args:
        named: in the header; empty for none.
        arguments: as they came; they may have a `session`, and an id may be `SESSION.s0`.

    Raises Refused if none is told, or more than one.
    """
    if not isinstance(arguments, dict):
        return _named(named), arguments, False
    in_body, in_id = "", ""
    if isinstance(arguments.get("session"), str):
        arguments = dict(arguments)
        in_body = arguments.pop("session")
    for key in _IDS:
        if isinstance(place := arguments.get(key), str) and (found := _QUALIFIED.fullmatch(place)):
            in_id, arguments = found[1], {**arguments, key: found[2]}
    return _named(named, in_body, in_id), arguments, bool(in_id)


def _qualified(session: str, content: dict[str, Any]) -> Answer:
    """An answer to who names the session in the ids of states: so are those in it."""
    return _answer(content | {key: f"{session}.{content[key]}" for key in _IDS if isinstance(content.get(key), str)})


def _answer(content: dict[str, Any], status: int = 200) -> Answer:
    """200 for what a session has answered, also that a tactic does not apply; another for a call that is refused."""
    if content.keys() == {"error"}:
        status = STATUS.get(content["error"]["code"], 422)
    return Answer(status, b"application/json", dumps(content), BUSY if status == STATUS[Code.BUSY] else ())


async def _constant(answer: Answer, request: Request) -> Answer:
    return answer


def _nothing(method: str, path: str, methods: list[str]) -> Answer:
    """The answer for an address that there is not, or that there is with other methods alone."""
    if methods:
        allowed = ", ".join(methods)
        error = Refused(Code.WRONG_METHOD, f"{path[:80]!r} is asked with {allowed}, not with {method[:80]}.")
        return _answer(refusal(error))._replace(headers=((b"allow", allowed.encode()),))
    there = ", ".join(f"{method} {path}" for method, path in ROUTES.values())
    message = f"There is nothing at {path[:80]!r}; there is POST /session, DELETE /session, POST /batch, {there}."
    return _answer(refusal(Refused(Code.UNKNOWN_CALL, message)))


def _about(sessions: Sessions) -> str:
    return (
        "Proofs in Dyckhoff's contraction-free calculus for intuitionistic propositional logic. POST /session begins "
        f"a session. It is named in the header {HEADER}, as `session` in the body, or before the id of a state, as in "
        f"`SESSION.s0`, and then also in the answer; it ends after {sessions.seconds:g} seconds in which it is not "
        f"used. POST /batch has calls of many sessions. Addresses may begin with {VERSION}. A body is a JSON object, "
        "and so is an answer; a call that is refused is answered with an object `error` that has a `code` and a "
        "`message`."
    )
