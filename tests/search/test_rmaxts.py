"""RMaxTS: the paper's formulas against a literal reading of them, truth, proofs, chance, what stops it, its cache."""

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import count
from math import inf, log, sqrt
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.play.actions import ACTION_SPACES, ActionSpace
from oasis.play.choices import Writing
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget, is_proof
from oasis.play.writing import Completion, Draft, Scribe, Written, shown
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals, moves_at
from oasis.search.rmaxts.search import RMaxTS
from oasis.search.rmaxts.tree import Choice, Growth, Node, Selection, Way
from oasis.search.rollouts.play import Job, Look, Playing, Rollout
from oasis.search.rollouts.players import Here
from oasis.teacher.deciding.decide import Verdict, decide
from state_spaces.canonical import label
from tactics.errors import InputError
from tactics.formula import And, Formula, Implies, Or
from tactics.goal import Move, State
from tactics.parser import parse
from tactics.rules import apply, premises
from tactics.script import replay
from tactics.written import pieces
from tests.search.made import NO_THEOREM, SMALL, THIRD, Asked, Resigned, Stubborn, finished, search
from tests.thorough import examples, paired


class Entry(NamedTuple):
    """A selection, which runs until it has a reward."""

    choices: list[Choice]
    reward: float | None


class Log:
    """Keeps everything that a search selects and rewards, and compares it with the formulas on the way.

    Attributes:
        entries: the selections that ended, in that order, and then those that run.
        compared: scores that were.
    """

    def __init__(self, search: RMaxTS) -> None:
        self.entries: list[Entry] = []
        self.compared = 0
        self._search, self._tree = search, search.tree
        self._states = {self._identity([literal_key(search.tree.root.ways[0].state)])}
        self._originals = self._tree.select, self._tree.scores, self._tree.merge, self._tree.finish
        patched: Any = self._tree
        patched.select, patched.scores, patched.merge, patched.finish = (
            self._select,
            self._scores,
            self._merge,
            self._finish,
        )

    def pushes(self, choice: Choice) -> list[float]:
        """Return all rewards of a choice, the oldest first, and a 0 for each time that it is running."""
        ended = [entry.reward for entry in self.entries if entry.reward is not None and choice in entry.choices]
        running = [0.0 for entry in self.entries if entry.reward is None and choice in entry.choices]
        return ended + running

    def counts(self, choice: Choice) -> tuple[float, float]:
        """Return W and N, with each reward discounted by the number of rewards after it."""
        pushes = self.pushes(choice)
        discounts = [self._tree.gamma ** (len(pushes) - 1 - place) for place in range(len(pushes))]
        return sum(d * reward for d, reward in zip(discounts, pushes, strict=True)), sum(discounts)

    def score(self, node: Node, choice: Choice) -> float:
        rewards, uses = self.counts(choice)
        total = sum(self.counts(each)[1] for each in (node.here, *(each for _, each in node.children.values())))
        return rewards / max(uses, 0.01) + sqrt(2 * log(max(total, 2)) / max(uses, 0.01))

    def _select(self) -> Selection:
        selection = self._originals[0]()
        node = self._tree.root
        for choice in selection.choices:  # nothing has a better score than what was chosen
            chosen = self.score(node, choice)
            open_children = [(child, each) for child, each in node.children.values() if child.is_open]
            assert all(self.score(node, each) <= chosen + 1e-9 for each in (node.here, *(c for _, c in open_children)))
            node = next((child for child, each in open_children if each is choice), node)
        assert choice is node.here and selection.way in node.ways
        self.entries.append(Entry(selection.choices, None))
        return selection

    def _scores(self, node: Node) -> list[tuple[float, Node | None, Choice]]:
        scores = self._originals[1](node)
        for score, child, choice in scores:
            assert (child is None) == (choice is node.here)
            assert abs(score - self.score(node, choice)) < 1e-9
            for ours, literal in zip(choice.counts(self._tree.gamma), self.counts(choice), strict=True):
                assert abs(ours - literal) < 1e-9
            self.compared += 1
        return scores

    def _merge(self, way: Way, rollout: Rollout) -> Growth:
        before = len(self._states)
        is_proof = not rollout[-1].state
        path = [literal_key(state) for state in states_of(way)]
        for step in rollout:
            if step.moves:
                path.append(literal_key(step.state))
                self._states.add(self._identity(path))
        growth = self._originals[2](way, rollout)
        assert (growth.proof is not None) == is_proof
        if not is_proof:
            assert growth.nodes == len(self._states) - before
        self._reward = float(is_proof or (growth.nodes > 0 and self._search.intrinsic))
        return growth

    def _identity(self, path: list[tuple[bytes, ...]]) -> object:
        """Return what a node is: its state, or the way to it."""
        return path[-1] if self._tree.is_merged else tuple(path)

    def _finish(self, selection: Selection, reward: float) -> None:
        assert reward == self._reward
        self._originals[3](selection, reward)
        place = next(
            n for n, each in enumerate(self.entries) if each.reward is None and each.choices is selection.choices
        )
        del self.entries[place]
        ended = sum(each.reward is not None for each in self.entries)
        self.entries.insert(ended, Entry(selection.choices, reward))
        for choice in selection.choices:
            for ours, literal in zip(choice.counts(self._tree.gamma), self.counts(choice), strict=True):
                assert abs(ours - literal) < 1e-9


