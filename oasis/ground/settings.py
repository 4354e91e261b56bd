"""Settings that are told once: what a field of a dataclass means, what it may be, and how it is typed.

`oasis.cli.options` makes options of them, `check` refuses what they cannot be, and files hold them, all in the same
words. What there is to choose from may be named as `module:object`, which is imported when a value is checked: who only
shows help needs nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache
from inspect import get_annotations
from math import inf
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from oasis.ground.registry import Registry, imported
from tactics.errors import LARGEST_SEED, InputError, check_choice, did_you_mean, printable

if TYPE_CHECKING:
    from oasis.ground.board import Board

S = TypeVar("S")

MOST: Final = 500
"""Values of a range."""
DERIVED: Final[Any] = None
"""The default of a setting that depends on others: the `__post_init__` of its class works it out, after `check`."""
SEEDS: Final = f"[0, {LARGEST_SEED}]"
"""The bounds of every seed."""
_WANTED: Final = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "its name, as text; what you have made yourself is named module:object, or __main__:object where it is typed "
    "in",
    Path: "a file",
}


@dataclass(frozen=True)
class Setting:
    """What is said of a field: `group: Annotated[int, Setting("Plays of each lemma.", within="[2, ∞)")] = 16`.

    A class that says something else of a setting that it inherits leaves out what stays as it is.

    Attributes:
        help: what a person reads of it.
        within: the interval of a number, or of each of several numbers: `[2, ∞)`, `(0, 1)`, `[0, 1]`.
        choices: what it may be, or the `module:object` that holds this.
        names: of its option, or what a word is called without an option, if these are not made of the field's name.
        metavar: what stands for a value in the help.
        shown: the default in words, if it depends on other settings.
        complete: the `module:object` that completes its text in the shell, if that is more than a choice.
        only_with: the options, with spaces between them, without any of which it says nothing.
        not_with: the options beside each of which it says nothing.
        about: what it is about, if that is why.
        positional: whether it is typed without an option.
        hidden: whether it cannot be typed, and is set in Python and in files alone.
    """

    help: str
    within: str = ""
    choices: Collection[str] | str = ()
    names: tuple[str, ...] = ()
    metavar: str | None = None
    shown: str | None = None
    complete: str = ""
    only_with: str = ""
    not_with: str = ""
    about: str = ""
    positional: bool = False
    hidden: bool = False

    def over(self, other: Setting) -> Setting:
        """Return what is said here, and else what is said there."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(
            other, **{each.name: said[each.name] for each in fields(self) if said[each.name] != each.default}
        )


LEVELS: Final = Setting("Levels of families, as in 1-3 or 1,4; 1-3,none takes lemmas without a level, too.")
"""Of lemmas that are named."""


def of_lemmas(what: str, metavar: str | None = None, *, positional: bool = True, not_with: str = "") -> Setting:
    """Return what is said of a field that names lemmas or curricula, whose names the shell completes."""
    return Setting(what, metavar=metavar, complete="curricula:complete", positional=positional, not_with=not_with)


class Interval(NamedTuple):
    """The numbers between two ends; a square bracket holds its end, and a round one does not."""

    low: float
    high: float
    holds_low: bool
    holds_high: bool

    @classmethod
    @cache
    def read(cls, text: str) -> Interval:
        """Read standard notation, such as `[2, ∞)`; nothing stands for all finite numbers."""
        text = text or "(-∞, ∞)"
        low, high = map(_number, text[1:-1].split(","))
        return cls(low, high, text[0] == "[", text[-1] == "]")

    def holds(self, value: float) -> bool:
        """Return True for a number in the interval; that which is no number is in none."""
        above = value >= self.low if self.holds_low else value > self.low
        return above and (value <= self.high if self.holds_high else value < self.high)

    def __str__(self) -> str:
        """In words, as they follow "a number": `from 2 on`, `above 0 and below 1`, `from 0 to 1`."""
        if self.holds_low and self.holds_high:
            return f"from {self.low:,} to {self.high:,}"
        low = f"from {self.low:,} on" if self.holds_low else f"above {self.low:,}"
        high = f"{'up to' if self.holds_high else 'below'} {self.high:,}"
        return " and ".join([low] * (self.low > -inf) + [high] * (self.high < inf))


def _number(text: str) -> float:
    """Return an end of an interval; whole numbers exactly, as those beyond 2⁵³ are no floating-point numbers."""
    return int(text) if text.strip(" -").isdigit() else float(text.replace("∞", "inf"))


