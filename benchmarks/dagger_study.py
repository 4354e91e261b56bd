"""The tables and pictures of docs/dagger-study.md, made of what `oasis dagger study` kept: `benchmarks/records`.

`python -m benchmarks.dagger_study` prints the tables, in Markdown, and `python -m benchmarks.dagger_study FOLDER` draws
the pictures, as `scripts/pictures` does. `python -m benchmarks.dagger_study --keep FILE…` writes into the record what
databases of studies have; those of one curriculum and learner, with seeds of their own, are put together, and what is
recorded of others stays.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.markdown import table
from oasis.ground.pictures import save
from oasis.ground.statistics import difference
from oasis.lab.ablation import FEWEST
from oasis.lab.dagger_study import BINS, DaggerPlan, family
from oasis.lab.experiment import Experiment
from oasis.lab.measure import Measure, mean_of_known
from oasis.lab.pictures import side_by_side, stem
from oasis.lab.report import Report

RECORD: Final = Path(__file__).parent / "records" / "dagger-study.json"
DRAWN: Final = ("QED by then", "length", "steps, KL by gnn", "steps, policy KL", "plays to 90 %")
"""The measures of which the page has pictures."""
_CURRICULA: Final = {"propl": "PropL", "SYJ": "ILTP"}
"""What the page calls curricula, by how their names begin."""
_ORDER: Final = ("ppo", "grpo", "q-learning", "and-or-q")
_KL_BY: Final = "KL by "
_GAINS: Final = ("QED", "length", "plays to 90 %")
"""The measures whose differences the page has."""


def keep(databases: Sequence[Path]) -> None:
    """Write the record: of every trial its numbers, each the mean over the lemmas of the exam."""
    recorded, found = json.loads(RECORD.read_text(encoding="utf-8")), dict[str, dict[str, Any]]()
    for path in databases:
        experiment: Experiment[DaggerPlan] = Experiment.open(path)
        for part in experiment.finished_parts():
            plan = experiment.plans[part]
            (curriculum,) = [told for begins, told in _CURRICULA.items() if part.startswith(begins)]
            of_part = found.setdefault(f"{curriculum} by {plan.learner}", {"seeds": [], "trials": {}})
            of_part["seeds"] += plan.seeds
            for kind, trials in experiment.trials(part).items():
                of_part["trials"].setdefault(kind, []).extend(map(_kept, trials))
                of_part["plays"] = trials[0]["plays"].tolist()
        experiment.store.close()
    places = [f"{curriculum} by {learner}" for curriculum in _CURRICULA.values() for learner in _ORDER]
    recorded |= found
    ordered = {part: recorded[part] for part in places if part in recorded}
    RECORD.write_text(json.dumps(ordered, separators=(",", ":")) + "\n", encoding="utf-8")


def _kept(trial: Mapping[str, Any]) -> dict[str, Any]:
    means = {name: mean_of_known(np.asarray(each, np.float64).T) for name, each in trial.items() if _varies(name)}
    return {name: np.round(mean, 4).tolist() for name, mean in means.items()}


def _varies(name: str) -> bool:
    return name not in ("plays", "script", "bins")


def reports() -> dict[str, Report]:
    """What the record comes to, by curriculum and learner."""
    return {part: _report(stored) for part, stored in json.loads(RECORD.read_text(encoding="utf-8")).items()}


def _report(stored: Mapping[str, Any]) -> Report:
    beside = {"plays": np.array(stored["plays"]), "bins": BINS[:-1]}
    trials = {
        kind: [{**{name: np.array(mean)[..., None] for name, mean in each.items()}, **beside} for each in of_kind]
        for kind, of_kind in stored["trials"].items()
    }
    first = next(iter(trials.values()))[0]
    beliefs = [name.removeprefix(_KL_BY) for name in first if name.startswith(_KL_BY)]
    return Report(family(beliefs), trials, ["all"])


def pictures(folder: Path) -> None:
    """Draw the measures of the page into a folder, as SVG."""
    found = reports()
    for name in DRAWN:
        save(folder / f"dagger-study-{stem(name)}.svg", partial(side_by_side, found, name, len(_ORDER)))


def tables() -> Iterator[str]:
    """Every table of the page, in Markdown, in its order."""
    found = reports()
    for curriculum in _CURRICULA.values():
        yield _numbers(curriculum, found)
    yield _gains(found)


def _numbers(curriculum: str, found: Mapping[str, Report]) -> str:
    """What learners come to on a curriculum, a row for each reward."""
    rows, header = [], [""]
    for part, report in found.items():
        if part.startswith(curriculum):
            header = [curriculum, "paid by", "seeds", *(each.name for each in report.numbers)]
            learner = part.rpartition(" ")[2]
            for kind in report.names:
                cells = [each.with_bounds(report.number(each, kind)).replace(" nats", "") for each in report.numbers]
                rows.append([learner, kind, str(report.seeds), *cells])
    return table(header, rows)


def _gains(found: Mapping[str, Report]) -> str:
    """How much more learners have with R† than with `terminating`, and with S_KL than without."""
    rows = []
    for part, report in found.items():
        if len(report.names) > 1:
            outcome, without, *others = report.names
            pairs = [(without, outcome), *((other, without) for other in others)]
            measures = [each for each in report.numbers if each.name in _GAINS]
            for one, other in pairs:
                rows.append(
                    [part, f"{one} – {other}", *(_gain(report, each, one, other, len(pairs)) for each in measures)]
                )
    return table(["", "first less second", *_GAINS], rows)


def _gain(report: Report, measure: Measure, one: str, other: str, together: int) -> str:
    ours, theirs = (report.samples[measure.name][name] for name in (one, other))
    known = ~np.isnan(ours + theirs)
    if known.sum() < 2:
        return "–"
    if np.allclose(ours[known], theirs[known], rtol=0, atol=1e-3):
        return "0, with every seed"
    found = difference(ours[known], theirs[known], span=measure.most - measure.least, family=together)
    is_apart = report.seeds >= FEWEST and (found.low > 0 or found.high < 0)
    return measure.of_gains.with_bounds(found, "+") + " \\*" * bool(is_apart)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--keep", *databases]:
            keep([*map(Path, databases)])
        case [folder]:
            pictures(Path(folder))
        case _:
            print("\n\n".join(tables()))
