"""From what a person typed to lemmas: a name, a file, a directory, `-` for standard input, a lemma itself, or a list.

A known name wins over a lemma, and a lemma over a file; a file or directory is named with a slash (`./thesis`), with an
ending (`week1.lemmas`) or behind `file:`. A list has commas between names and files, and no lemmas as text. The grammar
of formulas is `tactics.parser`'s, that of files `curricula.sheet`'s. Files and chance are imported when they are asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from curricula.families import FAMILIES, PUBLISHED_LEVELS, Family
from curricula.lemma import Curriculum, Lemma
from curricula.library import (
    LISTED,
    THESIS_LEVELS,
    iltp_lemma,
    iltp_names,
    listed_lemma,
    listed_names,
    short_name,
    thesis_lemma,
)
from tactics.errors import InputError, printable
from tactics.tokens import looks_like_formula

if TYPE_CHECKING:
    from curricula.levels import Levels

_RANDOM: Final = re.compile(r"random(?::(?P<settings>[^/]*))?(?:/(?P<number>\d{1,9}))?")
_PROPL: Final = re.compile(r"propl(?::(?P<settings>[^/]*))?(?:/(?P<n>\d{1,3})/(?P<number>\d{1,1000}))?")
_FILE_NAME: Final = re.compile(r"[^()\n]*\.(?:p|txt|lemmas|v|lean|thy|tex|md)")


def resolve(
    text: str, *, levels: Levels | None = None, stdin: Callable[[], str] | None = None, folder: Path | None = None
) -> Curriculum:
    """The curriculum that `text` stands for; a single lemma is a curriculum of one.

    Args:
        text: what was typed.
        levels: which levels to take; families go as far as these ask, and lemmas without a level stay if None is
            among them. None takes all levels, of a family those that ILTP has: 1 to 20.
        stdin: reads standard input; `-` is refused without it.
        folder: that names of files begin in; None for the current one.

    Raises:
        InputError: nothing is known under this name, the text is no formula, a file cannot be read, a list has two
            lemmas of one name, or no lemma has one of the levels.
    """
    found = _found(text.strip(), levels, stdin, folder or Path())
    if levels is None:
        return found
    chosen = tuple(lemma for lemma in found.lemmas if lemma.level in levels)
    if not chosen:
        there = sorted({lemma.level for lemma in found.lemmas if lemma.level is not None})
        if not there:
            raise InputError(f"{found.name} has no levels; leave --levels out.")
        raise InputError(
            f"{found.name} has no lemma of the levels asked for; it has {_as_text(there)}, so choose among these."
        )
    return replace(found, lemmas=chosen)


def resolve_lemma(text: str, *, stdin: Callable[[], str] | None = None) -> Lemma:
    """The one lemma that `text` stands for. Raises InputError, also when there are several."""
    curriculum = resolve(text, stdin=stdin)
    if len(curriculum.lemmas) > 1:
        first = curriculum.lemmas[0].name
        of_a_file = _named(text.strip(), None) is None and Path(curriculum.name).is_file()
        example = f"{curriculum.name}/{first}" if of_a_file else first
        raise InputError(
            f"{curriculum.name} has {len(curriculum.lemmas)} lemmas and here one is needed; name one, as in {example}"
        )
    return curriculum.lemmas[0]


def _found(text: str, levels: Levels | None, stdin: Callable[[], str] | None, folder: Path) -> Curriculum:
    """The curriculum of a text, before lemmas of other levels are left out."""
    if found := _named(text, levels):
        return found
    from curricula.source import existing_path

    parts = [part.strip() for part in text.split(",")]
    # A formula with a comma has a quantifier, so that one of its parts looks like a formula.
    if len(parts) == 1 or not all(parts) or any(map(looks_like_formula, parts)) or existing_path(text, folder):
        return _from_outside(text, stdin, folder)
    curricula = [_found(part, levels, stdin, folder) for part in parts]
    names = Counter(lemma.name for curriculum in curricula for lemma in curriculum.lemmas)
    ((name, times),) = names.most_common(1)
    if times > 1:
        raise InputError(f"The lemma {name} is there twice; leave one of the two out.")
    joined = ",".join(curriculum.name for curriculum in curricula)
    lemmas = tuple(lemma for each in curricula for lemma in each.lemmas)
    return Curriculum(joined, "a list of lemmas", lemmas, tuple(said for each in curricula for said in each.remarks))


def _named(text: str, levels: Levels | None) -> Curriculum | None:
    """The curriculum or lemma of this name; None when there is none."""
    name = text.lower()
    problem = _problem(name)
    if name.partition("/")[0] == "course":
        return _course(name)
    if name in LISTED:
        return Curriculum(name, LISTED[name], tuple(listed_lemma(name, each) for each in listed_names(name)))
    if name in _LISTS:
        return _described(name, _LISTS[name](levels))
    if problem in FAMILIES:
        return _described(problem, _members(FAMILIES[problem], levels))
    if name.startswith("random") and (match := _RANDOM.fullmatch(name)):
        return _random(match["settings"] or "", match["number"])
    if name.startswith("propl"):
        return _propl(name)
    lemma = _named_lemma(name, problem)
    return None if lemma is None else Curriculum(lemma.name, lemma.source, (lemma,))


def _described(kind: str, lemmas: Iterable[Lemma], name: str | None = None) -> Curriculum:
    """A curriculum of a kind that has a description, called like its kind unless it has a name of its own."""
    from curricula.names import DESCRIPTIONS

    return Curriculum(name or kind, DESCRIPTIONS[kind], tuple(lemmas))


def named_lemma(text: str) -> Lemma | None:
    """The lemma of a catalogue that has this name, None if there is none; no file is looked for."""
    name = text.strip().lower()
    return _named_lemma(name, _problem(name))


def named_level(text: str) -> int | None:
    """The level of the family's problem that has this name, without making it; None if it is the name of none."""
    return _of_a_family(_problem(text.strip().lower()))[1]


