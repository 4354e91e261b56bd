"""Where a server's calls are worked out: at once if they are small, otherwise in threads, some for provers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter, to_thread

from oasis.api.calls import asks_prover, call, is_quick
from oasis.api.sessions import Held

_THREADS: Final = 4
"""Calls that are worked out at the same time, at most one of a session."""
_PROVERS: Final = 2
"""Beside them, calls that ask a prover, which may take a minute."""
_Shown = TypeVar("_Shown")


class Workers:
    """The threads of a server."""

    def __init__(self) -> None:
        self._calls, self._provers = CapacityLimiter(_THREADS), CapacityLimiter(_PROVERS)

    async def answer(self, held: Held, name: str, arguments: Any, show: Callable[[dict[str, Any]], _Shown]) -> _Shown:
        """What is made of the answer of a session to a call, once it has answered those before.

        Args:
            held: the session.
            name: of the call.
            arguments: as they came.
            show: makes of the answer what is sent; it works where the call does.
        """

        def worked_out() -> _Shown:
            return show(call(held.session, name, arguments))

        async with held.lock:
            if is_quick(held.session, name, arguments):  # a thread would take longer than the call
                return worked_out()
            return await self.run(worked_out, asks=asks_prover(name, arguments))

    async def run(self, work: Callable[[], _Shown], *, asks: bool) -> _Shown:
        """What a function gives, worked out in a thread.

        Args:
            work: the function.
            asks: whether it asks a prover.
        """
        return await to_thread.run_sync(work, limiter=self._provers if asks else self._calls)
