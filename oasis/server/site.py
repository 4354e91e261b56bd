"""What browsers ask for: the door where the code is typed, the page with the terminal, its files, and downloads.

Who has not typed the code gets the door and its style, and nothing else.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final
from urllib.parse import parse_qs, quote

from aiohttp import web

from oasis.classroom.people.guessing import MustWait, NotAdmitted, Origin
from oasis.server.code import ClassCode
from oasis.server.limits import LARGEST_FORM, LARGEST_MESSAGE, Limits
from oasis.server.names import Names
from oasis.server.tab import Ending, Tab, side
from oasis.server.tabs import Tabs

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_PASS: Final = "oasis-pass"
"""The cookie of who may come in, by which a browser comes back to who is signed in there, until it is closed."""

_BROWSER: Final = "oasis-browser"
"""The cookie by which a browser is known again; it opens nothing."""

_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_TAB: Final = re.compile(r"[0-9a-f]{32}")

_SHUTDOWN: Final = 0.5
"""Seconds that connections get when the tabs are closed."""
_LINGERING: Final = 1.0
"""Seconds in which the rest of a refused request is read, so that its sender reads the refusal."""

_OPEN: Final = frozenset({("GET", "/"), ("HEAD", "/"), ("POST", "/"), ("GET", "/assets/page.css")})
"""What is there also for those who have not typed the code."""

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with less, a form would come from nowhere
    "Server": "Oasis",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Of every answer; the terminal gives its elements styles of their own, hence the `unsafe-inline`."""

_FORM: Final = (
    '<form method="post" action="/"><input name="code" aria-label="The code of the class" maxlength="100" '
    'autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus /> <button>Come in</button></form>'
)
_ONWARDS: Final = '<!DOCTYPE html><title>Oasis classroom</title><meta http-equiv="refresh" content="0; url=/" />'
_AGAIN: Final = '<p><a href="/">Try again</a></p>'
_HERE: Final = Path(__file__).parent


def _terminal_files() -> Path:
    """Where textual-serve has the files of its page."""
    return Path(str(files("textual_serve"))) / "static"


def _browser(request: web.Request) -> str:
    """By what a browser is known; empty if it is not."""
    token = request.cookies.get(_BROWSER, "")
    return token if _TOKEN.fullmatch(token) else ""


