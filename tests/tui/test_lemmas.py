"""The columns of a list of lemmas: what is cut off first where there is little room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.widgets.lemmas import Row, of_formula, widths

ROWS = [Row("p → q → p", True, "3 moves", "10/10", "weakening"), Row("p → p", False, "", "", "")]

rows = st.lists(
    st.builds(
        Row,
        st.text("pq →", min_size=1, max_size=60),
        st.booleans(),
        st.sampled_from(["", "12 moves"]),
        st.sampled_from(["", "9/10"]),
        st.text("abc", max_size=30),
    ),
    min_size=1,
    max_size=20,
)


@given(rows, st.integers(0, 120))
def test_columns_never_take_more_room_than_there_is_unless_results_alone_do(given_rows: list[Row], width: int) -> None:
    taken = widths(given_rows, width)
    assert min(taken) >= 0
    number = 3 + len(str(len(given_rows)))
    assert number + sum(taken) <= max(width, number + taken[1] + taken[2])


def test_each_column_is_as_wide_as_what_is_in_it_where_there_is_room() -> None:
    assert widths(ROWS, 80) == (9, 9, 7, 11)


def test_a_name_is_cut_off_and_left_out_before_a_formula_is_cut_off() -> None:
    assert widths(ROWS, 39) == (9, 9, 7, 10)
    assert widths(ROWS, 38) == (9, 9, 7, 0)
    assert widths(ROWS, 26) == (6, 9, 7, 0)


def test_what_nobody_has_takes_no_room() -> None:
    assert widths(ROWS[1:], 80) == (5, 0, 0, 0)


@given(rows, st.integers(20, 120))
def test_a_formula_goes_on_where_nothing_stands_beside_it_and_nowhere_else(given_rows: list[Row], width: int) -> None:
    taken = widths(given_rows, width)
    for row in given_rows:
        is_alone = not (row.result or row.points or row.name)
        assert of_formula(row, taken) == (sum(taken) if is_alone else taken[0])


def test_of_a_lemma_that_is_not_done_more_is_to_be_seen_than_of_one_that_is() -> None:
    taken = widths(ROWS, 26)
    assert (of_formula(ROWS[0], taken), of_formula(ROWS[1], taken)) == (6, 22)