def states_of(way: Way) -> list[State]:
    """Return the states that a script leads through, the first one first."""
    before = [] if way.before is None else states_of(way.before)
    return [*before, way.state]


def literal_key(state: State) -> tuple[bytes, ...]:
    """Return a state by its goals in their order, each up to renaming."""
    return tuple(label((goal,)).key for goal in state)


HARD = resolve_lemma("SYJ201.2").formula
ENDLESS = resolve_lemma("SYJ207.1").formula  # no theorem, and too many states to try everything


# The formulas


@pytest.mark.slow
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


def test_equal_scores_are_decided_by_lot() -> None:
    chosen: Counter[int] = Counter()
    for seed in range(600):
        found = search(parse("p \\/ q"), seed=seed)
        root = found.tree.root
        for key in range(2):  # two untried states below the root
            child = Node((key,), is_refuted=False)
            child.ways.append(root.ways[0])
            root.add_child(child)
        choices = [root.here, *(choice for _, choice in root.children.values())]
        chosen[choices.index(found.tree.select().choices[0])] += 1
    assert all(150 < chosen[place] < 250 for place in range(3)), chosen


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


# Truth and proofs


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
    assert found.reached == found.tree.size
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


# The tree


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
    assert is_proof(formula, found.script() or ())


# Chance and what is asked


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
    assert finished(search(formula, Resigned())).status is OPEN
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
        search(THIRD, **settings)
    assert str(refused.value) == sentence


# The cache: what one search found out is true for the next, and is put into its rollouts.


def check_cache(cache: GoalCache, goals: Goals) -> None:
    """What is in a cache is true of the goals that a search has numbered, and a proof leaves goals that are in it."""
    for number in range(min(len(goals), 40)):
        known = cache.get(goals.key(number))
        if known is not None:
            goal = goals.goal(number)
            formula = goal.conclusion
            for _, hypothesis in goal.hypotheses:
                formula = Implies(hypothesis, formula)
            assert (decide(formula).verdict is Verdict.THEOREM) == (known.slot is not None) == (known.length < inf)
            if known.slot is not None:
                move = moves_at(goal, known.slot)[0]
                assert move is not None
                left = [cache.get(goals.key(goals.add(premise))) for premise in premises(goal, move)]
                assert all(each is not None and each.slot is not None for each in left)


@settings(max_examples=examples(60))
@given(SMALL, SMALL, st.booleans(), st.sampled_from([1, 4]))
def test_what_one_search_found_is_true_for_the_next(one: Formula, other: Formula, together: bool, workers: int) -> None:
    cache = GoalCache()
    first = search(one, cache=cache, workers=workers)
    finished(first, 1_000)
    second_formula = And(other, one) if together else Or(one, other)
    second = search(second_formula, cache=cache, workers=workers)
    finished(second, 1_000)
    second.tree.check_invariants()
    second.graph.check_invariants()
    if second.status is PROVED:
        assert is_proof(second_formula, second.script() or ())
    truth = decide(second_formula).verdict
    assert second.status is OPEN or (second.status is PROVED) == (truth is Verdict.THEOREM)
    for found in (first, second):
        check_cache(cache, found.graph.goals)


