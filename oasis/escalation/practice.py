"""What a student is given for its practice by who knows and by who searches: lemmas that have a proof, and the proof.

What it learns is its own; these only choose what it practises, show it a proof, and say how short one can be. Who knows
and who searches are imported when they are asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from curricula.lemma import Curriculum, Lemma, Status
from oasis.play.policy import Policy, Uniform
from oasis.student.settings import Settings
from oasis.student.training import Unprovable
from tactics.formula import Formula
from tactics.script import Script

_DECIDED_SECONDS: Final = 1.0
"""For whether a lemma has a proof, where its source says nothing; one that is not decided by then is practised."""
_OPTIMUM_SECONDS: Final = 1.0
"""For the length of a shortest proof. Of the 89 lemmas of ILTP for which 2 s are enough, all need less."""


def with_proofs(curriculum: Curriculum) -> tuple[Curriculum, list[str]]:
    """Return a curriculum without the lemmas that have no proof, and the names of these."""
    aside = dict.fromkeys(lemma.name for lemma in curriculum.lemmas if _has_no_proof(lemma))
    kept = tuple(lemma for lemma in curriculum.lemmas if lemma.name not in aside)
    return replace(curriculum, lemmas=kept), [*aside]


def _has_no_proof(lemma: Lemma) -> bool:
    if lemma.status is not None:
        return lemma.status is Status.NON_THEOREM
    from oasis.teacher.deciding.decide import Verdict, decide

    return decide(lemma.formula, seconds=_DECIDED_SECONDS).verdict is Verdict.NON_THEOREM


def optimum(formula: Formula) -> int | None:
    """Return the number of moves in a shortest proof; None if that does not turn up soon."""
    from oasis.search.ao_star import shortest_length

    return shortest_length(formula, _OPTIMUM_SECONDS)


def found_by_search(settings: Settings, formula: Formula, policy: Policy) -> Script | None:
    """Return a proof that a search finds with the policy of a student, to be shown to it; None if it finds none.

    Raises Unprovable if there is none.
    """
    if not settings.search:
        return None
    from oasis.play.solving import REFUTED, Budget, solve
    from oasis.search.solving import Searching

    proposed = policy if settings.actions == "legal" else Uniform()
    searching = Searching(name=settings.search, policy=proposed, seed=settings.seed)
    found = solve(formula, searching, Budget(settings.search_budget))
    if found.status is REFUTED:
        raise Unprovable(f"{settings.search} has tried everything, and it has no proof")
    return found.script
