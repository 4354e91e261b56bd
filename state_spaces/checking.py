"""Is a state space what it should be? The properties that all of ours are held to, tried on states of random play.

Two states are the same if one renaming of atoms and of hypotheses makes one the other, whatever the order of
hypotheses: `Name`, which is exact, says so. Each property is that of a function: what agrees on the left has to agree
on the right. Two states that break one are made smaller as long as they break it. Finding nothing is no proof; states
with many symmetries, in which a careless labelling errs, are rare in random play.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from random import Random
from typing import Annotated, Any, Final, NamedTuple

from oasis.ground.names import STATE_SPACES
from oasis.ground.plugins import foreign
from oasis.ground.plural import counted
from oasis.ground.settings import SEEDS, Setting, check
from state_spaces.base import Key, Slot, StateSpace, View
from state_spaces.difference import atoms_of
from state_spaces.merging import met_at_random
from state_spaces.name import Name
from tactics.errors import InputError
from tactics.formula import Binary, Formula
from tactics.goal import Goal, Hypothesis, Move, Sequent, State, fresh_name, sequent
from tactics.recursion import Call, run
from tactics.rules import apply, legal_moves, premises
from tactics.sequent import show_state

_WHO: Final = "The state space"
_USUAL: Final = "pqrstuvw"
"""Names of atoms in a state that was made smaller, and some that a renamed state may get."""
_MOST_PROOFS: Final = 10**6
"""The number at which counting the proofs of a goal stops."""


@dataclass(frozen=True)
class Check:
    """What is checked, and on which states. Raises InputError for what cannot be.

    Attributes:
        state_space: by name, or `module:object`.
        states: different ones of random play; each is also looked at renamed, and changed in one place.
        seed: of the random choices.
    """

    state_space: Annotated[
        str,
        Setting(
            f"{STATE_SPACES.told}.",
            choices="oasis.ground.names:STATE_SPACES",
            names=(_WHO,),
            metavar="SPACE",
            positional=True,
        ),
    ]
    states: Annotated[
        int, Setting("States of random play; each is also renamed, and changed in one place.", within="[1, 10000]")
    ] = 1000
    seed: Annotated[int, Setting("Seed of all random choices.", within=SEEDS)] = 0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Finding:
    """A property that a state space lacks.

    Attributes:
        verdict: what is wrong, in words.
        times: how many states break the property together with one looked at before.
        states: the smallest two that were found; they may be one.
        moves: the move in each that breaks it; None if it is not about moves.
        means: what that means for a learner.
    """

    verdict: str
    times: int
    states: tuple[State, State]
    moves: tuple[Move, Move] | None
    means: str

    def to_json(self) -> dict[str, Any]:
        """An object with these attributes, states and moves as text."""
        moves = None if self.moves is None else [str(move) for move in self.moves]
        return {**vars(self), "states": [show_state(state) for state in self.states], "moves": moves}


@dataclass(frozen=True)
class Report:
    """What came of a check.

    Attributes:
        asked: what was to be checked.
        looked_at: how many different states were looked at, the renamed and the changed ones among them.
        findings: the properties that are lacking; none if no fault was found.
    """

    asked: Check
    looked_at: int
    findings: tuple[Finding, ...]

    @property
    def verdicts(self) -> list[str]:
        """What was found, in words; `exact` if nothing was."""
        return [finding.verdict for finding in self.findings] or ["exact"]

    def to_json(self) -> dict[str, Any]:
        """An object with all of this."""
        findings = [finding.to_json() for finding in self.findings]
        return {**vars(self.asked), "looked_at": self.looked_at, "verdicts": self.verdicts, "findings": findings}

    def lines(self) -> Iterator[str]:
        """What a person reads: the verdicts, and for each the two states and what it means."""
        yield f"{self.asked.state_space}: {', '.join(self.verdicts)}"
        if not self.findings:
            yield (
                f"\nA learner shares what it learns among states that are the same, and no others, as far as "
                f"the {self.looked_at:,} states that were looked at show."
            )
        for finding in self.findings:
            yield f"\n{finding.verdict}: {finding.times:,} of {self.looked_at:,} states; the smallest found are"
            for state, move in zip(finding.states, finding.moves or ("", ""), strict=True):
                yield f"  {show_state(state)}{move and f'   by {move}'}"
            yield finding.means


class _Step(NamedTuple):
    """A legal move as the space has it: its slot, the exact one, and the key that it leads to."""

    move: Move
    slot: Slot
    exact: Slot
    after: int


class _Seen(NamedTuple):
    """A state as the space sees it, and its exact key; keys of the space are numbered, as their own code may fail."""

    key: int
    exact: Key
    steps: tuple[_Step, ...]


class _Fact(NamedTuple):
    """What agrees on the left should agree on the right; of a move, if it is about one."""

    left: Hashable
    right: Hashable
    move: Move | None = None


class _Property(NamedTuple):
    """A property, what is said if it fails, and the verdict after which its failure is not told."""

    verdict: str
    facts: Callable[[_Seen], Iterable[_Fact]]
    means: str
    unless: str = ""


_MERGES, _SPLITS = "merges states that differ", "splits states that are the same"
_PROPERTIES: Final = (
    _Property(
        _MERGES,
        lambda seen: [_Fact(seen.key, seen.exact)],
        "A learner keeps the same values for both, and what it learns in one it takes for true in the other.",
    ),
    _Property(
        "merges moves that differ",
        lambda seen: [_Fact((seen.key, step.slot), step.exact, step.move) for step in seen.steps],
        "A learner keeps one value for both moves, so it cannot prefer the better one.",
        unless=_MERGES,
    ),
    _Property(
        _SPLITS,
        lambda seen: [_Fact(seen.exact, seen.key)],
        "What a learner knows in one it has to learn again in the other.",
    ),
    _Property(
        "splits moves that are the same",
        lambda seen: [_Fact((seen.exact, step.exact), step.slot, step.move) for step in seen.steps],
        "A learner keeps two values for what is one move, and has to learn both.",
        unless=_SPLITS,
    ),
    _Property(
        "not Markov",
        lambda seen: [_Fact((seen.key, step.slot), step.after, step.move) for step in seen.steps],
        "The same action leads from one key to different ones, as what comes next depends on what the key leaves out. "
        "A learner that goes by the values of the next state, as Q-learning and Sarsa do, may settle on wrong ones.",
    ),
)


def checked(
    asked: Check,
    formulas: Iterable[Formula],
    follow: Callable[[Iterable[int], int], object] = lambda numbers, total: deque(numbers, maxlen=0),
) -> Report:
    """Try what a state space should be on states that random play of some formulas meets.

    Args:
        asked: what is checked; as many formulas are played as it takes to meet enough states.
        formulas: from which random play begins, once from each.
        follow: goes through the number of states that were looked at, as it grows, and is told how many there are.

    Raises InputError if the space cannot be made, or its code fails.
    """
    looking = _Looking(STATE_SPACES.make(asked.state_space, _WHO), f"{_WHO} {asked.state_space}")
    pool = sorted(_pool(formulas, asked.states, Random(asked.seed)), key=_size)
    follow((number for number, state in enumerate(pool, 1) if looking.see(state)), len(pool))
    findings: list[Finding] = []
    for each in _PROPERTIES:
        pairs = looking.pairs(each, pool)
        if pairs and each.unless not in [finding.verdict for finding in findings]:
            one, other = looking.shrunk(each, min(pairs, key=lambda pair: _size(*pair)))
            broken = looking.broken(each, one, other)
            assert broken is not None
            moves = None if broken[0].move is None or broken[1].move is None else (broken[0].move, broken[1].move)
            more = looking.differences((one, other), pairs) if each.verdict == _MERGES else ""
            findings.append(Finding(each.verdict, len(pairs), (one, other), moves, each.means + more))
    return Report(asked, len(pool), tuple(findings))


class _Looking:
    """Looks at states through a space, and remembers what it saw. Raises InputError if the space fails."""

    def __init__(self, space: StateSpace, who: str) -> None:
        self._space, self._who, self._name = space, who, Name()
        self._keys: dict[Key, int] = {}
        self._digests: dict[bytes, int] = {}
        self._seen: dict[State, _Seen] = {}
        self._proofs: dict[Sequent, int] = {}

    def see(self, state: State) -> _Seen:
        """Return what the space makes of a state."""
        if state not in self._seen:
            key, slots = self._viewed(state)
            exact = self._name.view(state)
            steps = tuple(
                _Step(move, slot, exact.slot(move), self._viewed(apply(state, move))[0]) for move, slot in slots.items()
            )
            self._seen[state] = _Seen(key, exact.key, steps)
        return self._seen[state]

    def pairs(self, each: _Property, pool: Iterable[State]) -> list[tuple[State, State]]:
        """Return each state that breaks a property, behind the first with which it does."""
        first: dict[Hashable, tuple[Hashable, State]] = {}
        found = []
        for state in pool:
            met = [(first.setdefault(fact.left, (fact.right, state)), fact) for fact in each.facts(self.see(state))]
            found += [(before, state) for (right, before), fact in met if right != fact.right][:1]
        return found

    def broken(self, each: _Property, one: State, other: State) -> tuple[_Fact, _Fact] | None:
        """Return two facts of two states that break a property; None if they keep it."""
        facts: dict[Hashable, _Fact] = {}
        found = chain(each.facts(self.see(one)), each.facts(self.see(other)))
        return next(((facts[it.left], it) for it in found if facts.setdefault(it.left, it).right != it.right), None)

    def shrunk(self, each: _Property, pair: tuple[State, State]) -> tuple[State, State]:
        """Return the smallest pair that breaks a property and is left by making one or both smaller, step by step."""
        smaller: tuple[State, State] | None = pair
        while smaller is not None:
            pair, size = smaller, _size(*smaller)
            ones, others = ([state, *_smaller(state)] for state in pair)
            alone = chain(product(ones, pair[1:]), product(pair[:1], others), ((it, it) for it in [*ones, *others]))
            near = chain(alone, product(ones, others))  # of which there are many more
            smaller = next((it for it in near if self.broken(each, *it) and _size(*it) < size), None)
        return pair

    def differences(self, smallest: tuple[State, State], pairs: list[tuple[State, State]]) -> str:
        """Say how merged states differ for a prover: the smallest two, and how many of all pairs."""
        proofs = [self._count(state) for state in smallest]
        moves, other_moves = (self._slots(state) for state in smallest)
        if min(proofs) == 0 < max(proofs):
            here = f"the {'first' if proofs[0] else 'second'} can be proved and the other cannot"
        elif proofs[0] != proofs[1]:
            here = f"they have {proofs[0]:,} and {proofs[1]:,} proofs"
        else:
            here = f"both have {counted(proofs[0], 'proof')}" if proofs[0] else "neither can be proved"
        here += "." if moves == other_moves else ", and their legal moves differ."
        counts = [(self._count(one), self._count(other)) for one, other in pairs]
        provable = sum((one == 0) != (other == 0) for one, other in counts)
        number = sum(one != other for one, other in counts)
        legal = sum(self._slots(one) != self._slots(other) for one, other in pairs)
        return (
            f" Here {here} Of {counted(len(pairs), 'pair')}, {provable:,} differ in whether they can be proved, "
            f"{number:,} in how many proofs they have, {legal:,} in their legal moves."
        )

    def _viewed(self, state: State) -> tuple[int, dict[Move, Slot]]:
        """Return the number of a state's key, and the slots of its legal moves."""
        with foreign(self._who):
            view = self._space.view(state)
            if not isinstance(view, View):
                raise InputError(f"{self._who}: view gives a {type(view).__name__} and no state_spaces.View.")
            if self._space.view(state).key != view.key:
                raise InputError(f"{self._who}: view gives {show_state(state)} two keys when it is asked twice.")
            digest, number = self._space.digest(view.key), self._keys.setdefault(view.key, len(self._keys))
            is_whole = isinstance(digest, bytes) and len(digest) == 16
            if not is_whole or self._digests.setdefault(digest, number) != number:
                raise InputError(f"{self._who}: digest gives {digest!r}, not 16 bytes for each key alone.")
            for name, _ in state[0].hypotheses if state else ():
                if not isinstance(view.positions.get(name), str | int):
                    raise InputError(f"{self._who}: positions do not say where {name} stands in {show_state(state)}.")
            return number, {move: view.slot(move) for move in (legal_moves(state[0]) if state else ())}

    def _slots(self, state: State) -> set[Slot]:
        return {step.slot for step in self.see(state).steps}

    def _count(self, state: State) -> int:
        """Return how many proofs a state has, as far as they are counted."""
        return run(self._counting(state))

    def _counting(self, state: State) -> Call[int]:
        proofs = 1
        for goal in state:
            key = sequent(goal)
            if key not in self._proofs:
                found = 0
                for move in legal_moves(goal):
                    found += yield self._counting(premises(goal, move))
                self._proofs[key] = min(found, _MOST_PROOFS)
            proofs = min(proofs * self._proofs[key], _MOST_PROOFS)
        return proofs