def _problem(name: str) -> str:
    """What ILTP's short form of a name in small letters would be."""
    return re.sub(r"\.0+(?=\d)", ".", short_name(name.removeprefix("iltp/").upper()))


def _named_lemma(name: str, problem: str) -> Lemma | None:
    parent, _, rest = name.partition("/")
    if parent == "thesis" and rest in THESIS_LEVELS:
        return thesis_lemma(rest)
    if parent in LISTED and rest in listed_names(parent):
        return listed_lemma(parent, rest)
    if problem in iltp_names():
        return iltp_lemma(problem)
    family, level = _of_a_family(problem)
    return None if level is None else FAMILIES[family].lemma(level)


def _of_a_family(problem: str) -> tuple[str, int | None]:
    """The family of a problem, and its level; None if there is no such family."""
    family, _, level = problem.partition(".")
    is_level = family in FAMILIES and re.fullmatch(r"[0-9]{1,9}", level)
    return family, int(level) if is_level else None


def _course(name: str) -> Curriculum | None:
    """The course, or one of its worlds as `course/arrows`; None if it has no such world."""
    from curricula.course import course

    worlds = [world for world in course() if name in ("course", f"course/{world.name}")]
    lemmas = tuple(resolve_lemma(lemma) for world in worlds for lemma in world.lemmas)
    if name == "course":
        return _described(name, lemmas)
    return Curriculum(name, f"{worlds[0].title}: {worlds[0].about}", lemmas) if worlds else None


def _thesis(levels: Levels | None) -> Iterable[Lemma]:
    # When no level fits, all come back: `resolve` then says which there are.
    chosen = [number for number, level in THESIS_LEVELS.items() if levels is None or level in levels]
    return map(thesis_lemma, chosen or THESIS_LEVELS)


def _iltp(levels: Levels | None) -> Iterable[Lemma]:
    for family in FAMILIES.values():
        yield from _members(family, levels)
    yield from map(iltp_lemma, iltp_names())


_LISTS: Final[dict[str, Callable[[Levels | None], Iterable[Lemma]]]] = {
    "thesis": _thesis,
    "iltp": _iltp,
}


