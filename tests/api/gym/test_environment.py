"""The environments as Gymnasium and its agents see them, held against the calculus and the student's environment."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.api import Limits, Session, answer, call
from oasis.api.episode import ADVICE
from oasis.api.gym import AgentPolicy, DyckhoffEnv, DyckhoffVectorEnv, SessionEnv
from oasis.api.gym.numbers import Observed
from oasis.api.gym.reach import reach
from oasis.api.gym.session import written
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import examine
from oasis.play.policy import Floats, Uniform
from oasis.rewards import REWARDS, Dependence, Terminating, Transition, Uses
from oasis.student.calculus import Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.memory import Memory
from state_spaces import STATE_SPACES
from tactics.errors import InputError, install_command
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves
from tests.api.conftest import AND_COMM
from tests.examples import example
from tests.optional import missing
from tests.strategies import PAID_BY_KIND, Walk, walks

LEMMAS = ["thesis/41", "thesis/42", "SYJ205.1", "SYN047", "textbook/or_comm", "~~(A \\/ ~A)"]
IN_NUMBERS = (DyckhoffEnv, DyckhoffVectorEnv)
ALL = (*IN_NUMBERS, SessionEnv)


def reached(first: Iterable[Any], after: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """Return everything that repeated use of `after` reaches from `first`, and `first` itself."""
    pending = list(first)
    found = set(pending)
    while pending:
        new = set(after(pending.pop())) - found
        found |= new
        pending += new
    return found


def all_states(formula: Formula) -> set[State]:
    """Return every state that an attempt at a proof can reach."""
    return reached(
        [initial(formula)], lambda state: [apply(state, move) for move in (legal_moves(state[0]) if state else ())]
    )


def without_names(state: State) -> object:
    """Return the formulas of a state in their order, without the names of hypotheses."""
    return tuple((goal.conclusion, tuple(formula for _, formula in goal.hypotheses)) for goal in state)


@pytest.mark.parametrize("reward", PAID_BY_KIND)
@pytest.mark.parametrize("actions", ACTION_SPACES)
def test_gymnasiums_own_check_passes_without_a_warning(actions: str, reward: str) -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="SYJ203.2", actions=actions, reward=reward)
    check_env(environment.unwrapped)


@pytest.mark.slow
def test_gymnasiums_own_check_passes_for_calls_in_words() -> None:
    check_env(gymnasium.make("oasis/Session-v0", lemma="A -> A", max_steps=3).unwrapped)


@pytest.mark.parametrize("lemma", LEMMAS)
def test_two_states_look_the_same_exactly_if_only_names_differ(lemma: str) -> None:
    environment = DyckhoffEnv(lemma)
    met = [(state, environment.observation(state).tobytes()) for state in all_states(environment.lemma.formula)]
    looks = {without_names(state): seen for state, seen in met}
    assert len(set(looks.values())) == len(looks)
    assert all(looks[without_names(state)] == seen for state, seen in met)


@pytest.mark.parametrize("lemma", LEMMAS)
def test_the_mask_offers_exactly_the_legal_moves_and_each_number_leads_back_to_its_move(lemma: str) -> None:
    environment, rng = DyckhoffEnv(lemma), Random(lemma)
    for _ in range(20):
        environment.reset()
        while legal := legal_moves(environment.state[0]) if environment.state else ():
            offered = np.flatnonzero(environment.action_masks())
            assert {environment.move(int(action)) for action in offered} == set(legal)
            assert {environment.action(move) for move in legal} == set(offered)
            environment.step(rng.choice(offered))
        assert np.flatnonzero(environment.action_masks()).tolist() == [0]


@given(actions=st.lists(st.integers(0, 47), max_size=60), reward=st.sampled_from(PAID_BY_KIND))
def test_any_actions_at_all_do_what_they_do_to_the_student_who_acts_blindly(actions: list[int], reward: str) -> None:
    environment = DyckhoffEnv("SYJ203.3", reward, "blind", max_steps=50)
    memory = Memory(STATE_SPACES["simple"](), ACTION_SPACES["blind"])
    student = PerceivedEnvironment(Embedded(environment.lemma.formula), memory, REWARDS[reward](), max_steps=50)
    environment.reset()
    observation, _ = student.reset()
    for number in actions:
        move = environment.move(number)
        action = next((action for action in observation.actions if action.move == move), None)
        if action is None:
            continue
        observation, *expected, _ = student.step(action)
        _, *ours, info = environment.step(number)
        assert ours == expected
        assert environment.state == student.state
        assert environment.script == student.script
        assert info["proved"] == student.proved
        if expected[1] or expected[2]:
            break


def test_an_action_that_does_not_apply_costs_a_step_and_changes_nothing() -> None:
    environment = DyckhoffEnv("thesis/41", "standard")
    before, info = environment.reset()
    refused = np.flatnonzero(info["action_mask"] == 0)
    for action in refused:
        after, *told, _ = environment.step(action)
        assert np.array_equal(after, before) and told == [-1.0, False, False]
    assert (environment.steps, environment.script) == (len(refused), [])


def test_an_episode_that_is_over_or_goes_on_too_long_needs_a_reset() -> None:
    environment = DyckhoffEnv("A -> A", max_steps=3, render_mode="ansi")
    for actions, ends in (([0, 1], (True, False)), ([1, 1, 1], (False, True))):  # there is nothing to assume yet
        with pytest.raises(ResetNeeded):
            environment.step(0)
        environment.reset()
        told = [environment.step(action)[2:4] for action in actions]
        assert told == [(False, False)] * (len(actions) - 1) + [ends]
        assert environment.render() == ("proved" if ends[0] else "|- A -> A")


def test_the_action_that_simplifies_makes_several_moves_in_one_step() -> None:
    environment = DyckhoffEnv("A -> B -> A", actions="simplify")
    _, info = environment.reset()
    (simplify,) = np.flatnonzero(info["action_mask"])
    assert simplify == len(info["action_mask"]) - 1
    _, reward, terminated, _, info = environment.step(simplify)
    assert (reward, terminated, info["script"]) == (1.0, True, "intro; intro; assumption")


def test_a_number_beyond_the_actions_is_refused() -> None:
    environment = DyckhoffEnv("thesis/42")
    environment.reset()
    for action in (-1, 36):
        with pytest.raises(InputError, match="from 0 to 35"):
            environment.step(action)


@pytest.mark.slow
def test_an_id_with_its_module_in_front_is_found_without_an_import() -> None:
    code = "import gymnasium; print(gymnasium.make('oasis.api.gym:oasis/Dyckhoff-v0').action_space)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "Discrete(48)\n"


def test_without_gymnasium_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("oasis.api.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError) as raised:
        import_module("oasis.api.gym")
    needs = "oasis.api.gym needs Gymnasium, which is not installed: "
    assert str(raised.value) == needs + install_command("gym")


@pytest.mark.parametrize(
    ("kinds", "arguments", "sentence"),
    [
        (ALL, {"lemma": "nonsense"}, "nonsense"),
        (ALL, {"max_steps": 0}, "max_steps must be at least 1, not 0."),
        (IN_NUMBERS, {"render_mode": "human"}, "render_mode is one of ansi, rgb_array, not 'human'."),
        (ALL[2:], {"render_mode": "human"}, "render_mode is 'ansi' or None, not 'human'."),
        (IN_NUMBERS, {"lemma": "SYJ203"}, "has 20 lemmas and here one is needed"),
        (IN_NUMBERS, {"lemma": "SYN007.14"}, "choose a smaller lemma"),
        (IN_NUMBERS, {"lemma": []}, "lemma is an empty list; name one lemma at least."),
        (IN_NUMBERS, {"lemma": ["A -> A", "False"]}, "No move applies to False, so there is nothing to learn."),
        (IN_NUMBERS, {"reward": "high"}, "reward is one of terminating, standard, standard-qed, dagger, or module:"),
        (IN_NUMBERS, {"actions": "all"}, "actions is one of legal, blind, simplify, not 'all'."),
        (IN_NUMBERS[1:], {"num_envs": 0}, "num_envs must be at least 1, not 0."),
        (ALL[2:], {"lemma": "A -> A", "limits": Limits(size=1)}, "more than 1 nodes"),
        (ALL[2:], {"without": ["help"]}, "There is no call 'help' to leave out; there is start, "),
    ],
)
def test_unusable_arguments_are_refused(kinds: tuple[type[Any], ...], arguments: dict[str, Any], sentence: str) -> None:
    for kind in kinds:
        with pytest.raises(InputError) as raised:
            kind(**arguments)
        assert sentence in str(raised.value)


# Several environments, held against Gymnasium's own vector over single ones.

SEVERAL = ["thesis/42", "textbook/or_comm", "A /\\ B -> B /\\ A", "~~(A \\/ ~A)"]
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "settings",
    [{"lemma": SEVERAL}, {"lemma": "SYJ203.2", "actions": "simplify", "reward": "standard-qed"}],
    ids=["several lemmas", "one"],
)
def test_trajectories_are_those_of_single_environments(mode: AutoresetMode, settings: dict[str, Any]) -> None:
    settings = {**settings, "max_steps": 9}
    ours = DyckhoffVectorEnv(3, autoreset_mode=mode, **settings)
    theirs = SyncVectorEnv([lambda: DyckhoffEnv(**settings)] * 3, autoreset_mode=mode)
    for name in ("observation_space", "action_space", "single_observation_space", "metadata"):
        assert getattr(ours, name) == getattr(theirs, name)
    draw, ends = np.random.default_rng(0), np.zeros(2)
    seeds: list[Any] = [[7, 7, 3], 5]
    for seed in seeds:
        told: Any = ours.reset(seed=seed)
        expected: Any = theirs.reset(seed=seed)
        assert data_equivalence(told, expected, exact=True)
        for _ in range(60):
            masks = expected[-1]["action_mask"]
            actions = np.array([draw.choice(np.flatnonzero(mask)) for mask in masks])
            told, expected = ours.step(actions), theirs.step(actions)
            assert data_equivalence(told, expected, exact=True)
            ends += [expected[2].sum(), expected[3].sum()]
            assert ours.observation_space.contains(told[0])
    assert ends.all()


def test_a_list_of_lemmas_is_drawn_from_and_a_lemma_may_be_named() -> None:
    environment = DyckhoffVectorEnv(4, lemma=SEVERAL)
    met = {name for seed in range(10) for name in environment.reset(seed=seed)[1]["lemma"]}
    assert met == set(SEVERAL)
    assert set(environment.reset(options={"lemma": SEVERAL[2]})[1]["lemma"]) == {SEVERAL[2]}
    with pytest.raises(InputError, match=r"the option lemma is one of thesis/42, .* not 'thesis/41'"):
        environment.reset(options={"lemma": "thesis/41"})


def test_without_automatic_resets_those_that_ended_are_reset_by_name() -> None:
    environment = DyckhoffVectorEnv(2, lemma="A -> A", autoreset_mode="Disabled")
    environment.reset(seed=0)
    intro, assumption, split = 0, 1, 3
    environment.step(np.array([intro, split]))
    _, rewards, terminated, _, infos = environment.step(np.array([assumption, split]))
    assert (rewards.tolist(), terminated.tolist()) == ([1, 0], [True, False])
    assert infos["script"].tolist() == ["intro; assumption", None]
    with pytest.raises(ResetNeeded):
        environment.step(np.array([intro, intro]))
    observations, infos = environment.reset(options={"reset_mask": np.array([True, False])})
    assert infos["_action_mask"].tolist() == [True, False]
    assert np.array_equal(observations[0], observations[1])
    assert environment.action_masks()[:, intro].all()


def test_a_vector_is_what_gymnasium_makes_of_the_id_and_can_be_rendered() -> None:
    environment = gymnasium.make_vec("oasis/Dyckhoff-v0", num_envs=2, lemma="A -> A", render_mode="ansi")
    environment.reset()
    assert environment.render() == ("|- A -> A", "|- A -> A")
    assert DyckhoffVectorEnv(lemma="A -> A").render() is None


@pytest.mark.slow
def test_a_state_is_drawn_for_who_asks_for_pictures() -> None:
    """As Stable-Baselines3's make_vec_env does of every environment that it makes by id."""
    pytest.importorskip("matplotlib")
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="A -> A", render_mode="rgb_array")
    environment.reset()
    before = np.asarray(environment.render())
    environment.step(0)
    after = np.asarray(environment.render())
    assert before.shape == after.shape == (400, 640, 3)
    assert before.dtype == np.uint8 and before.min() < 128 < before.max() and (before != after).any()


