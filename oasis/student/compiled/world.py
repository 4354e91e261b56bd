"""What the compiled loops ask Python about: formulas never met before, and keys that depend on how a state looks.

A world is shared by students of one kind; it holds facts alone, so what one of them has explored is there for the
others and changes nothing in what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from oasis.ground.limits import LimitReached
from oasis.play.actions import ActionSpace, attempt
from oasis.rewards import Transition
from oasis.student.compiled import calculus as ints
from oasis.student.compiled import graph as states
from oasis.student.compiled.calculus import Records, index_goals, intern_from_python
from oasis.student.compiled.empty import MAX_FORMULAS, MAX_STATES, empty_graph
from oasis.student.compiled.graph import PROVED, WEIGH, cons_from_python, index_states, laid_out
from oasis.student.compiled.table import Ints
from oasis.student.compiled.task import AMOUNT
from oasis.student.student import NoRoom
from state_spaces import Key, Simple, StateSpace
from state_spaces.base import OfFormulas
from state_spaces.canonical import Unnamed
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, Move, State, fresh_name, initial
from tactics.rules import RULES, inferences
from tactics.script import Script

if TYPE_CHECKING:
    from oasis.experience.prior import Prior
    from oasis.play.states import States

_REMEMBERED: Final = 2**16
"""States that are kept as Python knows them."""
_NOWHERE: Final = -1
"""Stands for the position of a hypothesis where a rule takes none."""
_RULE_NUMBERS: Final = {name: number for number, name in enumerate(RULES)}
_RANKS: Final = [sorted(RULES).index(name) for name in RULES]
"""The place of each rule's name in alphabetical order, as slots are sorted."""
_TAKES_HYPOTHESIS: Final = [rule.takes_hypothesis for rule in RULES.values()]


@lru_cache
def _everything(hypotheses: int, positions: int) -> tuple[Ints, Ints]:
    """Of each blind action of a goal with so many hypotheses, at so many positions: the first slot of its rule, and its
    hypothesis; behind the last of these stands none.
    """
    sizes = [positions if takes else 1 for takes in _TAKES_HYPOTHESIS]
    firsts = [sum(size for rank, size in zip(_RANKS, sizes, strict=True) if rank < own) for own in _RANKS]
    places = [[*range(hypotheses)] if takes else [hypotheses] for takes in _TAKES_HYPOTHESIS]
    every = [(first, place) for first, each in zip(firsts, places, strict=True) for place in each]
    return np.array([first for first, _ in every], np.int32), np.array([place for _, place in every], np.int32)


def emptied(*parts: object) -> None:
    """Make arrays empty, whoever refers to them; what is no array is left as it is."""
    for array in parts:
        if isinstance(array, np.ndarray):
            array.resize(0, refcheck=False)


class TooManyStates(NoRoom):
    """A world that is full."""


def _refuse_to_pay(number: int) -> None:
    raise RuntimeError("a reward was asked where there is none")


