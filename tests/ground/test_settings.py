"""A setting stands in one place: from it come its bounds, the words of its error, and what a file may hold."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.ground.settings import SEEDS, Interval, Setting, check, check_together, from_json, known, read_toml, to_toml
from tactics.errors import LARGEST_SEED, InputError
from tests.commands import environment

OASIS = Path(__file__).resolve().parents[2] / "oasis"
COLOURS = ("red", "green")


@dataclass(frozen=True)
class Inner:
    sizes: Annotated[tuple[int, ...], Setting("Of each.", within="[1, ∞)", not_with="file", about="ours")] = (16, 32)
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Base:
    seed: Annotated[int, Setting("Of lots.", within=SEEDS)] = 0
    steps: Annotated[int, Setting("Steps.", within="[1, ∞)", metavar="N")] = 5
    inner: Inner = field(default_factory=Inner)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Settings(Base):
    rate: Annotated[float, Setting("How fast.", within="(0, 1)", names=("--rate", "-r"))] = 0.5
    colour: Annotated[str, Setting("Which.", choices=f"{__name__}:COLOURS")] = "red"
    steps: Annotated[int, Setting("Steps in all.")] = 7
    longest: Annotated[int | None, Setting("At most.", within="[1, ∞)", only_with="rate few")] = None
    schedule: Annotated[float | str, Setting("A number or a text.", within="[0, 1]", not_with="colour rate")] = 0.5
    is_loud: Annotated[bool, Setting("Loud.")] = False
    own: Annotated[int, Setting("Not typed.", within="[1, ∞)", hidden=True)] = 3
    file: Annotated[Path | None, Setting("Which.", positional=True)] = None
    few: Annotated[int, Setting("At most as many as steps.", within="[1, ∞)")] = None  # type: ignore[assignment]  # as DERIVED is
    note: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.few is None:
            object.__setattr__(self, "few", min(4, self.steps))


numbers = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(1, 10**20)
settings = st.builds(
    Settings,
    seed=st.integers(0, LARGEST_SEED),
    steps=whole,
    inner=st.builds(Inner, st.lists(whole, min_size=1).map(tuple), st.lists(st.text()).map(tuple)),
    rate=st.floats(0, 1, exclude_min=True, exclude_max=True),
    longest=st.none() | whole,
    schedule=st.floats(0, 1) | st.text(),
    is_loud=st.booleans(),
    few=whole,
)


@given(settings)
def test_settings_are_read_back_from_what_json_and_toml_hold_of_them(these: Settings) -> None:
    assert from_json(Settings, json.loads(json.dumps({**asdict(these), "file": None}))) == these
    for each in (these, replace(these, file=Path("some where.txt"))):
        assert from_json(Settings, read_toml(to_toml(each))) == each


@given(st.lists(numbers, min_size=2, max_size=2).map(sorted), st.sampled_from("[("), st.sampled_from("])"), numbers)
def test_an_interval_holds_what_its_notation_says(ends: list[float], left: str, right: str, value: float) -> None:
    low, high = ends
    interval = Interval.read(f"{left}{low}, {high}{right}")
    for each in (*ends, value, float("nan"), inf, -inf):
        above, below = each > low or (each == low and left == "["), each < high or (each == high and right == "]")
        assert interval.holds(each) == (above and below)


def test_bounds_are_said_in_words() -> None:
    for notation, words in (
        *(("[2, ∞)", "from 2 on"), ("(0, ∞)", "above 0"), ("[0, 1]", "from 0 to 1"), ("(-∞, 0)", "below 0")),
        *(("(0, 1)", "above 0 and below 1"), ("(0, 1]", "above 0 and up to 1"), ("[0, 1)", "from 0 on and below 1")),
        *(("", ""), (SEEDS, f"from 0 to {LARGEST_SEED:,}"), ("[-0.5, 1000]", "from -0.5 to 1,000")),
    ):
        assert str(Interval.read(notation)) == words


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("steps", 0, "--steps is 0; give a whole number from 1 on."),
        ("steps", 2.0, "--steps is 2.0; give a whole number from 1 on."),
        ("steps", True, "--steps is True; give a whole number from 1 on."),
        ("seed", LARGEST_SEED + 1, f"--seed is {2**63}; give a whole number from 0 to {LARGEST_SEED:,}."),
        ("rate", float("nan"), "--rate is nan; give a number above 0 and below 1."),
        ("rate", "a\nb", "--rate is 'a\\nb'; give a number above 0 and below 1."),
        ("colour", "blue", "--colour is one of red, green, not 'blue'."),
        ("schedule", 2.5, "--schedule is 2.5; give a number from 0 to 1."),
        ("is_loud", 1, "--is-loud is 1; give true or false."),
        ("own", 0, "own is 0; give a whole number from 1 on."),
        ("file", 3, "file is 3; give a file."),
        ("inner", {"sizes": [1], "size": 3}, "There is no setting size; did you mean sizes?"),
        ("inner", [], "[] stands where settings are to stand; give them by name."),
        ("nothing", 1, "There is no setting nothing; leave it out."),
    ],
)
def test_a_file_that_holds_what_cannot_be_is_refused_in_a_sentence_with_the_option(
    name: str, value: Any, sentence: str
) -> None:
    with pytest.raises(InputError) as refused:
        from_json(Settings, {name: value})
    assert str(refused.value) == sentence


def test_what_was_typed_is_read_as_the_field_has_it() -> None:
    sizes, colour = known(Inner)["sizes"], known(Settings)["colour"]
    assert sizes.read("16, 8") == (16, 8) and colour.read("red") == "red" and colour.completed("g") == ["green"]
    for wrong in ("many", "", "8,", "0,1", "1.5"):
        with pytest.raises(InputError, match=r"^--sizes is .*; give whole numbers from 1 on with commas, as in 16,32"):
            sizes.read(wrong)


def test_a_class_has_its_own_settings_first_and_says_only_what_is_different() -> None:
    names = ("rate", "colour", "steps", "longest", "schedule", "is_loud", "own", "file", "few", "seed")
    found = known(Settings)
    assert (*found,) == names
    assert found["steps"].says == Setting("Steps in all.", within="[1, ∞)", metavar="N") and found["steps"].default == 7
    assert (known(Base)["steps"].says.help, found["is_loud"].option, found["is_loud"].key) == (
        "Steps.",
        "--is-loud",
        "is_loud",
    )
    assert (Settings().few, Settings(steps=2).few, Settings(few=9).few) == (4, 2, 9)


def test_what_does_not_go_together_is_refused() -> None:
    every = [*known(Inner).values(), *known(Settings).values()]
    check_together(every, {"rate", "longest", "sizes"})
    for names, sentence in (
        ({"longest"}, "--longest goes with --rate or --few."),
        ({"schedule", "rate"}, "--schedule does not go with --rate."),
        ({"sizes", "file"}, "--sizes is about ours; leave it out beside a file."),
    ):
        with pytest.raises(InputError, match=f"^{sentence}$"):
            check_together(every, names)


@pytest.mark.slow
def test_modules_of_settings_import_nothing_that_takes_time() -> None:
    rooms = ("ground", "student", "neural", "lab")
    files = [file for room in rooms for file in (OASIS / room).rglob("settings.py")]
    modules = [".".join(file.relative_to(OASIS.parent).with_suffix("").parts) for file in files]
    code = f"import sys, {', '.join(modules)}; print({{'numpy', 'torch', 'curricula', 'numba'}} & {{*sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
