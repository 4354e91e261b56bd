"""Policies helped more and more: what each position comes to, and which a policy can have."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from curricula import resolve
from oasis.lab.plots.balance import over_policies, save_plot
from oasis.lab.policy_balance import POSITIONS, Balance, Row
from oasis.lab.statistics import mean_interval, wilson_interval
from oasis.policy import Ordered, Policy, Uniform
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.rules import legal_moves
from tests.commands import Oasis

LEMMAS = {"SYJ203": resolve("SYJ203").lemmas[:3], "textbook": resolve("textbook").lemmas[:5]}


class Scribe(Uniform):
    """Writes the first legal move as a tactic, and freely what is none; likes nothing better than anything else."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Scribe.made += 1

    def written(self, goals: Sequence[Goal], *, tactics: bool = False) -> list[Move | None]:
        return [legal_moves(goal)[0] if tactics else None for goal in goals]


def played(**policies: type[Policy]) -> Balance:
    balance = Balance(policies, LEMMAS, expansions=2_000, max_moves=200)
    assert list(balance.play()) == list(range(1, balance.total + 1))
    return balance


@pytest.fixture(scope="module")
def both() -> Balance:
    """What two seeds of one training come to, of which one writes moves and the other judges them."""
    return played(**{"half-0": Scribe, "half-1": Exact})


def test_each_position_is_what_it_says(both: Balance) -> None:
    assert both.missing == {"half-0": ["judged"], "half-1": ["free", "tactics"]}
    rows = {(row.policy, row.benchmark, row.position.name): row for row in both.rows}
    assert len(rows) == len(both.rows) == 2 * (5 + 4)
    free, tactics, searched = (rows["half-0", "SYJ203", name] for name in ("free", "tactics", "search"))
    assert (free.score.proved, free.score.illegal) == (0, 3)
    assert (tactics.score.proved, tactics.score.illegal) == (3, 0)
    assert tactics.gain is not None and float(tactics.gain.value) == 1.0
    assert free.gain is None
    for name in ("masked", "eager", "judged"):
        assert rows["half-1", "SYJ203", name].score.proved == 3
    assert rows["half-1", "SYJ203", "masked"].score.moves == rows["half-1", "SYJ203", "masked"].score.shortest == 10
    assert searched.score.proved >= 2
    assert searched.score.trials > searched.score.calls / 2
    assert all(row.outcomes.sum() == row.score.proved and row.seconds > 0 for row in both.rows)


def test_no_position_profits_from_what_another_one_asked() -> None:
    Scribe.made = 0
    balance = played(scribe=Scribe)
    assert Scribe.made == 1 + len(balance.rows)


def test_the_first_move_of_all_is_no_better_eagerly_played_than_by_order() -> None:
    balance = Balance({"first": lambda: Ordered(0)}, {"SYJ203": LEMMAS["SYJ203"]})
    list(balance.play())
    assert [row.position.name for row in balance.rows] == ["masked", "eager", "search"]
    assert np.array_equal(balance.rows[0].outcomes, np.ones(3))


def test_a_single_lemma_has_no_gains_and_what_was_not_played_to_its_end_is_left_out() -> None:
    balance = Balance({"uniform": Uniform}, {"one": LEMMAS["SYJ203"][:1]})
    plays = balance.play()
    next(plays), next(plays)
    assert [row.position.name for row in balance.rows] == ["masked"]
    list(plays)
    assert [row.gain for row in balance.rows] == [None] * 3


@pytest.mark.parametrize(
    ("policies", "lemmas", "expansions"), [({}, LEMMAS, 1), ({"a": Uniform}, {"x": ()}, 1), ({"a": Uniform}, LEMMAS, 0)]
)
def test_nothing_to_play_is_told(
    policies: dict[str, type[Policy]], lemmas: dict[str, tuple[()]], expansions: int
) -> None:
    with pytest.raises(InputError):
        Balance(policies, lemmas, expansions=expansions)


def test_a_row_comes_back_from_json_but_for_its_outcomes(both: Balance) -> None:
    for row in both.rows:
        again = Row.from_json(json.loads(json.dumps(row.to_json())))
        assert again.to_json() == row.to_json()
        assert again.position is row.position


@pytest.mark.slow
def test_the_picture_has_every_position_and_along_policies_seeds_of_one_training_are_one_point(
    both: Balance, tmp_path: Path
) -> None:
    save_plot(tmp_path / "balance.svg", both.rows)
    drawn = (tmp_path / "balance.svg").read_text()
    assert all(f">{position.name}<" in drawn or f"<!-- {position.name} -->" in drawn for position in POSITIONS)
    exact = [replace(row, policy="exact") for row in both.rows if row.policy == "half-1"]
    first, second = over_policies([*both.rows, *exact]).axes
    assert [label.get_text() for label in first.get_xticklabels()] == ["half", "exact"]
    assert (first.get_title(), second.get_title()) == ("proved of SYJ203", "proved of textbook")
    curves = dict(zip(first.get_legend_handles_labels()[1], first.containers, strict=True))
    assert set(curves) == {position.name for position in POSITIONS}
    masked = curves["masked"].lines[0]
    shares = {
        row.policy: float(row.score.share.value)
        for row in both.rows
        if (row.benchmark, row.position.name) == ("SYJ203", "masked")
    }
    assert list(masked.get_ydata()) == pytest.approx([(shares["half-0"] + shares["half-1"]) / 2, shares["half-1"]])
    bounds = [wilson_interval(3, 3), mean_interval(np.array([shares["half-0"], shares["half-1"]]), least=0, most=1)]
    ends = [path.vertices[:, 1] for path in curves["masked"].lines[2][0].get_paths()]
    for interval, (low, high) in zip(bounds[::-1], ends, strict=True):
        assert (low, high) == pytest.approx((float(interval.low), float(interval.high)))


@pytest.mark.slow
def test_the_command_tells_all_of_it_and_draws_it(oasis: Oasis, tmp_path: Path) -> None:
    few = ("--benchmark", "SYJ203", "--count", "2", "--plot", "balance.png", "--along", "policy")
    shown = oasis("policy", "balance", "uniform", "teacher", *few)
    assert "uniform on 2 theorems of SYJ203" in shown.stdout and "teacher on 2 theorems of SYJ203" in shown.stdout
    assert "uniform cannot be asked to be free, tactics, judged" in shown.stderr
    assert (tmp_path / "balance.png").stat().st_size > 10_000
