"""The door for programs over HTTP: a route for each call, JSON in and out, and a page that says so (`/docs`).

What may be asked and what comes back is `oasis.api.calls`' concern: a body is a call's arguments, and an answer its
bytes. A session is begun with `POST /session` and named in the header `Oasis-Session`; `POST /batch` has many calls of
many sessions.
"""

from __future__ import annotations

import gc
import re
import sys
from asyncio import Protocol, Semaphore, gather, sleep
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from socket import socket
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from oasis.api import wire
from oasis.api.calls import BATCH, CALLS, HEADER, VERSION, dumps, loads, refusal
from oasis.api.docs import page
from oasis.api.errors import Code, Refused
from oasis.api.guard import MOST_BYTES, Guard
from oasis.api.limits import Served
from oasis.api.listening import may_open
from oasis.api.openapi import openapi
from oasis.api.routes import Answer, Request, Route, Routes, answered, constant
from oasis.api.sessions import Sessions
from oasis.api.working import SWITCH, Workers
from oasis.backends.processes import kill_all
from oasis.ground.workers import cores

ROUTES: Final = {name: ("POST", f"/{name}") for name in CALLS} | {
    "apply": ("POST", "/tactic"),
    "node": ("GET", "/node/{id}"),
}
"""The method and the path of each call."""
_IDS: Final = ("state_id", "from_id", "id")
"""What is the id of a state, or begins with one."""
_QUALIFIED: Final = re.compile(r"([A-Za-z0-9_-]{32})\.(.*)", re.DOTALL)
_GARBAGE: Final = 2_000
"""Objects made after which a server looks for those that nobody holds but each other, which takes its time."""
_IN_A_ROW: Final = 16
"""Calls of a batch that are answered at once before others have their turn."""
_TOGETHER: Final = 8
"""Sessions of a batch that are asked at the same time, each one call after the other."""
_OTHER_FILES: Final = 100
"""That a server has open beside its connections."""


class Door:
    """The routes.

    Args:
        sessions: where sessions are kept.
        token: whether everybody has to send one, which the page for programs says.
        workers: who work out the answers; threads if None.
    """

    def __init__(self, sessions: Sessions, *, token: bool = False, workers: Workers | None = None) -> None:
        self._sessions, self._workers, self._token = sessions, workers or Workers(), token

    def routes(self) -> dict[tuple[str, str], Route]:
        """What is answered where."""
        about = _about(self._sessions)
        docs = Answer(200, b"text/html; charset=utf-8", page("Doors of Oasis", about, ROUTES).encode())
        return {
            ("GET", "/docs"): constant(docs),
            ("GET", "/openapi.json"): constant(openapi(about, ROUTES, self._sessions.limits, self._token)),
            ("POST", "/session"): self._begin,
            ("DELETE", "/session"): self._end,
            ("POST", "/batch"): self._batch,
            **{route: partial(self._call, name) for name, route in ROUTES.items()},
        }

    async def _begin(self, request: Request) -> Answer:
        return answered({"session": self._sessions.open(request.client), "seconds": self._sessions.seconds}, 201)

    async def _end(self, request: Request) -> Answer:
        self._sessions.close(_named(request.session))
        return answered({"ended": True})

    async def _call(self, name: str, request: Request) -> Answer:
        told = {"id": request.rest} if name == "node" else loads(request.body or b"{}")
        session, arguments, is_in_id = _addressed(request.session, told)
        show = partial(_qualified, session) if is_in_id else answered
        return await self._workers.answer(self._sessions.get(session), name, arguments, show, request.client)

    async def _batch(self, request: Request) -> Answer:
        """Answer calls of many sessions, those of one session in their order. Raises Refused for what is no batch."""
        calls = BATCH.read("", loads(request.body or b"{}"), self._sessions.limits)["calls"]
        answers, places = [b""] * len(calls), dict[str, list[int]]()
        for place, each in enumerate(calls):
            session = each["session"]
            if session not in places and (content := self._at_once(each)) is not None:
                answers[place] = dumps(content)
            else:  # it waits for others, and so does what its session is asked behind it
                places.setdefault(session, []).append(place)
            if place % _IN_A_ROW == _IN_A_ROW - 1:
                await sleep(0)
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

    def _at_once(self, told: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to one of a batch's calls that need not wait; None for others."""
        try:
            held = self._sessions.get(told["session"])
        except Refused as error:
            return refusal(error)
        return self._workers.at_once(held, told["call"], told.get("arguments", {}))


def application(sessions: Sessions | None = None, token: str = "", workers: Workers | None = None) -> ASGIApp:
    """The whole door.

    Args:
        sessions: where sessions are kept; with the usual limits if None.
        token: that everybody has to send; empty for none.
        workers: who work out the answers; threads if None.
    """
    door = Door(sessions or Sessions(), token=bool(token), workers=workers)
    return Guard(Routes(door.routes()), token)


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
    """uvicorn's server: threads take turns sooner, garbage is looked for seldom, and connections are many.

    It waits for no prover when it ends, and leaves no process.

    Args:
        config: of uvicorn.
        workers: whose processes end with the server; after a polite kill uvicorn lets this process do nothing more.
    """

    def __init__(self, config: uvicorn.Config, workers: Workers | None = None) -> None:
        super().__init__(config)
        self._workers = workers
        sys.setswitchinterval(SWITCH)
        gc.collect()
        gc.freeze()  # nothing of what is imported by now is garbage ever
        gc.set_threshold(_GARBAGE)
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
    return answered(content | {key: f"{session}.{content[key]}" for key in _IDS if isinstance(content.get(key), str)})


def _about(sessions: Sessions) -> str:
    return (
        "Proofs in Dyckhoff's contraction-free calculus for intuitionistic propositional logic. POST /session begins "
        f"a session. It is named in the header {HEADER}, as `session` in the body, or before the id of a state, as in "
        f"`SESSION.s0`, and then also in the answer; it ends after {sessions.seconds:g} seconds in which it is not "
        f"used. POST /batch has calls of many sessions. Addresses may begin with {VERSION}. A body is a JSON object, "
        "and so is an answer; a call that is refused is answered with an object `error` that has a `code` and a "
        "`message`."
    )
