"""Whatever proves stands behind one seam: what solvers yield, what is kept if somebody stops them, and their names."""

import json
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from curricula import resolve
from oasis.escalation.solvers import Means, solver_named
from oasis.ground.names import SOLVERS
from oasis.ground.plugins import PluginError
from oasis.neural.policies import policy_named
from oasis.play.policy import Floats, Uniform
from oasis.play.solving import (
    OPEN,
    PROVED,
    REFUTED,
    STOPPED,
    Attempt,
    Budget,
    Cost,
    NoProof,
    OneByOne,
    Step,
    solve,
    solve_all,
)
from tactics.formula import Formula
from tactics.goal import State
from tactics.parser import parse
from tactics.script import parse_script
from tests.commands import Oasis

LEMMAS = [parse(text) for text in ("p -> p", "p /\\ q -> q /\\ p", "p \\/ q -> q \\/ p")]
IDENTITY = parse_script("intro; assumption")
SWAP = parse_script("intro; destruct_and H; split; assumption; assumption")
MEANS = Means(policy=lambda name: policy_named(name, None), seed=1)


@dataclass
class Slow(OneByOne):
    """Proves p -> p; at the lemma of one place it is stopped."""

    stops_at: int = -1
    name: str = "slow"
    counts: Sequence[str] = ("seconds",)

    def trying_one(self, lemma: Formula, budget: Budget) -> Generator[Attempt, None, None]:
        reason = ""
        try:
            yield Attempt(lemma=lemma, by=self.name, cost=Cost(expansions=1))
            if LEMMAS.index(lemma) == self.stops_at:
                raise KeyboardInterrupt  # noqa: TRY301 (as if somebody had pressed Ctrl-C)
        except KeyboardInterrupt:
            reason = STOPPED
        script = IDENTITY if lemma is LEMMAS[0] else None
        status = PROVED if script else OPEN
        yield Attempt(lemma=lemma, by=self.name, status=status, script=script, reason=reason)


def own() -> Slow:
    """A solver of a person's own, as `module:object`."""
    return Slow()


class Liar:
    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        yield 0, Attempt(lemma=LEMMAS[1], by="liar", status=PROVED, script=IDENTITY)


class Odd:
    """A solver of a person's own that says of the first lemma what `step` is, and then fails."""

    step: object = None

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[object, None, None]:
        if self.step is not None:
            yield self.step
        if len(lemmas) > 1:
            raise ValueError("no more")


def test_a_script_that_proves_something_else_makes_no_attempt() -> None:
    for wrong in (IDENTITY, parse_script("intro"), parse_script("split")):
        with pytest.raises(NoProof, match="with a script that does not"):
            Attempt(lemma=LEMMAS[1], by="somebody", script=wrong)
    assert Attempt(lemma=LEMMAS[0], by="somebody", script=IDENTITY).length == 2


@pytest.mark.parametrize("stops_at", [0, 1, 2])
def test_who_is_stopped_keeps_what_was_found_whether_solver_or_watcher_is_interrupted(stops_at: int) -> None:
    def stop(place: int, attempt: Attempt) -> None:
        if place == stops_at and attempt.cost.expansions:
            raise KeyboardInterrupt

    for came in (solve_all(LEMMAS, Slow(stops_at)), solve_all(LEMMAS, Slow(), watch=stop)):
        assert list(came) == [*range(stops_at + 1)]
        assert came[stops_at].is_stopped and came[0].script == IDENTITY
        assert not any(attempt.is_stopped for place, attempt in came.items() if place < stops_at)


def test_who_tries_all_lemmas_at_once_has_a_last_word_about_each_and_no_more() -> None:
    class Together(Slow):
        def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
            attempts = [Attempt(lemma=lemma, by=self.name) for lemma in lemmas]
            with suppress(KeyboardInterrupt):
                yield 2, attempts[2]
            while True:  # as if nobody had stopped it
                yield from ((place, replace(attempt, bound=2)) for place, attempt in enumerate(attempts))

    def stop(place: int, attempt: Attempt) -> None:
        raise KeyboardInterrupt

    came = solve_all(LEMMAS, Together(), watch=stop)
    assert [(place, attempt.bound, attempt.is_stopped) for place, attempt in came.items()] == [
        (place, 2, True) for place in range(3)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SOLVERS, "table+search", "best-first:tiny"])
