"""The tables and pictures of docs/balance.md, made of what `oasis policy balance --json` wrote: `benchmarks/records`.

`python -m benchmarks.balance` prints the tables, in Markdown, and `python -m benchmarks.balance FOLDER` draws the
pictures, as `scripts/pictures` does. The page says with which commands the records were made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.markdown import table
from oasis.ground.statistics import SHARE, Interval, difference
from oasis.lab.policies.balance import HELPED, POSITIONS, Row
from oasis.lab.policies.picture import over_seeds, save_plot, training
from oasis.play.controls import CHOOSING, JUDGING

RECORDS: Final = Path(__file__).parent / "records"
HELP, REWARDS = "balance", "balance-rewards"
"""The records, and the pictures, of the two dials: how much help there is, and what is paid."""
_SHORT: Final = {"propl-test-ordinary": "ordinary", "propl-test-hard": "hard", "iltp": "ILTP"}
_NOTHING: Final = "nothing learned"
"""The title of the table of the controls."""
_AT: Final = "eager"
"""The position at which networks play unless told otherwise."""
_PLAIN: Final = "start"
"""The networks that practised with no reward."""
_OUTCOME: Final = "grpo-terminating"
"""Those that were paid for the outcome alone."""


_WRITTEN: Final = {position.name for position in POSITIONS if position.is_written}


class Kept(NamedTuple):
    """A row of a record: what a picture shows, and how much more that is than at the position before."""

    row: Row
    gain: Interval | None


def rows(record: str) -> list[Kept]:
    """What one of the two records holds; it counts theorems, and has means without their bounds."""
    return [_kept(each) for each in json.loads((RECORDS / f"{record}.json").read_text(encoding="utf-8"))["rows"]]


def _kept(stored: Mapping[str, Any]) -> Kept:
    theorems = np.arange(stored["theorems"])
    numbers = {name: SHARE.of(theorems < stored[name], 0, 1) for name in ("proved", "illegal")}
    means = {name: stored[name] for name in ("moves", "calls", "trials")}
    for name, mean in {**means, "milliseconds": 1_000 * stored["seconds"]}.items():
        numbers[name] = Interval(*map(np.asarray, (np.nan if mean is None else mean, np.nan, np.nan)))
    gain = stored["gain"] and Interval(**{name: np.asarray(bound) for name, bound in stored["gain"].items()})
    return Kept(Row(stored["policy"], stored["benchmark"], stored["position"], numbers), gain)


def pictures(folder: Path) -> None:
    """Draw both dials into a folder, as SVG."""
    helped = [each.row for each in rows(HELP)]
    save_plot(folder / f"{HELP}.svg", [row for row in helped if row.policy not in CHOOSING])
    save_plot(folder / f"{REWARDS}.svg", [each.row for each in rows(REWARDS)], along_policies=True)


def tables() -> Iterator[str]:
    """Every table of the page, in Markdown, in its order."""
    helped, paid = rows(HELP), [each.row for each in rows(REWARDS)]
    learned = [each for each in helped if each.row.policy not in (*CHOOSING, *JUDGING)]
    for policy in dict.fromkeys(each.row.policy for each in learned):
        yield table(*_of_help(policy, [each.row for each in learned if each.row.policy == policy]))
    yield table(*_of_help(_NOTHING, [each.row for each in helped if each not in learned]))
    yield table(*_of_steps(learned))
    for benchmark in dict.fromkeys(row.benchmark for row in paid):
        yield table(*_of_rewards(benchmark, [row for row in paid if row.benchmark == benchmark]))


def _of_help(title: str, of_it: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the table of some policies: a row for each position of each, two columns for each benchmark."""
    benchmarks = list(dict.fromkeys(row.benchmark for row in of_it))
    writes = any(row.position in _WRITTEN for row in of_it)
    cost = f"{'illegal, ' if writes else ''}moves, calls + trials, ms"
    policies, body = dict.fromkeys(row.policy for row in of_it), []
    for position, policy in product(POSITIONS, policies):
        here = {row.benchmark: row for row in of_it if (row.position, row.policy) == (position.name, policy)}
        if here:
            name = position.name if len(policies) == 1 else f"{position.name}, {policy}"
            body.append([name, *(cell for name in benchmarks for cell in _cells(here[name]))])
    return [title, *(cell for name in benchmarks for cell in (_SHORT.get(name, name), cost))], body


def _cells(row: Row) -> tuple[str, str]:
    """What is proved, and what it costs."""
    found = {name: float(each.value) for name, each in row.numbers.items()}
    illegal = [f"{100 * found['illegal']:.0f}"] if row.position in _WRITTEN else []
    moves = "–" if np.isnan(found["moves"]) else f"{found['moves']:.1f}"
    cost = [*illegal, moves, f"{found['calls']:.0f} + {found['trials']:.0f}", f"{found['milliseconds']:.1f}"]
    return _percent(row.numbers["proved"]), ", ".join(cost)


def _percent(share: Interval, sign: str = "") -> str:
    """A share, with its bounds if they are others."""
    shown = (HELPED.headline.of_gains if sign else HELPED.headline).with_bounds(share, sign)
    return shown if share.low < share.high else shown.partition(" (")[0]


def _of_steps(helped: Sequence[Kept]) -> tuple[list[str], list[list[str]]]:
    """How much more a position proves than the one before, on the same theorems."""
    gains: dict[tuple[str, str], list[str]] = {}
    for row, gain in helped:
        if gain is not None:
            gains.setdefault((row.policy, row.position), []).append(_percent(gain, "+"))
    benchmarks = dict.fromkeys(each.row.benchmark for each in helped)
    return ["policy", "position", *(_SHORT.get(name, name) for name in benchmarks)], [
        [*names, *cells] for names, cells in gains.items()
    ]


def _of_rewards(benchmark: str, of_it: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """A row for each reward: the mean over seeds at each position, and how much more that is than with the outcome."""
    positions = [position.name for position in POSITIONS if any(row.position == position.name for row in of_it)]
    found: dict[tuple[str, str], list[Interval]] = {}
    for row in of_it:
        found.setdefault((training(row), row.position), []).append(row.numbers["proved"])
    body = []
    for name in dict.fromkeys(map(training, of_it)):
        more = _more(found[name, _AT], found[_OUTCOME, _AT]) if name not in (_PLAIN, _OUTCOME) else ""
        shares = [_percent(over_seeds(found[name, position])) for position in positions]
        body.append([name.removeprefix("grpo-").replace("dagger-", "dagger:"), *shares, more])
    return [_SHORT.get(benchmark, benchmark), *positions, f"{_AT}, more than terminating"], body


def _more(ours: Sequence[Interval], theirs: Sequence[Interval]) -> str:
    """How much more one proves than the other, seed by seed."""
    one, other = (np.array([float(share.value) for share in shares]) for shares in (ours, theirs))
    return "0.0, with every seed" if np.array_equal(one, other) else _percent(difference(one, other), "+")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        pictures(Path(sys.argv[1]))
    else:
        print("\n\n".join(tables()))
