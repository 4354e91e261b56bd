"""In which order lemmas are practised, and copies of them in other letters."""

from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import linregress

from curricula.copies import at_once, copies, relettered
from curricula.library import textbook_lemma
from curricula.orders import BLOCKS, EXPLORATION, LONGEST_BLOCK, MASTERED, ORDERS, WINDOW, Record, block_length
from state_spaces import Name
from tactics.errors import InputError
from tactics.formula import And, Formula, atoms
from tactics.goal import initial
from tactics.parser import parse
from tactics.printer import show
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples

LARGE, SMALL, MIDDLE = (parse(text) for text in ("p /\\ q -> q /\\ p", "p", "p -> p"))
FORMULAS = [LARGE, SMALL, MIDDLE]
EPISODES = 200
Proves = Callable[[int, int], bool]
"""Whether the attempt at this lemma, the one of this number, is a proof."""


def taught(
    order: str, proves: Proves, *, lemmas: list[Formula] = FORMULAS, episodes: int = EPISODES, seed: int = 0
) -> list[int]:
    """Return the lemma that each episode of a trial practises."""
    blocks = ORDERS[order](lemmas, episodes, seed)
    block = next(blocks)
    made: list[int] = []
    practised: Counter[int] = Counter()
    while True:
        assert block.episodes > 0
        proved = []
        for _ in range(min(block.episodes, episodes * len(lemmas) - len(made))):
            practised[block.lemma] += 1
            proved.append(proves(block.lemma, practised[block.lemma]))
            made.append(block.lemma)
        if len(made) == episodes * len(lemmas):
            return made
        block = blocks.send(np.array(proved, dtype=np.bool_))


def by_chance(*chances: float) -> Proves:
    rng = Random(0)
    return lambda lemma, _: rng.random() < chances[lemma]


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=examples(60))
@given(
    chances=st.lists(st.sampled_from([0.0, 0.3, 0.9, 1.0]), min_size=1, max_size=6),
    episodes=st.integers(1, 300),
    seed=st.integers(0, 2**63 - 1),
)
def test_an_order_has_the_same_blocks_each_time(order: str, chances: list[float], episodes: int, seed: int) -> None:
    lemmas = [SMALL] * len(chances)
    one, other = (taught(order, by_chance(*chances), lemmas=lemmas, episodes=episodes, seed=seed) for _ in range(2))
    assert one == other
    assert len(one) == episodes * len(lemmas)
    assert set(one) <= set(range(len(lemmas)))


@pytest.mark.parametrize("order", ["fixed", "afresh"])
def test_a_fixed_order_is_that_of_the_curriculum(order: str) -> None:
    assert taught(order, by_chance(1, 0, 1)) == [0] * EPISODES + [1] * EPISODES + [2] * EPISODES


@given(st.integers(0, 2**63 - 1))
def test_a_shuffled_order_has_each_lemma_once_and_in_one_go(seed: int) -> None:
    made = taught("shuffled", by_chance(0, 0, 0), seed=seed)
    order = list(dict.fromkeys(made))
    assert sorted(order) == [0, 1, 2]
    assert made == [lemma for lemma in order for _ in range(EPISODES)]


def test_shuffled_orders_are_all_equally_likely() -> None:
    orders = Counter(
        tuple(dict.fromkeys(taught("shuffled", by_chance(0, 0, 0), episodes=1, seed=seed))) for seed in range(600)
    )
    assert len(orders) == 6
    assert all(70 < number < 130 for number in orders.values())


def test_the_easiest_order_goes_from_what_is_easy_to_what_is_hard_and_stays_there() -> None:
    made = taught("easiest", lambda lemma, number: lemma != 0 and number > (0, 0, 60)[lemma])
    block = block_length(EPISODES)
    window = WINDOW * block
    # The small one to mastery; a look at the others, smaller first; the middle one to mastery; the large one.
    assert made[:window] == [1] * window
    assert made[window : window + 2 * block] == [2] * block + [0] * block
    middle = Counter(made)[2]
    assert 60 + MASTERED * window <= middle <= 60 + window
    assert made[window + 2 * block :] == [2] * (middle - block) + [0] * (len(made) - window - block - middle)


def test_the_easiest_order_leaves_a_lemma_that_stays_hard_and_gives_what_is_left_to_the_hardest() -> None:
    made = taught("easiest", by_chance(0.0, 0.5, 0.0))
    assert Counter(made) == {0: EPISODES, 1: EPISODES, 2: EPISODES}
    assert made[-1] == 0  # of two that are equally hard the larger one comes last
    counts = Counter(taught("easiest", by_chance(0.2, 1.0, 0.6)))
    assert counts[1] == WINDOW * block_length(EPISODES)
    assert counts[2] == EPISODES
    assert counts[0] > EPISODES


