"""The tables and pictures of docs/balance.md, made of what `oasis policy balance --json` wrote: `benchmarks/records`.

`python -m benchmarks.balance` prints the tables, in Markdown, and `python -m benchmarks.balance FOLDER` draws the
pictures, as `scripts/pictures` does. The page says with which commands the records were made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.markdown import table
from oasis.lab.comparison.tables import percent, points
from oasis.lab.plots.balance import save_plot
from oasis.lab.policy_balance import POSITIONS, Row, over_seeds
from oasis.lab.statistics import Interval, difference

RECORDS: Final = Path(__file__).parent / "records"
HELP, REWARDS = "balance", "balance-rewards"
"""The records, and the pictures, of the two dials: how much help there is, and what is paid."""
_SHORT: Final = {"propl-test-ordinary": "ordinary", "propl-test-hard": "hard", "iltp": "ILTP"}
_AT: Final = "eager"
"""The position at which networks play unless told otherwise."""
_PLAIN: Final = "start"
"""The networks that practised with no reward."""
_OUTCOME: Final = "grpo-terminating"
"""Those that were paid for the outcome alone."""


def rows(record: str) -> list[Row]:
    """What one of the two records holds."""
    stored = json.loads((RECORDS / f"{record}.json").read_text(encoding="utf-8"))
    return [Row.from_json(each) for each in stored["rows"]]


def pictures(folder: Path) -> None:
    """Draw both dials into a folder, as SVG."""
    save_plot(folder / f"{HELP}.svg", rows(HELP))
    save_plot(folder / f"{REWARDS}.svg", rows(REWARDS), along_policies=True)


def tables() -> Iterator[str]:
    """Every table of the page, in Markdown, in its order."""
    helped, paid = rows(HELP), rows(REWARDS)
    for policy in dict.fromkeys(row.policy for row in helped):
        yield table(*_of_help(policy, [row for row in helped if row.policy == policy]))
    yield table(*_of_steps(helped))
    for benchmark in dict.fromkeys(row.benchmark for row in paid):
        yield table(*_of_rewards(benchmark, [row for row in paid if row.benchmark == benchmark]))


def _of_help(policy: str, of_it: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """One policy: a row for each position, two columns for each benchmark."""
    benchmarks = list(dict.fromkeys(row.benchmark for row in of_it))
    writes = any(row.position.is_written for row in of_it)
    told = f"{'illegal, ' if writes else ''}moves, calls + trials, ms"
    body = []
    for position in POSITIONS:
        here = {row.benchmark: row for row in of_it if row.position == position}
        if here:
            body.append([position.name, *(cell for name in benchmarks for cell in _cells(here[name]))])
    return [policy, *(cell for name in benchmarks for cell in (_SHORT.get(name, name), told))], body


def _cells(row: Row) -> tuple[str, str]:
    """What is proved, and what it costs."""
    score = row.score
    illegal = [f"{100 * float(row.illegal.value):.0f}"] if row.position.is_written else []
    moves = "–" if score.moves is None else f"{score.moves:.1f}"
    return percent(score.share), ", ".join(
        [*illegal, moves, f"{score.calls:.0f} + {score.trials:.0f}", f"{1_000 * row.seconds:.1f}"]
    )


def _of_steps(helped: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """How many points more a position proves than the one before, on the same theorems."""
    benchmarks = list(dict.fromkeys(row.benchmark for row in helped))
    body = [
        [row.policy, row.position.name, *(points(each.gain) for each in _beside(row, helped) if each.gain is not None)]
        for row in helped
        if row.gain is not None and row.benchmark == benchmarks[0]
    ]
    return ["policy", "position", *(_SHORT.get(name, name) for name in benchmarks)], body


def _beside(row: Row, others: Sequence[Row]) -> list[Row]:
    """The rows of the same policy and position on every benchmark."""
    return [each for each in others if (each.policy, each.position) == (row.policy, row.position)]


def _of_rewards(benchmark: str, of_it: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """A row for each reward: the mean over seeds at each position, and how much more that is than with the outcome."""
    positions = [position.name for position in POSITIONS if any(row.position == position for row in of_it)]
    found: dict[tuple[str, str], list[Interval]] = {}
    for row in of_it:
        found.setdefault((row.training, row.position.name), []).append(row.score.share)
    body = []
    for name in dict.fromkeys(row.training for row in of_it):
        more = _more(found[name, _AT], found[_OUTCOME, _AT]) if name not in (_PLAIN, _OUTCOME) else ""
        shares = [percent(over_seeds(found[name, position])) for position in positions]
        body.append([name.removeprefix("grpo-").replace("dagger-", "dagger:"), *shares, more])
    return [_SHORT.get(benchmark, benchmark), *positions, f"{_AT}, more than terminating"], body


def _more(ours: Sequence[Interval], theirs: Sequence[Interval]) -> str:
    """How much more one proves than the other, seed by seed."""
    one, other = (np.array([float(share.value) for share in shares]) for shares in (ours, theirs))
    return "0.0, with every seed" if np.array_equal(one, other) else points(difference(one, other))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        pictures(Path(sys.argv[1]))
    else:
        print("\n\n".join(tables()))
