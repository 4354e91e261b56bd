"""The tables and pictures of docs/balance.md, made of what `oasis policy balance --json` wrote: `benchmarks/records`.

`python -m benchmarks.balance` prints the tables, in Markdown, and `python -m benchmarks.balance FOLDER` draws the
pictures, as `scripts/pictures` does. The page says with which commands the records were made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.markdown import table
from oasis.ground.statistics import Interval, difference
from oasis.lab.measure import Trial
from oasis.lab.pictures import over_seeds
from oasis.lab.policies.balance import HELPED, POSITIONS, save_plot, training
from oasis.lab.policies.groups import Grouped
from oasis.lab.report import Report
from oasis.lab.reports import Reports
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


class Row(NamedTuple):
    """What a policy comes to on a benchmark at a position, and how much more that is than at the position before."""

    policy: str
    benchmark: str
    position: str
    numbers: Mapping[str, Interval]
    gain: Interval | None


def stored(record: str) -> list[dict[str, Any]]:
    """What one of the two records holds; it counts theorems, and has means without their bounds."""
    found: list[dict[str, Any]] = json.loads((RECORDS / f"{record}.json").read_text(encoding="utf-8"))["rows"]
    return found


def reports(kept: Iterable[Mapping[str, Any]]) -> Grouped:
    """What rows of a record come to, by policy and benchmark."""
    trials: dict[tuple[str, str], dict[str, list[Trial]]] = {}
    for each in kept:
        trials.setdefault((each["policy"], each["benchmark"]), {})[each["position"]] = [_trial(each)]
    found: Grouped = {}
    for (policy, benchmark), of_positions in trials.items():
        lemmas = [*map(str, range(len(next(iter(of_positions.values()))[0]["proved"])))]
        found.setdefault(policy, Reports())[benchmark] = Report(HELPED, of_positions, lemmas, pairs=())
    return found


def _trial(kept: Mapping[str, Any]) -> Trial:
    """Return plays with as many proofs, of which the first has the means of all; nan for what is not recorded."""
    theorems = np.arange(kept["theorems"])
    shares = {name: theorems < kept[name] for name in ("proved", "illegal", "cut")}
    told = {name: np.array(kept[name], np.float64) for name in ("moves", "calls", "trials")}
    means = {name: np.where(theorems == 0, mean, np.nan) for name, mean in told.items()}
    more = {"shortest": np.full(len(theorems), np.nan), "milliseconds": np.array([1_000 * kept["seconds"]])}
    return {**shares, **means, **more}


def rows(record: str) -> list[Row]:
    """The rows of a record."""
    kept = stored(record)
    found = reports(kept)
    return [_row(each, found[each["policy"]][each["benchmark"]]) for each in kept]


def _row(kept: Mapping[str, Any], report: Report) -> Row:
    numbers = {each.name: report.number(each, kept["position"]) for each in report.numbers}
    gain = kept["gain"] and Interval(**{name: np.asarray(bound) for name, bound in kept["gain"].items()})
    return Row(kept["policy"], kept["benchmark"], kept["position"], numbers, gain)


def pictures(folder: Path) -> None:
    """Draw both dials into a folder, as SVG."""
    helped = [each for each in stored(HELP) if each["policy"] not in CHOOSING]
    save_plot(folder / f"{HELP}.svg", reports(helped))
    save_plot(folder / f"{REWARDS}.svg", reports(stored(REWARDS)), along_policies=True)


def tables() -> Iterator[str]:
    """Every table of the page, in Markdown, in its order."""
    helped, paid = rows(HELP), rows(REWARDS)
    learned = [row for row in helped if row.policy not in (*CHOOSING, *JUDGING)]
    for policy in dict.fromkeys(row.policy for row in learned):
        yield table(*_of_help(policy, [row for row in learned if row.policy == policy]))
    yield table(*_of_help(_NOTHING, [row for row in helped if row.policy in (*CHOOSING, *JUDGING)]))
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


def _of_steps(helped: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """How much more a position proves than the one before, on the same theorems."""
    gains: dict[tuple[str, str], list[str]] = {}
    for row in helped:
        if row.gain is not None:
            gains.setdefault((row.policy, row.position), []).append(_percent(row.gain, "+"))
    benchmarks = dict.fromkeys(row.benchmark for row in helped)
    return ["policy", "position", *(_SHORT.get(name, name) for name in benchmarks)], [
        [*names, *cells] for names, cells in gains.items()
    ]


def _of_rewards(benchmark: str, of_it: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """A row for each reward: the mean over seeds at each position, and how much more that is than with the outcome."""
    positions = [position.name for position in POSITIONS if any(row.position == position.name for row in of_it)]
    found: dict[tuple[str, str], list[Interval]] = {}
    for row in of_it:
        found.setdefault((training(row.policy), row.position), []).append(row.numbers["proved"])
    body = []
    for name in dict.fromkeys(training(row.policy) for row in of_it):
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
