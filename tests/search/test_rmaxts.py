"""RMaxTS: the paper's formulas against a literal reading of them, truth, proofs, chance, and what stops it."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.policy import Uniform
from oasis.search.graph import OPEN, PROVED, REFUTED
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.rmaxts.tree import Choice, Node
from oasis.search.search import Budget
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.errors import InputError
from tactics.formula import And, Formula, Or
from tactics.goal import initial
from tactics.parser import parse
from tactics.rules import apply
from tactics.script import replay
from tests.search.chances import by_chance
from tests.search.literal import Log, literal_key
from tests.search.players import Asked, Resigned, Stubborn
from tests.search.rmaxts import LEMMA, NO_THEOREM, SMALL, finished, search
from tests.thorough import examples, paired

HARD = resolve_lemma("SYJ201.2").formula
ENDLESS = resolve_lemma("SYJ207.1").formula  # no theorem, and too many states to try everything


# The formulas.


@pytest.mark.parametrize(
    ("settings", "workers"), paired([{}, {"intrinsic": False}, {"merged": False}, {"gamma": 0.5}], [1, 4], 2)
)
def test_statistics_are_those_of_a_literal_reading(workers: int, settings: dict[str, Any]) -> None:
    for seed in range(3):
        found = search(ENDLESS, seed=seed, workers=workers, **settings)
        log = Log(found)
        finished(found, 1_000)
        assert log.compared > 300
        assert len(log.entries) >= found.rollouts > 40


def test_rewards_of_both_kinds_are_compared_with_the_literal_reading() -> None:
    log = Log(found := search(NO_THEOREM, workers=4))
    finished(found)
    assert {entry.reward for entry in log.entries} == {0.0, 1.0}
    assert found.status is REFUTED


@given(st.lists(st.booleans(), max_size=30), st.integers(0, 40), st.floats(0.01, 0.999))
def test_running_uses_count_as_if_each_had_brought_nothing(rewards: list[bool], running: int, gamma: float) -> None:
    choice, pushed = Choice(), Choice()
    for reward in rewards:
        choice.push(reward, gamma)
    for reward in [*rewards, *[False] * running]:
        pushed.push(reward, gamma)
    choice.running = running
    assert choice.counts(gamma) == pytest.approx((pushed.rewards, pushed.uses), abs=1e-9)


def test_the_scores_of_a_small_example() -> None:
    found = search(parse("p \\/ q"))
    root, (left, right) = found.tree.root, (Choice(), Choice())
    for key, choice in (((7,), left), ((8,), right)):
        root.children[key] = Node(key, is_refuted=False), choice
    root.here.push(1.0, 0.99)
    root.here.push(0.0, 0.99)  # W .99, N 1.99
    left.push(1.0, 0.99)  # W 1, N 1
    scores = [score for score, _, _ in found.tree.scores(root)]
    bonus = 2 * 1.0952733874025951  # ln 2.99
    assert scores == pytest.approx([0.99 / 1.99 + sqrt(bonus / 1.99), 1 + sqrt(bonus), sqrt(bonus / 0.01)])


def two_children(seed: int) -> tuple[RMaxTS, list[Choice]]:
    """A search with two untried states below its root, and the root's choices: to begin here, and each of them."""
    found = search(parse("p \\/ q"), seed=seed)
    root = found.tree.root
    for key in range(2):
        child = Node((key,), is_refuted=False)
        child.ways.append(root.ways[0])
        root.add_child(child)
    return found, [root.here, *(choice for _, choice in root.children.values())]


def test_equal_scores_are_decided_by_lot() -> None:
    chosen: Counter[int] = Counter()
    for seed in range(600):
        found, choices = two_children(seed)
        chosen[choices.index(found.tree.select().choices[0])] += 1
    assert all(150 < chosen[place] < 250 for place in range(3)), chosen


@pytest.mark.parametrize("seed", range(5))
def test_workers_begin_in_different_places(seed: int) -> None:
    found, choices = two_children(seed)
    for running in (1, 2):
        for _ in choices:
            found.tree.select()
        assert [choice.running for choice in choices] == [running] * 3