class Remembering(Terminating):
    """Pays how often it has taken a round into account, and knows whose turn it is."""

    dependence, round = Dependence.HISTORY, 4

    def __init__(self) -> None:
        self.lemma: Formula | None = None
        self.rounds: list[int] = []

    def begin(self, lemma: Formula) -> None:
        self.lemma = lemma

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        assert self.lemma is not None and set(show(before[0].conclusion)) <= set(show(self.lemma))
        return float(len(self.rounds))

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self.rounds.append(sum(uses.times for uses in steps.values()))


@pytest.mark.parametrize("mode", MODES)
def test_a_reward_of_history_learns_of_all_episodes(mode: AutoresetMode, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Remembering()
    monkeypatch.setattr("oasis.api.gym.player.reward_of", lambda name, option: made)
    environment = DyckhoffVectorEnv(3, lemma=["A -> A", "B -> B", "C -> C"], autoreset_mode=mode)
    environment.reset(seed=1)
    paid: list[float] = []
    over = np.zeros(3, np.bool_)  # an episode that is over makes no step
    while len(made.rounds) < 3:
        _, rewards, terminated, truncated, _ = environment.step(environment.action_masks().argmax(axis=1))
        paid += rewards[~over].tolist()
        over = (terminated | truncated) & (mode is AutoresetMode.NEXT_STEP)
    assert made.rounds == [2 * 4] * 3, "four episodes of two steps each, whoever made them"
    assert sorted(paid) == paid and paid[-1] >= 2


def test_an_episode_that_is_broken_off_counts_as_far_as_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Remembering()
    monkeypatch.setattr("oasis.api.gym.player.reward_of", lambda name, option: made)
    environment = DyckhoffEnv("A -> B -> A")
    for _ in range(5):
        environment.reset()
        environment.reset()  # nothing was done
        environment.step(int(environment.action_masks().argmax()))
    assert made.rounds == [4]


# Agents as policies, which the one exam examines


def test_an_agent_without_preferences_is_the_uniform_policy() -> None:
    environment = DyckhoffEnv("SYJ203.2")
    lemma = environment.lemma.formula
    agent = AgentPolicy(environment, lambda _, mask: mask.astype(np.float64))
    assert examine(agent, lemma, seed=3) == examine(Uniform(), lemma, seed=3)
    agent = AgentPolicy(environment, lambda _, mask: np.zeros(len(mask)))  # gives nothing to any move on offer
    assert agent.probabilities([initial(lemma), ()])[0].tolist() == [1.0]
    assert agent.values(initial(lemma)) is None


@pytest.mark.parametrize("favourite", [0, 1])
def test_an_agent_is_asked_about_any_state_whatever_the_environment_does(favourite: int) -> None:
    environment = DyckhoffEnv("p \\/ q -> p \\/ q")
    seen: list[Observed] = []

    def likely(observation: Observed, mask: NDArray[np.bool_]) -> Floats:
        seen.append(observation)
        return np.asarray(np.eye(len(mask))[np.flatnonzero(mask)[favourite]])

    state: State = initial(parse("p \\/ q -> p \\/ q"))
    state = apply(state, legal_moves(state[0])[0])
    (shares,) = AgentPolicy(environment, likely).probabilities([state])
    moves = legal_moves(state[0])
    environment.reset()
    observation, *_ = environment.step(0)
    assert seen[0].tolist() == observation.tolist()
    assert environment.action(moves[int(shares.argmax())]) == np.flatnonzero(environment.action_masks())[favourite]


def test_the_example_measures_a_player_of_legal_moves() -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="A -> B -> A")
    share_of_proofs = example("masked_ppo").share_of_proofs
    assert share_of_proofs(environment, lambda _, mask: environment.action_space.sample(mask), 5) == (1.0, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lemma", "steps"), [("SYJ203.2", 4_096), pytest.param("SYJ203.3", 14_336, marks=pytest.mark.thorough)]
)
def test_the_example_learns_in_a_loop_of_its_own(lemma: str, steps: int) -> None:
    pytest.importorskip("torch")
    agent, shares = example("ppo_loop").learn(lemma, steps, seed=0)
    assert shares[0] < 0.7 and min(shares[-2:]) > 0.85
    assert example("ppo_loop").prove(agent, lemma)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_an_agent_of_sb3_contrib_learns_by_the_id_without_arguments() -> None:
    if not find_spec("sb3_contrib"):
        missing("sb3-contrib is not installed: pip install sb3-contrib")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    environments = make_vec_env("oasis.api.gym:oasis/Dyckhoff-v0", n_envs=8, seed=0)
    agent, paid = MaskablePPO("MlpPolicy", environments, n_steps=128, batch_size=256, gamma=0.95, seed=0), list[float]()
    for steps in (1_024, 4_096):
        agent.learn(steps, reset_num_timesteps=False)
        paid.append(float(np.mean([episode["r"] for episode in agent.ep_info_buffer or ()])))
    assert paid[1] > paid[0] + 0.5, "1 for each proof, and -1 for each episode without one"


