"""What a reward that pays for rows has seen of the graph: the row of each edge, worked out once."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.rewards import RowReward, asked, finished, paid_row, paid_rows
from oasis.student.compiled.alike import Alike, Kind
from oasis.student.compiled.calculus import Records
from oasis.student.compiled.graph import PROVED
from oasis.student.compiled.table import Ints
from oasis.student.compiled.world import World

_REMEMBERED: Final = 2**19
"""Steps that are alike to none, and states with their goals, after which they are worked out again; and episodes."""


class Payroll:
    """The rows of one student's edges; as in `Task.pays`, twice the number of an edge is its place, and the place after
    if the episode cannot go on behind it.

    Args:
        reward: who pays.
        world: whose edges they are.
    """

    def __init__(self, reward: RowReward, world: World) -> None:
        self._reward, self._world = reward, world
        self._rows = np.zeros(2 * len(world.graph.edges), reward.row_type)
        self._row_of = np.zeros(len(self._rows), np.int32)  # by place
        self._places: list[int] = []
        self._amounts: list[float] = []  # by row
        self._alike = None if reward.sees_names else Alike(world)
        self._known: dict[tuple[Kind, bool], int] = {}
        self._ends: dict[tuple[bytes, bool, bool], float] = {}

    def enter(self, state: int, edge: int, ended: bool) -> float:
        """What a step pays that was not asked about before."""
        place = 2 * edge + ended
        self._places.append(place)
        if self._alike is None:
            row = self._entered(asked(self._reward, self._reward.row, *self._world.transition(state, edge), ended))
        else:
            if len(self._known) + len(self._alike) > _REMEMBERED:
                for memory in (self._known, self._alike):
                    memory.clear()
            kind = self._alike.kind(state, edge)
            known = self._known.get((kind, ended))
            if known is None:
                move, after = self._alike.done(kind, state, edge)
                step = self._alike.state(kind.state), move, self._alike.state(after), ended
                known = self._known[kind, ended] = self._entered(asked(self._reward, self._reward.row, *step))
            row = known
        self._row_of[place] = row
        return self._amounts[row]

    def at_end(self, edges: Ints, proved: bool, ended: bool) -> float:
        """What an episode pays on top of its last step."""
        if not (proved or self._reward.pays_failures):
            return 0.0
        episode = edges.tobytes(), proved, ended
        amount = self._ends.get(episode)
        if amount is None:
            if len(self._ends) > _REMEMBERED:
                self._ends.clear()
            places = 2 * edges
            places[-1] += ended
            amount = self._ends[episode] = finished(self._reward, self._rows[self._row_of[places]], proved)
        return amount

    def renew(self, edges: NDArray[np.int64], uses: Records, pays: Records) -> None:
        """Have the steps of a round counted, and put into `pays` what all known ones pay from now on.

        Args:
            edges: those that were taken.
            uses: USES, of each of them.
            pays: as in `Task`.
        """
        places = 2 * edges + ~pays["is_known"][2 * edges]
        for new in np.flatnonzero(~pays["is_known"][places]).tolist():  # taken before the student was stored
            edge, (state,) = int(edges[new]), self._world.sources(edges[new : new + 1])
            ended = bool(self._world.graph.edges["after"][edge] == PROVED)  # how else it ended does not matter here
            places[new] = 2 * edge + ended
            self.enter(int(state), edge, ended)
        asked(self._reward, self._reward.count, self._rows[self._row_of[places]], uses)
        self._ends.clear()
        amounts = paid_rows(self._reward, self._rows[: len(self._amounts)])
        self._amounts = amounts.tolist()
        known = np.array(self._places, np.int64)
        pays["amount"][known], pays["is_known"][known] = amounts[self._row_of[known]], True

    def _entered(self, row: tuple[float, ...]) -> int:
        """The number of a row that is new."""
        number = len(self._amounts)
        self._rows[number] = row
        self._amounts.append(paid_row(self._reward, row))
        return number
