"""What students may be compared in beside their own settings. Imports nothing that takes time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from oasis.ground.settings import Setting, check

WITH: Final = "with"


@dataclass(frozen=True)
class Circumstances:
    """How students practise. Raises InputError for what cannot be."""

    order: Annotated[
        str,
        Setting(
            "Order of the lemmas: fixed, shuffled, easiest, progress, afresh.",
            choices="curricula.orders:ORDERS",
            not_with="search ladder",
        ),
    ] = "fixed"
    experience: Annotated[
        str,
        Setting(
            "Whether the maxims in --db decide where values are equal, or with --search weigh moves.",
            choices=(WITH, "without"),
            metavar="with,without",
            not_with="ladder",
        ),
    ] = "without"

    def __post_init__(self) -> None:
        check(self)
