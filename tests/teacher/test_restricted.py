"""What can be proved by some of the rules only, against a search that knows nothing of sequents and of oracles."""

from collections.abc import Collection
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.exact.difficulty import difficulty
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from oasis.teacher.hints import Teacher
from tactics.formula import Formula
from tactics.goal import Goal, Move, Sequent, State, initial, sequent
from tactics.parser import parse
from tactics.rules import RULES, apply, legal_moves, premises
from tactics.script import parse_script, replay
from tests.strategies import Walk, formulas, walks
from tests.teacher.reached import below

some_rules = st.frozensets(st.sampled_from(list(RULES)), min_size=1)
OR_COMM = parse("A \\/ B -> B \\/ A")


@cache
def shortest(goal: Goal, rules: frozenset[str]) -> float:
    """Return the length of a shortest proof by these rules, found by trying all; infinite if there is none."""
    return min(
        (1 + sum(shortest(premise, rules) for premise in premises(goal, move)) for move in allowed(goal, rules)),
        default=float("inf"),
    )


def allowed(goal: Goal, rules: Collection[str]) -> list[Move]:
    return [move for move in legal_moves(goal) if move.rule in rules]


def provable(state: State, rules: frozenset[str]) -> bool:
    return all(shortest(goal, rules) < float("inf") for goal in state)


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), some_rules)
def test_a_graph_of_some_rules_has_their_moves_and_shortest_proofs(formula: Formula, rules: frozenset[str]) -> None:
    start = initial(formula)
    below(*start, most=500)
    graph = GoalGraph(start, rules=rules)
    lengths = Lengths(graph)
    pending = list(start)
    for goal in pending:
        assert list(graph.moves(goal)) == allowed(goal, rules)
        assert (lengths.shortest_proof((goal,)) or float("inf")) == shortest(goal, rules)
        pending += [each for move in allowed(goal, rules) for each in premises(goal, move) if each not in pending]


@given(walks(), some_rules)
def test_a_state_is_called_provable_exactly_if_these_rules_prove_it(walk: Walk, rules: frozenset[str]) -> None:
    below(*walk.states[0], most=500)
    teacher = Teacher(rules=rules)
    for state in walk.states:
        assert teacher.provable(state) == provable(state, rules)


@given(walks(), some_rules)
def test_whether_a_state_holds_does_not_depend_on_the_rules_allowed(walk: Walk, rules: frozenset[str]) -> None:
    teacher, engine = Teacher(rules=rules), Sequents()
    for state in walk.states:
        fails = [goal for goal in state if not engine.decide([each for _, each in goal.hypotheses], goal.conclusion)]
        assert teacher.valid(state) == (not fails)
        refuted = teacher.refute(state)
        assert (refuted is None) == (not fails)
        if refuted is not None:
            hypotheses = [formula for _, formula in fails[0].hypotheses]
            check(refuted.model, hypotheses, fails[0].conclusion)


@pytest.mark.parametrize("name", textbook_names())
def test_advice_by_some_rules_leads_to_a_proof_by_them_as_long_as_it_promises(name: str) -> None:
    start = initial(textbook_lemma(name).formula)
    for left_out in RULES:
        rules = frozenset(RULES) - {left_out}
        teacher = Teacher(rules=rules)
        if not teacher.provable(start):
            continue
        state, made = start, 0
        length = teacher.advice(start[0]).length
        while state:
            advice = teacher.advice(state[0])
            assert advice.move.rule in rules
            assert list(advice.losing) == [
                move for move in allowed(state[0], rules) if not provable(premises(state[0], move), rules)
            ]
            state, made = apply(state, advice.move), made + 1
        assert made == length == shortest(start[0], rules)


def test_a_lemma_whose_proofs_need_another_rule_is_said_to_have_one() -> None:
    hint = Teacher(rules=["intro", "assumption", "destruct_or", "right"]).hint(initial_states("intro"), (), 4)
    assert hint.sentences() == ["This lemma has a proof, but none with these tactics."]


def initial_states(script: str) -> list[State]:
    return replay(OR_COMM, parse_script(script))