class Known(NamedTuple):
    """A setting of a class: its field, what is said of it, its type, and what it is unless told otherwise.

    One that is a list has several values that are tried in turn, and its default is the text of these.
    """

    name: str
    says: Setting
    kind: Any
    default: Any
    is_list: bool = False

    @property
    def option(self) -> str:
        """What a person types, or what that is called which cannot be typed as an option."""
        usual = self.name if self.says.positional or self.says.hidden else "--" + self.name.replace("_", "-")
        return self.says.names[0] if self.says.names else usual

    @property
    def key(self) -> str:
        """The option as a name, which tells the settings of different classes apart on one command line."""
        return self.name if self.says.positional else self.option.removeprefix("--").replace("-", "_")

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that it may have."""
        return get_args(self.kind) if isinstance(self.kind, UnionType) else (self.kind,)

    @property
    def is_several(self) -> bool:
        """Whether it is several whole numbers, typed with commas between them."""
        return tuple[int, ...] in self.kinds

    @property
    def is_repeated(self) -> bool:
        """Whether it is several texts, each typed behind an option of its own."""
        return tuple[str, ...] in self.kinds

    def choices(self) -> Collection[str]:
        """Return what there is to choose from; nothing if it is not one of several."""
        found: Collection[str] = (
            imported(self.says.choices) if isinstance(self.says.choices, str) else self.says.choices
        )
        return found

    def completed(self, incomplete: str) -> list[str]:
        """Return the texts that begin like this one."""
        if self.says.complete:
            found: list[str] = imported(self.says.complete)(incomplete)
            return found
        before, comma, last = incomplete.rpartition(",") if self.is_list else ("", "", incomplete)
        return [before + comma + each for each in self.choices() if each.startswith(last)]

    def read(self, given: Any) -> Any:
        """Return the value that a person typed, or that TOML holds. Raises InputError for what it cannot be."""
        if self.is_list:
            if not isinstance(given, list):
                return self.read_list(str(given))
            return self._different([*map(self._replaced().read, given)], given)
        value = tuple(given) if isinstance(given, list) else given
        if self.is_several and isinstance(given, str):
            with suppress(ValueError):
                value = tuple(map(int, given.split(",")))
        if Path in self.kinds and isinstance(given, str):
            value = Path(given)
        self.check(value)
        return value

    def check(self, value: Any) -> None:
        """Raise InputError, in one sentence that names the option, for what it cannot be."""
        if value is None and self.default is None:
            return
        if self.says.choices:
            if value != self.default:  # what is usual needs no list of all that there is, which may have to be imported
                choices = self.choices()
                if isinstance(choices, Registry):
                    choices.check(str(value), self.option)
                else:
                    check_choice(self.option, value, choices)
        elif not any(self._fits(kind, value) for kind in self.kinds):
            shown = f"{value:g}" if isinstance(value, float) and float in self.kinds else printable(repr(value))[:40]
            raise InputError(f"{self.option} is {shown}; give {self._wanted()}.")

    def read_list(self, text: str) -> list[Any]:
        """Return the values in a comma list, or in a range of numbers such as 0.1:0.5:0.1, which has both ends.

        Raises InputError.
        """
        parts = [part.strip() for part in text.split(",")]
        if ":" in text and self.kind in (int, float, float | str):  # else it is module:object, or dagger:all
            parts = [*self._range(text)]
        one = self._replaced()
        values = [one.read(self._typed(part)) for part in parts]
        return self._different(values, text)

    def _different(self, values: list[Any], given: Any) -> list[Any]:
        """Return the values of a list. Raises InputError if there is none, or one twice."""
        if not values:
            raise InputError(f"{self.option} names nothing; give one value at least.")
        if twice := [value for place, value in enumerate(values) if value in values[:place]]:
            raise InputError(f"{self.option} {given} names {twice[0]} twice; leave one out.")
        return values

    def _replaced(self) -> Known:
        """Return it as a setting of one value."""
        return self._replace(is_list=False)

    def _typed(self, text: str) -> Any:
        """Return one value of a list, of the type that the setting has."""
        if not text:
            raise InputError(f"{self.option} has an empty value; write values with one comma between two.")
        if self.kind is bool:
            if text not in ("yes", "no"):
                raise InputError(f"{self.option} is yes or no, not {text!r}.")
            return text == "yes"
        for kind in {int, float} & {*self.kinds}:
            try:
                return kind(text)
            except ValueError:
                if str not in self.kinds:
                    number = "whole number" if kind is int else "number"
                    raise InputError(f"{self.option} should be a {number}, not {text!r}.") from None
        return text

    def _range(self, text: str) -> Iterator[str]:
        """Yield the numbers from start to stop in steps, in decimals, so that 0.1 three times is 0.3."""
        try:
            start, stop, step = map(Decimal, text.split(":"))
            steps = (stop - start) / step
            if not steps.is_finite():
                raise InvalidOperation
        except (ValueError, ArithmeticError):
            raise InputError(
                f"{self.option} {text} should be START:STOP:STEP, three numbers as in 0.1:0.5:0.1."
            ) from None
        if steps < 0:
            raise InputError(f"{self.option} {text} leads away from {stop}; give the step the other sign.")
        if steps >= MOST:
            raise InputError(f"{self.option} {text} has more than {MOST} values; make the step larger.")
        yield from (str(start + place * step) for place in range(int(steps) + 1))

    def _fits(self, kind: Any, value: Any) -> bool:
        if get_origin(kind) is tuple:
            of_each, _ = get_args(kind)
            is_full = value != () or of_each is str
            return isinstance(value, tuple) and is_full and all(self._fits(of_each, each) for each in value)
        if kind not in (int, float):
            return isinstance(value, kind)
        is_number = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
        return is_number and Interval.read(self.says.within).holds(value)

    def _wanted(self) -> str:
        bounds = f" {Interval.read(self.says.within)}".rstrip()
        if self.is_several:
            return f"whole numbers{bounds} with commas, as in {','.join(map(str, self.default or (1, 8, 32)))}"
        return "texts" if self.is_repeated else _WANTED[self.kinds[0]] + bounds


def _known(kind: type) -> Mapping[str, Known]:
    defaults, kinds = {each.name: each.default for each in fields(kind)}, get_type_hints(kind)
    said: dict[str, list[Setting]] = {}
    for each in kind.__mro__:
        for name, annotation in get_annotations(each, eval_str=True).items():
            of_field = said.setdefault(name, [])
            of_field += [found for found in getattr(annotation, "__metadata__", ()) if isinstance(found, Setting)]
    return {
        name: Known(name, _joined(settings), kinds[name], defaults[name]) for name, settings in said.items() if settings
    }


known: Callable[[type], Mapping[str, Known]] = cache(_known)
"""Return the settings of a dataclass by their fields: its own first, then those that it inherits."""


def _joined(settings: list[Setting]) -> Setting:
    first, *others = settings
    return first.over(_joined(others)) if others else first


def check(settings: Any) -> None:
    """Raise InputError for a setting that is what it cannot be; for `__post_init__`."""
    for each in known(type(settings)).values():
        each.check(getattr(settings, each.name))


def check_together(settings: Iterable[Known], given: Collection[str]) -> None:
    """Raise InputError if one of some settings was given without any that it needs, or beside one that it cannot be.

    Args:
        settings: of a command.
        given: the keys of those that were given.
    """
    options = {each.key: each.option for each in settings}
    for each in settings:
        if each.key not in given:
            continue
        needed = [name for name in each.says.only_with.split() if name in options]
        if needed and not {*needed} & {*given}:
            raise InputError(f"{each.option} goes with {' or '.join(options[name] for name in needed)}.")
        for name in each.says.not_with.split():
            if name not in given:
                continue
            beside = options[name] if options[name].startswith("-") else f"a {options[name]}"
            if not each.says.about:
                raise InputError(f"{each.option} does not go with {beside}.")
            raise InputError(f"{each.option} is about {each.says.about}; leave it out beside {beside}.")


def from_json(kind: type[S], content: Any) -> S:
    """Return the settings that `dataclasses.asdict` wrote; those that are left out are as usual.

    Raises InputError for content of another form, and for settings that there are not or that cannot be.
    """
    if not isinstance(content, Mapping):
        raise InputError(f"{printable(repr(content))[:40]} stands where settings are to stand; give them by name.")
    kinds, values = get_type_hints(kind), dict(content)
    for name, value in content.items():
        if name not in kinds:
            said = printable(str(name))[:40]
            raise InputError(f"There is no setting {said}; {did_you_mean(said, [*kinds], 'leave it out.')}")
        if is_dataclass(kinds[name]):
            values[name] = from_json(kinds[name], value)
        elif isinstance(value, str) and Path in get_args(kinds[name]):
            values[name] = Path(value)
        elif isinstance(value, list):
            values[name] = tuple(value)
    return kind(**values)


def read_toml(text: str) -> dict[str, Any]:
    """Return what TOML holds. Raises InputError for another text."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"This is no TOML: {error}. Write lines such as seed = 3.") from None