# The formulas that goals of a lemma can hold, against those that they hold in all states.


@given(walks())
def test_no_walk_leads_beyond_the_reach_of_its_lemma(walk: Walk) -> None:
    formulas, hypotheses, goals = reach(walk.formula)
    for state in walk.states:
        assert len(state) <= goals
        for goal in state:
            assert len(goal.hypotheses) <= hypotheses
            assert {goal.conclusion, *(formula for _, formula in goal.hypotheses)} <= set(formulas)


@pytest.mark.parametrize("name", ["thesis/41", "thesis/42", "textbook/or_comm", "SYN041"])
def test_the_bounds_are_reached(name: str) -> None:
    formula = resolve_lemma(name).formula
    states = all_states(formula)
    walked = {goal for state in states for goal in state}
    formulas, hypotheses, goals = reach(formula)
    assert hypotheses == max(len(goal.hypotheses) for goal in walked)
    assert goals == max(map(len, states))
    shown = {formula for goal in walked for _, formula in goal.hypotheses}
    assert set(formulas) == {goal.conclusion for goal in walked} | shown


def test_the_lemma_comes_first_and_no_formula_twice() -> None:
    formulas = reach(parse("(A -> B) -> (A -> B)")).formulas
    assert [show(formula) for formula in formulas] == ["(A -> B) -> A -> B", "A -> B", "A", "B"]


