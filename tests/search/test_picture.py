"""The picture of a search: everything hangs below what led to it, the proof is whole, and it is an SVG file."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.graph import PROVED, REFUTED
from oasis.search.picture import Drawing, svg
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from tactics.formula import Formula
from tactics.goal import initial
from tests.strategies import formulas


def drawn(formula: Formula, most: int, expansions: int = 500) -> tuple[BestFirst, Drawing]:
    search = BestFirst(initial(formula)[0])
    for _ in search.run(Budget(expansions=expansions)):
        pass
    return search, search.drawing(most)


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), st.integers(1, 40))
def test_every_goal_hangs_below_one_that_was_drawn_before_it(formula: Formula, most: int) -> None:
    search, picture = drawn(formula, most)
    assert picture.dots[0].above is None
    assert all(dot.above is not None and dot.above < place for place, dot in enumerate(picture.dots) if place)
    assert len(picture.dots) + picture.left_out == len(search.graph.nodes)
    assert len(picture.dots) <= max(most, sum(dot.on_proof for dot in picture.dots)) + 1
    assert all(picture.dots[dot.above].on_proof for dot in picture.dots[1:] if dot.on_proof and dot.above is not None)
    ElementTree.fromstring(svg(picture, "a < b"))


def test_the_proof_is_drawn_whole_however_little_there_is_room_for() -> None:
    search, picture = drawn(resolve_lemma("SYJ203.3").formula, 1)
    proof = [dot for dot in picture.dots if dot.on_proof]
    # Equal goals are drawn once, and each move of the proof leads from a goal of it.
    assert 10 < len(proof) <= len(search.script() or ())
    assert all(dot.status is PROVED for dot in proof)


def test_what_was_given_up_is_drawn_as_cut() -> None:
    _, picture = drawn(resolve_lemma("p \\/ ~p").formula, 100)
    assert picture.dots[0].status is REFUTED
    assert [dot.is_cut for dot in picture.dots[1:]] == [True] * (len(picture.dots) - 1)
    text = svg(picture, "excluded middle")
    assert text.count('class="cut"') == len(picture.dots) - 1
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(("name", "most"), [("SYJ203.2", 30), ("SYJ203.3", 400), ("SYJ203.6", 400)])
def test_moves_are_named_where_they_cover_neither_dots_nor_each_other(name: str, most: int) -> None:
    _, picture = drawn(resolve_lemma(name).formula, most)
    image = ElementTree.fromstring(svg(picture, name))
    rows: dict[float, list[tuple[float, float]]] = {}
    for circle in image.iter("{http://www.w3.org/2000/svg}circle"):
        x, y = float(circle.get("cx", "")), float(circle.get("cy", ""))
        rows.setdefault(y, []).append((x - 7, x + 7))
    assert sum(map(len, rows.values())) == len(picture.dots)
    named = [text for text in image.iter("{http://www.w3.org/2000/svg}text") if text.get("text-anchor")]
    for text in named:
        x, y, long = float(text.get("x", "")), float(text.get("y", "")) - 4, 6.6 * len(text.text or "")
        rows[y].append((x, x + long) if text.get("text-anchor") == "start" else (x - long, x))
    for row in rows.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(row)))
        assert all(first > 0 and last < float(image.get("width", "")) for first, last in row)
    assert len(named) > (0.8 if len(picture.dots) <= 40 else 0.1) * len(picture.dots)


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_draws_the_proof_that_it_found(name: str, is_cached: bool) -> None:
    formula = resolve_lemma("SYJ203.3").formula
    search = SEARCHES[name](initial(formula)[0], seed=1, cache=GoalCache() if is_cached else None)
    for _ in search.run(Budget(expansions=3000)):
        pass
    picture = search.drawing(60)
    assert picture is not None
    assert picture.dots[0].status is PROVED
    assert picture.dots[0].on_proof
    assert sum(dot.on_proof for dot in picture.dots) > 8
    assert 0 <= picture.left_out < search.event().goals
    assert all(dot.above is not None and dot.above < place for place, dot in enumerate(picture.dots) if place)
    ElementTree.fromstring(svg(picture, name))


def test_the_goals_of_one_move_are_counted() -> None:
    _, picture = drawn(resolve_lemma("p -> (q -> q) -> p /\\ (q -> q)").formula, 100)
    assert {"split 1/2", "split 2/2"} <= {dot.move for dot in picture.dots}
