"""A student whose episodes run compiled; it does, number for number, what `oasis.student.plain` does."""

from __future__ import annotations

from collections import Counter
from math import nan
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import PLAYS, Exam
from oasis.play.policy import Floats
from oasis.rewards import USES, Dependence, Outcome, Pay, RowReward, Uses, asked, paid, paid_at_end, state_of
from oasis.rewards.named import reward
from oasis.student.compiled.calculus import Records
from oasis.student.compiled.exam import exam
from oasis.student.compiled.graph import (
    ASKED_EDGE,
    ASKED_STATE,
    ASKED_STEPS,
    EDGES,
    PAY_AT_END,
    PAY_AT_LIMIT,
    PAY_ENDED,
    PROVED,
    Graph,
)
from oasis.student.compiled.memory import MET, OUTCOME, PAIR, PAIRS, Memory
from oasis.student.compiled.snapshot import Snapshot, read, written
from oasis.student.compiled.task import AMOUNT, NO_PROOF, Log, Task, empty_log
from oasis.student.compiled.world import World, emptied
from oasis.student.learners import Learner, learner
from oasis.student.schedules import Schedule, parse_schedule
from oasis.student.settings import Settings
from oasis.student.student import Practice, Student, dictated, exam_seed, formula_of
from state_spaces import state_space
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.script import Script
from tactics.uncollected import uncollected

if TYPE_CHECKING:
    from oasis.play.states import States, Worth
    from oasis.student.compiled.payroll import Payroll

_NO_PAY: Final = Pay(0.0, 0.0, 0.0, 0.0, 0.0)


def new_world(settings: Settings) -> World:
    """An empty world for students of these settings."""
    of_goals = learner(settings.learner).of_goals
    space, actions = state_space(settings.state_space), ACTION_SPACES[settings.actions]
    return World(space, actions, by_goal=of_goals, prior=settings.prior())


