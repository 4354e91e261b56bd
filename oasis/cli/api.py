"""`oasis serve` and `oasis mcp`: the doors for programs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from socket import socket
from typing import Annotated, Final

import typer

from oasis.cli.arguments import HostOption, number_option
from oasis.cli.narration import narrate
from tactics.errors import check_installed

_PORTS: Final = "[0, 65535]"
_HTTP: Final = ("httptools", "starlette", "uvicorn")


def serve(
    host: HostOption = "127.0.0.1",
    port: Annotated[int, number_option("The port to listen at; 0 for any that is free.", _PORTS)] = 8765,
    openenv: Annotated[
        bool, typer.Option("--openenv", help="Be an environment for trainers that speak OpenEnv.")
    ] = False,
) -> None:
    """Let programs prove over HTTP: lemmas, tactics, hints, countermodels and certificates as JSON.

    Its page /docs tells every call. With --openenv the same calls are the steps of an environment, over web sockets. At
    an address that other machines can reach everybody has to send a token, which is taken from OASIS_TOKEN; what is
    sent travels as it is, so put a server with HTTPS in front.
    """
    check_installed("oasis serve needs", "api", *_HTTP, *["websockets"] * openenv)
    if openenv:
        from oasis.api.openenv import serve as answer

        _answer(answer, host, port, "Trainers that speak OpenEnv are answered at {} (see /openapi.json)")
    else:
        from oasis.api.http import serve as answer

        _answer(answer, host, port, "Programs are answered at {} (see /docs)")


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Answer over HTTP, to as many programs as come, and not over pipes.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="With --http, the address to listen at; only this machine unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, number_option("With --http, the port to listen at; 0 for any that is free.", _PORTS)] = 8766,
) -> None:
    """Give a language model the calculus as tools (Model Context Protocol), over standard input and output.

    A program that speaks the protocol starts this command by itself; each start has one session. With --http it is
    reached at /mcp, by other machines only with the token in OASIS_TOKEN.
    """
    check_installed("oasis mcp needs", "api", "mcp", *_HTTP * http)
    if not http:
        from oasis.api import mcp as pipes

        pipes.serve()
        return
    from oasis.api import mcp_http

    _answer(mcp_http.serve, host, port, f"Language models are answered at {{}}{mcp_http.PATH}")


def _answer(serve: Callable[[socket, str], None], host: str, port: int, told: str) -> None:
    """Say where programs are answered, and answer them until Ctrl-C. Raises InputError."""
    from oasis.api.listening import bound, token_for, url

    token = token_for(host)
    with bound(host, port) as sock, suppress(KeyboardInterrupt):
        narrate(f"{told.format(url(host, sock.getsockname()[1]))}; Ctrl-C ends it.")
        serve(sock, token)
