"""How small countermodels get: `python -m benchmarks.countermodels` prints a line for each family of non-theorems.

Certain are those of which it is proved that no countermodel has fewer worlds.
"""

from __future__ import annotations

from collections import Counter
from time import perf_counter

from curricula import resolve
from curricula.lemma import Lemma, Status
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit


def families() -> dict[str, list[Lemma]]:
    """The non-theorems of the ILTP library and of the textbook, by family."""
    found: dict[str, list[Lemma]] = {}
    for lemma in [*resolve("iltp").lemmas, *resolve("textbook").lemmas]:
        if lemma.status == Status.NON_THEOREM:
            family = lemma.name.split(".")[0].split("/")[0]
            found.setdefault(family if family.startswith("SYJ2") else family[:3], []).append(lemma)
    return found


def main() -> None:
    print("| family | models | worlds found, most | worlds shown: models | certain | shrinking, slowest |")
    print("|---|---|---|---|---|---|")
    for family, lemmas in families().items():
        raw, certain, slowest = 0, 0, 0.0
        shown: Counter[int] = Counter()
        for lemma in lemmas:
            model = Intuit().decide((), lemma.formula)
            assert isinstance(model, Kripke)
            began = perf_counter()
            small = Countermodel.shrunk(model, (), lemma.formula)
            slowest = max(slowest, perf_counter() - began)
            raw = max(raw, len(model.true))
            shown[len(small.model.true)] += 1
            certain += small.is_smallest
        sizes = ", ".join(f"{size}: {number}" for size, number in sorted(shown.items()))
        print(f"| {family} | {len(lemmas)} | {raw} | {sizes} | {certain} | {1000 * slowest:.0f} ms |")


if __name__ == "__main__":
    main()
