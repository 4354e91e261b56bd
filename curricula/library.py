"""The lemmas that ship with the project: `thesis`, `textbook`, `choices` and `iltp`.

The textbook lemmas, those made for the course and the ILTP problems outside the families are data (`data/*.toml`, facts
with their source); families and the thesis's lemmas are generated. A formula is built when its lemma is asked for, not
before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from curricula.families import FAMILIES
from curricula.lemma import Lemma, Problem, Status
from tactics.parser import parse

THESIS_LEVELS: Final[Mapping[str, int]] = MappingProxyType({str(40 + level): level for level in range(1, 7)})
"""The thesis's lemmas 41 to 46 and the levels of SYJ203 that they are."""
LISTED: Final = MappingProxyType(
    {
        "textbook": "what a logic class meets first, and what has no proof",
        "choices": "small lemmas in which a move can lose, and some without proof, made for the course",
    }
)
"""What each list of lemmas is that has a file of its name in `data/`."""
_ILTP_NAME: Final = re.compile(r"([A-Z]{3}\d{3})\+1(?:\.0*(\d+))?", re.IGNORECASE)


def short_name(iltp_name: str) -> str:
    """`SYJ203.3` for `SYJ203+1.003`, `SYN001` for `SYN001+1`; a name of another form is returned as it is."""
    match = _ILTP_NAME.fullmatch(iltp_name)
    if match is None:
        return iltp_name
    stem, size = match.groups()
    return f"{stem.upper()}.{size}" if size else stem.upper()


def thesis_lemma(number: str) -> Lemma:
    """The thesis's lemma 41 to 46. Raises KeyError for another number."""
    lemma = FAMILIES["SYJ203"].lemma(THESIS_LEVELS[number])
    return replace(lemma, name=f"thesis/{number}", source=f"thesis, lemma {number}: {lemma.source}")


@cache
def _entries(data: str) -> Mapping[str, Mapping[str, Any]]:
    """The entries of a data file by name, in its order."""
    content = files("curricula").joinpath("data", f"{data}.toml").read_text(encoding="utf-8")
    return MappingProxyType({entry["name"]: entry for entry in tomllib.loads(content)["lemma"]})


def listed_names(of: str) -> tuple[str, ...]:
    """The names of the lemmas of a list, without that of the list, easiest first and non-theorems last."""
    return tuple(_entries(of))


def listed_lemma(of: str, name: str) -> Lemma:
    """The lemma of a list that has this name. Raises KeyError."""
    entry = _entries(of)[name]
    return Lemma(
        name=f"{of}/{name}",
        formula=parse(entry["formula"]),
        status=Status(entry["status"]),
        source=entry["source"],
        shortest=entry.get("moves"),
    )


textbook_names, textbook_lemma = partial(listed_names, "textbook"), partial(listed_lemma, "textbook")


def iltp_names() -> tuple[str, ...]:
    """The names of the ILTP problems that belong to none of the twelve families, such as `SYN001`."""
    return tuple(_entries("iltp"))


def iltp_problem(name: str) -> Problem:
    """The ILTP problem of this name, outside the families. Raises KeyError."""
    entry = _entries("iltp")[name]
    return Problem(tuple(parse(axiom) for axiom in entry.get("axioms", ())), parse(entry["formula"]))


def iltp_lemma(name: str) -> Lemma:
    """The same as a lemma. Raises KeyError."""
    entry = _entries("iltp")[name]
    return Lemma(name, iltp_problem(name).formula, Status(entry["status"]), entry["source"])
