"""The door for programs over HTTP: a route for each call, JSON in and out, and a page that says so (`/docs`).

What may be asked and what comes back is `oasis.api.calls`' concern: a body is a call's arguments, and an answer its
bytes. A session is begun with `POST /session` and named in the header `Oasis-Session`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from typing import Any, Final

import uvicorn
from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from oasis.api.calls import CALLS, Call, call, dumps, loads, refusal
from oasis.api.docs import page
from oasis.api.errors import Code, Refused
from oasis.api.guard import STATUS, Guard
from oasis.api.sessions import Sessions
from oasis.version import version

HEADER: Final = "Oasis-Session"
ROUTES: Final = {name: ("POST", f"/{name}") for name in CALLS} | {
    "apply": ("POST", "/tactic"),
    "node": ("GET", "/node/{id}"),
}
"""The method and the path of each call."""
_THREADS: Final = 4
"""Calls that are worked out at the same time, at most one of a session."""
_SESSION: Final = {
    "name": HEADER,
    "in": "header",
    "required": True,
    "schema": {"type": "string"},
    "description": "What `POST /session` has given.",
}
_ERROR: Final = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {
                    "enum": [str(code) for code in Code],
                    "description": "\n".join(f"`{c}`: {c.about}" for c in Code),
                },
                "message": {"type": "string"},
            },
        }
    },
}


def application(sessions: Sessions | None = None, token: str = "") -> ASGIApp:
    """The whole door.

    Args:
        sessions: where sessions are kept; with the usual limits if None.
        token: that everybody has to send; empty for none.
    """
    kept = sessions or Sessions()
    app = FastAPI(
        title="Oasis",
        version=version(),
        description=_about(kept),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # an answer without JSON
    )
    app.add_api_route("/docs", _page(kept), include_in_schema=False, response_class=Response)
    app.add_api_route(
        "/session",
        _opening(kept),
        methods=["POST"],
        summary="Begin a session.",
        response_class=Response,
        status_code=201,
    )
    app.add_api_route(
        "/session",
        _closing(kept),
        methods=["DELETE"],
        summary="End a session.",
        response_class=Response,
        openapi_extra={"parameters": [_SESSION]},
    )
    limiter = CapacityLimiter(_THREADS)
    for name, (method, path) in ROUTES.items():
        app.add_api_route(
            path.replace("{id}", "{id:path}"),  # whatever is sent as an id is told to be none, a slash, too
            _calling(CALLS[name], kept, limiter),
            methods=[method],
            operation_id=name,
            summary=CALLS[name].about,
            response_class=Response,
            openapi_extra=_documented(CALLS[name], method, kept),
            responses={422: {"content": {"application/json": {"schema": _ERROR}}, "description": "Any refusal."}},
        )
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(Refused, _refused)
    return Guard(app, token)


def serve(sock: socket, token: str = "", sessions: Sessions | None = None) -> None:
    """Answer at a socket that is bound, until the process is told to end."""
    prepare(sock)
    uvicorn.Server(configuration(sessions, token)).run([sock])


def prepare(sock: socket) -> None:
    """Have answers sent at once, and not only when the last packet was acknowledged, which takes 40 ms.

    asyncio does that itself for a socket that says its protocol, which one made by `create_server` does not.
    """
    sock.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


def configuration(sessions: Sessions | None = None, token: str = "") -> uvicorn.Config:
    """How the door is served: quietly, and without what it does not use."""
    return uvicorn.Config(
        application(sessions, token),
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
    )


_Endpoint = Callable[[Request], Awaitable[Response]]


def _opening(sessions: Sessions) -> _Endpoint:
    async def begin(request: Request) -> Response:
        return _answer({"session": sessions.open(), "seconds": sessions.seconds}, 201)

    return begin


def _closing(sessions: Sessions) -> _Endpoint:
    async def end(request: Request) -> Response:
        sessions.close(request.headers.get(HEADER, ""))
        return _answer({"ended": True})

    return end


def _calling(asked: Call, sessions: Sessions, limiter: CapacityLimiter) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        held = sessions.get(request.headers.get(HEADER, ""))
        arguments = dict(request.path_params) if request.method == "GET" else loads(await request.body() or b"{}")
        async with held.lock:
            content, body = await to_thread.run_sync(_worked_out, held.session, asked.name, arguments, limiter=limiter)
        return Response(body, _status(content), media_type="application/json")

    return endpoint


def _worked_out(session: Any, name: str, arguments: Any) -> tuple[dict[str, Any], bytes]:
    content = call(session, name, arguments)
    return content, dumps(content)


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return Response(dumps(content), status, media_type="application/json")


def _status(content: dict[str, Any]) -> int:
    """200 for what a session has answered, also that a tactic does not apply; another for a call that is refused."""
    return 200 if content.keys() != {"error"} else STATUS.get(content["error"]["code"], 422)


def _page(sessions: Sessions) -> _Endpoint:
    async def docs(request: Request) -> Response:
        return Response(page("Doors of Oasis", _about(sessions), ROUTES), media_type="text/html")

    return docs


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    content = refusal(error)
    return _answer(content, _status(content))


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    there = ", ".join(f"{method} {path}" for method, path in ROUTES.values())
    message = f"There is nothing at {request.method} {request.url.path[:80]!r}; there is POST /session, {there}."
    return _answer(refusal(Refused(Code.UNKNOWN_CALL, message)), status)


def _about(sessions: Sessions) -> str:
    return (
        "Proofs in Dyckhoff's contraction-free calculus for intuitionistic propositional logic. POST /session begins "
        f"a session, which is named in the header {HEADER} and ends after {sessions.seconds:g} seconds in which it is "
        "not used. A body is a JSON object, and so is an answer; a call that is refused is answered with an object "
        "`error` that has a `code` and a `message`."
    )


def _documented(asked: Call, method: str, sessions: Sessions) -> dict[str, Any]:
    schema = asked.schema(sessions.limits)
    if method == "GET":
        (parameter,) = asked.parameters
        placed = {
            "name": parameter.name,
            "in": "path",
            "required": True,
            "schema": schema["properties"][parameter.name],
        }
        return {"parameters": [_SESSION, placed]}
    return {
        "parameters": [_SESSION],
        "requestBody": {"required": True, "content": {"application/json": {"schema": json.loads(json.dumps(schema))}}},
    }