def test_every_solver_says_the_truth_of_the_same_lemmas_in_the_same_record(name: str) -> None:
    lemmas = resolve("textbook/and_comm,thesis/42,textbook/peirce").lemmas
    solver = solver_named(name, replace(MEANS, language="uniform" if name in ("language", "escalate") else ""))
    came = solve_all([lemma.formula for lemma in lemmas], solver, Budget(seconds=2.0))
    assert list(came) == [0, 1, 2]
    assert came[0].status is PROVED and came[2].status in (OPEN, REFUTED)
    for lemma, attempt in zip(lemmas, came.values(), strict=True):
        assert attempt.lemma is lemma.formula and attempt.cost.seconds > 0
        assert (attempt.status is OPEN) == bool(attempt.reason)
        assert attempt.script is None or lemma.shortest is None or len(attempt.script) >= lemma.shortest
        assert set(solver.counts) <= set(Cost().to_json())


def test_what_is_left_of_a_budget_is_never_more_and_never_nothing() -> None:
    left = Budget(10, 5, 1.0, 7).without(Cost(expansions=4, calls=9, seconds=0.25))
    assert left == Budget(6, 1, 0.75, 7)
    assert Budget().without(Cost(expansions=4)) == Budget()


@pytest.mark.slow
def test_a_solver_is_named_in_one_way_and_may_be_a_persons_own(oasis: Oasis, monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(*how: str) -> object:
        return {**json.loads(oasis.ran("prove", "SYJ203.2", *how, "--json").stdout), "seconds": 0}

    assert shown("--solver", "best-first:first") == shown("--search", "best-first", "--policy", "first")
    assert shown("--solver", "committed:uniform", "--seed", "4") == shown("--policy", "uniform", "--seed", "4")
    assert shown("--solver", "teacher") == shown()
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    mine = oasis.ran("prove", "p -> p", "--solver", "tests.play.test_solving:own")
    assert mine.stdout == "intro; assumption\n"
    liar = ("prove", "p -> p", "--solver", "tests.play.test_solving:Liar")
    assert "fails with NoProof: liar claims to prove" in oasis.refused(*liar)
    assert solve(LEMMAS[0], solver_named("tests.play.test_solving:own", MEANS)).length == 2
    monkeypatch.setattr(Odd, "step", (0, Attempt(lemma=LEMMAS[1], by="odd", script=SWAP)))
    kept = oasis("prove", "textbook/and_comm,textbook/or_comm", "--solver", "tests.play.test_solving:Odd")
    assert "1 proved" in kept.stdout and "fails with ValueError: no more" in kept.stderr and kept.returncode == 2


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (None, "it said nothing of it"),
        ({}, "it does not say why"),
        ({"status": PROVED, "length": 3}, "it claims a proof and shows none"),
        ({"status": REFUTED}, "it claims that there is no proof, and there is one"),
    ],
)
def test_what_a_solver_of_ones_own_claims_is_not_believed_unseen(
    said: dict[str, Any] | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Odd, "step", None if said is None else (0, Attempt(lemma=LEMMAS[0], by="odd", **said)))
    came = solve(LEMMAS[0], solver_named("tests.play.test_solving:Odd", MEANS))
    assert (came.status, came.length, came.reason) == (OPEN, None, reason)


def test_what_is_no_attempt_at_a_lemma_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody: Any = None
    plain = Attempt(lemma=LEMMAS[0], by="odd")
    for step in (3, (-1, plain), (0, replace(plain, cost=nobody)), (0, replace(plain, reason=nobody))):
        monkeypatch.setattr(Odd, "step", step)
        with pytest.raises(PluginError, match="has to yield the place of a lemma and an Attempt"):
            solve(LEMMAS[0], solver_named("tests.play.test_solving:Odd", MEANS))


class Tired(Uniform):
    """A policy that fails after a few questions."""

    asked = 0

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        Tired.asked += len(states)
        if Tired.asked > 12:
            raise RuntimeError("I am tired")
        return super().probabilities(states)


@pytest.mark.slow
def test_what_a_ladder_proved_before_its_policy_fails_is_in_its_json(
    oasis: Oasis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    ladder = ("--solver", "network:tests.play.test_solving:Tired", "--seconds", "3")
    answer = oasis("prove", "textbook/and_comm,SYJ203.3,SYJ202.2", *ladder, "--json")
    assert answer.returncode == 2 and "I am tired" in answer.stderr
    found = json.loads(answer.stdout)["lemmas"]
    assert found[0]["lemma"] == "textbook/and_comm" and all(each["script"] and each["costs"] for each in found)
