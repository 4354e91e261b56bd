"""Serving a classroom until somebody ends it."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import gethostname
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError

from oasis.api.listening import bound, listening, url
from oasis.classroom.admission import open_classroom
from oasis.classroom.lessons.exams import end_unless_timed
from oasis.classroom.lessons.following import FollowedLessons
from oasis.server.code import ClassCode, check_code, made_up_code
from oasis.server.crowd import Crowd
from oasis.server.folder import alone_at, own_folder
from oasis.server.lessons import follow, give_out
from oasis.server.limits import Limits
from oasis.server.names import Names, number_on_network
from oasis.server.nursery import Nursery
from oasis.server.power import keep_on_disk
from oasis.server.site import Site
from oasis.server.tabs import Tabs


class ClassroomServer:
    """Serves the classroom until it is interrupted.

    Args:
        database: the file of the class.
        arguments: of `oasis tui`, for every student, besides.
        host: the address to listen at.
        port: its port.
        lessons: what the class is to do; their files may change while it works.
        code: what has to be typed before anything is started; empty if everybody may come in, None to make one up.
        public_url: how browsers know the server, if a proxy on this machine stands in front; empty if none does.
        allowed_hosts: more names by which it is known.
        limits: what visitors may use.

    Attributes:
        code: likewise.

    Raises InputError for what cannot be.
    """

    def __init__(
        self,
        database: Path,
        arguments: Sequence[str],
        host: str,
        port: int,
        *,
        lessons: FollowedLessons | None = None,
        code: str | None = "",
        public_url: str = "",
        allowed_hosts: Iterable[str] = (),
        limits: Limits | None = None,
    ) -> None:
        self.database, self.host, self.port = database, host, port
        self._lessons = FollowedLessons(()) if lessons is None else lessons
        self.command = [sys.executable, "-m", "oasis", "tui", "--served", "--db", str(database.resolve()), *arguments]
        self._limits = limits or Limits()
        check_code(code or "")
        self._names, self.code = Names(host, public_url, allowed_hosts), code

    def serve(self) -> None:
        """Serve until Ctrl-C, a signal to end or the end of its terminal.

        Raises InputError if nobody can listen there or another server has this class, and StoreError for what is wrong
        with the file of the class, which is made if it is not there.
        """
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        logging.getLogger("aiohttp.server").addFilter(_is_of_our_making)
        with suppress(KeyboardInterrupt):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        bound(self.host, self.port).close()  # where nobody can listen no file is made
        with open_classroom(self.database) as store:  # so that what is wrong with it is not said in thirty browsers
            secret = store.secret()
        code = made_up_code(secret) if self.code is None else self.code
        with alone_at(self.database), own_folder() as folder:
            lessons = folder / "lessons"
            give_out(self._lessons, lessons, self.database)
            try:
                await self._serve_with(code, secret, lessons)
            finally:
                with open_classroom(self.database) as store:
                    end_unless_timed(store)

    async def _serve_with(self, code: str, secret: bytes, lessons: Path) -> None:
        """Serve whoever has this code, with lessons that are handed out by way of a file."""
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        numbers = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup has it
            numbers.append(signal.SIGHUP)
        for number in numbers:
            with suppress(NotImplementedError):  # on Windows, where Ctrl-C cancels this instead
                loop.add_signal_handler(number, end.set)
        nursery = Nursery([*self.command, "--handed", str(lessons)])
        tabs = Tabs(nursery, self._limits)
        runner = Site(self._names, ClassCode(code, secret), tabs, self._limits).runner()
        await runner.setup()
        assert runner.server is not None
        crowd = Crowd(runner.server, self._names, self._limits)
        try:
            with listening(self.host, self.port):
                server = await loop.create_server(crowd.door, self.host, self.port, backlog=128)
            following = follow(self._lessons, lessons, self.database)
            watching = asyncio.gather(tabs.watch(), keep_on_disk(self.database), following)
            watching.add_done_callback(
                partial(_tell_error, "Memory is no longer watched, nor the disk and the lessons.")
            )
            nursing = asyncio.create_task(nursery.keep())
            nursing.add_done_callback(partial(_tell_error, "From now on every tab imports the classroom anew."))
            try:
                self._announce(code)
                await end.wait()
            finally:
                server.close()
                watching.cancel()
                await tabs.close()
                nursing.cancel()
                await asyncio.gather(nursing, return_exceptions=True)
        finally:
            await runner.cleanup()

    def _announce(self, code: str = "") -> None:
        """Tell where it is open, and the code that is typed there."""
        if code:
            print(f"The code of the class is {code}", file=sys.stderr)
        hosts = [self.host]
        if self.host in ("0.0.0.0", "::"):
            hosts = [gethostname(), *filter(None, [number_on_network()])]  # names often lead nowhere on a network
        places = [url(host, self.port) for host in hosts]
        if self._names.public:
            places = [f"{self._names.public}, by way of {places[0]}"]
        print(
            f"The classroom of {self.database} is open at {' or '.join(places)}; Ctrl-C closes it.",
            file=sys.stderr,
            flush=True,
        )


def _tell_error(consequence: str, done: asyncio.Future[Any]) -> None:
    """Tell what an error has as its consequence; that somebody was asked to stop is none."""
    if done.cancelled():
        return
    error = done.exception()  # of what is gathered and was cancelled, it is CancelledError
    if error is not None and not isinstance(error, asyncio.CancelledError):
        logging.getLogger(__name__).error(consequence, exc_info=error)


def _is_of_our_making(record: logging.LogRecord) -> bool:
    """Whether an error is the server's own, rather than that somebody has sent what is no request."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | ConnectionError)
