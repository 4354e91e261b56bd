"""A plain and a compiled student of the same settings, who must do the same."""

from oasis.student.compiled.graph import PROVED
from oasis.student.compiled.student import CompiledStudent, new_world
from oasis.student.compiled.world import World
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.formula import Formula


def compiled(settings: Settings) -> tuple[CompiledStudent, World]:
    """Return a compiled student in a world of its own."""
    world = new_world(settings)
    return CompiledStudent(settings, world), world


def check_twins(settings: Settings, formulas: list[Formula], *parts: int) -> tuple[PlainStudent, CompiledStudent]:
    """Check that both do the same on lemma after lemma, in parts of so many episodes, and end with the same values."""
    plain, (fast, world) = PlainStudent(settings), compiled(settings)
    for formula in formulas:
        for episodes in parts:
            slow, quick = plain.practise(formula, episodes), fast.practise(formula, episodes)
            for one, other in zip(slow, quick, strict=True):
                assert one.tolist() == other.tolist()
        assert plain.examine(formula, 3) == fast.examine(formula, 3)
        assert plain.best(formula) == fast.best(formula)
        assert plain.value(formula) == fast.value(formula)
    assert plain.states == fast.states
    assert plain.rng.state == int(fast.memory.rng[0])
    check_values(plain, fast, world)
    return plain, fast


def check_values(plain: PlainStudent, fast: CompiledStudent, world: World) -> None:
    """Check that both have the same values in every state that either has met."""
    compared = 0
    for number in range(PROVED + 1, world.size):
        state = world.state(number)
        if world.graph.states[number]["key"] and plain.memory.has_met(state):
            assert list(plain.q_values(state).items()) == list(fast.q_values_at(number).items())
            compared += 1
    assert compared >= plain.states
