"""What a reward that pays for rows has seen of the graph: the row of each edge, worked out once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oasis.rewards import RowReward, Transition, asked, finished, paid_row, paid_rows
from oasis.student.compiled.calculus import Ints, Records
from oasis.student.compiled.world import World


class Payroll:
    """The rows of one student's edges; as in `Task.pays`, twice the number of an edge is the place of its row, and the
    place after if the episode cannot go on behind it.

    Args:
        reward: who pays.
        world: whose edges they are.
    """

    def __init__(self, reward: RowReward, world: World) -> None:
        self._reward, self._world = reward, world
        self._rows = np.zeros(2 * len(world.graph.edges), reward.row_type)
        self._known: list[int] = []

    def enter(self, edge: int, step: Transition, ended: bool) -> float:
        """What a step pays that was not asked about before."""
        place = 2 * edge + ended
        self._rows[place] = row = asked(self._reward, self._reward.row, *step, ended)
        self._known.append(place)
        return paid_row(self._reward, row)

    def at_end(self, edges: Ints, proved: bool, ended: bool) -> float:
        """What an episode pays on top of its last step."""
        places = 2 * edges
        places[-1] += ended
        return finished(self._reward, self._rows[places], proved)

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
            places[new] = 2 * edge
            self.enter(edge, self._world.transition(int(state), edge), False)
        times, closed = (uses[name].astype(np.int64) for name in ("times", "closed"))
        asked(self._reward, self._reward.count, self._rows[places], times, closed)
        known = np.array(self._known, np.int64)
        pays["amount"][known], pays["is_known"][known] = paid_rows(self._reward, self._rows[known]), True
