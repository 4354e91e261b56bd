"""What happens when something breaks down that a screen does beside itself: it is said, and the work goes on."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from textual.await_remove import AwaitRemove
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from tactics.errors import printable


class Enduring(Screen[None]):
    """A screen that stays when one of its workers fails.

    Attributes:
        IS_STRICT: whether a failure ends the application instead, with a traceback: where OASIS_DEBUG=1 asks for it.
    """

    IS_STRICT: ClassVar[bool] = os.environ.get("OASIS_DEBUG") == "1"

    def run_worker(self, work: Any, *arguments: Any, **options: Any) -> Worker[Any]:
        """Start a worker, as Textual does."""
        options["exit_on_error"] = self.IS_STRICT
        return super().run_worker(work, *arguments, **options)

    def remove(self) -> AwaitRemove:
        """Take the screen away as Textual does, its workers first: they would look for parts that have gone."""
        self.workers.cancel_node(self)
        return super().remove()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what has failed."""
        error = event.worker.error
        if event.state is WorkerState.ERROR and error is not None:
            self.notify(
                f"This broke down, which is a fault of Oasis ({type(error).__name__}: {printable(str(error))[:200]}). "
                "Your work is kept and you can go on; please report it, with what OASIS_DEBUG=1 shows.",
                severity="error",
                timeout=30,
                markup=False,
            )
