"""Claims that are settled before anybody looks, and what a report answers."""

from typing import Any

import numpy as np
import pytest

from oasis.lab.measure import PERCENT, Family, Measure, share
from oasis.lab.report import Report
from oasis.lab.study import Claim, Study, answer, answers, overall, sentences, table, to_json
from tactics.errors import InputError

PROOFS = Measure("proofs", "share proved", share("proofs"), "more", tested=True, headline=True, **PERCENT)
EXACT = Measure("exact", "a number", share("exact"), "less", tested=True, needs=("exact",), lacking="nobody knows it")
MORE = Claim("b proves more", "proofs", "a", "b", margin=5)
ALIKE = Claim("a and b are alike", "proofs", alike=("a", "b"), margin=5)


def report(seeds: int = 8, noise: float = 0.01, **means: float) -> Report:
    """Report on kinds whose students differ a little from a mean."""
    trials = {
        kind: [{"proofs": np.array([mean + noise * (-1) ** (seed // place)])} for seed in range(seeds)]
        for place, (kind, mean) in enumerate(means.items(), 1)
    }
    return Report(Family("students", "episodes", (PROOFS, EXACT)), trials, ["L"])


@pytest.mark.parametrize(
    ("claim", "found", "text"),
    [
        (MORE, report(a=0.2, b=0.4), "reproduced"),
        (MORE, report(b=0.4, a=0.2), "reproduced"),
        (MORE, report(a=0.4, b=0.2), "the opposite"),
        (MORE, report(a=0.4, b=0.401), "not by more than 5.0 %"),
        (MORE, report(a=0.4, b=0.41, noise=0.2), "undecided: 289 seeds"),
        (MORE, report(a=0.4, b=0.6, seeds=3), "undecided: 6 seeds"),
        (MORE, report(a=0.4, b=0.4, noise=5), "undecided: too many seeds to ask for"),
        (ALIKE, report(a=0.4, b=0.4, noise=0), "undecided: nobody differs here, but others may"),
        (ALIKE, report(a=0.4, b=0.401), "reproduced"),
        (ALIKE, report(a=0.2, b=0.4), "the opposite"),
        (ALIKE, report(a=0.4, b=0.45), "undecided: 9 seeds"),
        (Claim("b is more", "exact", "a", "b"), report(a=0, b=0), "undecided: there is no exact, as nobody knows it"),
    ],
)  # fmt: skip
def test_a_claim_is_answered_by_the_report_s_own_intervals(claim: Claim, found: Report, text: str) -> None:
    assert answer(claim, found).text == text


def test_what_is_told_apart_by_stepping_down_alone_is_reproduced() -> None:
    trials = {kind: [{"x": np.array([mean + seed % 5]), "y": np.array([9 * mean])} for seed in range(8)]
              for kind, mean in (("a", 0.0), ("b", 1.0))}  # fmt: skip
    measures = [Measure(each, "a number", share(each), "more", tested=True, headline=each == "y") for each in "xy"]
    found = Report(Family("students", "episodes", tuple(measures)), trials, ["L"])
    gain = answer(Claim("b has more", "x", "a", "b"), found).gain
    assert gain is not None
    assert (gain.low > 0) == (found.difference(found.compared[1], ("a", "b"))[1] <= 0.05)


def test_parts_are_answered_one_by_one_and_together() -> None:
    parts = {"there": report(a=0.4, b=0.2), "legal moves": report(a=0.2, b=0.4), "other kinds": report(a=0.4, c=0.4)}
    found = answers([MORE], parts)
    ((_, of_parts),) = found
    assert [each.text for each in of_parts.values()] == ["the opposite", "reproduced"]
    assert overall(of_parts) == "only with legal moves"
    assert overall(dict(reversed(of_parts.items()))) == "reproduced"
    assert overall({"there": of_parts["there"]}) == "the opposite"
    assert table(found, parts).rows == (("b proves more", "the opposite", "reproduced", ""),)
    assert next(sentences(found, parts)).startswith("b proves more: only with legal moves, −")
    assert to_json(found)[0]["answers"]["there"]["verdict"] == "the opposite"
    assert answers([Claim("there", "proofs", "a", "b", where=("legal moves",))], parts)[0][1].keys() == {"legal moves"}


def test_a_study_is_stored_as_it_was_and_names_what_is_there() -> None:
    study = Study("proofs", (MORE, ALIKE))
    assert Study.from_json(study.to_json()) == study
    study.check(["a", "b"], ["proofs"])
    for kinds, tested, sentence in (
        (["a", "c"], ["proofs"], "A study names the kind b, which is not there; there are a and c."),
        (["a", "b"], ["proof"], "A study names the tested measure proofs, which is not there; did you mean proof?"),
    ):
        with pytest.raises(InputError, match=f"^{sentence}"):
            study.check(kinds, tested)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"says": ""}, "A claim needs says and measure"),
        ({"measure": 3}, "A claim needs says and measure"),
        ({"than": ""}, "“it” needs two kinds"),
        ({"than": "a"}, "“it” needs two kinds"),
        ({"alike": ("a", "b")}, "“it” needs two kinds"),
        ({"less": "", "than": "", "alike": ("a", "b")}, "“it” needs a margin"),
        ({"margin": "much"}, "The margin of “it” should be a number from 0 on"),
        ({"margin": -1}, "The margin of “it” should be a number from 0 on"),
        ({"much": 1}, "There is no setting much"),
    ],
)
def test_what_is_no_claim_is_refused_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    content = {"says": "it", "measure": "proofs", "less": "a", "than": "b", **changes}
    with pytest.raises(InputError, match=f"^{sentence}"):
        Study.from_json({"claims": [content]})


def test_a_study_needs_a_list_of_claims() -> None:
    with pytest.raises(InputError, match=r"^claims should be a list, each claim below a line \[\[claims\]\]\.$"):
        Study.from_json({"claims": "many"})