class CompiledStudent(Student):
    """A student in a world that it may share with others of the same settings.

    Attributes:
        memory: what it has learned, by the keys of the world's graph.
        reward: what it is paid.
    """

    def __init__(self, settings: Settings, world: World) -> None:
        super().__init__(settings)
        self._world = world
        self._generator = self._learner.generator()
        self.memory = _empty(world.graph, settings, self._learner)
        self.reward = reward(settings.reward, gamma=settings.gamma)
        self._pays = self._amounts()
        self._payroll: Payroll | None = None
        if isinstance(self.reward, RowReward) and len(self._pays):
            from oasis.student.compiled.payroll import Payroll

            self._payroll = Payroll(self.reward, world)
        self._uses = np.zeros(len(world.graph.edges) * self._has_rounds, USES)
        self._epsilon, self._alpha = (
            Schedule(*map(float, parse_schedule(each))) for each in (settings.epsilon, settings.alpha)
        )

    @property
    def _has_rounds(self) -> bool:
        return self.reward.dependence == Dependence.HISTORY

    @property
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""
        return int(self.memory.counts[MET])

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""
        asked(self.reward, self.reward.begin, lemma)
        with uncollected():
            done = [self._stretch(lemma, number) for number in self._stretches(episodes)]
        return Practice(*(np.concatenate(arrays) for arrays in zip(*done, strict=True)))

    def follow(self, lemma: Formula, proof: Script) -> None:
        """Learn from somebody's proof as from one more episode, which is none of its own."""
        actions = dictated(self.settings, self.action_space, lemma, proof)
        asked(self.reward, self.reward.begin, lemma)
        task = self._task(lemma, 1)._replace(dictated=self._world.edges(lemma, actions))
        log = empty_log(1, self.settings.max_steps, self._uses)
        learning = self._generator(self._world.graph, self.memory, task, log)
        self._world.run(learning, lambda asked: self._answer(asked, task, log))

    def examine(self, lemma: Formula | str, plays: int = PLAYS, seed: int | None = None) -> Exam:
        """The exam of its greedy policy on a lemma, which may be named, in its own action space."""
        lemma = formula_of(lemma)
        if self.settings.actions == "simplify":  # one action makes several moves, which only Python counts
            return super().examine(lemma, plays, seed)
        seed = exam_seed(self.settings, self._practised.total()) if seed is None else seed
        log, memory = empty_log(plays, self.settings.max_steps), self.memory._replace(rng=np.zeros(1, np.uint64))
        task = self._task(lemma, plays)
        self._world.run(exam(self._world.graph, memory, task, log, np.uint64(SplitMix64.seeded(seed).state)))
        lengths = tuple(log.steps[log.proved].tolist())
        best = log.best[: log.best_length[0]].tolist()
        return Exam(plays, lengths, self._world.script(task.start, best) if lengths else None)

    def worth(self, states: States, amounts: Floats | None = None) -> Worth:
        """What its greedy policy comes to on a lemma, exactly."""
        from oasis.play.states import YARDSTICK, Worth
        from oasis.student.compiled.worth import Walk, walk

        way = Walk(
            number=self._world.numbers(states),
            first=states.first,
            after=states.after,
            moves=states.moves,
            amounts=np.zeros(len(states.after)) if amounts is None else amounts,
            gamma=float(self.settings.gamma),
            powers=YARDSTICK ** np.arange(states.most_moves + 1.0),
            mass=np.zeros((len(states), 3)),
            worth=np.zeros(4),
        )
        self._world.run(walk(self._world.graph, self.memory, way))
        found = Worth(*way.worth.tolist())
        return found._replace(paid=nan) if amounts is None else found

    def q_values(self, state: State) -> dict[Move, float]:
        """Q(s, a) for each of A(s); the initial value where it has never been."""
        return self.q_values_at(self._world.number(state))

    def q_values_at(self, number: int) -> dict[Move, float]:
        """The same for the number of a state in the graph."""
        moves, pairs = self._world.moves(number), self._pairs(number)
        if pairs is None:
            return dict.fromkeys(moves, self.settings.initial_value)
        return {move: float(pair["value"]) for move, pair in zip(moves, pairs, strict=True) if not pair["forgotten"]}

    def release(self) -> None:
        """Give back the memory that it and its world take; neither is of use then, nor is who shares the world."""
        emptied(*self.memory)
        self._world.release()

    def save(self) -> bytes:
        """All that it is beside its settings, for `load`."""
        lemmas = tuple(self._practised)
        used = self._used_edges()
        facts = {
            "practised": [self._practised[lemma] for lemma in lemmas],
            "best": [[*self._best[lemma]] if lemma in self._best else None for lemma in lemmas],
            "uses": [used.tolist(), *(self._uses[name][used].tolist() for name in USES.names or ())],
            "reward": state_of(self.reward),
        }
        needs_states = not self._learner.of_goals or self._learner.model or len(used) > 0
        return written(Snapshot(self._world, self.memory, lemmas, facts, needs_states))

    @classmethod
    def load(cls, content: bytes, settings: Settings) -> CompiledStudent:
        """The student that was saved, with these settings; what they are about must be the same (`compatible`).

        Raises InputError if the content is damaged.
        """
        student = cls(settings, new_world(settings))
        _, _, lemmas, facts, _ = read(content, student._world, student.memory)
        student._practised = Counter(dict(zip(lemmas, facts["practised"], strict=True)))
        student._best = {
            lemma: (known[0], tuple(Move(*move) for move in known[1]))
            for lemma, known in zip(lemmas, facts["best"], strict=True)
            if known is not None
        }
        edges, *uses = facts["uses"]
        for name, numbers in zip(USES.names or (), uses, strict=False):  # older versions counted less
            student._uses[name][edges] = numbers
        asked(student.reward, student.reward.restore, facts["reward"])
        return student

    def begin_another_run(self) -> None:
        """Draw chance from its settings' seed and count episodes and proofs from none, with all that it has learned."""
        self.memory.rng[0] = SplitMix64.seeded(self.settings.seed).state
        self._practised.clear()
        self._best.clear()

    def _pairs(self, state: int) -> Records | None:
        """What is remembered of each action of a state; None where no state of its key was met."""
        self._world.lay_out(state)
        q, place = self.memory, self._world.graph.states[state]
        if not q.first_pair[place["key"]]:
            return None
        slots = self._world.graph.edges["slot"][place["first_edge"] :][: place["edges"]]
        pairs: Records = q.pairs[q.first_pair[place["key"]] + slots]
        return pairs

    def _stretches(self, episodes: int) -> list[int]:
        """So many episodes, divided where a round of a reward that depends on history is over."""
        if not self._has_rounds:
            return [episodes]
        length = self.reward.round
        first = min(episodes, length - self._practised.total() % length)
        whole, last = divmod(episodes - first, length)
        return [first, *[length] * whole, *[last] * (last > 0)]

    def _stretch(self, lemma: Formula, episodes: int) -> Practice:
        """Episodes during which the reward stands still."""
        log = empty_log(episodes, self.settings.max_steps, self._uses)
        known = self._best.get(lemma)
        log.best_length[0] = known[0] if known else NO_PROOF
        task = self._task(lemma, episodes)
        learning = self._generator(self._world.graph, self.memory, task, log)
        self._world.run(learning, lambda asked: self._answer(asked, task, log))
        self._practised[lemma] += episodes
        if (length := int(log.best_length[0])) != (known[0] if known else NO_PROOF):
            self._best[lemma] = length, self._world.script(task.start, log.best[:length].tolist())
        if episodes and self._has_rounds and self._practised.total() % self.reward.round == 0:
            self._end_round()
        return Practice(log.proved, log.steps, log.states)

    def _answer(self, asked: int, task: Task, log: Log) -> None:
        """Ask the reward what the compiled loop wants to know."""
        counts = self._world.graph.counts
        state, edge, steps = counts.item(ASKED_STATE), counts.item(ASKED_EDGE), counts.item(ASKED_STEPS)
        if asked in (PAY_AT_LIMIT, PAY_AT_END):
            proved, over = bool(self._world.graph.edges["after"][edge] == PROVED), asked == PAY_AT_END
            if self._payroll:
                amount = self._payroll.at_end(log.edges[:steps], proved, over)
            else:
                path = self._world.path(task.start, log.edges[:steps].tolist())
                script = self._world.script(task.start, log.edges[:steps].tolist())
                amount = paid_at_end(self.reward, Outcome(proved, not over, steps, script, path))
            log.at_end[0] = amount, True
        else:
            ended = asked == PAY_ENDED
            if self._payroll:
                amount = self._payroll.enter(state, edge, ended)
            else:
                amount = paid(self.reward, *self._world.transition(state, edge), ended)
            self._pays[2 * edge + ended] = amount, True

    def _end_round(self) -> None:
        """Tell the reward how often each step was made, and forget what it paid, or have it paid again."""
        edges = self._used_edges()
        if self._payroll:
            self._payroll.renew(edges, self._uses[edges], self._pays)
        else:
            states = self._world.sources(edges).tolist()
            made = [self._world.transition(state, edge) for state, edge in zip(states, edges.tolist(), strict=True)]
            uses = map(Uses._make, self._uses[edges].tolist())
            asked(self.reward, self.reward.refresh, dict(zip(made, uses, strict=True)))
            self._pays = self._amounts()
        self._uses[edges] = 0

    def _used_edges(self) -> NDArray[np.int64]:
        """The edges taken in this round; behind those of the graph there are none, and looking takes long."""
        return np.flatnonzero(self._uses["times"][: int(self._world.graph.counts[EDGES])])

    def _amounts(self) -> Records:
        """What the reward pays for each edge, not known yet, unless students of this world know it already."""
        if self.reward.dependence == Dependence.KIND and not self.reward.pays_at_end:
            return np.zeros(0, AMOUNT)
        if self._has_rounds:
            return np.zeros(2 * len(self._world.graph.edges), AMOUNT)
        if isinstance(self.reward, RowReward):  # each student keeps the rows of what it was paid
            return np.zeros(2 * len(self._world.graph.edges), AMOUNT)
        return self._world.amounts(self.settings.reward)

    def _task(self, lemma: Formula, episodes: int) -> Task:
        practised, by_edge = self._practised[lemma], len(self._pays) > 0
        return Task(
            start=self._world.start(lemma),
            first=practised + 1,
            last=practised + 1 + episodes,
            epsilon=self._epsilon,
            alpha=self._alpha,
            **self.settings.numbers(Task._fields),
            pay=_NO_PAY if by_edge else Pay(*map(float, Pay.of(self.reward))),
            by_edge=by_edge,
            pays=self._pays,
            pays_at_end=self.reward.pays_at_end,
            dictated=np.zeros(0, np.int32),
        )


def _empty(graph: Graph, settings: Settings, kind: Learner) -> Memory:
    """The memory of a student who knows nothing; its arrays take memory as they are used."""
    pairs = len(graph.edges)
    traced, modelled = pairs * kind.traces, pairs * kind.model
    memory = Memory(
        forgets=settings.forget_errors,
        initial_value=float(settings.initial_value),
        first_pair=np.zeros(len(graph.pairs), np.int32),
        pairs=np.zeros(pairs, PAIR),
        traces=np.zeros(traced, np.float64),
        traced=np.zeros(traced, np.int32),
        model=np.zeros(modelled, OUTCOME),
        tried=np.zeros(modelled, np.int32),
        counts=np.zeros(4, np.int64),
        rng=np.array([SplitMix64.seeded(settings.seed).state], np.uint64),
    )
    memory.counts[PAIRS] = memory.first_pair[PROVED] = 1
    return memory