@pytest.mark.slow
def test_a_lemma_with_too_many_formulas_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"More than 5,000 formulas .* choose a smaller lemma\."):
        reach(resolve_lemma("SYJ208.20").formula)


# `oasis/Session-v0`: calls in words, and which of them are paid.


def error(observation: str) -> tuple[str, str]:
    told: dict[str, str] = json.loads(observation)["error"]
    return told["code"], told["message"]


def applied(tactics: list[str], state_id: str = "s0") -> str:
    return written("apply", {"state_id": state_id, "tactics": tactics})


def test_in_words_the_call_that_proves_the_lemma_is_paid() -> None:
    environment, session = SessionEnv("textbook/and_comm", render_mode="ansi"), Session()
    observation, info = environment.reset()
    assert observation.encode() == answer(session, "start", {"lemma": "textbook/and_comm"})
    assert info == {"proved": False}
    observation, *ends, info = environment.step(applied(AND_COMM[:2]))
    assert observation.encode() == answer(session, "apply", {"state_id": "s0", "tactics": AND_COMM[:2]})
    assert (ends, info) == ([0.0, False, False], {"proved": False})
    observation, *ends, info = environment.step(applied(AND_COMM[2:], "s2"))
    assert environment.render() == observation
    assert (ends, info) == ([1.0, True, False], {"proved": True})
    with pytest.raises(ResetNeeded):
        environment.step(applied([]))