class World:
    """The graph of all goals and states that students of one kind have met.

    Args:
        space: when two states are the same.
        action_space: what is offered in a state.
        by_goal: whether keys are those of focused goals, as they are for values of goals.
        prior: the odds of legal moves among those of equal value, if there are any.
        max_states: for which there is room.

    Attributes:
        graph: for the compiled loops.
    """

    def __init__(
        self,
        space: StateSpace,
        action_space: ActionSpace,
        *,
        by_goal: bool = False,
        prior: Prior | None = None,
        max_states: int = MAX_STATES,
    ) -> None:
        self._space, self._action_space, self._prior = space, action_space, prior
        self._by_goal = by_goal or space.of_focus
        if isinstance(space, Simple):
            keys_by = states.BY_GOAL if by_goal else states.BY_STATE
        else:
            keys_by = states.BY_GOAL_IN_PYTHON if self._by_goal else states.BY_STATE_IN_PYTHON
        self.graph = empty_graph(max_states, action_space.name, keys_by, has_prior=prior is not None)
        self._calculus = self.graph.calculus
        simplifies = self._calculus.action_space == ints.SIMPLIFY
        self._by_formulas = space if isinstance(space, OfFormulas) and not simplifies else None
        self._starts: dict[Formula, int] = {}
        self._formulas: list[Formula | None] = [None]
        self._formula_number: dict[Formula, int] = {}
        self._avoids: list[frozenset[str]] = []
        self._names: list[list[str]] = []
        self._name_number: list[dict[str, int]] = []
        self._goals: dict[int, Goal] = {}
        self._keys: dict[Key, int] = {}
        self._moves: dict[int, tuple[Move, ...]] = {}
        self._views: dict[tuple[int, ...], tuple[Key, Mapping[int, int]]] = {}
        self._contents: dict[int, tuple[int, list[int]]] = {}
        self._unnamed: list[Unnamed] = []
        self._sequents: dict[tuple[int, ...], int] = {}
        self._states: dict[int, State] = {PROVED: ()}
        self._amounts: dict[str, Records] = {}
        self._numbers: dict[Formula, Ints] = {}
        self._foreseen = 0  # states that lemmas lead to, whoever meets them

    def start(self, lemma: Formula) -> int:
        """The state in which episodes on a lemma start."""
        if lemma not in self._starts:
            self._starts[lemma] = self._state_number(initial(lemma))
        return self._starts[lemma]

    def run(self, learner: Iterator[None], pay: Callable[[int], None] = _refuse_to_pay) -> None:
        """Let a compiled learner run to its end, and answer what it asks. Raises TooManyStates.

        Args:
            learner: one of those of `oasis.student.compiled.learners`, started.
            pay: answers what a reward is asked, one of the constants of `oasis.student.compiled.graph`.
        """
        asked: tuple[int, ...] | None = None
        asked_pay, of_states, of_goals = states.ASKED_PAY, self.graph.counts.item, self._calculus.counts.item
        for _ in learner:
            if of_states(states.FULL) or of_goals(ints.FULL):
                break
            if number := of_states(asked_pay):
                pay(number)
                continue
            before, asked = asked, self._asked()
            if asked == before:
                raise RuntimeError(f"{asked} was asked twice")
            self._answer(*asked)
        if self._is_full:
            self._refuse()

    def release(self) -> None:
        """Give back the memory of the graph; the world is of no use afterwards.

        A compiled learner that was broken off because the world is full keeps a reference to each array for good
        (numba's generators let go of what they hold only when they are resumed).
        """
        emptied(*self.graph, *self.graph.calculus)

    @property
    def formulas(self) -> list[Formula]:
        """All formulas that have a number, in the order of their numbers."""
        return [formula for formula in self._formulas if formula is not None]

    @property
    def avoids(self) -> list[frozenset[str]]:
        """The sets of names that hypotheses may not have, in the order of their numbers."""
        return self._avoids

    @property
    def keys(self) -> dict[Key, int]:
        """The numbers of the keys that Python was asked for."""
        return self._keys

    def restore(self, formulas: list[Formula], avoids: list[frozenset[str]], keys: dict[Key, int]) -> None:
        """Make an empty world the one whose arrays were put into its graph, with these numbered in this order."""
        self._formulas = [None, *formulas]
        self._formula_number = {formula: number for number, formula in enumerate(formulas, 1)}
        self._avoids = avoids
        self._names, self._name_number = [[] for _ in avoids], [{} for _ in avoids]
        self._keys = keys
        index_goals(self._calculus)
        if self._prior is not None:
            for goal in range(1, int(self._calculus.counts[ints.GOALS])):
                self._weigh(goal, self._prior)
        index_states(self.graph)

    def number(self, state: State) -> int:
        """The number of a state, which is new if nobody met it yet."""
        return self._state_number(state)

    def numbers(self, of: States) -> Ints:
        """The numbers of all states of a lemma in this action space, of which some may be new.

        Raises LimitReached if the states of all lemmas that were asked for would take more than half of the room: the
        other half is for practice.
        """
        from oasis.student.compiled.worth import numbered

        if of.lemma not in self._numbers:
            room = len(self.graph.states) // 2
            needed = max(len(of.lists), len(of.after) * len(self.graph.states) // len(self.graph.edges))
            if self._foreseen + needed > room:
                raise LimitReached(f"room for {room:,} states was not enough")
            self._foreseen += needed
            lists, goals = np.zeros(len(of.lists), np.int32), np.array([*map(self._goal_number, of.goals)], np.int32)
            if not numbered(self.graph, of.lists, goals, lists):
                self._refuse()
            self._numbers[of.lemma] = lists[of.place]
        return self._numbers[of.lemma]

    def lay_out(self, number: int) -> None:
        """Make sure that a state has its edges and its key, also if nobody met it or the graph was restored since."""
        if not self.graph.states[number]["key"]:
            self.run(laid_out(self.graph, number))

    def transition(self, state: int, edge: int) -> Transition:
        """What an edge of a state does, which must have been followed."""
        before = self.state(state)
        action = self._action_space.actions(before)[edge - int(self.graph.states[state]["first_edge"])]
        return Transition(before, action, self.state(int(self.graph.edges[edge]["after"])))

    def sources(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """The state that each of some edges leaves; shape (edges,)."""
        laid_out = np.flatnonzero(self.graph.states["edges"][: self.size])
        firsts = self.graph.states["first_edge"][laid_out]
        order = np.argsort(firsts)
        return np.asarray(laid_out[order][np.searchsorted(firsts[order], edges, side="right") - 1])

    def amounts(self, reward: str) -> Records:
        """What a reward of this name pays for each edge, for all students of the world to share; AMOUNT."""
        if reward not in self._amounts:
            self._amounts[reward] = np.zeros(2 * len(self.graph.edges), AMOUNT)
        return self._amounts[reward]

    def path(self, start: int, edges: Sequence[int]) -> list[Transition]:
        """The steps of a way through the graph."""
        befores = [start, *(int(self.graph.edges[edge]["after"]) for edge in edges[:-1])]
        return [self.transition(state, edge) for state, edge in zip(befores, edges, strict=False)]

    def script(self, start: int, edges: Sequence[int]) -> Script:
        """The moves that a way through the graph makes."""
        path = self.path(start, edges)
        return tuple(move for before, action, _ in path for move in self._performed(before, action))

    def state(self, number: int) -> State:
        """The state of a number."""
        state = self._states.get(number)
        if state is None:
            if len(self._states) >= _REMEMBERED:
                self._states = {PROVED: ()}
            head, tail, *_ = self.graph.states[number].item()
            state = self._states[number] = (self.goal(head), *self.state(tail))
        return state

    def _performed(self, before: State, action: Move) -> Script:
        return self._action_space.perform(before, action, attempt)[1]

    @property
    def size(self) -> int:
        """One more than the largest number of a state."""
        return int(self.graph.counts[states.STATES])

    def edges(self, lemma: Formula, actions: Sequence[Move]) -> Ints:
        """The edges of actions that are made one after the other from a lemma on."""
        state, edges = initial(lemma), []
        for action in actions:
            number = self.number(state)
            self.lay_out(number)
            edges.append(int(self.graph.states[number]["first_edge"]) + self.moves(number).index(action))
            state, _ = self._action_space.perform(state, action, attempt)
        return np.array(edges, np.int32)

    def moves(self, number: int) -> tuple[Move, ...]:
        """The actions of a state, in the order of its edges."""
        return self._action_space.actions(self.state(number))

    @property
    def _is_full(self) -> bool:
        return bool(self.graph.counts[states.FULL] or self._calculus.counts[ints.FULL])

    def _asked(self) -> tuple[int, ...]:
        """A formula and its role, if no state is asked for; a state, or one of its edges."""
        counts, of_goals = self.graph.counts, self._calculus.counts
        if state := int(counts[states.ASKED_STATE]):
            return state, int(counts[states.ASKED_EDGE])
        return 0, 0, int(of_goals[ints.ASKED_FORMULA]), int(of_goals[ints.ASKED_ROLE])

    def _answer(self, number: int, edge: int, *formula: int) -> None:
        if formula:
            self._describe(*formula)
        elif edge == WEIGH:
            assert self._prior is not None
            self._weigh(int(self.graph.states[number]["head"]), self._prior)
        elif edge:
            action = self.moves(number)[edge - self.graph.states[number]["first_edge"]]
            after, _ = self._action_space.perform(self.state(number), action, attempt)
            self.graph.edges[edge]["after"] = self._state_number(after)
        elif self._by_goal:
            head = int(self.graph.states[number]["head"])
            goal = self._calculus.goals[head]
            goal["key"], slots = self._key((head,))
            self._calculus.actions["slot"][goal["first_action"] :][: len(slots)] = slots
        else:
            key, slots = self._key(self._heads(number))
            first = self._take(self.graph.counts, states.EDGES, len(slots), len(self.graph.edges))
            state = self.graph.states[number]
            state["first_edge"], state["edges"], state["key"] = first, len(slots), key
            self.graph.edges["slot"][first:][: len(slots)] = slots

    def _weigh(self, number: int, prior: Prior) -> None:
        """Give the actions of a goal their odds, as far as they are worked out."""
        goal = self._calculus.goals[number]
        if goal["actions"]:
            odds = prior.odds(self.goal(number))
            self._calculus.actions["odds"][goal["first_action"] :][: goal["actions"]] = 1.0 if odds is None else odds

    def _describe(self, formula: int, role: int) -> None:
        """Say what the rules do to a formula."""
        calculus, known = self._calculus, self._formulas[formula]
        assert known is not None
        found = inferences(known, bool(role))
        first = self._take(calculus.counts, ints.INFERENCES, len(found), len(calculus.inferences))
        calculus.formulas[role, formula] = first, len(found)
        for row, (rule, given, premises) in zip(calculus.inferences[first:], found, strict=False):
            row[: ints.FIRST_PREMISE] = _RULE_NUMBERS[rule.name], self._number(given), len(premises)
            row[ints.FIRST_PREMISE :][: len(premises) * ints.PREMISE_COLUMNS] = [
                column
                for replacement, in_place, addition, conclusion in premises
                for column in (
                    self._number(replacement),
                    in_place,
                    self._number(addition),
                    self._number(conclusion),
                )
            ]

    def _key(self, goals: tuple[int, ...]) -> tuple[int, Ints]:
        """The number of the key of some goals, and for each action of the first its place among the key's pairs."""
        if self._by_formulas is not None:
            found, positions = self._position_of_formulas(self._by_formulas, goals)
            slots = self._slots(goals[0], positions)
        else:
            view = self._space.view(tuple(map(self.goal, goals)))
            position: Any = view.positions.get
            moves = [(rule, position(name, _NOWHERE)) for rule, name in self.actions(goals[0])]
            ordered = sorted(set(moves))  # the same for all states of the key
            places = {slot: place for place, slot in enumerate(ordered)}
            found, slots = view.key, np.array([places[slot] for slot in moves], np.int32)
        key = self._keys.get(found)
        if key is None:
            key = self._keys[found] = self._take(self.graph.counts, states.KEYS, 1, len(self.graph.pairs))
            self.graph.pairs[key] = slots.max(initial=-1) + 1
        return key, slots

    def _heads(self, number: int) -> tuple[int, ...]:
        """The goals of a state, the first of them first."""
        goals = []
        while number != PROVED:
            head, number, *_ = self.graph.states[number].item()
            goals.append(head)
        return tuple(goals)

    def _position_of_formulas(self, space: OfFormulas, goals: tuple[int, ...]) -> tuple[Key, Mapping[int, int]]:
        """The key of some goals, and where each formula of the first stands.

        The state space is asked once for all goals of the same formulas, however their hypotheses are called and in
        whatever order they come: most states that are met have been met with other names.
        """
        contents = tuple([self._content(goal)[0] for goal in goals])
        known = self._views.get(contents)
        if known is None:
            key, place = space.of_formulas([self._unnamed[content] for content in contents])
            positions = {number: place[self.formula(number)] for number in self._content(goals[0])[1]}
            known = self._views[contents] = key, positions
        return known

    def _content(self, goal: int) -> tuple[int, list[int]]:
        """A number for all goals of the same formulas, and those of this goal's hypotheses in their order."""
        known = self._contents.get(goal)
        if known is None:
            _, conclusion, first, number, *_ = self._calculus.goals[goal].item()
            formulas = self._calculus.hypotheses[first : first + number]["formula"].tolist()
            content = self._sequents.setdefault((conclusion, *sorted(formulas)), len(self._unnamed))
            if content == len(self._unnamed):
                self._unnamed.append(Unnamed([*map(self.formula, formulas)], self.formula(conclusion)))
            known = self._contents[goal] = content, formulas
        return known

    def _slots(self, goal: int, positions: Mapping[int, int]) -> Ints:
        """For each action of a goal the place of its rule and its hypothesis' position among all of these, in order."""
        *_, first, number, _ = self._calculus.goals[goal].item()
        stand = [positions[formula] for formula in self._content(goal)[1]]
        if self._calculus.action_space == ints.BLIND:
            ranks = {position: rank for rank, position in enumerate(sorted({*stand}))}
            firsts, places = _everything(len(stand), len(ranks))
            return np.asarray(firsts + np.array([*map(ranks.__getitem__, stand), 0], np.int32)[places])
        rule_of = self._calculus.inferences.item
        slots = [
            (_RANKS[rule], stand[place] if _TAKES_HYPOTHESIS[rule] else _NOWHERE)
            for inference, place, *_ in self._calculus.actions[first : first + number].tolist()
            for rule in [rule_of(inference, ints.RULE)]
        ]
        places_of = {slot: place for place, slot in enumerate(sorted(set(slots)))}
        return np.array([places_of[slot] for slot in slots], np.int32)

    def actions(self, goal: int) -> tuple[Move, ...]:
        """The actions of every state with this goal first."""
        actions = self._moves.get(goal)
        if actions is None:
            actions = self._moves[goal] = self._action_space.actions((self.goal(goal),))
        return actions

    def _number(self, formula: Formula | None) -> int:
        """The number of a formula, 0 for none."""
        if formula is None:
            return 0
        number = self._formula_number.get(formula)
        if number is None:
            number = self._take(self._calculus.counts, ints.FORMULAS, 1, MAX_FORMULAS)
            self._formula_number[formula] = number
            self._formulas.append(formula)
        return number

    def goal(self, number: int) -> Goal:
        """The goal of a number."""
        goal = self._goals.get(number)
        if goal is None:
            fields = self._calculus.goals[number]
            avoid, first = int(fields["avoid"]), int(fields["first_hypothesis"])
            hypotheses = tuple(
                Hypothesis(self._name(avoid, name), self.formula(formula))
                for name, formula in self._calculus.hypotheses[first : first + fields["hypotheses"]].tolist()
            )
            conclusion = self.formula(int(fields["conclusion"]))
            goal = self._goals[number] = Goal(hypotheses, conclusion, self._avoids[avoid])
        return goal

    def formula(self, number: int) -> Formula:
        """The formula of a number."""
        formula = self._formulas[number]
        assert formula is not None
        return formula

    def _state_number(self, state: State) -> int:
        number = PROVED
        for goal in reversed(state):
            number = cons_from_python(self.graph, self._goal_number(goal), number)
            if self._is_full:
                self._refuse()
        return number

    def _goal_number(self, goal: Goal) -> int:
        """The number of a goal, which may be new."""
        calculus = self._calculus
        if goal.avoid not in self._avoids:
            self._avoids.append(goal.avoid)
            self._names.append([])
            self._name_number.append({})
        avoid = self._avoids.index(goal.avoid)
        start = calculus.counts[ints.HYPOTHESES]
        if start + len(goal.hypotheses) > len(calculus.hypotheses):
            self._refuse()
        for place, (name, formula) in enumerate(goal.hypotheses, start):
            while name not in self._name_number[avoid]:
                self._name(avoid, len(self._names[avoid]))
            calculus.hypotheses[place] = self._name_number[avoid][name], self._number(formula)
        return intern_from_python(calculus, avoid, self._number(goal.conclusion), len(goal.hypotheses))

    def _name(self, avoid: int, number: int) -> str:
        """The hypothesis name of a number: of H, H0, H1, … those that are allowed are counted from 0."""
        names = self._names[avoid]
        while number >= len(names):
            name = fresh_name(self._avoids[avoid].union(names))
            self._name_number[avoid][name] = len(names)
            names.append(name)
        return names[number]

    def _take(self, counts: NDArray[np.int64], what: int, number: int, room: int) -> int:
        """The first of so many numbers that nothing has yet. Raises TooManyStates."""
        first = int(counts[what])
        if first + number > room:
            self._refuse()
        counts[what] += number
        return first

    def _refuse(self) -> NoReturn:
        raise TooManyStates(
            f"There are more than {len(self.graph.states):,} states to remember, or too many actions or hypotheses in "
            "them; ask for fewer episodes or seeds, or an easier lemma."
        )
