"""Rows as a text that spreadsheets open. What is in them is not known here."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A header and a line for each row, of these columns."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return stream.getvalue()


def _cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula gets a quotation mark in front, so it stays text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) else value