def _pool(formulas: Iterable[Formula], number: int, rng: Random) -> Iterable[State]:
    """Return states of random play, each with itself renamed, and changed in one place; the proved state is one."""
    met: set[State] = set()
    pool: set[State] = {()}
    for formula in formulas:
        for state in sorted(met_at_random([formula], 1, rng), key=_size):
            if state not in met and len(met) < number:
                met.add(state)
                pool |= {state, _disguised(state, rng), rng.choice([*_smaller(state), state[1:] + state[:1]])}
        if len(met) >= number:
            break
    return pool


def _size(*states: State) -> tuple[int, int, str]:
    """How much there is to read, a state twice as once: nodes of formulas, atoms, and text to tell the rest apart."""
    states = tuple(dict.fromkeys(states))
    goals = [goal for state in states for goal in state]
    nodes = sum(2 + goal.conclusion.size + sum(1 + each.formula.size for each in goal.hypotheses) for goal in goals)
    return nodes, sum(map(len, map(_letters, states))), " ".join(map(show_state, states))


def _letters(state: State) -> list[str]:
    """The names of the atoms, as they occur."""
    return [atom.name for atom in atoms_of(state)]


def _replaced(state: State, place: int, *goals: Goal) -> State:
    return (*state[:place], *goals, *state[place + 1 :])


