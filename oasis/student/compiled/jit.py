"""How this room is compiled: `outer` for what Python calls, `inner` and `inlined` for what compiled functions call.

What was compiled once is kept on disk. numba looks at the file of a function alone to see whether that is still good,
though the code of what it calls is in there too; so it is kept under a digest of the whole room, and of the two modules
outside whose named tuples are compiled in.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
from numba.core.caching import FunctionCache

from oasis.rewards import paying
from oasis.student import schedules

_Function = TypeVar("_Function", bound=Callable[..., Any])

_njit: Final[Any] = numba.njit
_config: Final[Any] = numba.config
_ROOM: Final = Path(__file__).parent
_SOURCES: Final = [*sorted(_ROOM.glob("*.py")), Path(paying.__file__), Path(schedules.__file__)]
_DIGEST: Final = blake2b(b"".join(source.read_bytes() for source in _SOURCES), digest_size=8).hexdigest()
_SETTINGS: Final = {
    "CACHE_DIR": str(Path(_config.CACHE_DIR or _ROOM / "__pycache__") / f"oasis-{_DIGEST}"),
    # Loops over the few actions of a state are four times slower when they are vectorised.
    "OPT": type(_config.OPT)(1),
    "LOOP_VECTORIZE": 0,
    "SLP_VECTORIZE": 0,
}


def outer(function: _Function) -> _Function:
    """Compile a function or a generator for Python, when it is first called."""
    compiled = _compiled(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        with _numba_set(), _interrupts_kept():
            return compiled(*arguments)

    return call  # type: ignore[return-value]


def inner(function: _Function) -> _Function:
    """Compile a function that only compiled ones call and that allocates nothing.

    Without reference counts and wrappers: numba cannot prune the counts of arrays that come in a tuple, and they would
    cost more than twenty times what the learners do. `_nrt` is not a promise of numba's; a benchmark watches it.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: _Function) -> _Function:
    """As `inner`, for what every step needs: handing over all arrays of the tuples would take longer than the work."""
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def is_kept(function: Callable[..., Any]) -> bool:
    """Whether a function for Python was compiled before and is on disk, so that nobody waits for it again."""
    return any(Path(_SETTINGS["CACHE_DIR"]).glob(f"**/*.{function.__name__}-*.nbi"))


def _compiled(function: _Function, **options: bool) -> _Function:
    with _numba_set():
        compiled: Any = _njit(**options)(function)
        try:
            compiled._cache = _OnDisk(function)  # type: ignore[no-untyped-call]
        except (RuntimeError, OSError):
            _remark_on_folder("it cannot be written to")
    return compiled  # type: ignore[no-any-return]


class _OnDisk(FunctionCache):
    """What numba keeps on disk. A damaged file or a full folder costs time and a remark, and never the run."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Key by the files of the compiled functions that are closed over; numba would take a random number of each."""
        closed_over = [cell.cell_contents for cell in self._py_func.__closure__ or ()]
        files = {Path(each.py_func.__code__.co_filename) for each in closed_over if hasattr(each, "py_func")}
        return sig, codegen.magic_tuple(), blake2b(b"".join(file.read_bytes() for file in sorted(files))).digest()

    def load_overload(self, *arguments: Any) -> Any:
        """Return what was compiled before, or None if it has to be compiled now."""
        try:
            return super().load_overload(*arguments)  # type: ignore[no-untyped-call]
        except Exception as error:  # pickle raises whatever the damage makes of its instructions
            _remark(
                f"What was compiled before is damaged in {_SETTINGS['CACHE_DIR']} ({type(error).__name__}), "
                "so it is compiled again, which takes up to half a minute."
            )
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, *arguments: Any) -> None:
        """Keep what was compiled, if that is possible."""
        try:
            super().save_overload(*arguments)  # type: ignore[no-untyped-call]
        except Exception as error:  # of the folder, or of a damaged file that could not be emptied
            _remark_on_folder(getattr(error, "strerror", None) or type(error).__name__)


def _remark_on_folder(reason: str) -> None:
    _remark(
        f"What is compiled cannot be kept in {_SETTINGS['CACHE_DIR']} ({reason}), so every start compiles it again; "
        "make room there, or name another folder with NUMBA_CACHE_DIR."
    )


@cache
def _remark(sentence: str) -> None:
    """Say a sentence once, though it is true of many functions."""
    logging.getLogger(__name__).warning(sentence)


@contextmanager
def _numba_set() -> Iterator[None]:
    """Set numba as this room wants it, and then as it was."""
    before = {name: getattr(_config, name) for name in _SETTINGS}
    vars(_config).update(_SETTINGS)
    try:
        yield
    finally:
        vars(_config).update(before)


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Raise an interrupt that comes while LLVM compiles.

    LLVM hands over what it compiled through a callback, and ctypes drops what a callback raises: a Ctrl-C would be
    printed with a traceback, and numba would fail for want of what it was to be handed.
    """
    dropped = []
    before = sys.unraisablehook

    def keep(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            dropped.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = keep
    try:
        yield
    except RuntimeError:
        if not dropped:
            raise
    finally:
        sys.unraisablehook = before
    if dropped:
        raise KeyboardInterrupt
