"""Students of the same settings side by side: each in a run of its own, trained by processes of their own.

What they do depends on their settings and seeds alone, so it is the same as one after the other. A process that is
killed loses what its student did since the last checkpoint, and ends when the process that started it does.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep
from typing import Final

from oasis.backends.base import BackendError
from oasis.ground.signals import end_with_parent, held_back
from oasis.ground.workers import cores
from oasis.store import Store, StoreError
from oasis.student.training import Shortest, Teach, Training, nothing_to_show
from tactics.errors import InputError

_POLL_SECONDS: Final = 0.2
_STOPS: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals that end the work after the current block."""


class Cohort:
    """Runs of one store; iterating trains those that are not finished.

    Set `stop_requested` to the number of a signal, or any other true value, to end after the current blocks.

    Args:
        store: where they are.
        runs: their numbers.
        shortest: who is asked for the optimum of each lemma; a function of a module, for processes to find.
        teach: who is asked for proofs to show; likewise.
        workers: processes; one for each core if left out.
    """

    def __init__(
        self,
        store: Store,
        runs: Sequence[int],
        shortest: Shortest,
        teach: Teach = nothing_to_show,
        workers: int | None = None,
    ) -> None:
        self.store, self.runs, self._shortest, self._teach = store, tuple(runs), shortest, teach
        self._workers = workers or cores()
        self.stop_requested = 0

    @property
    def total(self) -> int:
        """The number of lemmas in all runs."""
        return sum(len(self.store.lemmas(run)) for run in self.runs)

    @property
    def done(self) -> int:
        """How many of them are finished."""
        return sum(bool(lemma["finished"]) for run in self.runs for lemma in self.store.lemmas(run))

    @property
    def finished(self) -> bool:
        """Whether all runs are."""
        return not self._left()

    def __iter__(self) -> Iterator[int]:
        """Train, and tell now and then how many lemmas are finished.

        Raises InputError if a process fails or dies.
        """
        left = self._left()
        context = multiprocessing.get_context("spawn")
        workers = min(self._workers, len(left))
        processes, failures = [], []
        with held_back(*_STOPS):
            for n in range(workers):
                failure, tell = context.Pipe(duplex=False)
                task = self.store.path, left[n::workers], self._shortest, self._teach, tell
                processes.append(context.Process(target=_train, args=task, daemon=True))
                failures.append(failure)
                processes[-1].start()
                tell.close()
        try:
            while any(process.is_alive() for process in processes):
                sleep(_POLL_SECONDS)
                yield self.done
                if self.stop_requested:
                    for process in processes:
                        process.terminate()
        finally:
            for process in processes:
                process.terminate()
                process.join()
        for failure in failures:
            with suppress(EOFError):
                raise InputError(f"{failure.recv()} The runs go on with: oasis train --resume")
        if not self.stop_requested and any(process.exitcode for process in processes):
            raise InputError("A process that trained students has died; go on with: oasis train --resume")
        yield self.done

    def _left(self) -> list[int]:
        return [run for run in self.runs if self.store.run(run)["finished"] is None]


# What follows runs in the processes.


def _train(path: Path, runs: Sequence[int], shortest: Shortest, teach: Teach, tell: Connection) -> None:
    """Train some runs one after the other, until a signal says that it is enough; say what fails."""
    end_with_parent()
    asked: list[int] = []
    training: Training | None = None

    def stop(number: int, _: object) -> None:
        asked.append(number)
        if training is not None:
            training.stop_requested = number

    for number in _STOPS:
        signal.signal(number, stop)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    try:
        with Store(path) as store:
            for run in runs:
                training = Training(store, run, shortest, lambda text: print(text, file=sys.stderr), teach)
                if asked:
                    return
                for _ in training:
                    pass
    except Exception as error:
        if os.environ.get("OASIS_DEBUG"):
            raise
        is_told = isinstance(error, (BackendError, InputError, StoreError))
        tell.send(str(error) if is_told else f"A student fails with {type(error).__name__}: {error}.")
        sys.exit(1)
