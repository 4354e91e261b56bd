"""The door for trainers that speak OpenEnv: an environment whose actions are the calls of a session.

This is the protocol of the package `openenv-core`, whose clients come in here; its server is not used, since it takes
half a minute to import and answers every HTTP request with an environment of its own. A web socket is an environment:
`reset` begins an episode (`oasis.api.episode`), and `step` takes a call. What is asked over plain HTTP finds a new
environment each time, as the protocol has it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from socket import socket
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from oasis.api.calls import CALLS, asks_prover, dumps, loads, refusal
from oasis.api.episode import Answered, Episode
from oasis.api.errors import Code, Refused
from oasis.api.guard import BUSY, STATUS, Guard
from oasis.api.http import Serving, configuration
from oasis.api.limits import Limits, Served
from oasis.api.parameters import TEXT, Parameter, brief, read_all, schema_of, text, whole, words
from oasis.api.room import Room
from oasis.api.web_socket import WebSocketConnection
from oasis.api.working import Workers
from oasis.ground.version import version
from tactics.errors import InputError

PROTOCOL: Final = "1.0.0"
_ABOUT: Final = (
    "Proofs in Dyckhoff's contraction-free calculus for intuitionistic propositional logic: reset begins one, of the "
    "lemma that it names; a step is a call, and the one that completes the proof is paid 1."
)
_RESET: Final = (
    Parameter("lemma", TEXT, "the task, a name or a formula; empty for none", ""),
    Parameter("without", words(*CALLS), "calls that are refused, such as hint", []),
    Parameter("episode_id", text(255), "a name for the episode, which its state tells", ""),
    Parameter("seed", whole(-(2**63), 2**63 - 1), "nothing is random, so it makes no difference", 0),
)
"""What `reset` takes; null stands for what is left out."""
_OBSERVATION: Final = {
    "type": "object",
    "properties": {"answer": {"type": "string", "description": "The answer to the call, JSON as text."}},
    "required": ["answer"],
}
_STATE: Final = {
    "type": "object",
    "properties": {
        "episode_id": {"type": ["string", "null"]},
        "step_count": {"type": "integer", "minimum": 0},
        "proved": {"type": "boolean"},
    },
}


class Environment:
    """One environment: what its messages say, and what is answered.

    Args:
        limits: of each session.
        room: that the sessions of a server share; None for as much as there is.
    """

    def __init__(self, limits: Limits, room: Room | None = None) -> None:
        self._limits, self._room = limits, room
        self._episode, self._id = Episode(limits=limits, room=room), None

    def answer(self, message: Any) -> dict[str, Any]:
        """The answer to a message that a web socket has brought; an error in words for what is none."""
        kind, data = (message.get("type"), message.get("data", {})) if isinstance(message, dict) else (None, None)
        try:
            match kind:
                case "reset":
                    return {"type": "observation", "data": self.reset(data)}
                case "step":
                    return {"type": "observation", "data": self.step(data)}
                case "state":
                    return {"type": "state", "data": self.state()}
        except Refused as error:
            return _error("VALIDATION_ERROR", str(error))
        return _error("UNKNOWN_TYPE", f"A message has the type reset, step, state or close, not {brief(kind)}.")

    def reset(self, data: Any) -> dict[str, Any]:
        """Begin an episode, and give its first observation. Raises Refused."""
        given = {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data
        told = read_all(_RESET, given, self._limits)
        try:
            self._episode = Episode(told["lemma"], self._limits, told["without"], self._room)
        except InputError as error:
            raise Refused(Code.BAD_ARGUMENT, str(error)) from None
        self._id = told["episode_id"] or None
        return _observed(Answered(self._episode.begun, 0.0, False))

    def step(self, action: Any) -> dict[str, Any]:
        """Make the call that an action is, and give what is observed and paid."""
        return _observed(self._episode.act(action))

    def state(self) -> dict[str, Any]:
        """How far the episode is."""
        return {"episode_id": self._id, "step_count": self._episode.calls, "proved": self._episode.proved}


class Door:
    """The addresses of the protocol.

    Args:
        limits: of each session.
        most: web sockets open at the same time.
        seconds: after which one ends that sends nothing.
        of_client: web sockets that one address may have open; None for as many as there may be.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        most: int = Served.sessions,
        seconds: float = Served.idle,
        of_client: int | None = None,
    ) -> None:
        self._limits, self._most, self._seconds, self._of_client = limits or Limits(), most, seconds, of_client
        self._open = Counter[str]()
        self._workers, self._room = Workers(), Room(most)

    def routes(self) -> list[BaseRoute]:
        """What is answered where."""
        constants: dict[str, dict[str, Any]] = {
            "/health": {"status": "healthy"},
            "/metadata": {"name": "oasis", "description": _ABOUT, "version": version()},
            "/schema": {"action": _action_schema(self._limits), "observation": _OBSERVATION, "state": _STATE},
            "/state": Environment(self._limits).state(),
            "/openapi.json": _openapi(self._limits),
        }
        return [
            *(Route(path, partial(_constant, content)) for path, content in constants.items()),
            Route("/reset", self._posted(lambda body: Environment(self._limits).reset(body)), methods=["POST"]),
            Route("/step", self._posted(self._one_step), methods=["POST"]),
            Route("/mcp", self._posted(_no_tools), methods=["POST"]),
            WebSocketRoute("/ws", self._socket),
        ]

    def _one_step(self, body: Any) -> dict[str, Any]:
        return Environment(self._limits).step(body.get("action") if isinstance(body, dict) else body)

    def _posted(self, answer: Callable[[Any], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                body = loads(await request.body() or b"{}")
                return _json(await self._worked_out(answer, body, "action", _address(request)))
            except Refused as error:
                return _json(refusal(error), STATUS.get(error.code, 422))

        return endpoint

    async def _worked_out(
        self, answer: Callable[[Any], dict[str, Any]], message: Any, where: str, client: str
    ) -> dict[str, Any]:
        """The answer to a message, which may have an action somewhere; each client in turn. Raises Refused."""
        action = message.get(where) if isinstance(message, dict) else None
        asks = isinstance(action, dict) and asks_prover(action.get("call", ""), action.get("arguments"))
        return await self._workers.run(partial(answer, message), asks=asks, client=client)

    async def _socket(self, socket: WebSocket) -> None:
        await socket.accept()
        client = _address(socket)
        self._open[client] += 1
        try:
            for number, most in ((self._open.total(), self._most), (self._open[client], self._of_client)):
                if most is not None and number > most:
                    return await _end(socket, 1013, "CAPACITY_REACHED", f"{most} environments are open; come later.")
            await self._talk(socket, Environment(self._limits, self._room))
        except WebSocketDisconnect:
            return None
        finally:
            self._open -= Counter([client])

    async def _talk(self, socket: WebSocket, environment: Environment) -> None:
        client = str(id(environment))  # takes turns with the others, of which many may come from one address
        while True:
            try:
                async with asyncio.timeout(self._seconds):
                    received = await socket.receive()
            except TimeoutError:
                return await _end(socket, 1001, "SESSION_ERROR", f"Nothing came for {self._seconds:g} seconds.")
            if received["type"] == "websocket.disconnect":
                return None
            try:
                text = received.get("text")
                message = loads(received["bytes"] if text is None else text.encode("utf-8", "surrogatepass"))
            except Refused as error:
                answer = _error("INVALID_JSON", str(error))
            else:
                if isinstance(message, dict) and message.get("type") == "close":
                    return await socket.close()
                answer = await self._worked_out(environment.answer, message, "data", client)
            await socket.send_text(dumps(answer).decode())


def application(door: Door | None = None, token: str = "") -> ASGIApp:
    """The whole door, with a guard before it.

    Args:
        door: what is answered; with the usual limits if None.
        token: that everybody has to send, as `Authorization: Bearer TOKEN` or as the password of the address; empty for
            none.
    """
    return Guard(Starlette(routes=(door or Door()).routes(), exception_handlers={404: _nothing, 405: _nothing}), token)


def serve(sock: socket, token: str = "", served: Served | None = None) -> None:
    """Answer at a socket that is bound, until the process is told to end."""
    each = served or Served()
    door = Door(most=each.sessions, seconds=each.idle, of_client=each.per_client)
    Serving(configuration(application(door, token), WebSocketConnection, each.sessions)).run([sock])


def _address(connection: HTTPConnection) -> str:
    """Where somebody comes from; empty if that is not known."""
    return connection.client.host if connection.client else ""


def _observed(answered: Answered) -> dict[str, Any]:
    return {"observation": {"answer": answered.text}, "reward": answered.reward, "done": answered.proved}


def _error(code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "data": {"code": code, "message": message}}


async def _end(socket: WebSocket, status: int, code: str, message: str) -> None:
    """Say why a web socket ends, and end it."""
    await socket.send_text(dumps(_error(code, message)).decode())
    await socket.close(status, message)  # again, as who sends at once may meet the end before what was sent


def _no_tools(body: Any) -> dict[str, Any]:
    """The answer to whoever looks for tools here."""
    request_id = body.get("id") if isinstance(body, dict) else None
    error = {"code": -32601, "message": "Tools are not offered here; `oasis mcp` offers them."}
    return {"jsonrpc": "2.0", "id": request_id if isinstance(request_id, str | int) else None, "error": error}


async def _constant(content: dict[str, Any], request: Request) -> Response:
    return _json(content)


async def _nothing(request: Request, error: Exception) -> Response:
    message = f"There is nothing at {request.method} {request.url.path[:80]!r}; /openapi.json says what there is."
    return _json(refusal(Refused(Code.UNKNOWN_CALL, message)), 404)


def _json(content: dict[str, Any], status: int = 200) -> Response:
    headers = {name.decode(): value.decode() for name, value in BUSY} if status == STATUS[Code.BUSY] else None
    return Response(dumps(content), status, headers, "application/json")


def _action_schema(limits: Limits) -> dict[str, Any]:
    return {
        "oneOf": [
            {
                "type": "object",
                "description": each.about,
                "properties": {"call": {"const": name}, "arguments": each.schema(limits)},
                "required": ["call", "arguments"],
                "additionalProperties": False,
            }
            for name, each in CALLS.items()
        ]
    }


def _openapi(limits: Limits) -> dict[str, Any]:
    """What programs read of the addresses."""
    step = {"type": "object", "properties": {"action": {"description": "As /schema says."}}, "required": ["action"]}
    told: list[tuple[str, str, str, dict[str, Any] | None]] = [
        ("/health", "get", "Whether the server answers.", None),
        ("/metadata", "get", "What this environment is.", None),
        ("/schema", "get", "What actions, observations and the state look like.", None),
        ("/state", "get", "The state of a new environment; a web socket's own is asked there.", None),
        ("/reset", "post", "The first observation of a new environment.", schema_of(_RESET, limits)),
        ("/step", "post", "What an action does in a new environment; episodes are played at /ws.", step),
        ("/mcp", "post", "That there are no tools.", {"type": "object"}),
    ]
    answer = {"200": {"description": "The answer.", "content": {"application/json": {"schema": {"type": "object"}}}}}
    paths: dict[str, Any] = {}
    for path, method, summary, schema in told:
        body = {"requestBody": {"content": {"application/json": {"schema": schema}}}} if schema else {}
        paths[path] = {method: {"summary": summary, "responses": answer, **body}}
    return {"openapi": "3.1.0", "info": {"title": "Oasis", "version": PROTOCOL, "description": _ABOUT}, "paths": paths}
