"""By which names the server is known, and from where somebody comes: against pages of other sites, and for counting.

A page of another site can make a browser connect here in two ways: openly, which the browser tells in Origin, or by
letting its own name lead to this machine (DNS rebinding), which shows in Host. Numbers are no such names, so they are
always good, where they can be this machine's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from socket import AF_INET, SOCK_DGRAM, gethostname, socket
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from oasis.api.listening import address, is_loopback
from tactics.errors import InputError

_HOST: Final = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


def number_on_network() -> str:
    """The address, by number, at which others on its network reach this machine; empty if it is on none.

    No packet is sent: only the way is chosen, to an address that is kept for documentation (RFC 5737).
    """
    with socket(AF_INET, SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(way.getsockname()[0])


def checked_public_url(url: str) -> str:
    """The public address as a browser tells it: scheme, name and port alone. Raises InputError for another."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or not host
        or parts.username is not None
        or not _HOST.fullmatch(parts.netloc)
    ):
        raise InputError(f"--public-url is an address such as https://classroom.example, not {url!r}.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise InputError(
            f"--public-url has nothing behind the name and port: {parts.scheme}://{parts.netloc}, not {url!r}."
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}" if port in (None, usual) else f"{parts.scheme}://{name}:{port}"


class Names:
    """The names of one server.

    Args:
        host: the address that it listens at.
        public_url: the one that browsers know it by if a proxy on this machine stands in front; empty if none does.
        allowed: more names of it.

    Raises InputError for a public address or a name that will not do.
    """

    def __init__(self, host: str, public_url: str = "", allowed: Iterable[str] = ()) -> None:
        self._is_loopback = is_loopback(host)
        self.public = checked_public_url(public_url) if public_url else ""
        self._known = {"localhost", host.casefold()}
        if not self._is_loopback:
            name = gethostname().casefold()
            self._known |= {name, name.partition(".")[0], f"{name.partition('.')[0]}.local"}
        if self.public:
            self._known.add(urlsplit(self.public).hostname or "")
        for name in allowed:
            if not _HOST.fullmatch(name) or ":" in name:
                raise InputError(f"--allowed-host is a name such as classroom.example, not {name!r}.")
            self._known.add(name.casefold().rstrip("."))

    def check(self, request: web.BaseRequest) -> None:
        """Raises a response with 400 for a Host that is none, and with 403 for whoever comes by way of another site."""
        hosts = request.headers.getall("Host", [])
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            raise web.HTTPBadRequest(text="The request does not say in one Host which server it is for.")
        name = match["name"].strip("[]").rstrip(".").casefold()
        number = address(name)
        if number is None and match["name"].startswith("["):
            raise web.HTTPBadRequest(text="The Host of the request is no address.")
        is_known = name in self._known or (number is not None and (number.is_loopback or not self._is_loopback))
        if not is_known:
            raise web.HTTPForbidden(
                text=f"This server is not known as {name}; --allowed-host {name} opens the classroom under that name."
            )
        origin = request.headers.get("Origin")
        if origin is not None and (not origin or origin not in (f"http://{hosts[0]}", self.public)):
            raise web.HTTPForbidden(text="This page belongs to another site.")

    def is_secure(self, request: web.BaseRequest) -> bool:
        """Whether the browser has come over HTTPS."""
        return self.public == f"https://{request.host}"

    def is_proxy(self, peer: str) -> bool:
        """Whether a connection is the proxy's, who speaks for many."""
        return bool(self.public) and is_loopback(peer)

    def address(self, request: web.BaseRequest) -> str:
        """Where somebody comes from, as it is counted.

        What a proxy says is believed only of one on this machine, and of what it says only the last: the rest is what
        it was told. Of IPv6, where everybody has many addresses, it is the network.
        """
        peer = request.remote or ""
        if self.is_proxy(peer):
            told = request.headers.getall("X-Forwarded-For", [peer])
            peer = told[-1].rpartition(",")[2].strip()
        return counted_address(peer)


def counted_address(peer: str) -> str:
    """An address as it is counted: its network of 64 bits for IPv6, and for what is no address one for all."""
    number = address(peer)
    if number is None:
        return "unknown"
    if isinstance(number, IPv4Address):
        return str(number)
    return f"{IPv6Address(int(number) >> 64 << 64)}/64"