def test_the_script_that_is_continued_is_drawn_by_lot() -> None:
    found = search(parse("p /\\ q -> r -> False"), seed=3)
    for _ in found.run(Budget(expansions=30)):
        pass
    node = max((way.node for way in found.tree._ways.values()), key=lambda each: len(each.ways))
    assert len(node.ways) > 1
    found.tree.root, node.children = node, {}
    drawn = Counter(found.tree.select().way.script for _ in range(400 * len(node.ways)))
    assert len(drawn) == len(node.ways)
    assert all(300 < times < 500 for times in drawn.values())


def test_a_first_rollout_proves_as_often_as_chance_does() -> None:
    formula = parse("(p -> q) /\\ p -> q \\/ r")
    share = by_chance(initial(formula)[0])
    proved = 0
    for seed in range(1000):
        found = search(formula, seed=seed)
        for _ in found.run(Budget(expansions=2_000)):
            if found.rollouts:
                break
        proved += found.status is PROVED and found.rollouts == 1
    assert 0.1 < share < 0.9
    assert abs(proved - 1000 * share) < 4 * sqrt(1000 * share * (1 - share))


# Truth and proofs.


@settings(max_examples=examples(150))
@given(
    SMALL,
    st.sampled_from([1, 4]),
    st.sampled_from(sorted(ACTION_SPACES)),
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 3, 200]),
    st.integers(0, 9),
)
def test_a_search_that_ends_knows_the_truth(
    formula: Formula, workers: int, name: str, intrinsic: bool, merged: bool, steps: int, seed: int
) -> None:
    space = ACTION_SPACES[name]
    found = search(
        formula,
        Uniform(space),
        workers=workers,
        space=space,
        intrinsic=intrinsic,
        merged=merged,
        max_steps=steps,
        seed=seed,
    )
    finished(found, 3_000)
    found.tree.check_invariants()
    found.graph.check_invariants()
    assert found.event().goals == found.tree.size
    truth = decide(formula).verdict
    if found.status is REFUTED:
        assert truth is Verdict.NON_THEOREM
    elif found.status is PROVED:
        script = found.script()
        assert script is not None and len(script) == found.length
        assert replay(formula, script)[-1] == ()
        assert truth is Verdict.THEOREM
    else:
        assert found.reason == "3,000 expansions were not enough"