@pytest.mark.parametrize("falling", [False, True])
def test_the_progress_order_goes_where_something_changes(falling: bool) -> None:
    def proves(lemma: int, number: int) -> bool:
        if lemma != 2:
            return lemma == 1
        # Its share of proofs goes from one end to the other, evenly spread.
        return (number * 0.618 % 1 < number / len(FORMULAS) / EPISODES) is not falling

    made = taught("progress", proves)
    assert Counter(made)[2] > 0.7 * len(made)


def test_the_progress_order_explores_comes_back_and_looks_at_small_lemmas_first() -> None:
    counts = Counter(taught("progress", lambda lemma, _: lemma == 1, episodes=2000))
    assert all(0.25 < count / 6000 < 0.42 for count in counts.values())
    # The first lemma learns for long; the second only begins to when it has been tried for a while.
    made = taught("progress", lambda lemma, number: (lemma == 0 and number % 300 < number // 2) or number > 150)
    assert Counter(made)[1] > EXPLORATION * len(made) / len(FORMULAS) / 2
    block = block_length(EPISODES)
    assert taught("progress", by_chance(1, 1, 1))[: 6 * block : block] == [1, 2, 0, 1, 2, 0]


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=8), min_size=2, max_size=30))
def test_a_slope_is_that_of_the_least_squares_line(blocks: list[list[bool]]) -> None:
    record = Record()
    for block in blocks:
        record.add(np.array(block))
    recent = [sum(block) / len(block) for block in blocks][-WINDOW:]
    assert record.slope == pytest.approx(linregress(range(len(recent)), recent).slope, abs=1e-12)
    assert record.rate == pytest.approx(np.mean(recent))
    assert record.episodes == sum(map(len, blocks))


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_a_lemma_is_mastered_by_a_full_window_and_not_by_less(blocks: list[bool]) -> None:
    record = Record()
    for block in blocks:
        record.add(np.array([block]))
    assert record.mastered == (len(blocks) >= WINDOW and sum(blocks[-WINDOW:]) >= MASTERED * WINDOW)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_blocks_grow_with_the_episodes_within_their_bounds(fewer: int, more: int) -> None:
    assume(fewer <= more)
    assert 1 <= block_length(fewer) <= block_length(more) <= LONGEST_BLOCK
    assert block_length(fewer) * BLOCKS <= max(fewer, BLOCKS)


def test_another_seed_gives_another_order() -> None:
    assert len({tuple(taught("progress", by_chance(0, 0, 0), seed=seed)) for seed in range(9)}) > 5


# Copies


def key(formula: Formula) -> object:
    return Name().view(initial(formula)).key


@given(formulas(PLAIN_NAMES), st.integers(0, 30), st.randoms(use_true_random=False))
def test_copies_read_differently_and_are_the_same_lemma(formula: Formula, number: int, rng: Random) -> None:
    assume(atoms(formula))
    found = copies(formula, number, rng)
    assert len({show(copy) for copy in found}) == number
    assert {key(copy) for copy in found} <= {key(formula)}


def test_copies_draw_their_letters_anew_and_by_seed_and_there_are_enough() -> None:
    formula = textbook_lemma("exchange").formula
    assert copies(formula, 5, Random(1)) == copies(formula, 5, Random(1))
    assert not set(copies(formula, 5, Random(1))) & set(copies(formula, 5, Random(2)))
    assert len(set(copies(parse("p -> p"), 200, Random(0)))) == 200
    with pytest.raises(InputError, match="no atoms"):
        copies(parse("False -> False"), 3, Random(0))


def test_every_formula_of_a_sequence_gets_letters_that_no_other_has() -> None:
    theorems = [textbook_lemma(name).formula for name in ("or_intro", "or_comm", "or_assoc")]
    drawn = relettered(3 * theorems, Random(4))
    assert len(set(drawn)) == 3 * len(theorems)
    assert [key(formula) for formula in drawn] == 3 * [key(formula) for formula in theorems]
    assert relettered(3 * theorems, Random(4)) == drawn != relettered(3 * theorems, Random(5))


def test_several_at_once_are_joined_copies_with_letters_of_their_own() -> None:
    formula = textbook_lemma("or_comm").formula
    for number, joined in enumerate(at_once(formula, 5), 1):
        assert len(atoms(joined)) == 2 * number
        parts: list[Formula] = []
        while len(parts) < number - 1:
            assert isinstance(joined, And)
            parts.append(joined.left)
            joined = joined.right
        assert {key(part) for part in [*parts, joined]} == {key(formula)}
