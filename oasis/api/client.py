"""A client of `oasis serve` for Python, in which calls have the arguments and the answers that a session's have.

    from oasis.api.client import Client

    with Client("http://127.0.0.1:8765") as oasis, oasis.session() as session:
        state = session.start("A -> A")
        assert session.apply(state["state_id"], ["intro", "assumption"])["proved"]

What is refused raises Refused, whose `code` programs tell apart. Nothing has to be installed besides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from oasis.api.calls import CALLS, HEADER, VERSION
from oasis.api.errors import Code, Refused
from oasis.api.session import Session
from tactics.errors import InputError

if TYPE_CHECKING:
    _Calls = Session
else:
    _Calls = object

_SECONDS: Final = 120.0
"""To wait for an answer, unless others are told."""


class Client:
    """A connection to a server, for one thread; it is made when something is asked first, and anew if it broke.

    Args:
        address: of the server, such as `http://127.0.0.1:8765`.
        token: that the server wants; empty for none.
        seconds: to wait for an answer.

    Raises InputError for what is no address.
    """

    def __init__(self, address: str, token: str = "", seconds: float = _SECONDS) -> None:
        told = urlsplit(address)
        kinds: dict[str, Callable[..., HTTPConnection]] = {"http": HTTPConnection, "https": HTTPSConnection}
        if told.scheme not in kinds or not told.hostname:
            raise InputError(f"{address!r} is no address of a server; one is http://127.0.0.1:8765.")
        self._address, self._path = address, told.path.rstrip("/")
        self._connection = kinds[told.scheme](told.hostname, told.port, timeout=seconds)
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def session(self) -> RemoteSession:
        """Begin a session, which ends with its block. Raises Refused if the server has no room."""
        return RemoteSession(self, self.send("POST", "/session")["session"])

    def batch(self, calls: Iterable[tuple[RemoteSession, str, dict[str, Any]]]) -> list[dict[str, Any]]:
        """Ask many sessions at once.

        Args:
            calls: sessions, names of calls, and their arguments; those of one session are answered in their order.

        Returns the answers in the order of the calls; one that is refused has only `error`.
        """
        told = [{"session": session.id, "call": name, "arguments": more} for session, name, more in calls]
        answers: list[dict[str, Any]] = self.send("POST", "/batch", {"calls": told})["answers"]
        return answers

    def send(self, method: str, path: str, content: Any = None, session: str = "") -> dict[str, Any]:
        """Send a request, and return the answer. Raises Refused, and InputError if no server of ours answers.

        Args:
            method: of HTTP.
            path: without the version before it.
            content: of the body, as JSON; None for none.
            session: that the header names; empty for none.
        """
        body = None if content is None else json.dumps(content)
        headers = self._headers | ({HEADER: session} if session else {})
        try:
            try:
                status, told = self._sent(method, path, body, headers)
            except ConnectionError:  # the server may have closed a connection that was not used for long
                self._connection.close()
                status, told = self._sent(method, path, body, headers)
            answer: dict[str, Any] = json.loads(told)
            refused = _refused(answer) if status >= 400 else None
        except (OSError, HTTPException, ValueError, TypeError, LookupError) as error:
            self._connection.close()
            said = str(error) or type(error).__name__
            raise InputError(f"No server of ours answers at {self._address} ({said}); start `oasis serve`.") from None
        if refused is not None:
            raise refused
        return answer

    def _sent(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, bytes]:
        self._connection.request(method, f"{self._path}{VERSION}{path}", body, headers)
        reply = self._connection.getresponse()
        return reply.status, reply.read()


class RemoteSession(_Calls):
    """A session of a server: what may be asked of `oasis.api.Session` may be asked of it.

    Attributes:
        id: its name at the server.
    """

    def __init__(self, client: Client, id: str) -> None:  # noqa: A002 - as it is sent
        self.id, self._client = id, client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.send("DELETE", "/session", session=self.id)

    if not TYPE_CHECKING:  # it knows the methods of a session, and that there are no others

        def __getattr__(self, name: str) -> Any:
            """A call, as a method."""
            if name not in CALLS:
                raise AttributeError(f"There is no call {name}; there is {', '.join(CALLS)}.")
            return partial(self._asked, name)

    def _asked(self, name: str, *arguments: Any, **named: Any) -> dict[str, Any]:
        told = signature(getattr(Session, name)).bind(None, *arguments, **named).arguments
        (answer,) = self._client.batch([(self, name, {key: told[key] for key in list(told)[1:]})])
        if answer.keys() == {"error"}:
            raise _refused(answer)
        return answer


def _refused(answer: dict[str, Any]) -> Refused:
    """What an answer raises that has only an error; a code that is not known here is `internal`."""
    told = answer["error"]
    return Refused(next((code for code in Code if code == told["code"]), Code.INTERNAL), told["message"])