def test_known_proofs_are_put_into_rollouts() -> None:
    cache = GoalCache()
    assert finished(search(THIRD, cache=cache)).status is PROVED
    both = And(THIRD, And(THIRD, parse("p -> p")))
    last = finished(found := search(both, cache=cache))
    assert last.status is PROVED and last.expansions == 4  # split, split, intro, assumption
    assert is_proof(both, found.script() or ())


def test_a_rollout_ends_at_a_goal_that_is_known_to_have_no_proof() -> None:
    cache = GoalCache()
    assert finished(search(NO_THEOREM, cache=cache)).status is REFUTED
    assert finished(found := search(And(THIRD, NO_THEOREM), cache=cache)).status is REFUTED
    assert found.expansions == 1
    assert found.rollouts == 1


class Deaf(Here):
    """Players in this process that, like other processes, do not see the cache."""

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        return super().play(policy, space, jobs, None)


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_known_is_put_in_afterwards_where_players_do_not_know_it(workers: int) -> None:
    cache = GoalCache()
    assert finished(search(THIRD, cache=cache)).status is PROVED
    assert finished(search(NO_THEOREM, cache=cache)).status is REFUTED
    for seed in range(5):
        found = search(And(THIRD, parse("p -> p")), cache=cache, players=Deaf(), workers=workers, seed=seed)
        assert finished(found).status is PROVED
        assert is_proof(And(THIRD, parse("p -> p")), found.script() or ())
        for formula in (And(THIRD, NO_THEOREM), Or(NO_THEOREM, And(THIRD, parse("p -> q")))):
            found = search(formula, cache=cache, players=Deaf(), workers=workers, seed=seed)
            assert finished(found).status is REFUTED
            found.tree.check_invariants()
            ways = found.tree._ways.values()
            assert all(replay(formula, way.script)[-1] == way.state for way in ways)
            assert len(ways) < 10  # nothing of what is known becomes part of the tree


class Fickle(Scribe):
    """Says now one thing and now another before each move, and writes what is no move behind a few of them."""

    def __init__(self) -> None:
        super().__init__(Uniform())
        self.heard: list[Draft] = []

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> Generator[None, None, list[Completion]]:
        self.heard += drafts
        cut = [pieces(each.text)[:2] for each in (yield from super().completed(drafts, writing))]
        return [
            Completion(self.style.text([*parts, Move("imply1", "nothing")]), 5)
            for draft, each in zip(drafts, cut, strict=True)
            for parts in ([part for piece in each for part in (f"try {draft.seed % 3}", piece.move)],)
        ]


def test_a_policy_that_writes_whole_proofs_is_stopped_between_two_moves() -> None:
    found = search(parse("p /\\ q -> q /\\ p"), Written(Uniform()), workers=4)
    (*_, last) = found.run(Budget(seconds=0.5), clock=count().__next__)
    assert (last.reason, last.rollouts, last.cost.tokens) == ("0.5 seconds were not enough", 0, 0)
    assert finished(last).status is PROVED, "it goes on where it was"


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("cached", [False, True])
def test_whole_proofs_are_written_from_the_nodes_on_and_each_keeps_every_text(workers: int, cached: bool) -> None:
    second = resolve_lemma("SYJ203.2").formula
    for formula, status in ((second, PROVED), (NO_THEOREM, REFUTED), (parse("p \\/ (q -> q \\/ r)"), PROVED)):
        author: Any = Fickle()
        found = search(formula, Written(author), workers=workers, seed=3, cache=GoalCache() if cached else None)
        last = finished(found, 3_000)
        assert (last.status, last.cost.tokens) == (status, 5 * found.rollouts)
        assert last.calls == found.rollouts == len(author.heard)
        found.tree.check_invariants()
        for draft in author.heard:
            states = replay(formula, [piece.move for piece in pieces(draft.text)])
            assert (states[0][0], states[-1]) == (draft.goal, draft.state)
            assert not draft.text or draft.text.endswith(f"(* {shown(draft.state, author.style)} *)\n")
            assert "nothing" not in draft.text
        ways = [way for ways in {way.node: way.node.ways for way in found.tree._ways.values()}.values() for way in ways]
        if formula is second:
            assert len({way.script for way in ways}) < len({way.steps for way in ways}) == len(ways)
