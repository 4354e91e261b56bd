"""`oasis serve` and `oasis mcp`: the doors for programs."""

from __future__ import annotations

import errno
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oasis.cli.arguments import number_option
from oasis.cli.narration import narrate
from tactics.errors import InputError, check_installed

if TYPE_CHECKING:
    from socket import socket

TOKEN: Final = "OASIS_TOKEN"
_SHORTEST: Final = 16
_PORTS: Final = "[0, 65535]"
_HTTP: Final = ("httptools", "starlette", "uvicorn")


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; only this machine unless told otherwise.")
    ] = "127.0.0.1",
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
    else:
        from oasis.api.http import serve as answer

    token = _token(host)
    with _bound(host, port) as sock:
        told = "Trainers that speak OpenEnv" if openenv else "Programs"
        see = "openapi.json" if openenv else "docs"
        narrate(f"{told} are answered at {_url(sock, host)} (see /{see}); Ctrl-C ends it.")
        with suppress(KeyboardInterrupt):
            answer(sock, token)


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

        # Whoever reads standard input cannot be interrupted otherwise, and there is nothing to be kept.
        signal.signal(signal.SIGINT, _leave)
        pipes.serve()
        return
    from oasis.api import mcp_http

    token = _token(host)
    with _bound(host, port) as sock:
        narrate(f"Language models are answered at {_url(sock, host)}{mcp_http.PATH}; Ctrl-C ends it.")
        with suppress(KeyboardInterrupt):
            mcp_http.serve(sock, token)


def _leave(number: int, _: object) -> None:
    from oasis.backends.processes import kill_all

    kill_all()
    os._exit(0)


def _token(host: str) -> str:
    """What everybody has to send, from the environment. Raises InputError where there is none and has to be."""
    from oasis.api.guard import is_loopback

    token = os.environ.get(TOKEN, "")
    if not token and not is_loopback(host):
        raise InputError(
            f"Other machines can reach {host}, so a token is needed: put {_SHORTEST} characters or more, made up at "
            f"random, into {TOKEN}, and send them as Authorization: Bearer."
        )
    if token and (len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        raise InputError(f"{TOKEN} needs {_SHORTEST} ASCII characters or more and no spaces; make it up at random.")
    return token


def _url(sock: socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{sock.getsockname()[1]}"


def _bound(host: str, port: int) -> socket:
    """A socket that listens. Raises InputError."""
    from socket import AF_INET6, create_server, gaierror, getaddrinfo

    try:
        getaddrinfo(host, port)  # as `create_server` would not say that it found no such name
        return create_server((host, port), **({"family": AF_INET6} if ":" in host else {}))  # type: ignore[arg-type]
    except OSError as error:
        is_elsewhere = isinstance(error, gaierror) or error.errno == errno.EADDRNOTAVAIL
        advice = "--host is an address of this machine" if is_elsewhere else "choose another --port"
        raise InputError(f"Nobody can listen at {host}:{port} ({error.strerror}); {advice}.") from None