def _smaller(state: State) -> Iterator[State]:
    """States with a goal, a hypothesis, a part of a formula or a letter less, and the state itself in usual names."""
    for place, goal in enumerate(state):
        yield _replaced(state, place)
        for at, (name, formula) in enumerate(goal.hypotheses):
            before, after = goal.hypotheses[:at], goal.hypotheses[at + 1 :]
            yield _replaced(state, place, Goal((*before, *after), goal.conclusion, goal.avoid))
            for part in _parts(formula):
                hypotheses = (*before, Hypothesis(name, part), *after)
                yield _replaced(state, place, Goal(hypotheses, goal.conclusion, goal.avoid))
        for part in _parts(goal.conclusion):
            yield _replaced(state, place, Goal(goal.hypotheses, part, goal.avoid))
    letters = _letters(state)
    for place, letter in enumerate(letters):
        for other in letters[:place]:
            yield _renamed(state, {letter: other})
    usual = _renamed(state, dict(zip(letters, _USUAL, strict=False)))
    yield tuple(Goal(_afresh(goal), goal.conclusion, goal.avoid) for goal in usual)


def _parts(formula: Formula) -> Iterator[Formula]:
    """The formulas that have one of its connectives less, by leaving one side out."""
    if isinstance(formula, Binary):
        yield from (formula.left, formula.right)
        yield from (type(formula)(left, formula.right) for left in _parts(formula.left))
        yield from (type(formula)(formula.left, right) for right in _parts(formula.right))


def _renamed(state: State, names: dict[str, str]) -> State:
    """The state with other atoms."""
    return tuple(goal.renamed(names) for goal in state)


def _afresh(goal: Goal) -> tuple[Hypothesis, ...]:
    """The hypotheses, named as if they came one after the other."""
    named: dict[str, Formula] = {}
    for _, formula in goal.hypotheses:
        named[fresh_name(goal.avoid.union(named))] = formula
    return tuple(map(Hypothesis, named, named.values()))


def _disguised(state: State, rng: Random) -> State:
    """The same state with other atoms, and its hypotheses in another order and under each other's names."""
    letters = _letters(state)
    drawn = rng.sample([*dict.fromkeys([*letters, *_USUAL])], len(letters))
    disguised = []
    for goal in _renamed(state, dict(zip(letters, drawn, strict=True))):
        formulas = rng.sample(goal.hypotheses, len(goal.hypotheses))
        hypotheses = map(Hypothesis, (name for name, _ in goal.hypotheses), (formula for _, formula in formulas))
        disguised.append(Goal(tuple(hypotheses), goal.conclusion, goal.avoid))
    return tuple(disguised)
