"""What no answer is held to: times, speeds, joules, memory, versions, commits, dates, paths, and random names."""

import re
from collections.abc import Iterator
from typing import Any, Final

FIELDS: Final = {
    "seconds": r"(\w+_)?(milli)?seconds(_\w+)?|spent|storing|(solved within )?time( in all)?",
    "joules": r"(\w+_)?joules(_\w+)?",
    "memory": r"(\w+_)?mib",
    "version": r"version|commit|oasis",
}
"""Fields of JSON by the placeholder that stands for whatever their value is."""
TEXTS: Final = {
    "date": r"\b\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?",
    "time": r"\b\d\d:\d\d:\d\d\b",
    "seconds": r"\b(\d+\.\d+ s|[\d.]+ ms)\b",
    "joules": r"\b[\d,.]+ (J|joules?)\b",
    "memory": r"\b[\d,.]+ [KMG]i?B\b",
    "version": r"\b\d+\.\d+\.\d+(\.?(dev|rc|post)\w*)?(\+[\w.]+)?",
    "uuid": r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
}
"""Pieces of text, in the order in which they are looked for."""
PASSING: Final = re.compile(r"^(Learners are compiled .*|([\d,]+) of (?!\2 )[\d,]+ \w+( .*)?)\n", re.MULTILINE)
"""Lines about how far a command is, which come when it takes long."""
COLUMNS: Final = re.compile(r"(?<= {3})(steps/s|seconds)(?=  |$)")
"""Headers of tables below which each number is a time or a speed."""


def scrub(answer: Any, folder: str) -> Any:
    """Return an answer, JSON or text, in which a placeholder such as `<seconds>` stands for what differs each time.

    Of the folder in which the command ran no path tells. Numbers have nine digits: the last ones are those of a
    processor and of a library.
    """
    match answer:
        case {"measure": measure, "one": one, "other": other} if re.fullmatch(FIELDS["seconds"], measure):
            return {"one": one, "other": other, "measure": "<seconds>"}
        case dict():
            return {name: _field(name, value, folder) for name, value in answer.items()}
        case list():
            return [scrub(each, folder) for each in answer]
        case float():
            return float(f"{answer:.9g}")
        case str():
            answer = PASSING.sub("", answer.replace(folder, "<folder>"))
            for placeholder, piece in TEXTS.items():
                answer = re.sub(piece, f"<{placeholder}>", answer)
            answer = re.sub(r"\b\d+\.\d{9,}\b", lambda number: f"{float(number[0]):.9g}", answer)
            return "".join(_without_columns(answer))
    return answer


def _field(name: str, value: Any, folder: str) -> Any:
    for placeholder, names in FIELDS.items():
        if re.fullmatch(names, name):
            return f"<{placeholder}>"
    return scrub(value, folder)


def _without_columns(text: str) -> Iterator[str]:
    columns: list[re.Match[str]] = []
    for line in text.splitlines(keepends=True):
        columns = [*COLUMNS.finditer(line)] or (columns if line.strip() else [])
        for each in columns:
            if re.search(r"\d", line[each.start() : each.end()]):
                line = line[: each.start()] + "…".rjust(len(each[0])) + line[each.end() :]
        yield line
