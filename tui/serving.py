"""The classroom in browsers: one page, and for every tab a process of its own with the same application in it.

textual-serve does the work. What is added here: a page that needs nothing from outside, and no connection from pages of
other sites.
"""

from __future__ import annotations

import logging
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, gethostname, socket
from typing import Any
from urllib.parse import urlsplit

from tactics.errors import InputError, LibraryMissing, install_command

try:
    import aiohttp_jinja2
    from aiohttp import web
    from textual_serve.server import Server
except ImportError:
    raise LibraryMissing(
        f"Serving the classroom needs textual-serve, which is not installed: {install_command('web')}"
    ) from None

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether nobody from another machine can come to this address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _number() -> str:
    """By number, the address at which others on its network reach this machine; empty if it is on none.

    No packet is sent: only the way is chosen, to an address that is kept for documentation (RFC 5737).
    """
    with socket(AF_INET, SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(way.getsockname()[0])


class ClassroomServer(Server):
    """Serves the classroom until it is interrupted.

    Args:
        database: the file of the class.
        arguments: of `oasis tui`, for every student, besides.
        host: the address to listen at.
        port: its port.

    Raises InputError if the port is out of range.
    """

    def __init__(self, database: Path, arguments: Sequence[str], host: str, port: int) -> None:
        if not 0 < port < 65536:
            raise InputError(f"--port must lie between 1 and 65535, not {port}.")
        self.database = database
        command = [sys.executable, "-m", "oasis", "tui", "--served", "--db", str(database.resolve()), *arguments]
        # A shell runs it, which makes way, so that every student's process is a child of this one and sees it end.
        command_line = f"exec {shlex.join(command)}"
        super().__init__(command_line, host, port, "Oasis classroom", templates_path=Path(__file__).parent)

    async def _make_app(self) -> web.Application:
        application = await super()._make_app()
        application.middlewares.append(self._from_here_alone)
        return application

    def serve(self, debug: bool = False) -> None:
        """Serve until Ctrl-C or a signal to end. Raises OSError if nobody can listen there."""
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        web.run_app(self._make_app(), host=self.host, port=self.port, print=self._announce, access_log=None)

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing yet: nobody listens before all is ready."""

    def _announce(self, _: str) -> None:
        hosts = [self.host]
        if self.host in ("0.0.0.0", "::"):
            hosts = [gethostname(), *filter(None, [_number()])]  # names often lead nowhere on a network
        places = " or ".join(f"http://{host}:{self.port}" for host in hosts)
        print(f"The classroom of {self.database} is open at {places}; Ctrl-C closes it.", file=sys.stderr, flush=True)

    @aiohttp_jinja2.template("page.html")
    async def handle_index(self, request: web.Request) -> dict[str, Any]:
        """What the page needs to know."""
        size = request.query.get("fontsize", "16")
        return {"title": self.title, "font_size": size if size.isdecimal() else "16"}

    @web.middleware
    async def _from_here_alone(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """A page of another site may not open a terminal in the name of whoever looks at it.

        Where only this machine may come, a name of another machine that leads here is such a site, too.
        """
        origin, here = request.headers.get("Origin"), urlsplit(f"//{request.host}").hostname or ""
        is_strange = is_loopback(self.host) and not is_loopback(here)
        if is_strange or (origin is not None and urlsplit(origin).netloc != request.host):
            raise web.HTTPForbidden(text="This page belongs to another site.")
        if request.path == "/ws" and request.headers.get("Upgrade", "").lower() != "websocket":
            raise web.HTTPBadRequest(text="Only the page of the classroom comes here.")
        return await handler(request)
