"""Where a server listens, whether other machines reach it there, the token that these have to send, and its files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import AF_INET, AF_INET6, create_server, gaierror, getaddrinfo, socket
from typing import Final

from tactics.errors import InputError

TOKEN: Final = "OASIS_TOKEN"
_SHORTEST: Final = 16


def address(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, IPv4 also if it is written as IPv6; None for a name."""
    try:
        number = ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return (isinstance(number, IPv6Address) and number.ipv4_mapped) or number


def is_loopback(host: str) -> bool:
    """Whether nobody from another machine can come to this address."""
    number = address(host)
    return host.casefold() == "localhost" if number is None else number.is_loopback


def url(host: str, port: int) -> str:
    """What is typed to reach a server."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


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


def bound(host: str, port: int) -> socket:
    """A socket that listens. Raises InputError."""
    with listening(host, port):
        getaddrinfo(host, port)  # as `create_server` would not say that it found no such name
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)


def may_open(files: int) -> None:
    """Let this process have so many files and connections open, as far as the system allows.

    Many systems allow 1,024 or 256 at first, and more to who asks.
    """
    try:
        import resource
    except ModuleNotFoundError:  # on Windows, where nobody has to ask
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        files = min(files, most)
    if now != resource.RLIM_INFINITY and now < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))


def token_for(host: str) -> str:
    """What everybody has to send, from the environment. Raises InputError where there is none and has to be."""
    token = os.environ.get(TOKEN, "")
    if not token and not is_loopback(host):
        raise InputError(
            f"Other machines can reach {host}, so a token is needed: put {_SHORTEST} characters or more, made up at "
            f"random, into {TOKEN}, and send them as Authorization: Bearer."
        )
    if token and (len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        raise InputError(f"{TOKEN} needs {_SHORTEST} ASCII characters or more and no spaces; make it up at random.")
    return token
