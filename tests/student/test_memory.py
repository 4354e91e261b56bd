"""What the student remembers: values at (key, slot), handed out and recalled without a difference."""

import json
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oasis.ground.names import LEARNERS
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES
from oasis.student.memory import Memory, Record
from oasis.student.policy import epsilon_greedy
from oasis.student.schedules import AVERAGE, Rate
from state_spaces import Simple, Slot
from tactics.formula import Formula
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tests.student.pupils import SPACES, dictated, empty_memory, environment, lemmas, parameters


class Shelf:
    """Records as a dictionary, through JSON as the store keeps their slots."""

    def __init__(self) -> None:
        self.pairs: dict[bytes, dict[Slot, Record]] = {}

    def keep(self, memory: Memory) -> None:
        """Take over what changed; a state may be met for the first time only once."""
        states, records = memory.changes()
        assert not self.pairs.keys() & set(states)
        self.pairs.update({state: {} for state in states})
        for record in records:
            slot: Slot = tuple(json.loads(json.dumps(record.slot)))
            self.pairs[record.state][slot] = record._replace(slot=slot)

    def recall(self, state: bytes) -> list[Record] | None:
        """Return the record that is kept about a state."""
        return list(self.pairs[state].values()) if state in self.pairs else None


@pytest.mark.parametrize("space", SPACES)
@example(curriculum=[parse("p -> p")], learner="uniform", seed=0, cuts={*range(18)}, handed_out=set())
@given(
    curriculum=st.lists(lemmas(), min_size=1, max_size=3),
    learner=st.sampled_from([*LEARNERS]),
    seed=st.integers(0, 2**32),
    cuts=st.sets(st.integers(0, 17), max_size=6),
    handed_out=st.sets(st.integers(0, 17), max_size=6),
)
def test_a_memory_cleared_and_recalled_behaves_as_one_never_cleared(
    space: str, curriculum: list[Formula], learner: str, seed: int, cuts: set[int], handed_out: set[int]
) -> None:
    def practise(memory: Memory, shelf: Shelf, cuts: set[int]) -> list[tuple[int, list[Move]]]:
        policy = epsilon_greedy(memory, 0.4, SplitMix64.seeded(seed))
        played = []
        for episode in range(18):
            proving = environment(curriculum[episode % len(curriculum)], memory, "standard-qed", 25)
            LEARNERS[learner].play(proving, memory, policy, parameters(0.7))
            played.append((proving.steps, proving.script))
            if episode in cuts or episode in handed_out:
                shelf.keep(memory)
            if episode in cuts:
                memory.clear()
        shelf.keep(memory)
        return played

    kept, cleared = Shelf(), Shelf()
    recalling = Memory(Simple(), ACTION_SPACES[space.split(",")[0]], forget_errors=SPACES[space], recall=cleared.recall)
    assert practise(empty_memory(space), kept, set()) == practise(recalling, cleared, cuts)
    assert kept.pairs == cleared.pairs


def test_changes_are_handed_out_once() -> None:
    memory = empty_memory()
    proving = environment("p -> p", memory)
    LEARNERS["epsilon-soft"].play(proving, memory, dictated("intro", "assumption"), parameters())
    states, records = memory.changes()
    first = initial(parse("p -> p"))
    one, other = (memory.space.digest(memory.space.view(state).key) for state in (first, apply(first, Move("intro"))))
    assert states == [one, other]
    assert records == [
        Record(one, ("intro", None), 0.9, 1, False),
        Record(other, ("assumption", None), 1.0, 1, False),
    ]
    assert memory.changes() == ([], [])
    proving.reset()
    assert memory.changes() == ([], [])


def test_an_update_with_a_step_size_goes_that_share_of_the_way_and_without_one_averages() -> None:
    memory = empty_memory()
    (action,) = memory.observe(initial(parse("p -> p"))).actions
    memory.update(action.pair, 8.0, Rate(0.25, 0.0))
    assert memory.values[action.pair] == 2.0
    memory.update(action.pair, -2.0, Rate(0.25, 0.0))
    assert memory.values[action.pair] == 1.0
    assert memory.visits[action.pair] == 2
    averaging = empty_memory()
    (action,) = averaging.observe(initial(parse("p -> p"))).actions
    for target in (3.0, 4.0, 8.0):
        averaging.update(action.pair, target, AVERAGE)
    assert averaging.values[action.pair] == 5.0


@given(lemmas(20), st.integers(0, 2**32))
def test_every_state_but_the_proved_one_is_counted_once(lemma: Formula, seed: int) -> None:
    memory, rng = empty_memory(), Random(seed)
    met = set()
    for _ in range(4):
        state = initial(lemma)
        while state:
            met.add(state)
            assert memory.observe(state) is memory.observe(state)
            moves = legal_moves(state[0])
            if not moves:
                break
            state = apply(state, rng.choice(moves))
        memory.observe(())
    assert memory.size == len(met)