def test_what_is_lost_with_these_tactics_only_is_said_so() -> None:
    formula = parse("(A -> B) -> A /\\ C -> (A /\\ C) \\/ B")
    script = parse_script("intro; intro; right")
    states = replay(formula, script)
    teacher = Teacher(rules=[rule for rule in RULES if rule != "destruct_and"])
    found = teacher.hint(states, script, 2)
    assert found.sentences()[:2] == [
        "No: since move 3, right, this cannot be proved any more with these tactics.",
        "No move applies here with these tactics.",
    ]
    loss = teacher.what_it_lost(states[2], script[2], states[3])
    assert loss is not None
    assert loss.countermodel is None
    assert loss.sentences() == ["Goal 1 after right has a proof, but none with these tactics."]
    advice = teacher.advice(states[2][0])
    assert advice.sentences(4)[-1] == "right would make it unprovable with these tactics."


def test_what_is_lost_whatever_the_tactics_is_said_without_a_word_on_them() -> None:
    script = parse_script("intro; left")
    states = replay(OR_COMM, script)
    teacher = Teacher(rules=[rule for rule in RULES if rule != "imply4"])
    assert teacher.hint(states, script, 1).sentences() == ["No: since move 2, left, this cannot be proved any more."]
    loss = teacher.what_it_lost(states[1], script[1], states[2])
    assert loss is not None and loss.countermodel is not None
    assert loss.sentences()[0] == "There is no proof of A \\/ B |- B."


def test_the_move_that_lost_a_proof_by_these_tactics_is_not_called_the_one_that_lost_every_proof() -> None:
    """After the first move there is still a proof, after the second none whatever the tactics."""
    formula = parse("(A \\/ B) /\\ C -> (B \\/ A) /\\ C \\/ (A \\/ B) /\\ C")
    script = parse_script("intro; left; destruct_and H; split; left")
    states = replay(formula, script)
    rules = [rule for rule in RULES if rule != "destruct_or"]
    found = Teacher(rules=rules).hint(states, script, 1)
    assert found.step == 2
    assert not Teacher().provable(states[-1])
    assert found.sentences()[0] == "No: since move 2, left, this cannot be proved any more with these tactics."


def test_what_cannot_be_looked_through_in_time_is_not_answered() -> None:
    start = initial(resolve_lemma("SYJ203.9").formula)
    teacher = Teacher(Limit(0.3), rules=[rule for rule in RULES if rule != "split"])
    with pytest.raises(LimitReached):
        teacher.provable(start)


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), some_rules)
def test_how_hard_a_lemma_is_is_what_a_walk_over_its_states_meets(formula: Formula, rules: frozenset[str]) -> None:
    start = initial(formula)
    below(*start, most=200)
    found = difficulty(formula, rules=rules)
    seen: dict[Sequent, Goal] = {}
    first: int | None = None
    states, number, met = {start}, 0, {start}
    while states and provable(start, rules):
        assert len(met) < 20_000
        after = set()
        for state in filter(None, states):
            seen.setdefault(sequent(state[0]), state[0])
            nexts = [apply(state, move) for move in allowed(state[0], rules)]
            if first is None and not all(provable(each, rules) for each in nexts):
                first = number
            after |= {each for each in nexts if provable(each, rules)} - met
        met |= after
        states, number = after, number + 1
    losing = sum(not provable(premises(goal, move), rules) for goal in seen.values() for move in allowed(goal, rules))
    length = shortest(start[0], rules)
    assert (found.moves or float("inf"), found.losing, found.first) == (length, losing, first)
    assert (found.vain is None) == (found.moves is not None)
    assert (found.worlds is None) == Sequents().decide((), formula)


def test_how_hard_a_lemma_is_in_words() -> None:
    said = {
        "A /\\ B -> B /\\ A": "a shortest proof of 5 moves, 0 moves that lose",
        "A \\/ B -> B \\/ A": "a shortest proof of 6 moves, 4 moves that lose, the first after 1",
        "((A -> B) -> A) -> A": "no proof, a countermodel of 2 worlds, at most 3 moves in vain",
    }
    assert {text: difficulty(parse(text)).sentence() for text in said} == said
    assert (
        difficulty(parse("A -> A"), rules=["split"]).sentence()
        == "no proof with these tactics, at most 0 moves in vain"
    )
    with pytest.raises(LimitReached):
        difficulty(OR_COMM, max_goals=2)
