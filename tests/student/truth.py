"""Ground truth for the learners: exact values by one pass over the reachable graph, kept apart from the product.

Every move makes a state lighter, so the graph has no cycle but an action that leaves its state as it is (`blind`), and
that one is solved for. Values are those of episodes without a step limit, and of actions that are never given up:
`blind` with forgotten errors has the values of `legal` in the end, and none before.
"""

from typing import NamedTuple

from oasis.rewards import Reward
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.rules import RULES, apply, legal_moves

INVERTIBLE = ("assumption", "contradiction", "intro", "split")


class Values(NamedTuple):
    """v(s) of every reachable state, 0 where the episode is over, and q(s, a) of every action there."""

    v: dict[State, float]
    q: dict[tuple[State, Move], float]


def successors(state: State, space: str) -> dict[Move, State]:
    """Return where each action of an action space leads; an action that does not apply leads nowhere."""
    if not state:
        return {}
    legal = {move: apply(state, move) for move in legal_moves(state[0])}
    if space == "legal":
        return legal
    if space == "simplify":
        choices = {move: after for move, after in legal.items() if move.rule not in INVERTIBLE}
        return choices if len(choices) == len(legal) else {Move("simplify"): simplified(state), **choices}
    assert space == "blind"
    everything = [
        Move(rule.name, name)
        for rule in RULES.values()
        for name in ([h.name for h in state[0].hypotheses] if rule.takes_hypothesis else [None])
    ]
    return {move: legal.get(move, state) for move in everything}


def simplified(state: State) -> State:
    """Return the state when none of the four invertible rules without a hypothesis is left to apply."""
    for rule in INVERTIBLE:
        if state and Move(rule) in legal_moves(state[0]):
            return simplified(apply(state, Move(rule)))
    return state


def solve(formula: Formula, space: str, reward: Reward, gamma: float, epsilon: float = 0.0) -> Values:
    """Return the values of the best ε-soft policy, v(s) = (1-ε)·max q + ε·mean q over A(s); V* and Q* for ε = 0.

    Sutton & Barto (2018), 3.6 and 5.4. A state's errors, each with q = r + γ·v(s), make its equation linear in v(s)
    once it is settled whether the best action is an error; the larger solution is that of the better policy. `gamma`
    must be below 1 for `blind`.
    """
    values = Values({}, {})
    pending = [initial(formula)]
    while pending:
        state = pending[-1]
        following = successors(state, space)
        unknown = [after for after in following.values() if after != state and after not in values.v]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        if state in values.v:
            continue
        if not following:
            values.v[state] = 0.0
            continue
        errors = {m: reward.step(state, m, state, False) for m, after in following.items() if after == state}
        for move, after in following.items():
            if after != state:
                stuck = bool(after) and not successors(after, space)
                values.q[state, move] = reward.step(state, move, after, stuck or not after) + gamma * values.v[after]
        real = [values.q[state, move] for move in following if move not in errors]
        share = len(errors) / len(following)
        by_chance = epsilon * (sum(real) + sum(errors.values())) / len(following)
        solutions = []
        if real:
            solutions.append(((1 - epsilon) * max(real) + by_chance) / (1 - epsilon * gamma * share))
        if errors:
            to_itself = gamma * (1 - epsilon + epsilon * share)
            solutions.append(((1 - epsilon) * max(errors.values()) + by_chance) / (1 - to_itself))
        values.v[state] = max(solutions)
        for move in errors:
            values.q[state, move] = errors[move] + gamma * values.v[state]
    return values


def shortest_proof(formula: Formula) -> int | None:
    """Return the number of moves in the shortest proof, or None without a proof: breadth first, without values."""
    reached = {initial(formula)}
    seen: set[State] = set()
    length = 0
    while reached:
        if () in reached:
            return length
        seen |= reached
        reached = {after for state in reached for after in successors(state, "legal").values()} - seen
        length += 1
    return None


def longest_route(formula: Formula) -> int:
    """Return the number of moves on the longest way to a proof or to a dead end."""
    lengths: dict[State, int] = {}
    pending = [initial(formula)]
    while pending:
        following = successors(pending[-1], "legal").values()
        unknown = [after for after in following if after not in lengths]
        if unknown:
            pending += unknown
        else:
            lengths[pending.pop()] = max((1 + lengths[after] for after in following), default=0)
    return lengths[initial(formula)]
