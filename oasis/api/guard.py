"""What stands before the routes of a server: who may come in, how much they may send, and that errors are said in JSON.

A page of another site can make a browser come here, openly, which the browser tells in Origin, or by letting its own
name lead to this machine (DNS rebinding), which shows in Host.
"""

from __future__ import annotations

import asyncio
import re
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from hmac import compare_digest
from secrets import token_hex
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oasis.api.calls import dumps, refusal
from oasis.api.errors import Code, Refused
from oasis.api.listening import is_loopback

MOST_BYTES: Final = 1 << 20
"""Of the body of a request."""
MOST_AT_ONCE: Final = 200
"""Requests that are open at the same time, beside web sockets, which whoever lets them in counts."""
SECONDS: Final = 10.0
"""In which the whole body of a request has to come."""
STATUS: Final[dict[str, int]] = {
    Code.BAD_HTTP: 400,
    Code.BAD_JSON: 400,
    Code.FORBIDDEN: 403,
    Code.UNKNOWN_CALL: 404,
    Code.UNKNOWN_STATE: 404,
    Code.UNKNOWN_NODE: 404,
    Code.UNKNOWN_SESSION: 404,
    Code.WRONG_METHOD: 405,
    Code.NOT_PROVED: 409,
    Code.PROVED: 409,
    Code.TOO_MANY_STATES: 409,
    Code.TOO_LARGE: 413,
    Code.INTERNAL: 500,
    Code.PROVER_MISSING: 501,
    Code.PROVER_FAILED: 502,
    Code.BUSY: 503,
    Code.OUT_OF_TIME: 504,
}
"""The HTTP status of each code; 422 of the others."""
BUSY: Final = ((b"retry-after", b"1"),)
"""The headers of an answer that asks to come again later."""
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Guard:
    """An application around another, which gets only what may come in, with its whole body read.

    Args:
        app: what is guarded.
        token: what everybody has to send as `Authorization: Bearer`, except to read the documentation; empty for none,
            and then only whoever calls this machine by a name of its own comes in.
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app, self._token, self._open = app, token.encode(), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, in every case with its id in `X-Request-Id`; or let a web socket in."""
        if scope["type"] not in ("http", "websocket"):
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        is_socket = scope["type"] == "websocket"
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else token_hex(8)
        begun = False

        async def send_with_id(message: Message) -> None:
            nonlocal begun
            if message["type"].endswith("http.response.start"):
                begun = True
                message = {**message, "headers": [*message.get("headers", []), (b"x-request-id", request_id.encode())]}
            await send(message)

        self._open += not is_socket
        try:
            self._check(scope["path"], headers)
            if not is_socket:
                receive = _replayed(await self._body(headers, receive), receive)
            await self._app(scope, receive, send_with_id)
        except Refused as error:
            await _send_json(send_with_id, error, "websocket." * is_socket)
        except Exception as error:
            print(f"oasis: request {request_id} failed: {type(error).__name__}: {error!s:.200}", file=sys.stderr)
            if is_socket:
                raise
            if not begun:
                await _send_json(
                    send_with_id, Refused(Code.INTERNAL, "Something went wrong here; nothing was changed.")
                )
        finally:
            self._open -= not is_socket

    def _check(self, path: str, headers: Mapping[str, str]) -> None:
        """Raises Refused for whoever may not come in."""
        if self._open > MOST_AT_ONCE:
            raise Refused(Code.BUSY, "Too many requests are open; come again later.")
        host = headers.get("host", "")
        if "origin" in headers and (not host or headers["origin"].partition("://")[2] != host):
            raise Refused(Code.FORBIDDEN, "This page belongs to another site.")
        if not self._token:
            if not is_loopback(host.rpartition(":")[0] if re.search(r":\d*$", host) else host):
                raise Refused(Code.FORBIDDEN, "This server is known as localhost and 127.0.0.1 alone.")
        elif path not in ("/docs", "/openapi.json") and not compare_digest(
            _token(headers.get("authorization", "")), self._token
        ):
            raise Refused(Code.FORBIDDEN, "The token is missing or wrong; send it as Authorization: Bearer TOKEN.")

    async def _body(self, headers: Mapping[str, str], receive: Receive) -> bytes:
        """The whole body. Raises Refused for one that is packed, too large or too slow."""
        if "content-encoding" in headers:
            raise Refused(Code.BAD_HTTP, "This server unpacks nothing; send the body without Content-Encoding.")
        told = headers.get("content-length", "0")
        too_large = Refused(Code.TOO_LARGE, f"The body is larger than {MOST_BYTES:,} bytes.")
        if told.isascii() and told.isdigit() and int(told[:20]) > MOST_BYTES:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(SECONDS):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > MOST_BYTES:
                        raise too_large
        except TimeoutError:
            raise Refused(Code.OUT_OF_TIME, f"The body did not come within {SECONDS:g} seconds.") from None
        return bytes(body)


def _token(sent: str) -> bytes:
    """The token in an Authorization: behind Bearer, or the password of Basic, as clients send it of an address."""
    kind, _, rest = sent.partition(" ")
    if kind.casefold() != "basic":
        return (rest if kind.casefold() == "bearer" else sent).strip().encode("latin-1")
    try:
        return b64decode(rest, validate=True).partition(b":")[2]
    except ValueError:
        return b""


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Receive a body that was read already, and then what else comes."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


async def send_body(
    send: Send,
    status: int,
    content_type: bytes,
    body: bytes,
    headers: Sequence[tuple[bytes, bytes]] = (),
    instead_of: str = "",
) -> None:
    """Send a whole answer, perhaps `instead_of` a web socket."""
    told = [(b"content-type", content_type), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": f"{instead_of}http.response.start", "status": status, "headers": told})
    await send({"type": f"{instead_of}http.response.body", "body": body})


async def _send_json(send: Send, error: Refused, instead_of: str = "") -> None:
    body, headers = dumps(refusal(error)), BUSY if error.code is Code.BUSY else ()
    await send_body(send, STATUS.get(error.code, 422), b"application/json", body, headers, instead_of)
