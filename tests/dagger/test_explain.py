"""What is said of a script is what is paid for it, term by term, in both readings, whatever was counted before."""

from __future__ import annotations

import json
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.dagger.episodes import Episode, played, replayed
from oasis.dagger.explain import MEANS, Explanation, explain
from oasis.dagger.fit import default_fitted
from oasis.dagger.making import dagger, made
from oasis.dagger.options import Options
from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import Context, Reading
from oasis.dagger.terms import TERMS
from oasis.dagger.weights import NAMES, Weights
from oasis.policy import Uniform
from oasis.rewards import Outcome, Transition, Uses, closing, paid_at_end
from tactics.errors import InputError
from tactics.parser import parse
from tactics.script import parse_script
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import examples

AND_COMM = "A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption"
STUCK = "A -> B \\/ A", "intro; left"


def episode(lemma: str, script: str) -> Episode:
    return replayed(parse(lemma), parse_script(script))


def explained(name: str, lemma: str, script: str) -> Explanation:
    return explain(dagger(name, 0.9), episode(lemma, script))


def counted(reward: RewardDagger, *episodes: Episode) -> RewardDagger:
    """The reward after a round of these episodes."""
    uses: dict[Transition, Uses] = {}
    for each in episodes:
        path = [Transition(step.before, step.move, step.after) for step in each.steps]
        closed = closing(path)
        for step in path:
            before = uses.get(step, Uses(0, 0))
            uses[step] = Uses(before.times + 1, before.closed + (step in closed))
    reward.refresh(uses)
    return reward


@settings(max_examples=examples(60))
@given(
    formulas(PLAIN_NAMES, max_steps=8, max_size=30),
    st.sampled_from(Reading),
    st.dictionaries(st.sampled_from(NAMES), st.floats(-3, 3)),
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
        assert [*step.terms] == [*NAMES]
        for term in TERMS:
            version = term.version(reading)
            assert version.least - 1e-9 <= step.terms[term.name].value <= version.most + 1e-9
            assert step.terms[term.name].why and (term.name in weights or step.terms[term.name].paid == 0)
        total = sum(said.paid for said in step.terms.values())
        assert step.reward == pytest.approx(min(max(total, -clip), clip), abs=1e-9)
        assert step.clipped == (abs(total) > clip)
    outcome = Outcome(now.proved, not now.steps[-1:] or not now.steps[-1].ended, len(path), script, path)
    assert shown.end == pytest.approx(paid_at_end(reward, outcome) if path else 0.0, abs=1e-9)
    assert shown.end_clipped == (abs(sum(shown.at_end.values())) > clip)
    assert shown.total == pytest.approx(sum(step.reward for step in shown.steps) + shown.end)
    assert shown.proved == now.proved
    if not shown.clipped:
        assert sum(said.paid for said in shown.episode.values()) == pytest.approx(shown.total, abs=1e-9)
    for name, (value, _, why) in shown.episode.items():
        each = [step.terms[name].value for step in shown.steps]
        assert why
        if name != "C_beta":
            assert value == pytest.approx(sum(each) / (max(1, len(each)) if name in MEANS else 1))


def test_the_worked_examples_of_both_readings() -> None:
    short = explained("dagger:seed", "A -> A", "intro; assumption")
    assert [short.episode[name].value for name in ("P", "C", "K_pre")] == [1, 1, 2]
    assert short.steps[0].terms["R_alpha"].value == pytest.approx(-1.609, abs=5e-4)
    assert explained("dagger:seed", *AND_COMM).episode["P"].value == 0.5
    proof = explained("dagger:seed", *AND_COMM)
    # Means are paid when it is over.
    assert proof.steps[0].terms["E"] == (3, 0, "deepest formula: 1, was 2")
    assert proof.at_end["E"] == proof.episode["E"].value == pytest.approx((3 + 3 + 4 + 4 + 0) / 5)
    short = explained("dagger:sound", "A -> A", "intro; assumption")
    assert [step.terms["A_gamma"].value for step in short.steps] == [0, 0]
    assert [step.terms["P"].value for step in short.steps] == pytest.approx([0.1, 1])
    assert short.steps[1].terms["U_sigma"].value == pytest.approx(1 / 36)
    assert short.episode["C_beta"].value == -1
    unproved = explained("dagger:sound", "A \\/ B", "")
    assert (unproved.start["N_fit"], unproved.total, unproved.steps) == (-0.25, 0, [])
    assert not unproved.proved and not unproved.stuck


def test_potentials_pay_differences_and_discounted_are_worth_the_same_for_every_proof() -> None:
    shown = explained("dagger:correct:E=1:H=1", *STUCK)
    assert shown.stuck and shown.steps[-1].terms["C"].why == "stuck with 1 goal left"
    values = [shown.start["E"], *(step.terms["E"].value for step in shown.steps)]
    assert values == [0.5, 0.75, 1]
    assert [step.terms["E"].paid for step in shown.steps] == pytest.approx([0.9 * 0.75 - 0.5, -0.75])
    assert shown.steps[-1].terms["E"].why == "deepest formula: 0, was 1; stuck, so Φ = 0"
    assert [step.terms["H"].paid for step in shown.steps] == pytest.approx([0.1, 1])  # it is subtracted
    assert shown.weights["H"] == -1 and shown.to_json()["weights"]["H"] == 1
    short, long = (explained("dagger:correct:C=0:P=1", *each) for each in (("A -> A", "intro; assumption"), AND_COMM))
    assert short.discounted == pytest.approx(1) and long.discounted == pytest.approx(1)  # -Φ of the first state
    assert short.total == pytest.approx(1.1) and long.total == pytest.approx(1.5)


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
    shown = explained("dagger:seed:clip=2", *AND_COMM)
    assert [step.clipped for step in shown.steps] == [True, True, True, False, True] and shown.end_clipped
    assert [step.reward for step in shown.steps] == pytest.approx([-2, -2, -2, shown.steps[3].reward, 2])
    assert (shown.end, shown.clipped) == (2, 5)


@pytest.mark.parametrize("reading", Reading)
def test_json_has_all_sixteen_names_everywhere(reading: Reading) -> None:
    shown = explained(f"dagger:{reading}", *AND_COMM).to_json()
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown["reading"] == reading
    for terms in (shown["episode"], shown["paid"], shown["weights"], shown["end"]["paid"]):
        assert [*terms] == [*NAMES]
    for step in shown["steps"]:
        assert [*step["terms"]] == [*step["paid"]] == [*step["why"]] == [*NAMES]
    assert [step["move"] for step in shown["steps"]] == AND_COMM[1].split("; ")
    assert sum(step["reward"] for step in shown["steps"]) + shown["end"]["reward"] == shown["total"]


def test_a_belief_that_fails_is_named() -> None:
    class Broken:
        version, leaks = "broken", False

        def probabilities(self, states: object) -> Any:
            raise KeyError("nothing")

    reward = RewardDagger(Weights(), Context(default_fitted().knowledge, Broken(), **vars(Options())))
    with pytest.raises(InputError, match=r"^The belief Broken fails with KeyError: 'nothing'"):
        explain(reward, episode("A -> A", "intro"))
