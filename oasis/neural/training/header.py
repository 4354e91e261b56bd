"""What a checkpoint says of itself, and what stands for its content; read without torch."""

from __future__ import annotations

import json
from functools import partial
from hashlib import blake2b, file_digest
from math import prod
from pathlib import Path
from typing import Any, Final

from tactics.errors import InputError

NAME: Final = "oasis"
"""Under which the file says what it is."""
NETWORK: Final = "network."
"""How the names of the network's arrays begin."""
_LARGEST: Final = 2**27
"""Bytes of a header."""


def digest(path: Path) -> str:
    """What stands for the content of a file. Raises InputError for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            return file_digest(file, partial(blake2b, digest_size=16)).hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None


def header(path: Path) -> dict[str, Any]:
    """How a network was trained, and its number of `parameters`, as the file has it.

    Raises InputError for a file that cannot be read, or is no checkpoint.
    """
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            content = json.loads(file.read(min(size, _LARGEST)))
        about: dict[str, Any] = json.loads(content["__metadata__"][NAME])
        shapes = [array["shape"] for name, array in content.items() if name.startswith(NETWORK)]
        return {**about, "parameters": sum(map(prod, shapes))}
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None
    except (KeyError, RecursionError, TypeError, ValueError):
        raise InputError(f"{path} is no checkpoint as oasis policy sft writes it, or it was damaged.") from None
