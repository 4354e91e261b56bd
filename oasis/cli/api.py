"""`oasis serve` and `oasis mcp`: the doors for programs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from socket import socket
from typing import Final

from oasis.api.limits import ForModels, ForPrograms, Served
from oasis.cli.narration import narrate
from oasis.cli.options import Given, command
from tactics.errors import check_installed

_HTTP: Final = ("httptools", "starlette", "uvicorn")


@command
def serve(*, served: Given[ForPrograms]) -> None:
    """Let programs prove over HTTP: lemmas, tactics, hints, countermodels and certificates as JSON.

    Its page /docs tells every call. With --openenv the same calls are the steps of an environment, over web sockets. At
    an address that other machines can reach everybody has to send a token, which is taken from OASIS_TOKEN; what is
    sent travels as it is, so put a server with HTTPS in front.
    """
    asked = served.made()
    check_installed("oasis serve needs", "api", *_HTTP, *["websockets"] * asked.openenv)
    if asked.openenv:
        from oasis.api.openenv import serve as answer

        _answer(answer, asked, "Trainers that speak OpenEnv are answered at {} (see /openapi.json)")
    else:
        from oasis.api.http import serve as answer

        _answer(answer, asked, "Programs are answered at {} (see /docs)")


@command
def mcp(*, served: Given[ForModels]) -> None:
    """Give a language model the calculus as tools (Model Context Protocol), over standard input and output.

    A program that speaks the protocol starts this command by itself; each start has one session. With --http it is
    reached at /mcp, by other machines only with the token in OASIS_TOKEN.
    """
    asked = served.made()
    check_installed("oasis mcp needs", "api", "mcp", *_HTTP * asked.http)
    if not asked.http:
        from oasis.api import mcp as pipes

        pipes.serve()
        return
    from oasis.api import mcp_http

    _answer(mcp_http.serve, asked, f"Language models are answered at {{}}{mcp_http.PATH}")


def _answer(serve: Callable[[socket, str, Served], None], served: Served, told: str) -> None:
    """Say where programs are answered, and answer them until Ctrl-C. Raises InputError."""
    from oasis.api.listening import bound, token_for, url

    token = token_for(served.host)
    with bound(served.host, served.port) as sock, suppress(KeyboardInterrupt):
        narrate(f"{told.format(url(served.host, sock.getsockname()[1]))}; Ctrl-C ends it.")
        serve(sock, token, served)
