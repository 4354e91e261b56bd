"""Evolution: drafts, their population, the raters that order them, and strengths from rankings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from math import inf
from typing import Any, Final

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from curricula.resolve import resolve_lemma
from oasis.ground.splitmix import SplitMix64
from oasis.play.policy import Floats, Policy, Uniform
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget
from oasis.search.evolution.drafts import HOLE, KNOWN, Draft, Line, check_invariants, end, filled, up_to_date
from oasis.search.evolution.evolution import Evolution
from oasis.search.evolution.population import Population
from oasis.search.evolution.raters import Oracle, Rater, Symbolic, Valued
from oasis.search.evolution.rating import PRIOR, Prior, Ranking, elo, posterior
from oasis.search.evolution.settings import GENERATORS, Settings
from oasis.search.goals import Goals
from oasis.search.graph import AndOrGraph
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.script import replay
from tests.search.made import Asked
from tests.strategies import formulas
from tests.thorough import examples, thoroughly


def goal(text: str) -> Goal:
    return initial(parse(text))[0]


TWICE: Final = "(A -> (A -> B) -> B) /\\ (A -> (A -> B) -> B)"


def test_a_move_that_leaves_a_refuted_goal_is_taken_back() -> None:
    graph = AndOrGraph(Goals())
    root = graph.reach(graph.goals.add(goal("(A \\/ (B -> B)) /\\ (C -> C)")))
    left, right = graph.expand(root)[0][2]
    edges = graph.expand(graph.reach(left))
    wrong = next(place for place, (slot, _, _) in enumerate(edges) if slot[0] == "left")
    lines = (Line(root.number, 0), Line(left, wrong), Line(edges[wrong][2][0], HOLE), Line(right, HOLE))
    check_invariants(graph.goals, root.number, lines)
    assert up_to_date(graph, lines) == lines
    graph.expand(graph.reach(lines[2].goal))  # A alone has no moves
    assert up_to_date(graph, lines) == (lines[0], Line(left, HOLE), Line(right, HOLE))


def drafts_of(elos: Sequence[float], visits: Sequence[int]) -> Population:
    population = Population(Settings(best=3))
    for number, (rating, seen) in enumerate(zip(elos, visits, strict=True)):
        population.admit(Draft((Line(number, HOLE),), "anew", (), number, seen, rating))
    return population


def chosen(population: Population) -> set[int]:
    numbers = set()
    for seed in range(40):
        draft = population.select(SplitMix64.seeded(seed))
        draft.visits -= 1
        numbers.add(draft.number)
    return numbers


def test_parents_are_chosen_by_rating_and_by_how_rarely_they_were() -> None:
    assert chosen(drafts_of([1300, 1400, 1200], [0, 0, 0])) == {1}
    assert chosen(drafts_of([1300, 1300, 1200], [0, 0, 0])) == {0, 1}  # by lot
    # q = 1, 0.5, 0 and V = 9: 1 + 0.6 / 10 against 0.5 + 0.6 / 1
    assert chosen(drafts_of([1400, 1300, 1200], [9, 0, 0])) == {1}
    assert chosen(drafts_of([1400, 1290, 1200], [9, 0, 0])) == {0}
    # The fourth is not among the best three, however rarely it was chosen.
    assert 3 not in chosen(drafts_of([1400, 1300, 1200, 1199], [100, 100, 100, 0]))


def test_a_draft_that_is_there_already_is_not_taken_in() -> None:
    population = drafts_of([1200], [0])
    assert not population.admit(Draft((Line(0, HOLE),), "anew"))
    assert population.admit(Draft((Line(8, HOLE),), "anew", number=8))
    population.revise(lambda lines: (Line(5, HOLE),))
    assert [draft.number for draft in population.drafts] == [0]


def test_winners_are_rated_higher_invited_more_often_and_kept() -> None:
    population = Population(Settings(population=4, match=2, samples=300))
    for number in range(6):
        population.admit(Draft((Line(number, HOLE),), "anew", number=number))
    for _ in range(6):
        population.report(population.drafts, [5, 4, 3, 2, 0, 0])  # the last two tie
    population.rate(SplitMix64(1))
    assert [draft.number for draft in population.drafts] == [2, 3, 4, 5]
    elos = [draft.elo for draft in population.drafts]
    assert elos[0] < elos[1] < min(elos[2:])
    assert abs(elos[2] - elos[3]) < 100
    guests = Counter(draft.number for seed in range(200) for draft in population.invite(SplitMix64.seeded(seed)))
    assert guests[4] + guests[5] > 3 * (guests[2] + guests[3]) > 0
    population.rate(SplitMix64(2))  # those who are gone are left out of what they took part in
    assert all(draft.elo > 1000 for draft in population.drafts[2:])


PROVABLE: Final = goal("A -> A")
LONGER: Final = goal("A -> B -> A /\\ B")
UNPROVABLE: Final = goal("A -> B")


@pytest.mark.parametrize(
    ("rater", "places"),
    [
        (Symbolic(), [0, 3, 2, 3, 0]),
        (Valued(Exact()), [0, 0, 0, 3, 3]),
        (Oracle(lambda goal: {PROVABLE: 2, LONGER: 5, UNPROVABLE: inf}[goal]), [0, 1, 2, 3, 3]),
    ],
)
def test_raters_put_drafts_in_their_order(rater: Rater, places: list[int]) -> None:
    drafts: list[State] = [(PROVABLE,), (PROVABLE, PROVABLE), (LONGER,), (UNPROVABLE, PROVABLE), (UNPROVABLE,)]
    assert rater.rank(drafts) == places


def test_values_of_somebodys_own_are_checked() -> None:
    class Own(Uniform):
        def values(self, goals: Sequence[Goal]) -> Any:
            return [value] * len(goals)

    value = 0.5
    assert Valued(Own()).rank([(PROVABLE, PROVABLE), (PROVABLE,)]) == [1, 0]
    value = 2.0
    with pytest.raises(InputError, match="Own has to give 1 values from 0 to 1"):
        Valued(Own()).rank([(PROVABLE,)])


SMALL: Final = Settings(edits=9, queries=2, expansions=4, population=12, best=8, match=4, samples=20, burn_in=5)
"""So little in a round that small lemmas take several."""
HARD: Final = "SYJ203.3"


def started(name: str = HARD, settings: Settings = SMALL, **options: Any) -> Evolution:
    return Evolution(initial(resolve_lemma(name).formula)[0], settings=settings, **options)


def check(search: Evolution) -> None:
    search.graph.check_invariants()
    for draft in search.population.drafts:
        check_invariants(search.graph.goals, search.root.number, draft.lines)
        assert draft.open or search.status is PROVED


@pytest.mark.parametrize("remembers", [True, False])
@hypothesis_settings(max_examples=examples(60))
@given(formula=formulas(("A", "B", "C"), max_steps=8, max_size=25))
def test_what_it_settles_is_so(remembers: bool, formula: Formula) -> None:
    search = Evolution(initial(formula)[0], settings=replace(SMALL, remembers=remembers))
    for _ in search.run(Budget(expansions=400)):
        check(search)
    if search.status is not OPEN:
        assert (search.status is PROVED) == Sequents().decide((), formula)
    script = search.script()
    assert (script is None) == (search.length is None)
    if script is not None:
        assert replay(formula, script)[-1] == ()
        assert search.length == len(script)


@pytest.mark.parametrize("name", ["SYJ203.3", "SYJ209.2", "SYJ205.1", "SYJ212.2", "textbook/peirce"])
def test_it_ends_on_theorems_and_on_others(name: str) -> None:
    search = started(name)
    list(search.run(Budget(expansions=20_000)))
    assert search.reason == ""
    assert (search.status is PROVED) == Sequents().decide((), resolve_lemma(name).formula)
    check(search)


@pytest.mark.parametrize("remembers", [True, False])
def test_a_round_keeps_to_its_edits_and_queries(remembers: bool) -> None:
    search = started("SYJ201.1", replace(SMALL, remembers=remembers))
    spent: Counter[int] = Counter()
    for _ in search.steps():
        spent[search.rounds] += 1
        if search.rounds == 12:
            break
    spent[0] -= SMALL.expansions  # the lemma itself is asked about before the first round
    assert all(number <= SMALL.edits + SMALL.queries * SMALL.expansions for number in spent.values())
    assert max(spent.values()) > SMALL.edits


# Generators of drafts


def result_of(task: Any) -> Any:
    """Run a task to its end; return what it returns."""
    while True:
        try:
            next(task)
        except StopIteration as ended:
            return ended.value


def develops(before: Sequence[Line], after: Sequence[Line], goals: Goals) -> bool:
    """Return True if the lines after differ from those before only where goals were open."""
    place = 0
    for line in before:
        if line.move == HOLE:
            place = end(goals, after, place)
        elif place < len(after) and after[place] == line:
            place += 1
        else:
            return False
    return place == len(after)


@pytest.mark.parametrize("generator", GENERATORS)
def test_each_generator_does_what_it_says(generator: str) -> None:
    settings = replace(SMALL, generators=(generator,), edits=36, queries=0, remembers=False, population=1000)
    search = started("SYJ205.2", settings)
    list(search.run(Budget(expansions=400)))
    drafts = {draft.number: draft for draft in search.population.drafts}
    children = [draft for draft in drafts.values() if draft.generator != "lemma"]
    assert len(children) > 10
    for child in children:
        if generator == "anew":
            assert child.parents == ()
            assert child.lines[0].move >= 0
        else:
            assert child.lines != drafts[child.parents[0]].lines
            assert develops(drafts[child.parents[0]].lines, child.lines, search.graph.goals)
    kinds = {child.generator for child in children}
    # Where nobody has anything to give, recombination has to go on alone.
    assert kinds == ({"continue", "recombine"} if generator == "recombine" else {generator})


def test_recombination_takes_proofs_from_other_drafts() -> None:
    search = Evolution(goal(TWICE), settings=replace(SMALL, remembers=False))
    goals = search.graph.goals
    number = goals.edges(search.root.number)[0][2][0]
    lines = (Line(search.root.number, 0), Line(number, HOLE), Line(number, HOLE))
    started_on = filled(lines, 1, (Line(number, 0), Line(goals.edges(number)[0][2][0], HOLE)))
    proved = filled(lines, 2, [Line(number, KNOWN)])
    search.population.admit(Draft(started_on, "anew", number=0))
    search.population.admit(Draft(proved, "anew", number=1))
    after, donors = result_of(search._recombined(lines, 9, SplitMix64(1)))
    assert donors == [1, 1]
    assert after == (lines[0], Line(number, KNOWN), Line(number, KNOWN))
    search.population.drafts.pop()
    after, donors = result_of(search._recombined(lines, 1, SplitMix64(1)))
    assert donors == [0]  # one edit, and a beginning is better than nothing
    assert after == (*lines[:2], *started_on[1:3])


def test_plays_of_the_same_turn_ask_the_policy_together() -> None:
    policy = Asked()
    search = started("SYJ201.1", replace(SMALL, edits=90, queries=0, generators=("anew",)), policy=policy)
    list(search.run(Budget(expansions=200)))
    sizes = [*map(len, policy.batches)]
    assert max(sizes) == SMALL.offspring
    assert sum(sizes) == search.calls


# The controller


@pytest.mark.parametrize("policy", [Uniform(), Exact()])
def test_a_policy_that_values_goals_is_asked_to_rate(policy: Policy) -> None:
    search = started("SYJ203.2", policy=policy, settings=replace(SMALL, queries=0, edits=3))
    list(search.run(Budget(expansions=9)))
    assert isinstance(search._rater, Symbolic if type(policy) is Uniform else Valued)


@pytest.mark.parametrize(
    "wrong",
    [{"generators": ("guess",)}, {"generators": ()}, {"edits": 2}, {"match": 1}, {"queries": -1}, {"best": 0}],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)


def test_a_root_that_is_refuted_by_playing_alone_is_refuted() -> None:
    search = Evolution(goal("A -> B \\/ C"), settings=replace(SMALL, queries=0))
    list(search.run(Budget()))
    assert search.status is REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(
    "lemma", ["size=16,atoms=4,kind=theorem,seed=5/28", *thoroughly("size=64,atoms=4,kind=theorem,seed=5/58")]
)
def test_a_length_is_that_of_the_script_though_parts_got_shorter_after_it_was_told(lemma: str) -> None:
    for seed in range(4):
        search = started(f"random:{lemma}", seed=seed)
        *_, event = search.run(Budget(expansions=3000))
        script = search.script()
        assert script is not None and len(script) == event.length


# Strengths from rankings: against draws from the model, sampling by weights, and a maximum-likelihood fit.


def played(strengths: Floats, matches: int, size: int, rng: np.random.Generator) -> list[Ranking]:
    """Draw competitors for so many matches, and their rankings from the model."""
    results: list[Ranking] = []
    for _ in range(matches):
        chosen = rng.permutation(len(strengths))[:size]
        arrivals = rng.standard_exponential(len(chosen)) / strengths[chosen]
        results.append(tuple((int(each),) for each in chosen[np.argsort(arrivals)]))
    return results


def tied(ranking: Ranking, rng: np.random.Generator) -> Ranking:
    """Return the same ranking, in which some neighbours are not told apart."""
    tiers: list[tuple[int, ...]] = []
    for tier in ranking:
        if tiers and rng.random() < 0.4:
            tiers[-1] += tier
        else:
            tiers.append(tier)
    return tuple(tiers)


@pytest.mark.slow
def test_intervals_contain_strengths_that_come_from_the_prior_as_often_as_they_should() -> None:
    rng = np.random.default_rng(3)
    experiments, competitors, inside, places = 80, 6, 0, []
    for _ in range(experiments):
        strengths = PRIOR.draw(rng, (competitors,))
        rankings = [tied(ranking, rng) for ranking in played(strengths, 10, 4, rng)]
        drawn = posterior(competitors, rankings, rng, samples=300, burn_in=60)
        low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
        inside += int(((low <= strengths) & (strengths <= high)).sum())
        places.append((drawn < strengths).mean())
    # 480 strengths, six at a time nearly independent: four standard errors of 0.9 are 0.055, of the mean place 0.05.
    assert abs(inside / (experiments * competitors) - 0.9) < 0.055
    assert abs(np.mean(places) - 0.5) < 0.05


@pytest.mark.slow
def test_in_the_limit_of_many_matches_it_is_the_maximum_likelihood_fit() -> None:
    rng = np.random.default_rng(4)
    strengths = np.exp(rng.normal(0, 1, 7))
    rankings = played(strengths, 1000, 5, rng)
    fitted = choix.ilsr_rankings(7, [tuple(tier[0] for tier in ranking) for ranking in rankings])
    drawn = np.log(posterior(7, rankings, rng, samples=300, burn_in=100))
    drawn -= drawn.mean(axis=1, keepdims=True)  # what rankings say nothing of
    assert np.abs(drawn.mean(axis=0) - fitted).max() < 0.03
    truth = np.log(strengths) - np.log(strengths).mean()
    assert (np.abs(drawn.mean(axis=0) - truth) < 5 * drawn.std(axis=0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("ranking", [((0, 1), (2, 3)), ((0,), (1, 2), (3,)), ((0, 1, 2, 3),)])
def test_a_tie_leaves_the_order_open(ranking: Ranking) -> None:
    """Against weights: draws from the prior count as often as a race of theirs ends in one of the orders."""
    rng = np.random.default_rng(5)
    mild = Prior(shape=2.0, tail=6.0)  # so that few draws have all the weight
    strengths = mild.draw(rng, (100_000, 4))
    weights = np.zeros(len(strengths))
    for orders in all_orders(ranking):
        chance = np.ones(len(strengths))
        for place in range(4):
            chance *= strengths[:, orders[place]] / strengths[:, orders[place:]].sum(axis=1)
        weights += chance
    expected = (np.log(strengths) * weights[:, None]).sum(axis=0) / weights.sum()
    drawn = posterior(4, [ranking], rng, samples=6000, burn_in=100, prior=mild)
    assert np.abs(np.log(drawn).mean(axis=0) - expected).max() < 0.07


def all_orders(ranking: Ranking) -> list[list[int]]:
    """Return the orders that a ranking leaves open."""
    orders: list[list[int]] = [[]]
    for tier in ranking:
        orders = [order + list(more) for order in orders for more in permutations(tier)]
    return orders


def test_the_scale_of_elo_is_that_of_chess() -> None:
    strengths = np.array([[1.0, 10.0, 100.0, 0.0]]) + np.array([[0.0, 0.0, 0.0, 0.1]])
    assert elo(strengths).tolist() == [1200, 1600, 2000, 800]


@pytest.mark.slow
def test_a_competitor_without_matches_has_the_prior() -> None:
    drawn = posterior(3, [((0,), (1,))], np.random.default_rng(6), samples=8000)
    free = PRIOR.draw(np.random.default_rng(7), (8000,))
    assert np.allclose(np.quantile(drawn[:, 2], [0.1, 0.5, 0.9]), np.quantile(free, [0.1, 0.5, 0.9]), rtol=0.15)
    assert drawn[:, 0].mean() > drawn[:, 2].mean() > drawn[:, 1].mean()
    assert 1150 < elo(drawn)[2] < 1250
    for rankings in ([], [((0,),)]):  # no match at all
        assert abs(np.log(posterior(2, rankings, np.random.default_rng(9), samples=8000) / free[:, None]).mean()) < 0.1