def to_toml(settings: Any) -> str:
    """Return settings, of a class or by their names, as TOML; what is None is left out, as TOML has no word for it."""
    import tomlkit

    return tomlkit.dumps(_plain(settings if isinstance(settings, Mapping) else asdict(settings)))


def _plain(value: Any) -> Any:
    """Return a value as TOML can hold it."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, tuple | list):
        return [*map(_plain, value)]
    return str(value) if isinstance(value, Path) else value


@dataclass(frozen=True, kw_only=True)
class Boards:
    """Where curves are written. Raises InputError and LibraryMissing for what cannot be, before any work."""

    tensorboard: Annotated[Path | None, Setting("Write curves for TensorBoard.", metavar="FOLDER")] = None
    wandb_offline: Annotated[
        Path | None, Setting("Write curves for Weights & Biases; nothing is sent.", metavar="FOLDER")
    ] = None

    def __post_init__(self) -> None:
        for kind, folder in self.folders():
            from oasis.ground.board import check_board

            check_board(folder, kind)

    def folders(self) -> list[tuple[str, Path]]:
        """Return the kinds of boards that are asked for, with their folders."""
        return [(each.name, folder) for each in fields(Boards) if (folder := getattr(self, each.name)) is not None]

    @contextmanager
    def opened(self, *below: str) -> Iterator[list[Board]]:
        """Open the boards that are asked for, in folders of these names below theirs if there are any."""
        from oasis.ground.board import Board

        with ExitStack() as stack:
            yield [stack.enter_context(Board(folder.joinpath(*below), kind)) for kind, folder in self.folders()]