def test_the_proof_of_another_lemma_is_worth_nothing() -> None:
    environment = SessionEnv("A \\/ ~A")
    environment.reset()
    environment.step(written("start", {"lemma": "A -> A"}))
    observation, *ends, info = environment.step(applied(["intro", "assumption"], "s1"))
    assert json.loads(observation)["proved"]
    assert (ends, info) == ([0.0, False, False], {"proved": False})


def test_an_action_that_is_no_text_is_refused_in_a_sentence() -> None:
    environment = SessionEnv("A -> A")
    environment.reset()
    with pytest.raises(InputError, match=r"An action is a JSON object as text, not a dict; write it with json.dumps"):
        environment.step({"call": "help"})  # type: ignore[arg-type]


def test_without_a_task_nothing_is_paid_and_nothing_ends() -> None:
    environment = SessionEnv("")
    assert environment.reset()[0] == "{}"
    environment.step(written("start", {"lemma": "A -> A"}))
    assert environment.step(applied(["intro", "assumption"]))[1:4] == (0.0, False, False)
    observation, _ = environment.reset(options={"lemma": "B -> B"})
    assert json.loads(observation)["goals"][0]["conclusion"] == "B -> B"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        *((action, "bad_json") for action in ("", "intro", "[" * 100_000, "\ud800")),
        *((action, "bad_argument") for action in ("[]", '{"call": "goals", "state_id": "s0"}', '{"call": "goals"}')),
        ('{"call": "goals", "arguments": 3}', "bad_argument"),
        *((action, "unknown_call") for action in ("{}", '{"call": ["goals"]}')),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_call_is_answered_in_words_and_costs_a_step(action: str, code: str) -> None:
    environment = SessionEnv("A -> A", max_steps=1)
    environment.reset()
    observation, reward, terminated, truncated, _ = environment.step(action)
    told, message = error(observation)
    assert told == code
    assert code != "bad_json" or "An action is an object such as {" in message
    assert (reward, terminated, truncated) == (0.0, False, True)


def test_the_teachers_advice_can_be_left_out() -> None:
    environment = SessionEnv("A -> A", without=ADVICE)
    environment.reset()
    for name in ADVICE:
        observation = environment.step(written(name, {"state_id": "s0"}))[0]
        assert error(observation) == ("unknown_call", f"{name} is not on offer in this episode.")
    assert "moves" in json.loads(environment.step(written("goals", {"state_id": "s0"}))[0])


def test_the_environment_in_numbers_can_be_asked_in_words_about_its_states() -> None:
    environment = DyckhoffEnv("A -> A")
    _, info = environment.reset()
    for action in (0, 1):
        *_, info = environment.step(action)
    said = call(environment.session, "certify", {"state_id": info["state_id"]})
    assert said["certificate"]["accepted"]
    assert info["state_id"] == "s2"
