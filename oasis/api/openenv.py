"""The door for trainers that speak OpenEnv: an environment whose actions are the calls of a session.

This is the protocol of the package `openenv-core`, whose clients come in here; its server is not used, since it takes
half a minute to import and answers every HTTP request with an environment of its own. A web socket is an environment:
`reset` begins an episode (`oasis.api.episode`), and `step` takes a call. What is asked over plain HTTP finds a new
environment each time, as the protocol has it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from socket import socket
from typing import Annotated, Any, Final, TypedDict

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from oasis.api.calls import CALLS, asks_prover, dumps, loads, refusal
from oasis.api.episode import Answered, Episode
from oasis.api.errors import Code, Refused
from oasis.api.guard import Guard
from oasis.api.http import Serving, configuration
from oasis.api.kinds import Fields, Kind, Page, brief, kind_of, one_of, several, text, whole
from oasis.api.limits import Limits, Served
from oasis.api.openapi import operation, written
from oasis.api.room import Room
from oasis.api.routes import Answer, Request, Route, Routes, answered, constant
from oasis.api.web_socket import WebSocketConnection
from oasis.api.working import Workers
from oasis.ground.version import version
from tactics.errors import InputError

PROTOCOL: Final = "1.0.0"
_ABOUT: Final = (
    "Proofs in Dyckhoff's contraction-free calculus for intuitionistic propositional logic: reset begins one, of the "
    "lemma that it names; a step is a call, and the one that completes the proof is paid 1."
)


class Observation(TypedDict):
    """The answer to a call, JSON as text."""

    answer: str


class Observed(TypedDict):
    """What is observed after a call or a reset, and what it is paid."""

    observation: Observation
    reward: float
    done: bool


class State(TypedDict):
    """How far an episode is."""

    episode_id: str | None
    step_count: int
    proved: bool


class Environment:
    """One environment: what its messages say, and what is answered.

    Args:
        limits: of each session.
        room: that the sessions of a server share; None for as much as there is.
    """

    def __init__(self, limits: Limits, room: Room | None = None) -> None:
        self._limits, self._room = limits, room
        self._episode = Episode(limits=limits, room=room)
        self._id: str | None = None

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

    def reset(self, data: Any) -> Observed:
        """Begin an episode as it was asked for; null stands for what is left out. Raises Refused."""
        given = {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data
        return self.begin(**RESET.read("", given, self._limits))

    def begin(
        self,
        lemma: Annotated[str, text().for_("the task, a name or a formula; empty for none")] = "",
        without: Annotated[Sequence[str], several(one_of(*CALLS), "call").for_("calls that are refused")] = (),
        episode_id: Annotated[str, text(255).for_("a name for the episode, which its state tells")] = "",
        seed: Annotated[int, whole(-(2**63), 2**63 - 1).for_("nothing is random, so it makes no difference")] = 0,
    ) -> Observed:
        """Begin an episode, and give its first observation. Raises Refused."""
        try:
            self._episode = Episode(lemma, self._limits, without, self._room)
        except InputError as error:
            raise Refused(Code.BAD_ARGUMENT, str(error)) from None
        self._id = episode_id or None
        return _observed(Answered(self._episode.begun, 0.0, False))

    def step(self, action: Any) -> Observed:
        """Make the call that an action is, and give what is observed and paid."""
        return _observed(self._episode.act(action))

    def state(self) -> State:
        """How far the episode is."""
        return {"episode_id": self._id, "step_count": self._episode.calls, "proved": self._episode.proved}


RESET: Final = Fields.of(Environment.begin)
"""What `reset` takes."""


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

    def routes(self) -> dict[tuple[str, str], Route]:
        """What is answered where, besides the web sockets at /ws."""
        page = Page(self._limits)
        told: dict[str, dict[str, Any]] = {
            "/health": {"status": "healthy"},
            "/metadata": {"name": "oasis", "description": _ABOUT, "version": version()},
            "/schema": {
                "action": _action_schema(page),
                "observation": kind_of(Observation).schema(page),
                "state": kind_of(State).schema(page),
            },
            "/state": dict(Environment(self._limits).state()),
            "/openapi.json": _openapi(self._limits),
        }
        return {
            **{("GET", path): constant(content) for path, content in told.items()},
            ("POST", "/reset"): self._posted(lambda body: Environment(self._limits).reset(body)),
            ("POST", "/step"): self._posted(self._one_step),
            ("POST", "/mcp"): self._posted(_no_tools),
        }

    def _one_step(self, body: Any) -> Observed:
        return Environment(self._limits).step(body.get("action") if isinstance(body, dict) else body)

    def _posted(self, answer: Callable[[Any], Any]) -> Route:
        async def route(request: Request) -> Answer:
            try:
                body = loads(request.body or b"{}")
                return answered(await self._worked_out(answer, body, "action", request.client))
            except Refused as error:
                return answered(refusal(error))

        return route

    async def _worked_out(self, answer: Callable[[Any], Any], message: Any, where: str, client: str) -> Any:
        """The answer to a message, which may have an action somewhere; each client in turn. Raises Refused."""
        action = message.get(where) if isinstance(message, dict) else None
        asks = isinstance(action, dict) and asks_prover(action.get("call", ""), action.get("arguments"))
        return await self._workers.run(partial(answer, message), asks=asks, client=client)

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let an environment be played over a web socket. Raises Refused for another address than /ws."""
        if scope["path"] != "/ws":
            raise Refused(Code.UNKNOWN_CALL, f"There is nothing at {scope['path'][:80]!r}; web sockets go to /ws.")
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        client = socket.client.host if socket.client else ""
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
    made = door or Door()
    return Guard(Routes(made.routes(), made.socket), token)


def serve(sock: socket, token: str = "", served: Served | None = None) -> None:
    """Answer at a socket that is bound, until the process is told to end."""
    each = served or Served()
    door = Door(most=each.sessions, seconds=each.idle, of_client=each.per_client)
    Serving(configuration(application(door, token), WebSocketConnection, each.sessions)).run([sock])


def _observed(answered: Answered) -> Observed:
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


def _action_schema(page: Page) -> dict[str, Any]:
    return {
        "oneOf": [
            {
                "type": "object",
                "description": each.about,
                "properties": {"call": {"const": name}, "arguments": each.arguments.schema(page)},
                "required": ["call", "arguments"],
                "additionalProperties": False,
            }
            for name, each in CALLS.items()
        ]
    }


def _openapi(limits: Limits) -> dict[str, Any]:
    """What programs read of the addresses."""
    page, anything = Page(limits, {}), kind_of(dict[str, Any])
    step = {"type": "object", "properties": {"action": {"description": "As /schema says."}}, "required": ["action"]}
    told: list[tuple[str, str, str, Kind, dict[str, Any] | None]] = [
        ("/health", "get", "Whether the server answers.", anything, None),
        ("/metadata", "get", "What this environment is.", anything, None),
        ("/schema", "get", "What actions, observations and the state look like.", anything, None),
        ("/state", "get", "The state of a new environment; a web socket's own is asked there.", kind_of(State), None),
        ("/reset", "post", "The first observation of a new environment.", kind_of(Observed), RESET.schema(page)),
        ("/step", "post", "What an action does in a new one; episodes are played at /ws.", kind_of(Observed), step),
        ("/mcp", "post", "That there are no tools.", anything, {"type": "object"}),
    ]
    paths = {
        path: {method: operation(path[1:], about, answer, page, body)} for path, method, about, answer, body in told
    }
    return written(PROTOCOL, _ABOUT, paths, page)
