"""Commands whose options are the settings of dataclasses (`oasis.ground.settings`): told there, and nowhere again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, is_dataclass, replace
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar, get_args, get_origin

import typer

from oasis.cli.arguments import was_typed
from oasis.cli.render import print_json, print_line
from oasis.ground.settings import Known, check_together, known, read_toml, to_toml
from tactics.errors import InputError, did_you_mean, printable

S_co = TypeVar("S_co", covariant=True)
_STUDY: Final = "Settings in TOML, such as seed = 3; what is typed comes first."
_ShowOption = Annotated[
    bool, typer.Option("--show-study", help="Print the settings as a file that --study reads, and do nothing else.")
]


class Without:
    """`Annotated[Given[DataSettings], Without("certain")]`: a command has no option for these settings of a class."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Only:
    """`Annotated[Given[Settings], Only("learner", "gamma")]`: a command has options for these settings of a class."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Usually:
    """`Annotated[Given[Settings], Usually(episodes=20_000)]`: a command has other defaults for these settings."""

    def __init__(self, **values: Any) -> None:
        self.values = values


class Lists:
    """`Annotated[Given[Settings], Lists()]`: each option takes several values of its setting, as a list or a range."""


class InFiles:
    """`Annotated[Given[Settled], InFiles()]`: a study may hold the hidden settings of a class, which nobody types."""


class Beside:
    """`Annotated[Given[Settings], Beside(not_with="search")]`: what goes for every setting of a class on a command."""

    def __init__(self, **words: str) -> None:
        self.words: dict[str, Any] = words


@dataclass(frozen=True)
class Given(Generic[S_co]):
    """The settings of a class as far as a person typed them; of some, by their names, a study says so."""

    kind: type[S_co]
    settings: Mapping[str, Known]
    values: Mapping[str, Any]
    usually: Mapping[str, Any]
    of_file: frozenset[str] = frozenset()

    def made(self, **otherwise: Any) -> S_co:
        """Return the settings; what was not typed is as it is told here, or else as usual. Raises InputError."""
        return self.kind(**{**self.usually, **otherwise, **self.values})

    def but(self, **values: Any) -> Given[S_co]:
        """Return the same with other values of settings, as if these had been typed."""
        return replace(self, values={**self.values, **values})

    def lists(self) -> dict[str, list[Any]]:
        """Return the values of each setting of which several may be typed. Raises InputError."""
        return {name: self.values.get(name, each.read(each.default)) for name, each in self.settings.items()}

    def option(self, name: str) -> str:
        """Return the option of a setting."""
        return self.settings[name].option

    def words(self) -> str:
        """Return what was typed as it would be typed again, with a space before each option."""
        return "".join(f" {self.option(name)} {quote(str(value))}" for name, value in self.values.items())


class _Group(NamedTuple):
    """A parameter of a command that stands for the settings of a class."""

    kind: type[Any]
    settings: Mapping[str, Known]
    usually: Mapping[str, Any]


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function: a parameter of the type `Given[Settings]` stands for an option for each setting.

    An option is read, checked and completed as its setting says, and the function gets what was typed. A parameter
    whose type is a dataclass (`Output`) stands for its fields, and these and all others are as Typer has them. A study
    is a file of settings, which count as if they had been typed; a command with one setting, or with a study of another
    kind, has none.
    """
    groups: dict[str, _Group] = {}
    bundles: dict[str, type[Any]] = {}
    flat = {"context": Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)}
    for each in signature(function, eval_str=True).parameters.values():
        kind, *others = get_args(each.annotation) if get_origin(each.annotation) is Annotated else (each.annotation,)
        if isinstance(kind, type) and is_dataclass(kind):
            bundles[each.name] = kind
            flat |= {option.name: option for option in _options_of(kind)}
            continue
        if get_origin(kind) is not Given:
            flat[each.name] = each
            continue
        (of_class,) = get_args(kind)
        without = {name for other in others if isinstance(other, Without) for name in other.names}
        only = next((other.names for other in others if isinstance(other, Only)), known(of_class))
        usually = next((other.values for other in others if isinstance(other, Usually)), {})
        in_files = any(isinstance(other, InFiles) for other in others)
        settings = {
            name: _as_told(setting._replace(default=usually.get(name, setting.default)), others)
            for name, setting in known(of_class).items()
            if name in only and name not in without and (in_files or not setting.says.hidden)
        }
        groups[each.name] = _Group(of_class, settings, usually)
        for setting in settings.values():
            assert setting.key not in flat, f"two options are called {setting.option}"
            if not setting.says.hidden:
                flat[setting.key] = _parameter(setting)
    every = {each.key: each for group in groups.values() for each in group.settings.values()}
    if len(every) > 1 and not any(each.option == "--study" for each in every.values()):
        study = Annotated[
            Path | None,
            typer.Option("--study", metavar="FILE", help=_STUDY, is_eager=True, callback=_supplying(every)),
        ]
        for name, default, annotation in (("study_file", None, study), ("show_study", False, _ShowOption)):
            flat[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    @wraps(function)
    def called(context: typer.Context, study_file: Path | None = None, show_study: bool = False, **told: Any) -> None:
        of_file = {} if study_file is None else _read_study(study_file, every)
        typed = {name for name in every if was_typed(context, name)}
        filed = of_file.keys() - typed
        told |= {name: of_file[name] for name in filed}
        typed |= filed
        check_together(every.values(), typed)
        if show_study:
            _print_study(every, {name: told[name] for name in every if name in typed}, as_json=told.get("as_json"))
            return
        for name, (kind, settings, usually) in groups.items():
            values = {each.name: told.pop(each.key, each.default) for each in settings.values()}
            values |= {each: tuple(values[each] or ()) for each in values if settings[each].is_repeated}
            own = {each: value for each, value in values.items() if settings[each].key in typed}
            of_study = frozenset(each for each in own if settings[each].key in filed)
            told[name] = Given(kind, settings, own, usually, of_study)
        for name, kind in bundles.items():
            told[name] = kind(**{option.name: told.pop(option.name) for option in _options_of(kind)})
        function(**told)

    called.__signature__ = Signature([*flat.values()])  # type: ignore[attr-defined]
    called.__annotations__ = {name: each.annotation for name, each in flat.items()}
    return called


def _options_of(kind: type[Any]) -> list[Parameter]:
    """Return the fields of a dataclass as options, which these are as Typer has them."""
    return [each.replace(kind=Parameter.KEYWORD_ONLY) for each in signature(kind, eval_str=True).parameters.values()]


def _supplying(settings: Mapping[str, Known]) -> Callable[[typer.Context, Path | None], Path | None]:
    def supply(context: typer.Context, file: Path | None) -> Path | None:
        """Take from a study what has to be given, so that it need not be typed."""
        if file is not None:
            of_file = _read_study(file, settings)
            context.default_map = {name: of_file[name] for name in of_file if settings[name].default is MISSING}
        return file

    return supply


def _print_study(settings: Mapping[str, Known], typed: Mapping[str, Any], *, as_json: bool | None) -> None:
    """Print what was typed as a study, and as comments what else could stand there; with `as_json` the first alone."""
    if as_json:
        print_json(typed)
        return
    for name, each in settings.items():
        value = typed.get(name, None if each.default is MISSING else each.default)
        line = to_toml({name: value}).rstrip() or f"{name} ="
        print_line(f"# {each.says.help}\n{'' if name in typed else '# '}{line}")


def _as_told(setting: Known, others: list[Any]) -> Known:
    """Return a setting with what a command says of all settings of its class."""
    says = replace(setting.says, **next((other.words for other in others if isinstance(other, Beside)), {}))
    if not any(isinstance(other, Lists) for other in others):
        return setting._replace(says=says)
    says = replace(says, help=f"{says.help.removesuffix('.')}; a comma list.")
    default = setting.default if isinstance(setting.default, str) else f"{setting.default:g}"
    return setting._replace(says=says, default=default, is_list=True)


def _read_study(file: Path, settings: Mapping[str, Known]) -> dict[str, Any]:
    """Return the settings of a command that a file holds, by their keys. Raises InputError, naming the file."""
    from curricula.source import read_file

    text = read_file(file)
    try:
        return {name: _setting(name, settings).read(value) for name, value in read_toml(text).items()}
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _setting(name: str, settings: Mapping[str, Known]) -> Known:
    """Return the setting of a key. Raises InputError if there is none."""
    if name not in settings:
        nearest = did_you_mean(name, [*settings], "take the line out.")
        raise InputError(f"there is no setting {printable(name)}; {nearest}")
    return settings[name]


def _parameter(setting: Known) -> Parameter:
    """Return what Typer makes an option of."""
    says, is_text = setting.says, setting.is_several or setting.is_list or str in setting.kinds
    default = None if says.shown is not None else setting.default
    if setting.is_repeated and default is not MISSING:
        default = list(setting.default) or None
    elif is_text and default not in (None, MISSING):
        default = ",".join(map(str, default)) if setting.is_several else str(default)
    words: dict[str, Any] = {"help": says.help, "metavar": says.metavar, "callback": _reader(setting, default)}
    if says.shown is not None:
        words["show_default"] = says.shown
    if says.complete or says.choices:
        words["autocompletion"] = setting.completed
    names = (
        [] if says.positional else says.names or ([setting.option] if setting.kind is bool else [])
    )  # else Typer adds --no-…
    info = typer.Argument(**words) if says.positional else typer.Option(*names, **words)
    kind: Any = list[str] if setting.is_repeated else str if is_text else setting.kinds[0]
    kind = kind | None if default is None else kind
    default = Parameter.empty if default is MISSING else default
    return Parameter(setting.key, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _reader(setting: Known, default: Any) -> Callable[[typer.Context, typer.CallbackParam, Any], Any]:
    def read(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
        """Return what was typed as the setting has it; a default needs no look at it."""
        return setting.read(value) if value != default or was_typed(context, setting.key) else value

    return read
