"""What is handed out as a spreadsheet computes nothing, whatever somebody has typed for a name."""

from __future__ import annotations

import csv
import io

import pytest

from oasis.classroom.spreadsheet import MARK, csv_text


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("\t=1", "'\t'=1"),
        ("＝1+1", "'＝1+1"),
        ("Ada;=1+1", "Ada;'=1+1"),
        ('Ada; "@SUM(1)"', 'Ada;\' "@SUM(1)"'),
        ("a,-2\n+3", "a,'-2\n'+3"),
        ("p -> q; ~p = 1", "p -> q; ~p = 1"),
    ],
)
def test_no_cell_begins_a_formula_whatever_sign_stands_between_columns(cell: str, written: str) -> None:
    text = csv_text(["before", "text"], [{"before": 1, "text": cell}]).removeprefix(MARK)
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == [{"before": "1", "text": written}]
