"""`oasis serve` and `oasis mcp`: the doors for programs."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import AF_INET, AF_INET6, create_server, gaierror, getaddrinfo, socket
from typing import Annotated, Final

import typer

from oasis.cli.arguments import HostOption, number_option
from oasis.cli.narration import narrate
from tactics.errors import InputError, check_installed

TOKEN: Final = "OASIS_TOKEN"
_SHORTEST: Final = 16
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

        # Whoever reads standard input cannot be interrupted otherwise, and there is nothing to be kept.
        signal.signal(signal.SIGINT, _leave)
        pipes.serve()
        return
    from oasis.api import mcp_http

    _answer(mcp_http.serve, host, port, f"Language models are answered at {{}}{mcp_http.PATH}")


def _leave(number: int, _: object) -> None:
    from oasis.backends.processes import kill_all

    kill_all()
    os._exit(0)


def _answer(serve: Callable[[socket, str], None], host: str, port: int, told: str) -> None:
    """Say where programs are answered, and answer them until Ctrl-C. Raises InputError."""
    token = _token(host)
    with listening(host, port):
        getaddrinfo(host, port)  # as `create_server` would not say that it found no such name
        sock = create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    with sock, suppress(KeyboardInterrupt):
        shown = f"[{host}]" if ":" in host else host
        narrate(f"{told.format(f'http://{shown}:{sock.getsockname()[1]}')}; Ctrl-C ends it.")
        serve(sock, token)


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


@contextmanager
def listening(host: str, port: int) -> Iterator[None]:
    """Raise InputError, with what to do, if nobody can listen at an address."""
    try:
        yield
    except OSError as error:
        advice = "choose another --port"
        if isinstance(error, gaierror) or error.errno == errno.EADDRNOTAVAIL:
            advice = "--host is an address of this machine, or 0.0.0.0 for all of them"
        raise InputError(f"Nobody can listen at {host}:{port} ({error.strerror}); {advice}.") from None