class Site:
    """The pages of one classroom.

    Args:
        names: those of the server.
        code: of the class.
        tabs: where a tab is opened.
        limits: what a visitor may use.
    """

    def __init__(self, names: Names, code: ClassCode, tabs: Tabs, limits: Limits) -> None:
        self._names, self._code, self._tabs, self._limits = names, code, tabs, limits
        self._page = Template((_HERE / "page.html").read_text())
        self._door = Template((_HERE / "door.html").read_text())

    def runner(self) -> web.AppRunner:
        """Return what answers requests, which unpacks nothing that strangers send."""
        return web.AppRunner(
            self.application(),
            access_log=None,
            handle_signals=False,
            keepalive_timeout=self._limits.to_ask,
            shutdown_timeout=_SHUTDOWN,
            lingering_time=_LINGERING,
            auto_decompress=False,  # else 380 kB become 400 MB, and everybody waits for it
        )

    def application(self) -> web.Application:
        """What aiohttp serves."""
        application = web.Application(middlewares=[self._guard], client_max_size=LARGEST_FORM)
        application.on_response_prepare.append(self._dress)
        application.add_routes(
            [
                web.get("/", self._show_page),
                web.post("/", self._take_code),
                web.get("/ws", self._open_tab),
                web.get("/ws/{tab}", self._open_tab),
                web.get("/download/{key}", self._send_file),
                web.static("/static", _terminal_files()),
                web.static("/assets", _HERE / "assets"),
            ]
        )
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        self._names.check(request)
        if "Content-Encoding" in request.headers:
            raise web.HTTPUnsupportedMediaType(text="This server unpacks nothing; send it without Content-Encoding.")
        if (request.method, request.path) not in _OPEN and not self._is_admitted(request):
            raise web.HTTPForbidden(text="Type the code of the class first, on the first page.")
        response = await handler(request)
        if isinstance(response, web.FileResponse):
            # Without it the file goes past the buffer of the connection, which shows who does not read.
            response.enable_compression()
        return response

    async def _dress(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(_HEADERS)
        if not self._is_admitted(request):
            response.force_close()  # else strangers could ask a thousand times at once on every connection
            response.headers["Connection"] = "close"
        response.headers.setdefault("Cache-Control", "no-store")

    def _is_admitted(self, request: web.Request) -> bool:
        return self._code.is_known_to(request.cookies.get(_PASS, ""))

    def _session(self, request: web.Request) -> str:
        """By what a browser is known as long as it runs; empty if it is not."""
        return self._code.session_of(request.cookies.get(_PASS, ""))

    async def _show_page(self, request: web.Request) -> web.Response:
        """The terminal, or what is in its way."""
        if request.headers.get("Sec-Fetch-Site") == "cross-site" and not request.cookies:
            # A link of another site brings no cookies, which the page's own way to itself does.
            return web.Response(text=_ONWARDS, content_type="text/html")
        if not self._is_admitted(request):
            response = self._at_door("Type the code of the class, which your teacher has.")
            self._make_known(request, response)
            return response
        if not self._tabs.has_room(self._names.address(request)):
            return self._at_door(Ending.FULL.value[1], status=503, form=_AGAIN)
        size = request.query.get("fontsize", "")
        text = self._page.substitute(font_size=min(int(size), 99) if re.fullmatch("[1-9][0-9]?", size) else 16)
        response = web.Response(text=text, content_type="text/html")
        self._make_known(request, response)
        if not self._session(request):
            self._set_cookie(request, response, _PASS, self._code.fresh_pass())
        return response

    async def _take_code(self, request: web.Request) -> web.Response:
        """Let in whoever has typed the code."""
        try:
            async with asyncio.timeout(self._limits.to_ask):
                form = parse_qs((await request.read()).decode(errors="replace"), max_num_fields=10)
        except (TimeoutError, ValueError):
            raise web.HTTPBadRequest(text="That is not what the page sends.") from None
        whence = self._names.address(request), _browser(request)
        await asyncio.sleep(self._code.delay(*whence))
        try:
            given = self._code.give_pass(form.get("code", [""])[0], *whence)
        except MustWait as error:
            return self._at_door(str(error), status=429)
        except NotAdmitted as error:
            return self._at_door(str(error), status=403)
        response = web.Response(status=303, headers={"Location": "/"})
        self._set_cookie(request, response, _PASS, given)
        return response

    def _at_door(self, said: str, *, status: int = 200, form: str = _FORM) -> web.Response:
        text = self._door.substitute(said=escape(said), form=form)
        return web.Response(text=text, status=status, content_type="text/html")

    def _make_known(self, request: web.Request, response: web.Response) -> None:
        """Give a browser that has none the cookie by which it is known again."""
        if not _browser(request):
            self._set_cookie(request, response, _BROWSER, secrets.token_urlsafe(24), max_age=_YEAR)

    def _set_cookie(
        self, request: web.Request, response: web.Response, name: str, value: str, *, max_age: int | None = None
    ) -> None:
        is_secure = self._names.is_secure(request)
        response.set_cookie(name, value, max_age=max_age, httponly=True, samesite="Strict", secure=is_secure)

    async def _open_tab(self, request: web.Request) -> web.StreamResponse:
        """Start a child for a page, and stay until the page or the child has gone."""
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise web.HTTPBadRequest(text="Only the page of the classroom comes here.")
        socket = web.WebSocketResponse(
            heartbeat=15, timeout=1, max_msg_size=LARGEST_MESSAGE, compress=False, autoping=False
        )
        await socket.prepare(request)
        tab = request.match_info.get("tab", "")
        visitor = Origin(
            self._names.address(request),
            _browser(request),
            self._session(request),
            tab if _TAB.fullmatch(tab) else secrets.token_hex(16),
        )
        size = side(request.query.get("width"), 80), side(request.query.get("height"), 24)
        await self._tabs.open(Tab(visitor, socket, self._limits), size)
        return socket

    async def _send_file(self, request: web.Request) -> web.StreamResponse:
        """A file that the application has announced to a tab of this browser."""
        file = self._tabs.take_download(request.match_info["key"], _browser(request))
        if file is None:
            raise web.HTTPNotFound(text="There is no such file, or it was fetched already.")
        response = web.StreamResponse(
            headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}"}
        )
        response.content_type = file.kind
        if file.encoding:
            response.charset = file.encoding
        await response.prepare(request)
        async for piece in file.content():
            await response.write(piece)
        await response.write_eof()
        return response
