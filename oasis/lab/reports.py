"""Several reports that are shown at once: of the parts of an experiment, or of the groups of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import Any

from oasis.ground.plural import listed
from oasis.ground.table import Table
from oasis.lab.report import Report


class Reports(dict[str, Report]):
    """Reports by the names of their parts; what is alike in them stands below one another, or is said once.

    Attributes:
        of: what the parts are, such as `set`; if empty, a single part needs no name in tables.
    """

    def __init__(self, parts: Mapping[str, Report] | None = None, of: str = "") -> None:
        super().__init__(parts or {})
        self.of = of

    @property
    def is_one(self) -> bool:
        """Whether there is a single part."""
        return len(self) == 1

    def tables(self) -> Iterator[Table]:
        """Yield the tables of all reports, those of one title together."""
        return self._below(Report.tables)

    def overview(self, title: str) -> Iterator[Table]:
        """Yield all numbers in a row for each kind of each part, but for those that a sentence mentions if it has to.

        That is one table if the parts have the same measures.
        """
        return self._below(
            lambda report: [report.table(title, [each for each in report.numbers if each.warn_above == inf])]
        )

    def _below(self, tables: Callable[[Report], Iterable[Table]]) -> Iterator[Table]:
        """Yield tables of each report; those that are alike become one, with the part and its units in a column."""
        if self.is_one and not self.of:
            yield from tables(next(iter(self.values())))
            return
        found: dict[Table, list[tuple[str, tuple[str, ...]]]] = {}
        for part, report in self.items():
            for table in tables(report):
                alike = found.setdefault(table._replace(rows=()), [])
                alike += [(f"{part} ({report.units:,})", row) for row in table.rows]
        titles = [*dict.fromkeys(table.title for table in found)]
        kinds = {name for report in self.values() for name in report.names}
        for table in sorted(found, key=lambda table: titles.index(table.title)):
            rows, units = found[table], next(iter(self.values())).family.units
            cut = int(len(kinds) == 1 and {row[0] for _, row in rows} == kinds)  # a single kind needs no name
            yield table._replace(
                header=(f"{self.of or 'part'} ({units})", *table.header[cut:]),
                rows=tuple((part, *row[cut:]) for part, row in rows),
                words=table.words + 1 - cut,
            )

    def sentences(self, of: Callable[[Report], Iterable[str]] = Report.sentences) -> list[str]:
        """Return what follows, each sentence once, behind the names of its parts unless it follows from all of them."""
        said: dict[str, list[str]] = {}
        for part, report in self.items():
            for sentence in of(report):
                said.setdefault(sentence, []).append(part)
        return [text if len(parts) == len(self) else f"{listed(parts)}: {text}" for text, parts in said.items()]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form of each part."""
        return {part: report.to_json() for part, report in self.items()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all parts with the same columns, at least one; of several parts the first is the part."""
        columns = dict.fromkeys(column for report in self.values() for column in next(report.rows()))
        for part, report in self.items():
            for row in report.rows():
                yield row if self.is_one else {"part": part, **dict.fromkeys(columns, ""), **row}
