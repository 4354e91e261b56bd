"""How the application leaves when it is told to from outside: by a signal, or because its server has ended."""

from __future__ import annotations

import os
import signal
import threading
import time
from asyncio import get_running_loop
from collections.abc import Callable
from typing import Any, Final

from textual.app import App

_TO_LEAVE: Final = 5.0
"""Seconds for an application that is told to end."""


def leave_when_told(app: App[Any], hang_up: Callable[[], None]) -> None:
    """Leave in good order when the terminal is closed or the process is told to end, with the file of the class closed.

    An application that cannot draw any more may not get so far, so it is ended after some seconds all the same.

    Args:
        app: what is left.
        hang_up: is done first if the terminal is gone, as then nothing may wait for what is drawn on it.
    """
    hung_up = getattr(signal, "SIGHUP", None)  # Windows has none

    def leave(number: int) -> None:
        if number == hung_up:
            hang_up()
        app.exit()

    def told(number: int, _: object) -> None:
        last = threading.Timer(2 * _TO_LEAVE, os._exit, (1,))
        last.daemon = True
        last.start()
        get_running_loop().call_soon_threadsafe(leave, number)

    for each in (hung_up, signal.SIGTERM):
        if each is not None:
            signal.signal(each, told)


def leave_after(server: int) -> None:
    """End this process after the one that serves it, which may have had no time to say so.

    All work is stored by then; if the application cannot leave in good order, because nobody reads what it draws, it is
    ended all the same.
    """

    def wait() -> None:
        while os.getppid() == server:
            time.sleep(1)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_TO_LEAVE)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
