"""The report of measures says what the report before it said, where both mean the same."""

from __future__ import annotations

from typing import Any

import pytest

from curricula import resolve
from oasis.lab.comparison.summary import compare
from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment
from oasis.lab.students.grid import variants
from oasis.lab.students.plan import Plan, checkpoints
from oasis.lab.students.reported import report
from oasis.lab.students.truth import truths
from oasis.store import Store
from oasis.student.settings import Settings

SAME = {
    "proofs": "while exploring",
    "states": "states",
    "lemma_proofs": "while exploring",
    "last_value": "believes, end",
    "value": "believes",
}
GONE = {
    "actions": "actions of practice say how a student explores; cut short says what matters of them",
    "first": "the first proof is luck; lost on purpose",
    "reliable": "a median over sampled exams; knows from is the mean, exact, with all episodes for never",
    "lemma_reliable": "likewise, lemma by lemma",
    "area": "the mean of sampled exams; missing, mean is exact and counts how long proofs are",
    "solved": "the share of sampled plays; proves is the chance itself",
    "greedy": "the length of the median of sampled plays; actions and missing are expectations",
    "last_greedy": "likewise, in the end",
    "with_proof": "more than half of the plays is luck; lost on purpose",
    "knowing": "who knows in the end is all but those who never do (never, of knows from)",
    "knowing_share": "likewise",
    "proved": "the course of exploring episodes; --csv-episodes has them",
    "steps": "likewise",
    "methods": "each statistic has one interval",
}
PLANNED = {"name", "order", "settings", "truths"}
"""Said in `plan` and `truths`."""


def planned(lemmas: str, seeds: int, episodes: int, **lists: Any) -> Plan:
    found = resolve(lemmas)
    settings = {name: lists.pop(name) for name in [*lists] if not isinstance(lists[name], list)}
    kinds = variants(Settings(episodes=episodes, **settings), lists, lemmas=len(found.lemmas))
    asked = checkpoints(episodes * len(found.lemmas))
    return Plan(found.name, found.lemmas, kinds, tuple(range(seeds)), asked)


CASES = {
    "one lemma": (("SYJ203.2", 6, 60), {"learner": ["q-learning", "sarsa", "uniform"]}),
    "course": (("thesis/41,thesis/42", 6, 20), {"learner": ["q-learning"], "order": ["fixed", "afresh"]}),
    "blind": (("SYJ203.2", 5, 30), {"learner": ["sarsa", "epsilon-soft"], "actions": "blind", "forget_errors": True}),
    "sweep": (("SYJ203.2", 6, 30), {"epsilon": ["0.05", "0.4"]}),
    "two seeds": (("SYJ203.1", 2, 10), {"learner": ["q-learning", "dyna-q"]}),
    "unfinished": (("SYJ203.1", 6, 10), {"learner": ["q-learning", "dyna-q"]}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_numbers_that_mean_the_same_are_the_same(case: str, store: Store) -> None:
    arguments, lists = CASES[case]
    plan = planned(*arguments, **lists)
    kept = Experiment.start(store, {plan.name: plan}, name=plan.name)
    for progress in kept.run(Serial()):
        if case == "unfinished" and progress.done == kept.total - 1:
            break
    cut = kept.so_far()
    plan = cut.plans[plan.name]
    known = truths(plan)
    old = compare(plan, cut.side_by_side(plan.name), known).to_json()
    new = report(plan, cut.trials(plan.name), known).to_json()
    for summary in old["variants"]:
        assert set(summary) == {*SAME, *GONE, *PLANNED}
        name = summary["name"]
        for was, measure in SAME.items():
            before = summary[was]
            if was == "value":
                after = new["curves"][measure][name]
                assert before["x"] == after["x"] and before["value"] == pytest.approx(after["value"], abs=1e-12)
            elif isinstance(before, list):
                values = [each["value"] for each in before]
                assert values == pytest.approx(new["by_lemma"][measure][name], abs=1e-12)
            else:
                assert before["value"] == pytest.approx(new["numbers"][measure][name]["value"], abs=1e-12)
        if len(plan.seeds) >= 5:  # means of fewer have no bounds now
            after = new["numbers"]["states"][name]
            assert [summary["states"][bound] for bound in ("low", "high")] == pytest.approx(
                [after["low"], after["high"]], abs=1e-12
            )
