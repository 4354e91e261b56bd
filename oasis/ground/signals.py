"""How processes begin, are interrupted and end: signals held back, Ctrl-C not lost. Imports nothing of ours."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from threading import Thread, Timer, current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_AGAIN: Final = 0.05
"""Seconds after which Ctrl-C comes again that was put off or dropped."""
_LONGEST: Final = 5.0
"""Seconds to wait at most for the end of something, before Ctrl-C is obeyed or the program goes on without it."""
_LLVM: Final = f"{os.sep}llvmlite{os.sep}"
"""In the path of code that hands over what LLVM owns; left in the midst, memory is freed twice."""


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let no Ctrl-C be lost in the block, nor do harm.

    It waits for imports and for LLVM, by which numba compiles, and comes again where Python drops what it raises.
    Extension modules drop it while they are imported, or fail to be imported; callbacks and finalizers drop it always.
    Where it comes between LLVM's taking a module and the note of that, the process ends with a segmentation fault.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    put_off_since: float | None = None

    def interrupted(number: int, frame: FrameType | None) -> None:
        nonlocal put_off_since
        if _is_delicate(frame):
            put_off_since = put_off_since or monotonic()
            if monotonic() - put_off_since < _LONGEST:
                _interrupt_again()
                return
        put_off_since = None
        signal.default_int_handler(number, frame)

    def dropped(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            _interrupt_again()
        else:
            before(unraisable)

    before = sys.unraisablehook
    signal.signal(signal.SIGINT, interrupted)
    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = before
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_delicate(frame: FrameType | None) -> bool:
    """Return True if a module is being imported in a frame, or LLVM is at work."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file == "<frozen importlib._bootstrap>" or _LLVM in file:
            return True
        frame = frame.f_back
    return False


def _interrupt_again() -> None:
    """Send Ctrl-C to this process in a moment; to the main thread, which may be waiting."""
    if sys.platform == "win32":
        timer = Timer(_AGAIN, signal.raise_signal, (signal.SIGINT,))
    else:
        timer = Timer(_AGAIN, signal.pthread_kill, (main_thread().ident, signal.SIGINT))
    timer.daemon = True
    timer.start()


def end_with_parent() -> None:
    """Have this process end when the one that started it has ended, however it does."""
    from multiprocessing import parent_process

    def wait() -> None:
        parent = parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def belong_to_parent() -> None:
    """Leave Ctrl-C to the process that started this one, and end when it has ended, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def end_pool(pool: ProcessPoolExecutor) -> None:
    """End a pool and its processes at once, whatever they are at, and the thread that minds them.

    If the thread were still closing its pipe when Python ends, Python could write to the closed pipe, and complain.
    """
    processes = [*(pool._processes or {}).values()]
    thread: Any = pool._executor_manager_thread
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
    if thread is not None:
        thread.join(_LONGEST)


@contextmanager
def held_back(*signals: signal.Signals) -> Iterator[None]:
    """Keep signals from this thread until the end of the block, and from processes that are started in it for good.

    Such a process gets them only when it lets them through itself. On Windows nothing can be held back.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Started on the way it would let signals through; and it wants a stderr that is a file, which Textual's is not.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def interrupts_wait(stop: Callable[[int], None], *others: int) -> Iterator[None]:
    """Let Ctrl-C ask for the end by `stop`; a second one ends the program at once.

    Args:
        stop: called with the number of the signal.
        others: signals that ask for it as well, such as SIGTERM, a polite kill.
    """

    def ask(number: int, _: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, *others)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