@pytest.mark.parametrize("lemma", ["SYJ201.1", "SYJ203.4", "SYJ204.3", "SYJ205.1", "thesis/43", "textbook/and_comm"])
def test_theorems_are_proved(lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    for workers in (1, 4):
        found = search(formula, workers=workers)
        assert finished(found).status is PROVED
        script = found.script()
        assert script is not None and replay(formula, script)[-1] == ()


def test_two_equal_open_goals_are_two_goals() -> None:
    formula = parse("(p -> p) /\\ (p -> p)")
    found = search(formula, max_steps=1)
    assert finished(found).status is PROVED
    assert found.length == 5
    keys = {way.node.key for way in found.tree._ways.values()}
    twice = {key for key in keys if len(key) == 2 and key[0] == key[1]}
    assert len(twice) == 1
    assert {key[:1] for key in twice} <= keys  # with one of them left, the state is another


def test_the_order_of_goals_is_part_of_a_state() -> None:
    one, other = parse("p -> q"), parse("(p -> q) -> r")
    found = search(Or(And(one, other), And(other, one)))
    assert finished(found).status is REFUTED
    pairs = {way.node.key for way in found.tree._ways.values() if len(way.node.key) == 2}
    assert any(key[::-1] in pairs and key[0] != key[1] for key in pairs)


def test_equal_goals_of_which_none_has_a_proof_are_not_proved() -> None:
    for text in ("(p -> q) /\\ (p -> q)", "(p -> p) /\\ ((q -> r) /\\ (q -> r))"):
        assert finished(search(parse(text))).status is REFUTED


# The tree.


@settings(max_examples=examples(60))
@given(SMALL, st.sampled_from([1, 3]), st.integers(0, 99), st.booleans())
def test_every_way_leads_to_its_node(formula: Formula, workers: int, seed: int, merged: bool) -> None:
    found = search(formula, seed=seed, workers=workers, merged=merged)
    for _ in range(20):
        if found.status is not OPEN:
            break
        finished(found, 7)
        found.tree.check_invariants()
    literal: dict[tuple[int, ...], tuple[bytes, ...]] = {}
    for way in list(found.tree._ways.values())[:200]:
        assert replay(formula, way.script)[-1] == way.state
        assert literal.setdefault(way.node.key, literal_key(way.state)) == literal_key(way.state)
    assert len(set(literal.values())) == len(literal)


def test_only_states_that_are_not_merged_are_reached_twice() -> None:
    sizes = {}
    for merged in (True, False):
        found = search(NO_THEOREM, merged=merged)
        finished(found, 3_000)
        nodes = {way.node for way in found.tree._ways.values()} | {found.tree.root}
        sizes[merged] = len(nodes), len({node.key for node in nodes})
    assert sizes[True][0] == sizes[True][1]
    assert sizes[False][0] > sizes[False][1]


def test_a_rollout_is_cut_where_an_action_does_not_apply() -> None:
    space = ACTION_SPACES["blind"]
    policy = Asked(space)
    formula = parse("p /\\ q -> q /\\ p")
    found = search(formula, policy, space=space, workers=2)
    assert finished(found).status is PROVED
    for way in found.tree._ways.values():
        before = way.before
        assert before is not None and way.moves and way.node is not before.node
        assert apply(before.state, way.moves[0]) == way.state
    script = found.script()
    assert script is not None and replay(formula, script)[-1] == ()


# Chance and what is asked.


@pytest.mark.parametrize("workers", [1, 4])
def test_a_policy_that_happens_to_be_uniform_does_what_the_uniform_one_does(workers: int) -> None:
    known, unknown = (search(HARD, policy, workers=workers, seed=1) for policy in (None, Asked()))
    for found in (known, unknown):
        finished(found, 2_000)
    one, other = (
        (each.status, each.script(), each.expansions, each.rollouts, each.tree.size, each.rng.state, each.calls)
        for each in (known, unknown)
    )
    assert one == other


def test_workers_ask_the_policy_together() -> None:
    policy = Asked()
    found = search(HARD, policy, workers=8)
    last = finished(found, 2_000)
    assert all(0 < len(batch) <= 8 and len(set(batch)) == len(batch) for batch in policy.batches)
    assert sum(map(len, policy.batches)) == found.calls == last.calls <= found.expansions
    assert len(policy.batches) < found.expansions / 2


def test_rollouts_end_in_an_order_drawn_by_lot() -> None:
    found = search(ENDLESS, workers=3)
    begun: list[object] = []
    ended: list[int] = []
    tree: Any = found.tree
    select, finish = tree.select, tree.finish

    def recorded() -> object:
        begun.append(select())
        return begun[-1]

    def told(selection: object, reward: float) -> None:
        ended.append(next(place for place, each in enumerate(begun) if each is selection) % 3)
        finish(selection, reward)

    tree.select, tree.finish = recorded, told
    finished(found, 10_000)
    orders = Counter(zip(*[iter(ended)] * 3, strict=False))
    rounds = len(ended) // 3
    assert len(orders) == 6
    assert all(abs(times - rounds / 6) < 4 * sqrt(rounds * 5 / 36) for times in orders.values())


def test_a_policy_that_never_tries_anything_else_is_not_asked_for_ever() -> None:
    formula = parse("p -> q \\/ p")
    dead_end = search(formula, Stubborn(0))
    assert finished(dead_end).status is OPEN
    assert dead_end.reason == "all that the policy ever tries was tried, so more expansions would change nothing"
    given_up = search(formula, Resigned())
    assert finished(given_up).status is OPEN
    assert finished(search(formula, Stubborn(-1))).status is PROVED
    assert finished(search(parse("p -> q -> r"), Stubborn(0))).status is REFUTED  # by what is not left to a policy


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"gamma": 1.0}, "gamma must lie between 0 and 1, not 1.0."),
        ({"gamma": 0.0}, "gamma must lie between 0 and 1, not 0.0."),
        ({"workers": 0}, "workers must be at least 1, not 0."),
        ({"max_steps": 0}, "max_steps must be at least 1, not 0."),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        search(LEMMA, **settings)
    assert str(refused.value) == sentence
