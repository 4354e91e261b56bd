"""Where two plans part: at another choice first of all, else at another figure, else nowhere."""

from __future__ import annotations

from oasis.classroom.partner.plan import Difference, Planned, difference
from tactics.goal import Move
from tactics.script import Script, parse_script


def plan(script: str, *figures: float) -> list[Planned]:
    return [Planned(move, (move,), ("Q", figure)) for move, figure in zip(parse_script(script), figures, strict=True)]


def moves(script: str) -> Script:
    return parse_script(script)


def test_the_first_other_choice_counts_more_than_figures_before_it() -> None:
    one, other = plan("intro; split; left", 0.5, 0.6, 0.7), plan("intro; split; right", 0.1, 0.6, 0.7)
    assert difference(one, other) == Difference(moves("intro; split"), of_choice=True, of_value=False)


def test_who_does_not_know_what_to_do_differs_from_who_does() -> None:
    assert difference(plan("intro", 0.5), plan("intro; left", 0.5, 0.6)).script == moves("intro")
    assert difference([], plan("intro", 0.5)) == Difference((), of_choice=True, of_value=False)


def test_where_all_choices_are_the_same_the_first_figure_that_looks_other_counts() -> None:
    one, other = plan("intro; split; left", 0.5001, 0.6, 0.7), plan("intro; split; left", 0.5, 0.6, 0.8)
    assert difference(one, other) == Difference(moves("intro; split"), of_choice=False, of_value=True)


def test_where_nothing_differs_it_is_the_end() -> None:
    one = plan("intro; split", 0.5, 0.6)
    assert difference(one, one) == Difference(moves("intro; split"), of_choice=False, of_value=False)
    assert difference([], []).script == ()


def test_a_step_of_several_moves_leads_past_all_of_them() -> None:
    step = Planned(Move("simplify"), moves("intro; split"), ("Q", 0.5))
    assert difference([step, *plan("left", 0.1)], [step, *plan("right", 0.1)]).script == moves("intro; split")
