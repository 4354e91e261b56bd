"""R† as a reward: the sum of its terms, the same plain and compiled, what it counts, and how it is explained."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.library import textbook_lemma, thesis_lemma
from oasis.dagger.beliefs.bayes import visits
from oasis.dagger.beliefs.belief import Remembered
from oasis.dagger.counters import Counters
from oasis.dagger.episodes import Episode, played, replayed
from oasis.dagger.explain import Explanation, explain
from oasis.dagger.fit import default_fitted
from oasis.dagger.making import dagger, described, made, weights_of
from oasis.dagger.packing import edges
from oasis.dagger.picture import figure
from oasis.dagger.reward import RewardDagger
from oasis.dagger.shapes import Tactic, tactic
from oasis.dagger.term import Form, OfBelief, OfGoal, OfState, OfStep, OfUse, Options, Reading, Step, Used
from oasis.dagger.terms.bayesian import chances
from oasis.dagger.weights import WHOLE, Weights, presets
from oasis.ground.names import TERMS
from oasis.play.actions import ACTION_SPACES, SIMPLIFY, attempt
from oasis.play.policy import Uniform
from oasis.rewards import Dependence, Outcome, Pay, Rounds, Transition, closing, paid_at_end
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from state_spaces.canonical import label
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, Move, State
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tactics.script import parse_script, replay
from tests.strategies import PLAIN_NAMES, formulas
from tests.student.pupils import lemmas
from tests.student.twins import check_twins, compiled
from tests.thorough import examples, thoroughly

LEMMAS = [thesis_lemma("41").formula, textbook_lemma("or_over_and").formula, thesis_lemma("42").formula]
ALL = ":".join(f"{name}=0.{number}" for number, name in enumerate(TERMS, 11))
BELIEFS = ("bayes-online", "bayes", "bayes-online")
SIXTEEN = {each: f"dagger:{WHOLE[each]}:{ALL}:round=5:belief={by}" for each, by in zip(Reading, BELIEFS, strict=True)}


@cache
def trained(name: str, episodes: int = 23) -> RewardDagger:
    """Return the reward of a plain student that practised; it counts nothing more."""
    student = PlainStudent(Settings(reward=name, seed=3))
    for lemma in LEMMAS:
        student.practise(lemma, episodes)
    assert isinstance(student.reward, RewardDagger)
    return student.reward


KINDS: list[dict[str, Any]] = [
    {"max_steps": 15},
    {"learner": "sarsa-lambda", "actions": "blind", "max_steps": 15},
    {"learner": "epsilon-soft", "actions": "blind", "forget_errors": True, "max_steps": 15},
    {"learner": "dyna-q", "planning": 3, "state_space": "name", "max_steps": 15},
    {"learner": "sarsa", "actions": "simplify", "max_steps": 6},
]
SEED, SOUND, SHAPED = Reading


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("turned", [False, *thoroughly(True)])
def test_plain_and_compiled_students_are_paid_the_same(kind: dict[str, Any], turned: bool) -> None:
    reading = (SEED, SOUND, SHAPED)[(KINDS.index(kind) + turned) % 3]
    settings = Settings(reward=SIXTEEN[reading], seed=8, **kind)
    plain, fast = check_twins(settings, [*LEMMAS, LEMMAS[0]], 13)
    assert plain.reward.state() == fast.reward.state()


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(60))
@given(st.sampled_from([*SIXTEEN.values(), "dagger:seed:compression=ast"]), st.lists(lemmas(max_size=9), min_size=1))
def test_plain_and_compiled_students_are_paid_the_same_on_any_lemma(reward: str, formulas: list[Formula]) -> None:
    check_twins(Settings(reward=reward, max_steps=15), formulas[:3], 4, 1, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "episodes"), [*product(Reading, (1, 11))])
def test_a_student_that_is_stored_within_a_round_goes_on_as_if_it_had_not_been(reading: Reading, episodes: int) -> None:
    settings = Settings(reward=SIXTEEN[reading], seed=4)
    through, _ = compiled(settings)
    for lemma in LEMMAS:
        through.practise(lemma, 17)
    before, _ = compiled(settings)
    before.practise(LEMMAS[0], 17)
    before.practise(LEMMAS[1], episodes)
    after = type(before).load(before.save(), settings)
    after.practise(LEMMAS[1], 17 - episodes)
    after.practise(LEMMAS[2], 17)
    counted, wanted = after.reward.state(), through.reward.state()
    assert {**counted, "goals": sorted(counted["goals"])} == {**wanted, "goals": sorted(wanted["goals"])}
    assert after.memory.pairs.tobytes() == through.memory.pairs.tobytes()


def naive(reward: RewardDagger, step: Step) -> float:
    """Return the sum of what the terms pay for a step, each worked out from its definition."""
    total = sum(weight * value(form, reward, step) for _, form, weight in reward.parts)
    return min(max(total, -reward.weights.clip), reward.weights.clip) if reward.weights.reading is SOUND else total


def value(form: Form, reward: RewardDagger, step: Step) -> float:
    context, before, after = reward.context, step.before, step.after
    match form:
        case OfStep():
            return 0.0 if form.averaged else form.value(context, step)
        case OfBelief():
            return form.value(context, *chances(context, step))
        case OfState(differenced=False):
            return form.value(context, after) if after else 0.0
        case OfUse(differenced=False):
            return of_uses(form, reward, [tactic(before[0], step.move)])[0] if step.moves else 0.0
        case OfGoal(differenced=False):
            closes = len(after) < len(before)
            return of_goal(form, reward, before[0] if closes or not after else after[0]) if closes or step.ended else 0
        case OfState() | OfUse() | OfGoal():
            return (context.gamma * potential(form, reward, after) if after and not step.ended else 0.0) - potential(
                form, reward, before
            )
    return 0.0


def potential(form: OfState | OfUse | OfGoal, reward: RewardDagger, state: State) -> float:
    match form:
        case OfState():
            return form.value(reward.context, state)
        case OfUse():
            return max(of_uses(form, reward, [tactic(state[0], move) for move in legal_moves(state[0])]))
        case OfGoal():
            return of_goal(form, reward, state[0])


def of_uses(form: OfUse, reward: RewardDagger, tactics: list[Tactic]) -> list[float]:
    counted = {each: counts for each, *counts in reward.counters.tactics.rows()}
    known = {*counted, *reward.context.knowledge.tactics}
    uses, closed = np.array([counted.get(each, [0, 0]) for each in tactics], float).T
    central = np.array([reward.context.knowledge.centrality(each.rule) for each in tactics])
    total = float(sum(uses for uses, _ in counted.values()))
    return [*map(float, form.value(reward.context, Used(uses, closed, central, total, len(known))))]


def of_goal(form: OfGoal, reward: RewardDagger, goal: Goal) -> float:
    counted = {key: counts for key, *counts in reward.counters.goals.rows()}
    tried, done = counted.get(label((goal,)).key, [0, 0])
    return float(form.value(reward.context, np.array([float(done)]), np.array([float(tried - done)]))[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "gamma"), [(SEED, 0.9), (SOUND, 1.0), (SHAPED, 0.9), *thoroughly((SEED, 1.0), (SOUND, 0.9))], ids=str
)
def test_a_step_is_paid_the_sum_of_its_terms(reading: Reading, gamma: float) -> None:
    practised = trained(SIXTEEN[reading])
    reward = RewardDagger(practised.weights, replace(practised.context, gamma=gamma))
    reward.restore(practised.state())
    checked = 0
    for lemma in [*LEMMAS, textbook_lemma("and_comm").formula]:
        for episode in episodes(lemma):
            for step in episode:
                assert reward.step(*step[:4]) == pytest.approx(naive(reward, step), abs=1e-12)
                checked += 1
    assert checked > 100


def episodes(lemma: Formula) -> list[list[Step]]:
    """Return the steps of some random plays."""
    return [list(episode.steps) for episode in played(lemma, Uniform(), 8, seed=5)]


def test_a_term_of_weight_0_is_not_computed() -> None:
    weights = weights_of("dagger:all:S_KL=0")

    class Asked:
        version, leaks = "asked", False

        def probabilities(self, states: Any) -> Any:
            raise AssertionError("nobody has to be asked")

    context = replace(dagger("dagger:all").context, belief=Remembered(Asked()))
    reward = RewardDagger(weights, context)
    assert reward.step(*episodes(LEMMAS[0])[0][0][:4])
    with pytest.raises(InputError, match="The belief Asked fails with AssertionError: nobody has to be asked"):
        RewardDagger(weights_of("dagger:all"), context).step(*episodes(LEMMAS[0])[0][0][:4])


def test_the_sum_is_clipped_last_and_it_is_told_how_often() -> None:
    reward = dagger("dagger:correct:P=50:clip=2")
    (*_, last), *_ = (episode for episode in episodes(LEMMAS[0]) if not episode[-1].after)
    assert (reward.step(*last[:4]), reward.clipped) == (2.0, 1)
    assert dagger("dagger:correct").step(*last[:4]) == 1.0


@pytest.mark.parametrize(
    ("name", "dependence", "pays_at_end"),
    [
        ("dagger:correct", Dependence.KIND, False),
        ("dagger:correct:P=1:H=1:S_KL=1", Dependence.TRANSITION, False),
        ("dagger:correct:S_KL=1:belief=bayes-online", Dependence.HISTORY, False),
        ("dagger:correct:U_sigma=1", Dependence.HISTORY, False),
        ("dagger:sparse", Dependence.HISTORY, True),
        ("dagger:correct:C_beta=1:reading=seed", Dependence.TRANSITION, True),
        ("dagger:correct:E=1:reading=seed", Dependence.TRANSITION, True),
    ],
)
def test_it_says_what_it_depends_on(name: str, dependence: Dependence, pays_at_end: bool) -> None:
    reward = dagger(name)
    assert (reward.dependence, reward.pays_at_end) == (dependence, pays_at_end)


def test_a_belief_learns_from_a_round_and_pays_by_what_it_says_then() -> None:
    reward, plays = dagger("dagger:correct:S_KL=1:belief=bayes-online"), played(LEMMAS[1], Uniform(), 40, 2)
    belief, taught = default_fitted().belief("bayes"), default_fitted().belief("bayes-online")
    taught.learn([visit for visit in visits(plays) if visit.tactic])
    step = plays[0].steps[0]
    before = reward.step(*step[:4])
    assert counted(reward, *plays).step(*step[:4]) == naive(reward, step) != before
    said = [each.probabilities([step.before])[0] for each in (reward.context.belief, taught, belief)]
    assert said[0] == said[1] != said[2]
    fresh = [dagger(f"dagger:shaped:belief={by}").of_state(step.before) for by in BELIEFS[:2]]
    assert fresh[0] == pytest.approx(fresh[1]) and fresh[0] != dagger("dagger:shaped:S_KL=0").of_state(step.before)


def test_what_depends_on_the_kind_of_a_step_alone_is_five_numbers() -> None:
    assert Pay.of(dagger("dagger:correct")) == (0, 0, 0, 0, 1)
    assert Pay.of(dagger("dagger:correct:K_pre=0.5")) == (-0.5, -0.5, 0, 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dagger:correct", "dagger:correct:K_pre=0.1", "dagger:correct:P=0.1"])
def test_students_are_paid_the_same_whatever_their_reward_depends_on(name: str) -> None:
    check_twins(Settings(reward=name, seed=1), LEMMAS[2:], 60)


def test_padding_a_proof_makes_it_worth_less_and_the_smallest_is_kept_after_the_round() -> None:
    reward = dagger("dagger:sparse", 0.9)
    reward.begin(LEMMAS[0])
    proofs = sorted((episode for episode in episodes(LEMMAS[0]) if not episode[-1].after), key=len)
    rows = [np.array([reward.row(*step[:4]) for step in proof], reward.row_type) for proof in proofs]
    assert reward.finish(rows[-1], True) == pytest.approx(-0.1)
    assert reward.finish(rows[0], True) == pytest.approx(-0.1)
    assert reward.finish(np.concatenate([rows[0]] * 3), False) == 0
    reward.refresh({})
    assert reward.finish(rows[0], True) == pytest.approx(-0.1)
    assert reward.finish(np.concatenate([rows[0]] * 3), True) < -0.1


def test_what_was_counted_is_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    student, uses, closed = PlainStudent(Settings(reward="dagger:all:round=4")), Counter[str](), Counter[str]()
    path: list[list[Transition]] = []
    play = student._play

    def listening(environment: Any, *rest: Any) -> None:
        play(environment, *rest)
        path.append(list(environment.proof.path))

    monkeypatch.setattr(student, "_play", listening)
    student.practise(LEMMAS[1], 9)
    for episode in path[:8]:
        uses.update(step.move.rule for step in episode)
        closed.update(step.move.rule for step in closing(episode))
    assert isinstance(student.reward, RewardDagger)
    rows = student.reward.counters.tactics.rows()
    for rule in uses:
        assert sum(tried for tactic, tried, _ in rows if tactic.rule == rule) == uses[rule]
        assert sum(done for tactic, _, done in rows if tactic.rule == rule) == closed[rule]
    assert sum(tried for _, tried, _ in student.reward.counters.goals.rows()) == uses.total()


def test_a_goal_is_closed_when_fewer_are_open_than_when_it_was_in_focus() -> None:
    lemma = parse(r"(A /\ B -> B /\ A) /\ (C -> C)")
    script = parse_script("split; intro; destruct_and H; split; assumption; assumption")
    states = replay(lemma, script)
    path = [Transition(*each) for each in zip(states, script, states[1:], strict=False)]
    assert len(states[-1]) == 1
    assert [each.move.rule for each in closing(path)] == [move.rule for move in script[1:]]
    assert closing([]) == []


def test_the_proof_graph_says_which_step_opened_each_goal() -> None:
    assert edges([]) == []
    assert edges([0, 1, -1, 0, -1]) == [(-1, 0), (0, 1), (1, 2), (1, 3), (3, 4)]
    assert edges([1, 1, -1, -1, -1]) == [(-1, 0), (0, 1), (1, 2), (1, 3), (0, 4)]
    assert edges([1, -2]) == [(-1, 0), (0, 1)]


def test_counting_goes_on_only_for_the_weights_and_the_knowledge_that_it_was_begun_with() -> None:
    state = trained("dagger:all:round=4").state()
    same = dagger("dagger:all:round=4", 0.9)
    same.restore(state)
    assert same.state() == state
    for other in ("dagger:all:round=4:P=0.2", "dagger:all:round=4:belief=even"):
        with pytest.raises(InputError, match="The weights or the knowledge of the reward R† are not those"):
            dagger(other, 0.9).restore(state)
    with pytest.raises(InputError, match="The weights or the knowledge"):
        dagger("dagger:all", 0.9).restore(None)
    learned = dagger(SIXTEEN[SHAPED])
    with pytest.raises(InputError, match="What the belief of R† had learned is damaged; put back a copy"):
        learned.restore({**learned.state(), "belief": {}})


@pytest.mark.parametrize(
    "damage",
    [
        {"tactics": [["intro", "a", -1, 0]]},
        {"tactics": [["intro", "a", 1, 2]]},
        {"tactics": [["intro", "a", 10**30, 1]]},
        {"tactics": [["intro"]]},
        {"goals": [["nothing in hex", 1, 1]]},
        {"goals": [["ab", float("nan"), 1]]},
        {"best": {"ab": 0}},
        {"best": {"ab": "one"}},
        {"round": []},
    ],
)
def test_damaged_counters_are_told_in_one_sentence(damage: dict[str, Any]) -> None:
    reward = dagger("dagger:all:round=4", 0.9)
    with pytest.raises(InputError, match=r"What the reward R† had counted is damaged \(.*\); put back a copy"):
        reward.restore({**trained("dagger:all:round=4", 1).state(), **damage})
    with pytest.raises(InputError, match="damaged"):
        Counters().restore({})


@given(
    st.dictionaries(st.sampled_from([*TERMS]), st.floats(-5, 5)),
    st.sampled_from(Reading),
    st.builds(Options, depth=st.integers(1, 9), prior=st.floats(0.5, 9), signed=st.booleans()),
    st.sampled_from(["bayes", "a.module:Thing"]),
)
def test_weights_have_a_name_that_says_them_all(
    chosen: dict[str, float], reading: Reading, options: Options, belief: str
) -> None:
    weights = Weights(reading=reading, weights=chosen, options=options, belief=belief)
    assert weights_of(described(weights)) == weights
    assert Weights.read(weights.to_json()) == weights


def test_presets_have_short_names() -> None:
    assert [described(weights_of(f"dagger:{name}")) for name in presets()] == [f"dagger:{name}" for name in presets()]
    assert described(weights_of("dagger")) == "dagger:steady"


def test_stored_names_keep_the_weights_that_they_had() -> None:
    assert weights_of("dagger:sound:P=0.3") == weights_of("dagger:all:P=0.3")
    assert Settings(reward="dagger:sound:P=0.3").reward == "dagger:all:P=0.3"
    assert len(weights_of("dagger:all").weights) == 14


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("dagger:soun", "There are no weights 'soun': no file of that name, and the presets are steady, all"),
        (f"dagger:{'w' * 300}", "There are no weights 'www"),
        ("dagger:all:Q=1", "There is no 'Q'; what can be changed is C, P, E"),
        ("dagger:all:U_sigm=1", "did you mean U_sigma"),
        ("dagger:all:P=nan", "The weight of P is nan; give a number up to 1,000,000"),
        ("dagger:all:P", "changes nothing; write NAME=VALUE"),
        ("dagger:all:clip=0", r"clip is 0; give a number above 0 and up to 1e\+100."),
        (f"dagger:all:clip={10**400}", "clip is 1000.*; give a number above 0 and up to"),
        ("dagger:all:round=1.5", r"round is 1\.5; give a whole number from 1 on"),
        ("dagger:all:reading=loud", "reading is one of seed, sound, shaped"),
        ("dagger:all:belief=kn", "belief is one of knn, bayes, bayes-online, gnn, even"),
        ("dagger:all:knowledge=nobody", "nobody"),
        ("dagger:all:prior=0", r"prior is 0; give a number from 1e-09 to 1,000,000\."),
        (
            "dagger:all:prior=5e-324",
            "prior is 4.9.*; give a number from",
        ),  # by which a share would be 0, and its log infinite
        ("dagger:all:depth=0", r"depth is 0; give a whole number from 1 to 1,000,000\."),
        (f"dagger:all:depth={10**400}", "depth is 1000.*; give a whole number from 1 to"),
        ("dagger:all:signed=1", "signed is 1; give true or false"),
        ("dagger:all:compression=zip", "compression is one of graph, ast"),
        ("dagger:all:weights=1", "There is no 'weights'"),
    ],
    ids=lambda text: text[:24],
)
def test_what_cannot_be_weights_is_refused_in_words(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where there is no database in which to look for what was fitted
    with pytest.raises(InputError, match=says):
        Settings(reward=name)


def test_a_file_of_weights_is_read_and_what_is_wrong_in_it_is_told(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('reading = "seed"\nround = 7\n[weights]\nC = 2\n[options]\ndepth = 3\n')
    weights = weights_of(f"dagger:{path}")
    assert (weights.reading, weights.round, dict(weights.weights)) == (Reading.SEED, 7, {"C": 2.0})
    assert weights.options == Options(depth=3)
    (named := tmp_path / "mine:P=0.3").write_text("round = 7\n")
    assert weights_of(str(named)) == Weights(round=7)
    for text, says in [
        ("[weights\n", "mine.toml is no TOML"),
        (f"clip = {'9' * 5000}\n", "mine.toml is no TOML"),
        ("weights = 3\n", "mine.toml: weights is a table; write .weights. on a line of its own"),
        ("[weights]\nX = 1\n", "mine.toml: There is no term 'X'; there are C, P"),
        ("speed = 3\n", "mine.toml: There is no setting speed; leave it out"),
        ("P = 3\n", r"mine.toml: P stands in the wrong place; write it below a line that says .weights.\.$"),
        ("hops = 3\n", r"mine.toml: hops stands in the wrong place; write it below .* .options.\.$"),
        ("[options]\nP = 3\n", r"mine.toml: P stands in the wrong place; write it below a line that says .weights.\.$"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=says):
            weights_of(f"dagger:{path}")


def test_steps_say_how_many_moves_they_are() -> None:
    lemma = parse("A -> B -> A")
    before, move, after, *_ = episodes(lemma)[0][0]
    assert Step.of(before, move, after, False).moves == 1
    assert Step.of(before, move, before, False).moves == 0
    simplified, moves = ACTION_SPACES["simplify"].perform(before, SIMPLIFY, attempt)
    assert Step.of(before, SIMPLIFY, simplified, False).moves == len(moves) > 1


@pytest.mark.parametrize("reading", Reading)
def test_a_step_is_paid_by_the_formula_that_it_works_on_whatever_hypotheses_are_called(reading: Reading) -> None:
    # Goals that differ in names and order alone are one and the same to R†, and the same name is another formula there.
    given, implies, wanted = parse("a"), parse("a -> b"), parse("b")
    one = Goal((Hypothesis("H", given), Hypothesis("H0", implies)), wanted)
    other = Goal((Hypothesis("H", implies), Hypothesis("H0", given)), wanted)
    reward = dagger(SIXTEEN[reading])
    for goal, name in ((one, "H0"), (other, "H")):
        move, alone = Move("imply1", name), dagger(SIXTEEN[reading])
        step = (goal,), move, apply((goal,), move), False
        found, expected = (np.array([each.row(*step)], each.row_type)[0] for each in (reward, alone))
        assert found[["amount", "mean", "rule"]] == expected[["amount", "mean", "rule"]]
        assert found["tactic"] == reward.counters.tactics.number(tactic(goal, move))
    idle = np.array([reward.row((one,), Move("imply1", "H"), (one,), False)], reward.row_type)[0]
    assert idle["rule"] == -1


# Explanations

AND_COMM = "A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption"
STUCK = "A -> B \\/ A", "intro; left"


def episode(lemma: str, script: str) -> Episode:
    return replayed(parse(lemma), parse_script(script))


def explained(name: str, lemma: str, script: str) -> Explanation:
    return explain(dagger(name, 0.9), episode(lemma, script))


def counted(reward: RewardDagger, *episodes: Episode) -> RewardDagger:
    """Return the reward after a round of these episodes."""
    rounds = Rounds(reward)
    for each in episodes:
        rounds.count([Transition(step.before, step.move, step.after) for step in each.steps])
    rounds.refresh()
    return reward


@settings(max_examples=examples(60))
@given(
    formulas(PLAIN_NAMES, max_steps=8, max_size=30),
    st.sampled_from(Reading),
    st.dictionaries(st.sampled_from([*TERMS]), st.floats(-3, 3)),
    st.sampled_from([0.5, 10.0]),
    st.integers(0, 3),
)
def test_terms_lie_in_their_ranges_have_reasons_and_what_they_pay_adds_up_to_the_reward(
    lemma: Any, reading: Reading, weights: dict[str, float], clip: float, seed: int
) -> None:
    reward = made(Weights(reading, weights, clip), 0.9)
    before, now = played(lemma, Uniform(), 2, seed)
    shown = explain(counted(reward, before), now)
    path = [Transition(step.before, step.move, step.after) for step in now.steps]
    script = tuple(step.move for step in now.steps)
    for step in shown.steps:
        assert [*step.terms] == [*TERMS]
        for term in TERMS.values():
            version = term.version(reading)
            assert version.least - 1e-9 <= step.terms[term.name].value <= version.most + 1e-9
            assert step.terms[term.name].why and (term.name in weights or step.terms[term.name].paid == 0)
        total = sum(said.paid for said in step.terms.values())
        assert step.reward == pytest.approx(min(max(total, -clip), clip) if reading is SOUND else total, abs=1e-9)
        assert step.clipped == (reading is SOUND and abs(total) > clip)
    outcome = Outcome(now.proved, not now.steps[-1:] or not now.steps[-1].ended, len(path), script, path)
    assert shown.end == pytest.approx(paid_at_end(reward, outcome) if path else 0.0, abs=1e-9)
    assert reading is not SEED or abs(shown.total) <= clip + 1e-9
    assert shown.total == pytest.approx(sum(step.reward for step in shown.steps) + shown.end)
    assert shown.proved == now.proved
    if not shown.clipped:
        assert sum(said.paid for said in shown.episode.values()) == pytest.approx(shown.total, abs=1e-9)
    for name, (value, _, why) in shown.episode.items():
        each = [step.terms[name].value for step in shown.steps]
        assert why
        is_mean = TERMS[name].is_mean or TERMS[name].version(reading).is_potential
        if (reading, name) not in ((SEED, "C_beta"), (SOUND, "C_beta"), (SEED, "U_sigma")):
            assert value == pytest.approx(sum(each) / (max(1, len(each)) if is_mean else 1))


def test_a_script_is_explained_as_printed_where_means_are_paid_when_it_is_over() -> None:
    proof = explained("dagger:seed", *AND_COMM)
    assert proof.steps[0].terms["E"] == (3, 0, "deepest formula: 1, was 2")
    assert proof.at_end["E"] == proof.episode["E"].value == pytest.approx((3 + 3 + 4 + 4 + 0) / 5)
    unproved = explained("dagger:all", "A \\/ B", "")
    assert (unproved.start["N_fit"], unproved.total, unproved.steps) == (-0.25, 0, [])
    assert not unproved.proved and not unproved.stuck
    assert explained("dagger:shaped", "A \\/ B", "").start["U_sigma"] == 1  # as nothing was ever tried


def test_potentials_pay_differences_and_discounted_are_worth_the_same_for_every_proof() -> None:
    shown = explained("dagger:correct:E=1:H=1", *STUCK)
    assert shown.stuck and shown.steps[-1].terms["C"].why == "stuck with 1 goal left"
    values = [shown.start["E"], *(step.terms["E"].value for step in shown.steps)]
    assert values == [0.5, 0.75, 1]
    assert [step.terms["E"].paid for step in shown.steps] == pytest.approx([0.9 * 0.75 - 0.5, -0.75])
    assert shown.steps[-1].terms["E"].why == "deepest formula: 0, was 1; stuck, so Φ = 0"
    assert [step.terms["H"].paid for step in shown.steps] == pytest.approx([0.1, 1])  # it is subtracted
    assert shown.weights["H"] == -1 and shown.to_json()["weights"]["H"] == 1
    whole = explained("dagger:correct:C=0:P=1", *AND_COMM)
    assert [whole.discounted, whole.total] == pytest.approx([1, 1.5])  # -Φ of the first state is 1


def test_what_a_term_of_states_says_is_the_same_where_its_belief_learns() -> None:
    told = (explained(f"dagger:shaped:belief={belief}", *AND_COMM) for belief in ("bayes", "bayes-online"))
    fixed, learning = ([each.start["S_KL"], *(step.terms["S_KL"] for step in each.steps)] for each in told)
    assert fixed == learning


def test_what_was_counted_is_said() -> None:
    proof = episode(*AND_COMM)
    reward = made(Weights(weights={"R_alpha": 1.0, "U_sigma": 1.0, "N_BNG": 1.0, "C_beta": 1.0}), 0.9)
    counted(reward, proof, proof, episode(*STUCK))
    reward.begin(proof.lemma)
    reward.finish(reward_rows(reward, proof), True)
    counted(reward)
    state = reward.state()
    shown = explain(reward, proof)
    first = shown.steps[0].terms
    assert (first["R_alpha"].why, first["N_BNG"].why) == ("used 2 of 12 times", "worked 2 of 2 times; centrality 1")
    assert first["N_BNG"].value == pytest.approx(log(2 * 3 / 4) - 1)
    last = shown.steps[-1].terms["U_sigma"]
    assert last.why == "closes a goal, closed 4 of 4 times before"
    assert shown.episode["C_beta"].why.endswith("the best has 12")
    assert reward.state() == state


def reward_rows(reward: RewardDagger, one: Episode) -> Any:
    return np.array([reward.row(*step[:4]) for step in one.steps], reward.row_type)


def test_the_clip_is_said_where_it_bites() -> None:
    shown = explained("dagger:all:P=9:E=9:clip=2", *AND_COMM)
    assert any(step.clipped for step in shown.steps) and max(abs(step.reward) for step in shown.steps) == 2
    printed = explained("dagger:seed:clip=2", *AND_COMM)  # as printed, the total is clipped, and no step
    assert printed.clipped == 1 and abs(printed.total) == pytest.approx(2)
    assert max(abs(step.reward) for step in printed.steps) > 2
    assert not explained("dagger:shaped:P=90:clip=2", *AND_COMM).clipped


def test_a_picture_says_in_each_cell_what_a_term_pays_and_sums_it_up() -> None:
    explanation = explained("dagger:seed", *AND_COMM)
    above, below, _ = figure(explanation, "or_comm").axes
    terms = [each.get_text() for each in above.get_yticklabels()]
    said = {(terms[round(each.get_position()[1])], round(each.get_position()[0])): each for each in above.texts}
    paid = {
        (term, number): told.paid
        for number, step in enumerate(explanation.steps, 1)
        for term, told in step.terms.items()
        if told.paid
    }
    for cell, amount in paid.items():
        text = said[cell].get_text()
        assert float("0" if text == "·" else text) == pytest.approx(amount, abs=0.0005), cell
    assert said.keys() - paid.keys() <= {(term, len(explanation.steps) + 1) for term in terms}
    rewards = [step.reward for step in explanation.steps]
    sums = np.asarray(below.lines[0].get_ydata(), float)[: len(rewards)]
    assert sums.tolist() == pytest.approx(np.cumsum(rewards).tolist())
