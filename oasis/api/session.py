"""One session over the calculus: states of proofs, and what may be asked of them.

A method takes arguments of the right types and gives a JSON object, or raises Refused; which types those are and how a
call comes in is `oasis.api.calls`' concern. States never change: whoever applies a tactic gets another one. What the
teacher says of a state is worked out anew for each call, so that it does not depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from oasis.api import answers, showing
from oasis.api import arguments as given
from oasis.api.errors import Code, Refused
from oasis.api.kinds import brief
from oasis.api.limits import Limits
from oasis.api.room import Room
from oasis.api.showing import goals_shown, move_shown, shown
from oasis.api.states import Position, States, Way, read_tactic
from oasis.ground.limits import Limit, LimitReached
from oasis.ground.names import POLICIES, SOLVERS
from tactics.errors import InputError
from tactics.goal import Move
from tactics.rules import IllegalMove, first_safe, legal_moves, premises, rule_named

if TYPE_CHECKING:
    from oasis.play.policy import Policy

_Found = TypeVar("_Found")
_SMALL: Final = 4_000
"""Nodes of all goals of a proof."""
_LEAST: Final = 0.001
"""Seconds for a solver, even if a call may take none."""


class Session:
    """States by their ids, `s0`, `s1`, …: the same calls give the same ids and the same answers.

    Where an answer depends on how far somebody came in the time allowed, it says so: a verdict is `unknown`, a
    countermodel is not said to be the smallest, a hint is refused with `out_of_time`.

    Args:
        limits: how much may be asked for; the usual ones if None.
        room: that the sessions of a server share; None for as much as there is.

    Attributes:
        limits: how much may be asked for.
        states: all that there are, for programs that work on them without JSON.
    """

    def __init__(self, limits: Limits | None = None, room: Room | None = None) -> None:
        self.limits = limits or Limits()
        self.states = States(self.limits, room)

    @property
    def is_begun(self) -> bool:
        """Whether it has a state."""
        return bool(self.states.by_id)

    def is_small(self, state_id: str) -> bool:
        """Whether a state and the proof so far are so small that a move takes less than a millisecond, or are none."""
        state = self.states.by_id.get(state_id)
        return state is None or state.proof_size <= _SMALL

    def way(self, arguments: Any) -> Way | None:
        """The way to the state that arguments name, for another process; None if they name none."""
        named = arguments.get("state_id") if isinstance(arguments, dict) else None
        state = self.states.by_id.get(named) if isinstance(named, str) else None
        return None if state is None else state.told

    def start(self, lemma: given.LemmaText) -> answers.Started:
        """Begin the proof of a lemma: a name, or a formula in any notation.

        The answer has the name of the `lemma`, `state_id`, from which to go on, `goals`: what is to be proved, the
        focused goal first, and `proved`: whether nothing is left to prove. If others read the text otherwise, `reading`
        has the formula with all brackets, and `remarks` say why.
        """
        state = self.states.start(lemma)
        return {"lemma": state.lemma.name, **state.lemma.reading, **shown(state)}

    def apply(self, state_id: given.Id, tactics: given.Tactics, graph: given.WithGraph = True) -> answers.Applied:
        """Apply tactics one after the other, up to the first that does not apply; the answer has the last state.

        A tactic is a rule, and the name of a hypothesis if the rule takes one: `intro`, `imply1 H`. It acts on the
        first goal. The answer has `state_id`, `goals` and `proved` of the last state, `valid`: whether all tactics
        applied, `cost`: how many did, `error`, which says which one did not and why, else null, and the `proof_graph`
        if it is asked for.
        """
        state, cost, error = self._played(self.states.get(state_id), tactics, self.states.after)
        proof_graph = showing.graph(state) if graph else None
        return {**shown(state), "valid": error is None, "cost": cost, "error": error, "proof_graph": proof_graph}

    def try_all(self, state_id: given.Id, alternatives: given.Alternatives) -> answers.Tried:
        """What each alternative, a list of tactics, would lead to; no state is made.

        The answer has `state_id` and `alternatives`, in which each has what `apply` would answer, and the number of
        `goals_open`. Send the one that you choose with `apply`.
        """
        if (number := sum(map(len, alternatives))) > self.limits.tactics:
            message = f"alternatives has {number:,} tactics together; at most {self.limits.tactics:,} are read."
            raise Refused(Code.TOO_LARGE, message)
        state, limit = self.states.get(state_id), self._limit()
        results: list[answers.Alternative] = []
        for tactics in alternatives:
            reached, cost, error = self._played(state, tactics, self.states.tried, limit)
            results.append(
                {
                    "goals_open": len(reached.goals),
                    "proved": not reached.goals,
                    "goals": goals_shown(reached.goals),
                    "valid": error is None,
                    "cost": cost,
                    "error": error,
                }
            )
        return {"state_id": state.id, "alternatives": results}

    def goals(self, state_id: given.Id) -> answers.Goals:
        """The goals of a state, and the moves that apply to the focused one.

        The answer has `state_id`, `goals`, `proved` and `moves`: for each its `rule`, and its `hypothesis` or null.
        """
        state = self.states.get(state_id)
        moves = legal_moves(state.goals[0]) if state.goals else ()
        return {**shown(state), "moves": list(map(move_shown, moves))}

    def probabilities(self, state_id: given.Id, policy: given.PolicyName = "uniform") -> answers.Probabilities:
        """How likely a policy is to make each move that applies to the focused goal, such as `uniform` or `tiny`.

        The answer has `state_id`, `policy`, and `moves`: for each its `rule`, its `hypothesis` or null, and its
        `probability`.
        """
        state, judge = self.states.get(state_id), _policy(policy)
        if not state.goals:
            return {"state_id": state.id, "policy": policy, "moves": []}
        (likely,) = self._in_time(lambda: judge.probabilities([state.goals]))
        moves: list[answers.Probability] = [
            {**move_shown(move), "probability": float(each)}
            for move, each in zip(legal_moves(state.goals[0]), likely, strict=True)
        ]
        return {"state_id": state.id, "policy": policy, "moves": moves}

    def proof_graph(self, state_id: given.Id) -> answers.ProofGraph:
        """How a state was reached: the lemma, the moves, and what each made of which goal.

        The answer has `state_id`, the `lemma`, the `script` of moves, `nodes`: the goals, each with its `id` and
        whether it is `proved`, and `edges`: for each `step` its `move`, and which goals it leads `from` and `to`.
        """
        state = self.states.get(state_id)
        script = list(map(move_shown, state.script))
        return {"state_id": state.id, "lemma": state.lemma.name, "script": script, **showing.graph(state)}

    def node(self, id: given.Place) -> answers.Node:  # noqa: A002 - as it is sent
        """The syntax tree of a formula in a goal, or of a part of it, such as `s3.0.H.lr`; or the trees of goals.

        `s3` is a state with all its goals, `s3.0` one of them, and `s3.g2` one of the proof graph. The answer has `id`
        and `nodes`, which name others by their places from 0. Of a formula it has `formula`, its `size`, and its place
        `root`; else `goals`, in which each formula is the place of a node.
        """
        state_id, _, rest = id.partition(".")
        return showing.node(self.states.get(state_id), rest, id)

    def simplify(self, state_id: given.Id) -> answers.Simplified:
        """Make moves that keep provability as long as any applies to the focused goal; `cost` is their number.

        What is left needs a choice: `left`, `right`, `imply4`, or there is no proof. The answer has the `moves`, the
        `state_id`, `goals` and `proved` of the state that they lead to from `from_id`, the syntax trees of these goals
        as `ast` (as `node` tells them), and an `error` or null.
        """
        first = state = self.states.get(state_id)
        limit, moves = self._limit(), list[Move]()
        error: Refused | None = None
        while state.goals and (move := first_safe(legal_moves(state.goals[0]))) is not None and error is None:
            if len(moves) == self.limits.tactics:
                error = Refused(Code.TOO_LARGE, f"More than {len(moves):,} moves apply; go on from this state.")
                break
            try:
                limit.check()
                state = self.states.after(state, move)
            except LimitReached as reached:
                error = _out_of_time(reached)
            except Refused as refused:
                error = refused
            else:
                moves.append(move)
        return {
            "from_id": first.id,
            "cost": len(moves),
            "moves": list(map(move_shown, moves)),
            **shown(state),
            "ast": showing.trees(state.goals),
            "error": None if error is None else error.to_json(),
        }

    def premise(
        self, state_id: given.Id, rule: given.RuleName, hypothesis: given.HypothesisName = ""
    ) -> answers.Premise:
        """Whether a rule applies to the focused goal, and what is missing if it does not.

        The answer has `state_id`, `satisfied`, the list of what is `missing`, and `why` in words.
        """
        state = self._open(state_id)
        try:
            move = Move(rule_named(rule), hypothesis or None)
            premises(state.goals[0], move)
        except IllegalMove as error:
            lacking = showing.missing(state.goals[0], move.rule, hypothesis)
            return {"state_id": state.id, "satisfied": False, "missing": lacking, "why": str(error)}
        except InputError as error:
            raise Refused(Code.BAD_TACTIC, str(error)) from None
        return {"state_id": state.id, "satisfied": True, "missing": [], "why": ""}

    def decide(self, state_id: given.Id) -> answers.Decided:
        """Whether all goals of a state hold: `provable`, `unprovable`, or `unknown` where the time is not enough.

        The answer has `state_id`, one of these as `verdict`, and the `reason` for `unknown`.
        """
        from oasis.teacher.hints import Teacher

        state = self.states.get(state_id)
        try:
            holds = Teacher(self._limit()).valid(state.goals)
        except LimitReached as error:
            return {"state_id": state.id, "verdict": "unknown", "reason": str(error)}
        return {"state_id": state.id, "verdict": "provable" if holds else "unprovable", "reason": ""}

    def hint(self, state_id: given.Id, level: given.Level = 1) -> answers.Hint:
        """A hint: 1 still provable? 2 and where to look, 3 and which rule, 4 and the move with its reason.

        The answer has `state_id`, `level`, whether it is `provable`, `words`, and as far as the level goes `where`,
        `rule` and `move`. `lost_at` is the move that has lost the proof, if one has: go back to a state before it.
        """
        from oasis.teacher.hints import Teacher

        state = self.states.get(state_id)
        states = [each.goals for each in state.way]
        hint = self._in_time(lambda: Teacher(self._limit()).hint(states, state.script, level))
        advice = hint.advice
        return {
            "state_id": state.id,
            "level": level,
            "provable": hint.provable,
            "lost_at": hint.step,
            "words": hint.sentences(),
            "where": advice.where if advice and level >= 2 else None,
            "rule": advice.move.rule if advice and level >= 3 else None,
            "move": move_shown(advice.move) if advice and level >= 4 else None,
        }

    def prove(self, state_id: given.Id, solver: given.SolverName = "teacher") -> answers.Proved:
        """Have a solver prove the lemma that a state comes from: `teacher`, a search as `best-first`, or `escalate`.

        A colon and a policy may follow, as in `best-first:tiny`. The answer has `state_id`, the `status` (`proved`,
        `refuted` or `open`), the `script` and its `length` or null, the `bound` that no proof goes below, `by` whom it
        was settled, what that took in numbers, and the `reason` if it ended before it was over.
        """
        from oasis.escalation.solvers import Means, solver_named
        from oasis.neural.policies import policy_named
        from oasis.play.solving import Budget, solve

        state, means = self.states.get(state_id), Means(policy=lambda name: policy_named(name, None))
        _check_ours(solver)
        try:
            proving = solver_named(solver, means)
        except InputError as error:
            raise Refused(Code.BAD_ARGUMENT, str(error)) from None
        budget = Budget(seconds=max(self.limits.seconds, _LEAST), memory=self.limits.memory)
        attempt = solve(state.lemma.formula, proving, budget)
        told = attempt.to_json([count for count in proving.counts if count != "seconds"])
        del told["certificates"]
        return cast("answers.Proved", {"state_id": state.id, **told})

    def countermodel(self, state_id: given.Id) -> answers.Refuted:
        """A Kripke model in which the first goal fails that cannot be proved, in numbers and in words.

        The answer has `state_id` and `countermodel`: null, or the number of the `goal` from 0, the `worlds`, whether it
        `is_smallest`, and `words`.
        """
        from oasis.teacher.countermodels.explanation import to_json
        from oasis.teacher.hints import Teacher

        state = self.states.get(state_id)
        teacher = Teacher(self._limit())

        def found() -> answers.Countermodel | None:
            for number, goal in enumerate(state.goals):
                model = teacher.refute((goal,))
                if model is not None:
                    return cast("answers.Countermodel", {"goal": number, **to_json(model)})
            return None

        return {"state_id": state.id, "countermodel": self._in_time(found)}

    def certify(self, state_id: given.Id, prover: given.Prover = "native") -> answers.Certified:
        """What a prover says of a whole proof: `native` replays it, `coq` and `lean` know nothing of this program.

        The answer has `state_id` and the `certificate`: the `prover`, whether it has `accepted` the proof, the
        `reason` if it has not, and more.
        """
        from oasis.backends.base import BackendError, BackendMissing
        from oasis.backends.certifying import ask
        from tactics.claims import Claim

        state = self._proved(state_id)
        try:
            (certificate,) = ask(prover, [Claim(state.lemma.formula, state.script)])
        except BackendMissing as error:
            raise Refused(Code.PROVER_MISSING, str(error)) from None
        except BackendError as error:
            raise Refused(Code.PROVER_FAILED, str(error)) from None
        return {"state_id": state.id, "certificate": cast("answers.Certificate", asdict(certificate))}

    def export(self, state_id: given.Id, to: given.FileKind) -> answers.Exported:
        """A whole proof as a file for a prover, for LaTeX, in words or as a picture.

        The answer has `state_id`, the kind of file as `to`, the `suffix` of its name, and its `text`.
        """
        from oasis.backends.export import EXPORTS, Proof

        state, kind = self._proved(state_id), EXPORTS[to]
        try:
            text = kind.write([Proof(state.lemma.name, state.lemma.formula, state.script)])
        except InputError as error:
            raise Refused(Code.TOO_LARGE, str(error)) from None
        return {"state_id": state.id, "to": to, "suffix": kind.suffix, "text": text}

    def _limit(self) -> Limit:
        return Limit(self.limits.seconds, self.limits.memory)

    def _in_time(self, found: Callable[[], _Found]) -> _Found:
        try:
            return found()
        except LimitReached as error:
            raise _out_of_time(error) from None

    def _open(self, state_id: str) -> Position:
        state = self.states.get(state_id)
        if not state.goals:
            raise Refused(Code.PROVED, f"In {state.id} nothing is left to prove.")
        return state

    def _proved(self, state_id: str) -> Position:
        state = self.states.get(state_id)
        if state.goals:
            raise Refused(Code.NOT_PROVED, f"{state.id} has goals that are open; only a complete proof will do here.")
        return state

    def _played(
        self,
        state: Position,
        tactics: Sequence[Any],
        after: Callable[[Position, Move], Position],
        limit: Limit | None = None,
    ) -> tuple[Position, int, answers.TacticError | None]:
        """The last state that tactics lead to, how many do, and what is wrong with the next one, its place from 1."""
        limit = limit or self._limit()
        for place, tactic in enumerate(tactics, 1):
            try:
                limit.check()
                state = after(state, read_tactic(tactic))
            except Refused as error:
                return state, place - 1, {"tactic": place, **error.to_json()}
            except LimitReached as reached:
                return state, place - 1, {"tactic": place, **_out_of_time(reached).to_json()}
        return state, len(tactics), None


@lru_cache
def _policy(name: str) -> Policy:
    """The policy of a name. Raises Refused for the teacher, who is asked otherwise, and for those of others."""
    if name not in (ours := [each for each in _policies() if each != "teacher"]):
        raise Refused(Code.BAD_ARGUMENT, f"policy is one of {', '.join(ours)}, not {brief(name)}.")
    try:
        made: Policy = POLICIES.make(name)
    except InputError as error:
        raise Refused(Code.BAD_ARGUMENT, str(error)) from None
    return made


def _policies() -> list[str]:
    """The policies of ours that need no argument, which might be a file or code."""
    return [each for each, entry in POLICIES.entries.items() if not entry.argument]


def _check_ours(solver: str) -> None:
    """Raise Refused for a solver or a policy that is none of ours, which might read a file or run code."""
    name, _, policy = solver.partition(":")
    policies = _policies()
    if not all(part in SOLVERS for part in name.split("+")):
        raise Refused(Code.BAD_ARGUMENT, f"solver is one of {', '.join(SOLVERS)}, not {brief(name)}.")
    if policy and policy not in policies:
        raise Refused(Code.BAD_ARGUMENT, f"A solver's policy is one of {', '.join(policies)}, not {brief(policy)}.")


def _out_of_time(reached: LimitReached) -> Refused:
    return Refused(Code.OUT_OF_TIME, f"There is no answer in time: {reached}.")
