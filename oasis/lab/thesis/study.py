"""The figures of the thesis as an experiment that is kept: its plans, and the trials of each figure by its parts."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.lab.experiment import Experiment
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from oasis.lab.thesis.figures import Figure, figures
from tactics.errors import InputError

Trials = dict[str, Trial]
"""By name of the variant, the students side by side."""


Parts = dict[str, Trials]
"""All trials of a figure, by name of the part."""


def plans(chosen: Sequence[Figure]) -> dict[str, Plan]:
    """Return what has to be done for some figures, by names such as `7.1 short`; the thesis's own conditions first."""
    return {
        _name(figure, part): figure.plans[part]
        for part in ("short", "beside", "long")
        for figure in chosen
        if part in figure.plans
    }


class Study:
    """The figures of an experiment that `oasis thesis` began.

    Args:
        campaign: the experiment. Raises InputError if this version has other figures.

    Attributes:
        figures: with the plans that the experiment was begun with.
    """

    def __init__(self, campaign: Experiment[Plan]) -> None:
        self._campaign = campaign
        self._parts: dict[str, Parts] = {}
        numbers = dict.fromkeys(name.split()[0] for name in campaign.plans)
        try:
            self.figures = tuple(
                figure.with_plans({part: campaign.plans[_name(figure, part)] for part in figure.plans})
                for figure in figures(numbers)
            )
        except KeyError as error:
            raise InputError(
                f"Experiment {campaign.number} has no part {error}, so another version of Oasis began it; go on with "
                "it in that one."
            ) from error

    @property
    def done(self) -> tuple[Figure, ...]:
        """The figures of which every part is done."""
        finished = self._campaign.finished_parts()
        return tuple(figure for figure in self.figures if all(_name(figure, part) in finished for part in figure.plans))

    def parts(self, figure: Figure) -> Parts:
        """Return the trials of a figure that is done."""
        if figure.number not in self._parts:
            self._parts[figure.number] = {
                part: self._campaign.side_by_side(_name(figure, part)) for part in figure.plans
            }
        return self._parts[figure.number]


def _name(figure: Figure, part: str) -> str:
    return f"{figure.number} {part}"
