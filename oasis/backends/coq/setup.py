"""Where Coq is, which version it is, and its compiled form of `tactics/dyckhoff.v`, made once and kept in a cache."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from oasis.backends.base import BackendError, BackendMissing, check_system

EXECUTABLES: Final = ("coqidetop.opt", "coqidetop", "rocqidetop")

_LIBRARY: Final = "dyckhoff.vo"


class Installation(NamedTuple):
    """The program that is spoken to, the command that compiles a file, and `Coq` or `Rocq` with its number."""

    executable: str
    compiler: tuple[str, ...]
    version: str


def find(executable: str | None, install: str, timeout: float) -> Installation:
    """The installation that an executable belongs to, or the first on PATH. Raises BackendMissing and BackendError."""
    check_system()
    found = next(filter(None, map(shutil.which, (executable,) if executable else EXECUTABLES)), None)
    if found is None:
        wanted = f"there is no program {executable}" if executable else f"none of {', '.join(EXECUTABLES)} is on PATH"
        raise BackendMissing(f"Coq is not installed: {wanted}. Install it: {install}")
    return Installation(found, compiler(found, install), version_of(found, install, timeout))


def compiler(executable: str, install: str) -> tuple[str, ...]:
    """The command that compiles a file: beside a program of Coq's, or else on PATH. Raises BackendMissing."""
    for place in (str(Path(executable).parent), None):
        for name, *arguments in (["coqc"], ["rocq", "compile"]):
            if found := shutil.which(name, path=place):
                return found, *arguments
    raise BackendMissing(f"Coq is not installed completely: coqc is not on PATH. Install it: {install}")


def version_of(executable: str, install: str, timeout: float) -> str:
    """`Coq` or `Rocq` and its number, as a program says. Raises BackendError."""
    said = _output([executable, "--version"], timeout).stdout
    found = re.search(r"\b(Coq|Rocq)\b.*version ([0-9][\w.+~-]*)", said)
    if found is None:
        raise BackendError(f"{executable} does not say which version of Coq it is. Install Coq again: {install}")
    return f"{found[1]} {found[2]}"


def _output(command: Sequence[str], timeout: float, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a short-lived program prints. Raises BackendError if it cannot be run or does not end."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BackendError(
            f"{' '.join(command)} did not end within {timeout:g} seconds and was killed; run it yourself to see why."
        ) from None
    except OSError as error:
        raise BackendError(f"{command[0]} cannot be run: {error.strerror}; install Coq again.") from None


def tactics_folder(installation: Installation, timeout: float) -> Path:
    """A folder with the compiled tactics: in the cache, or where nothing can be written there, a temporary one.

    Its name is made of the version, the program that compiles, and the tactics' text, so that nothing outdated is used.
    It is complete from the moment it has its name, so processes may look for it and make it at the same time.
    """
    source = files("tactics").joinpath("dyckhoff.v").read_bytes()
    program = Path(installation.compiler[0]).resolve()
    identity = f"{program}\0{program.stat().st_mtime_ns}\0".encode() + source
    version = re.sub(r"[^a-z0-9.]+", "-", installation.version.lower())
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "oasis"
    folder = root / f"{version}-{blake2b(identity, digest_size=8).hexdigest()}"
    if (folder / _LIBRARY).is_file():
        return folder
    try:
        root.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=root))
    except OSError:
        return _temporary(installation.compiler, source, timeout)
    try:
        _compile(installation.compiler, source, making, timeout)
        try:
            making.rename(folder)
        except OSError:
            # Another process made it meanwhile.
            if not (folder / _LIBRARY).is_file():
                return _temporary(installation.compiler, source, timeout)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


@cache
def _temporary(compiler: tuple[str, ...], source: bytes, timeout: float) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="oasis-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _compile(compiler, source, folder, timeout)
    return folder


def _compile(compiler: tuple[str, ...], source: bytes, folder: Path, timeout: float) -> None:
    (folder / "dyckhoff.v").write_bytes(source)
    done = _output([*compiler, "-q", "-Q", ".", "Oasis", "dyckhoff.v"], timeout, folder)
    if not (folder / _LIBRARY).is_file():
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise BackendError(f"{compiler[0]} cannot compile the tactics: {' '.join(last) or 'it does not say why'}.")
