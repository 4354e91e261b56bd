"""Rows as a text that spreadsheets open. What is in them is not known here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

MARK: Final = "\ufeff"
_FORMULA: Final = re.compile(r"(^|[;,\t\r\n])(?=[\s\"]*[=+\-@＝＋－＠](?!\Z))")
"""Where a spreadsheet would begin a formula, also one that takes another sign than the comma to stand between columns.

A formula is more than its sign; Excel takes wide signs for the usual ones.
"""


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A header and a line for each row, of these columns; it begins with the mark by which Excel knows UTF-8."""
    stream = io.StringIO()
    stream.write(MARK)
    writer = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return stream.getvalue()


def begins_formula(text: str) -> bool:
    """Whether a spreadsheet may compute something where it meets this text."""
    return _FORMULA.search(text) is not None


def without_mark(cell: str) -> str:
    """Return a cell as it was before `csv_text` kept it from being computed."""
    return cell[1:] if cell[:1] == "'" and begins_formula(cell[1:]) else cell


def _cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula gets a quotation mark before that, so it stays text."""
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
