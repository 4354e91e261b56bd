"""A compiled student as bytes and back, with the graph of states that it has explored: bit for bit the same student.

Formulas are stored as nodes, everything else as the arrays it is, as far as they are used. No code is stored and none
is run when bytes are read; a digest in front finds out what was damaged.
"""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from io import BytesIO
from itertools import pairwise
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled import calculus as ints
from oasis.student.compiled import graph as states
from oasis.student.compiled.memory import PAIRS, TRACED, TRIED, Memory
from oasis.student.compiled.world import World
from tactics.errors import InputError
from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, subformulas

_DIGEST_SIZE: Final = 16
_KINDS: Final[tuple[type[Binary], ...]] = (And, Or, Implies)

Arrays = dict[str, NDArray[Any]]


class Snapshot(NamedTuple):
    """What a student is, beside its settings.

    Attributes:
        world: the graph that it has explored.
        memory: what it has learned; its arrays have the sizes of the world's.
        formulas: what `facts` names by number.
        facts: what else there is to know of it, as JSON can hold it.
        with_states: whether the numbers of states and edges are kept, which takes several times the room. Values of
            goals do without: states are numbered anew when they are met again.
    """

    world: World
    memory: Memory
    formulas: tuple[Formula, ...]
    facts: dict[str, Any]
    with_states: bool


def written(snapshot: Snapshot) -> bytes:
    """A snapshot as bytes."""
    world, memory = snapshot.world, snapshot.memory
    header = {
        "formulas": _nodes(snapshot.formulas),
        "world": _nodes(world.formulas),
        "avoids": [sorted(avoid) for avoid in world.avoids],
        "facts": snapshot.facts,
        "with_states": snapshot.with_states,
    }
    used = _used(world, memory, snapshot.with_states)
    arrays: Arrays = {name: array[:number] for name, (array, number) in used.items()}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    arrays["keys"] = np.frombuffer(b"".join(cast(dict[bytes, int], world.keys)), np.uint8)
    arrays["key_numbers"] = np.fromiter(world.keys.values(), np.int32, len(world.keys))
    stream = BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    packed = zlib.compress(stream.getbuffer(), level=1)
    return blake2b(packed, digest_size=_DIGEST_SIZE).digest() + packed


def read(content: bytes, world: World, memory: Memory) -> Snapshot:
    """The snapshot that `written` made, put into an empty world and an empty memory of the same settings.

    Raises InputError if it is damaged.
    """
    digest, packed = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if blake2b(packed, digest_size=_DIGEST_SIZE).digest() != digest:
        raise InputError("What this student knew is damaged in the database; put back a copy of the file.")
    with np.load(BytesIO(zlib.decompress(packed)), allow_pickle=False) as arrays:
        header = json.loads(arrays["header"].tobytes())
        for name, (array, _) in _used(world, memory, header["with_states"]).items():
            array[: len(arrays[name])] = arrays[name]
        keys = arrays["keys"].tobytes()
        numbers = arrays["key_numbers"].tolist()
    if not header["with_states"]:
        world.graph.counts[[states.STATES, states.EDGES]] = states.PROVED + 1, 1
    size = len(keys) // max(1, len(numbers))
    bounds = pairwise(range(0, len(keys) + 1, size or 1))
    world.restore(
        _formulas(header["world"]),
        [frozenset(avoid) for avoid in header["avoids"]],
        {keys[low:high]: number for (low, high), number in zip(bounds, numbers, strict=False)},
    )
    formulas = tuple(_formulas(header["formulas"]))
    return Snapshot(world, memory, formulas, header["facts"], header["with_states"])


def _used(world: World, memory: Memory, with_states: bool) -> dict[str, tuple[NDArray[Any], int]]:
    """Every array, and how much of it is used; those of states and edges only if asked for."""
    graph, known = world.graph, world.graph.calculus
    of_goals, of_states = known.counts, graph.counts
    keys, pairs = int(of_states[states.KEYS]), int(memory.counts[PAIRS])
    formulas = int(of_goals[ints.FORMULAS])
    used = {
        "goal_counts": (of_goals, len(of_goals)),
        "state_counts": (of_states, len(of_states)),
        "memory_counts": (memory.counts, len(memory.counts)),
        "conclusions": (known.formulas[0], formulas),
        "assumptions": (known.formulas[1], formulas),
        "inferences": (known.inferences, int(of_goals[ints.INFERENCES])),
        "goals": (known.goals, int(of_goals[ints.GOALS])),
        "hypotheses": (known.hypotheses, int(of_goals[ints.HYPOTHESES])),
        "actions": (known.actions, int(of_goals[ints.ACTIONS])),
        "key_pairs": (graph.pairs, keys),
        "first_pair": (memory.first_pair, keys),
        "pairs": (memory.pairs, pairs),
        "traces": (memory.traces, min(pairs, len(memory.traces))),
        "traced": (memory.traced, int(memory.counts[TRACED])),
        "model": (memory.model, min(pairs, len(memory.model))),
        "tried": (memory.tried, int(memory.counts[TRIED])),
        "rng": (memory.rng, 1),
    }
    if with_states:
        used["states"] = graph.states, int(of_states[states.STATES])
        used["edges"] = graph.edges, int(of_states[states.EDGES])
    return used


def _nodes(formulas: list[Formula] | tuple[Formula, ...]) -> dict[str, Any]:
    """Formulas as nodes, each after its sides: an atom's name, null for falsum, or a connective and two numbers."""
    number: dict[Formula, int] = {}
    nodes: list[Any] = []
    for whole in formulas:
        if whole in number:
            continue
        for formula in subformulas(whole):
            if formula in number:
                continue
            number[formula] = len(nodes)
            match formula:
                case Binary(left, right):
                    nodes.append([_KINDS.index(type(formula)), number[left], number[right]])
                case Atom(name):
                    nodes.append(name)
                case _:
                    nodes.append(None)
    return {"nodes": nodes, "formulas": [number[formula] for formula in formulas]}


def _formulas(stored: dict[str, Any]) -> list[Formula]:
    built: list[Formula] = []
    for node in stored["nodes"]:
        if node is None:
            built.append(FALSE)
        elif isinstance(node, str):
            built.append(Atom(node))
        else:
            kind, left, right = node
            built.append(_KINDS[kind](built[left], built[right]))
    return [built[number] for number in stored["formulas"]]
