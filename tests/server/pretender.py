"""What stands in for the application in a tab: it speaks the protocol, does what it is typed, and starts at once.

It imports nothing of ours but what forks, so that many of them are quick to start.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def send(kind: bytes, content: bytes) -> None:
    os.write(1, kind + len(content).to_bytes(4, "big") + content)


def draw(text: str) -> None:
    send(b"D", text.encode())


def tell(**message: Any) -> None:
    send(b"M", json.dumps(message).encode())


def take(size: int) -> bytes:
    taken = b""
    while len(taken) < size:
        piece = os.read(0, size - len(taken))
        if not piece:
            sys.exit(0)
        taken += piece
    return taken


class Pretender:
    """An application that does what is typed: a word, and what it is about."""

    def __init__(self) -> None:
        self.held: list[bytes] = []
        self.is_deaf = False
        self.file = b""

    def obey(self, typed: str) -> None:
        """Do one thing."""
        word, _, what = typed.partition(" ")
        match word:
            case "eat":
                self.held.append(os.urandom(1024) * 1024 * int(what))
                draw(f"ate {what}")
            case "start":
                sleeper = f"import time; eaten = b'a' * ({what} << 20); time.sleep(600)"
                started = subprocess.Popen([sys.executable, "-S", "-c", sleeper])
                draw(f"started {started.pid}.")
            case "hang":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                self.is_deaf = True
                draw("hanging")
            case "sleep":
                draw("sleeping")
                time.sleep(600)
            case "die":
                os._exit(int(what))
            case "leave":
                tell(type="exit")
                sys.exit(0)
            case "sign":
                tell(type=f"signed_{what}")
                draw(f"signed {what}")
            case "complain":
                os.write(2, f"\x1b[2J{what}\n".encode())
                os._exit(1)
            case "boast":
                os.write(1, b"D\xff\xff\xff\xff")
            case "babble":
                os.write(1, b"hello\n")
            case "hand":
                self.file = what.encode()
                path, plain = "/somewhere/else/Zoë\r\nX-Bad: 1.csv", {"open_method": "browser", "encoding": "utf-8"}
                tell(type="deliver_file_start", key="key-1", path=path, mime_type="text/html", name=None, **plain)
            case "paint":
                while True:
                    send(b"D", bytes(60_000))
            case _:
                draw(f"typed {len(typed)} {typed[:40]}")

    def heed(self, message: dict[str, Any]) -> None:
        """Do what the server says."""
        match message["type"]:
            case "quit":
                if not self.is_deaf:
                    sys.exit(0)
            case "resize":
                draw(f"resized {message['width']} {message['height']}")
            case "deliver_chunk_request":
                piece, self.file = self.file[:4], self.file[4:]
                key = message["key"].encode()
                # As Textual encodes a tuple of two texts and bytes.
                send(b"P", b"ts13:deliver_chunks%d:%s%d:%se" % (len(key), key, len(piece), piece))


def main() -> None:
    """Answer until told to quit; with `--nursery`, in a fork for each tab."""
    if "--nursery" in sys.argv:
        sys.path.insert(0, str(Path(__file__).parents[2]))
        from oasis.ground.forks import fork_when_told

        fork_when_told()
    pretender = Pretender()
    os.write(1, b"__GANGLION__\n")
    draw(f"ready {os.environ['COLUMNS']} {os.environ['ROWS']} from {os.environ['OASIS_ADDRESS']}")
    while True:
        kind, size = take(1), int.from_bytes(take(4), "big")
        content = take(size)
        if kind == b"D":
            pretender.obey(content.decode())
        else:
            pretender.heed(json.loads(content))


if __name__ == "__main__":
    main()