def _members(family: Family, levels: Levels | None) -> Iterable[Lemma]:
    return map(family.lemma, PUBLISHED_LEVELS if levels is None else filter(None, levels))


def _random(text: str, number: str | None) -> Curriculum:
    """Random lemmas of the settings that a text gives, or the one of a number."""
    from curricula.generator import RandomSettings, random_lemmas

    settings = RandomSettings.parse(text)
    if number is None:
        return _described("random", random_lemmas(settings), settings.prefix)
    if int(number) < 1:
        raise InputError(f"{settings.prefix}/{number} does not exist; the first one is {settings.prefix}/1")
    *_, lemma = random_lemmas(replace(settings, count=int(number)))
    return Curriculum(lemma.name, lemma.source, (lemma,))


def _propl(name: str) -> Curriculum | None:
    """A published set, a sample, or the lemma of a number; None if there is none of this name."""
    from curricula.propl_lemmas import PropLSettings, propl_lemma, propl_lemmas, published, published_lemmas

    match = _PROPL.fullmatch(name)
    if match is None:
        return _described(name, published_lemmas(name)) if name in published() else None
    settings = PropLSettings.parse(match["settings"] or "")
    if match["number"] is None:
        return _described("propl", propl_lemmas(settings), settings.text)
    settings = replace(settings, n=int(match["n"]))
    lemma = propl_lemma(int(match["number"]), settings.n, settings.atoms)
    return Curriculum(lemma.name, lemma.source, (lemma,))


def _from_outside(text: str, stdin: Callable[[], str] | None, folder: Path) -> Curriculum:
    """What is not known by name: standard input, a lemma as text, a file or directory, or one lemma of a file.

    What can be read as a lemma is one, whatever files there are.
    """
    from curricula.files import read_path, read_text
    from curricula.names import near_misses
    from curricula.sheet import read_typed
    from curricula.source import advice_on_path, existing_path

    if text == "-":
        if stdin is None:
            raise InputError("Standard input cannot be read here; give a name, a file or a lemma.")
        sheet = read_text(stdin(), "standard input", stem="stdin")
        return Curriculum("-", "standard input", sheet.lemmas, sheet.remarks)
    if not text:
        raise InputError("A lemma or a curriculum is needed here, but nothing was given; see oasis curricula list")
    refusal: InputError | None = None
    if looks_like_formula(text) and not text.startswith("file:"):
        try:
            lemma = read_typed(text).lemma(text)
        except InputError as error:
            refusal = error
        else:
            return Curriculum(lemma.name, "a lemma as it was typed", (lemma,))
    path = existing_path(text, folder)
    if path is not None:
        return read_path(path)
    file, _, name = text.rpartition("/")
    path = existing_path(f"{file}/", folder)
    if path is not None and path.is_file():
        return _lemma_of_file(path, name)
    if refusal is not None and not _FILE_NAME.fullmatch(text):
        raise refusal
    advice = advice_on_path(text, folder)
    near = near_misses(text)
    raise InputError(
        f"There is no lemma, curriculum or file called {shorten(printable(text), 60, placeholder=' …')}; "
        f"{advice and f'{advice}; '}{(near and f'did you mean {_either(near)}? ') or ''}"
        "see oasis curricula list for what there is."
    )


def _lemma_of_file(path: Path, name: str) -> Curriculum:
    from curricula.files import read_path

    lemmas = read_path(path).lemmas
    for lemma in lemmas:
        if lemma.name == name:
            return Curriculum(f"{path}/{name}", lemma.source, (lemma,))
    raise InputError(
        f"{path} has no lemma called {name}; it starts with {', '.join(each.name for each in lemmas[:3])}."
    )


def _either(names: list[str]) -> str:
    """`a`, `a or b`, or `a, b or c`."""
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _as_text(levels: list[int]) -> str:
    """`1 to 6` for levels in a row, and otherwise each of them."""
    if levels == list(range(levels[0], levels[-1] + 1)) and len(levels) > 1:
        return f"levels {levels[0]} to {levels[-1]}"
    return f"level{'s' if len(levels) > 1 else ''} {', '.join(map(str, levels))}"
