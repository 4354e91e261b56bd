"""How the door for language models is reached over HTTP (Streamable HTTP, without a stream): `POST /mcp`.

Who may come in, and how slowly, is the same as for the other door over HTTP. The server remembers nobody: a request
stands by itself, and names its session as an argument.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket
from typing import Any, Final

import anyio
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp, Receive, Scope, Send

from oasis.api.errors import Code, Refused
from oasis.api.guard import MOST_BYTES, Guard
from oasis.api.http import Serving, configuration, working
from oasis.api.limits import Served
from oasis.api.mcp import server
from oasis.api.sessions import Sessions
from oasis.api.working import Workers

PATH: Final = "/mcp"


@asynccontextmanager
async def application(made: Server[Any], token: str = "") -> AsyncIterator[ASGIApp]:
    """The door, which answers as long as the context is open.

    Args:
        made: the server.
        token: that everybody has to send; empty for none.
    """
    manager = StreamableHTTPSessionManager(made, json_response=True, stateless=True, max_request_body_size=MOST_BYTES)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != PATH:
            raise Refused(Code.UNKNOWN_CALL, f"There is nothing at {scope['path'][:80]!r}; there is POST {PATH}.")
        if scope["method"] != "POST":  # GET would hold a stream open on which nothing is ever sent
            raise Refused(Code.WRONG_METHOD, f"{PATH} is asked with POST, not with {scope['method'][:80]}.")
        await manager.handle_request(scope, receive, send)

    async with manager.run():
        yield Guard(routed, token)


def serve(sock: socket, token: str = "", served: Served | None = None) -> None:
    """Answer at a socket that is bound, until the process is told to end."""

    async def answer(sessions: Sessions, workers: Workers) -> None:
        async with application(server(sessions=sessions, workers=workers), token) as app:
            await Serving(configuration(app), workers).serve([sock])

    with working(served or Served()) as found:
        anyio.run(answer, *found)
