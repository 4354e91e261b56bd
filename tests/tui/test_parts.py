"""What screens are made of, without an application: keys, preferences, columns, words, numbers and colours."""

import importlib
import os
from itertools import combinations, pairwise, product
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser
from textual.binding import Binding
from textual.color import BLACK, WHITE, Color
from textual.content import Content
from textual.theme import BUILTIN_THEMES

from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson, shared
from oasis.classroom.partner.curve import Curve
from oasis.classroom.partner.opinions import Column, Kind, Opinion, Voice
from oasis.server.nursery import DRIVER
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import Or
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import NOTATIONS, Notation, show
from tests.classroom.people import PROOF, local, make, sit
from tests.tui.rooms import key_at
from tui.colours import CONTRAST, OFFERED, contrast, legible, readable
from tui.commands import COMMANDS, move_keys
from tui.look import Look
from tui.nursery import fork_for_tabs
from tui.preferences import Preferences, keep_theme, preferences_file, read_preferences
from tui.screens.data import Data
from tui.screens.learn import Learn, _Chapter, _title
from tui.screens.prove import Prove
from tui.screens.room import Room
from tui.screens.teach import Teach
from tui.screens.together import Together
from tui.screens.watch import Watch
from tui.seat import Seat
from tui.widgets.beliefs import brief, number
from tui.widgets.bounce import Bounce
from tui.widgets.chart import Picture
from tui.widgets.formulas import halves, styled
from tui.widgets.lemmas import Row, of_formula, widths
from tui.widgets.words import Paragraph, Words

# Keys


def keys_of(room: type[Room]) -> dict[str, set[str]]:
    """Return the keys of each command of a place, its own and those of its base classes."""
    found: dict[str, set[str]] = {}
    for kind in room.__mro__:
        for binding in vars(kind).get("BINDINGS", []):
            if isinstance(binding, Binding) and binding.id in COMMANDS:
                found[binding.id] = set(binding.key.split(","))
    return found


@pytest.mark.parametrize("room", [Learn, Prove, Together, Watch, Teach, Data])
def test_each_command_of_a_place_has_keys_of_its_own_and_is_something_that_it_does(room: type[Room]) -> None:
    found = keys_of(room)
    for name in found:
        assert hasattr(room, f"action_{name}") or hasattr(room, "action_go"), name
    for (one, keys), (other, others) in combinations(found.items(), 2):
        assert not keys & others, (one, other)


@pytest.mark.parametrize("room", [Prove, Together])
def test_at_least_twenty_moves_have_a_key_each_that_does_nothing_else(room: type[Room]) -> None:
    taken = {key for keys in keys_of(room).values() for key in keys}
    keys = move_keys(taken)
    assert len(set(keys)) == len(keys) >= 20
    assert not set(keys) & taken
    assert keys[:10] == "1234567890"


@pytest.mark.parametrize(
    ("event", "told", "is_one"),
    [
        (("2", 100.2), {"does": False, "means": False}, True),
        (("2", 100.4), {"does": False, "means": False}, False),
        (("1", 100.1), {"does": False, "means": False}, False),
        (("2", 100.1), {"does": True, "means": True}, False),
        (("2", 109.0), {"does": False, "means": False, "runs": True}, True),
        (("1", 109.0), {"does": False, "means": False, "runs": True}, False),
    ],
)
def test_a_key_that_comes_at_once_is_a_slip(event: tuple[str, float], told: dict[str, bool], is_one: bool) -> None:
    bounce = Bounce()
    assert not bounce.is_one(key_at("2", 100.0), does=True, means=True)
    assert bounce.is_one(key_at(*event), **told) is is_one
    assert bounce.is_one(key_at(event[0], event[1] + 0.2), does=False, means=False) is (is_one or told["does"])


@pytest.mark.parametrize(
    "pieces",
    [["\x1b[48;20000;20000;0;0t"], ["\x1b[48;20000", ";20000;0;0t"], ["\x1b[200~\x1b[48;20000;20000;0;0t\x1b[201~"]],
    ids=["at once", "in pieces", "in a paste"],
)
async def test_a_size_that_is_typed_in_a_browser_is_no_size(pieces: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.drivers.web_driver.InputReader", Mock())  # there is no pipe to read from
    taken: list[Any] = []
    module, _, name = DRIVER.partition(":")
    driver = getattr(importlib.import_module(module), name)(Mock())
    driver.send_message = taken.append
    parser = XTermParser()
    read = [event for piece in [*pieces, "a"] for event in parser.feed(piece)]
    assert any(isinstance(event, events.Resize) for event in read)
    for event in read:
        driver.process_message(event)
    assert [event.key for event in taken if isinstance(event, events.Key)] == ["a"]
    assert not any(isinstance(event, events.Resize) for event in taken)


# Preferences


def test_preferences_are_read_and_colours_of_the_terminal_are_the_usual_ones_now(tmp_path: Path) -> None:
    path = tmp_path / "classroom.toml"
    assert read_preferences(path) == Preferences()
    path.write_text('theme = "nord"\nascii = true\n[keys]\nundo = "ctrl+z"\n')
    assert read_preferences(path) == Preferences("nord", True, {"undo": "ctrl+z"})
    path.write_text('theme = "ansi-dark"\nascii = true\n')
    assert read_preferences(path) == Preferences(None, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("theme = ", "cannot be read as preferences"),
        ('theme = "nrod"', "theme is one of"),
        ("ascii = 3", "ascii is one of True, False, not 3"),
        ("colour = 1", "A preference is one of theme, ascii, keys, not 'colour'"),
        ('[keys]\nundoo = "z"', "'undoo' is no command that could have a key; did you mean undo?"),
        ("[keys]\nundo = 3", "The key of undo must be text"),
        ("keys = 3", "keys must be a table"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "classroom.toml"
    path.write_text(text)
    with pytest.raises(InputError) as told:
        read_preferences(path)
    assert str(path) in str(told.value)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "before",
    [
        None,
        "",
        'ascii = true\ntheme = "nord"\n[keys]\nredo = "y"\n',
        '# mine\nascii = true\n\n[keys]\ntheme = "t"\n',
        'ascii = true\nkeys.theme = "t"\n',
    ],
)
def test_a_theme_is_kept_and_everything_else_stays(tmp_path: Path, before: str | None) -> None:
    path = tmp_path / "new" / "classroom.toml"
    if before is not None:
        path.parent.mkdir()
        path.write_text(before)
    old = read_preferences(path)
    keep_theme(path, "gruvbox")
    keep_theme(path, "dracula")
    assert read_preferences(path) == Preferences("dracula", old.ascii_only, old.keys)
    kept = {line for line in (before or "").splitlines() if line != 'theme = "nord"'}
    assert kept <= set(path.read_text().splitlines())


def test_a_theme_that_cannot_be_kept_is_told_and_a_damaged_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "classroom.toml"
    path.write_text("[keys\n")
    for damaged in (path, path / "classroom.toml"):
        with pytest.raises(InputError, match="so the theme is not kept"):
            keep_theme(damaged, "nord")
    assert path.read_text() == "[keys\n"


def test_the_file_is_in_the_folder_of_the_user_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OASIS_PREFERENCES", raising=False)
    assert preferences_file().name == "classroom.toml"
    monkeypatch.setenv("OASIS_PREFERENCES", str(tmp_path / "mine.toml"))
    assert preferences_file() == tmp_path / "mine.toml"


# Lists of lemmas, and the exercise before a student

ROWS = [Row("p → q → p", True, "3 moves", "10/10", "weakening"), Row("p → p", False, "", "", "")]

RESULTS = {"result": st.sampled_from(["", "12 moves"]), "points": st.sampled_from(["", "9/10"])}
row = st.builds(
    Row, st.text("pq →", min_size=1, max_size=60), st.booleans(), name=st.text("abc", max_size=30), **RESULTS
)


@given(st.lists(row, min_size=1, max_size=20), st.integers(0, 120))
def test_columns_fit_and_a_formula_goes_on_where_nothing_stands_beside_it(rows: list[Row], width: int) -> None:
    taken = widths(rows, width)
    assert min(taken) >= 0
    number_and_mark = 3 + len(str(len(rows)))
    assert number_and_mark + sum(taken) <= max(width, number_and_mark + taken[1] + taken[2])
    for row in rows:
        is_alone = not (row.result or row.points or row.name)
        assert of_formula(row, taken) == (sum(taken) if is_alone else taken[0])


def test_a_name_is_cut_off_and_left_out_before_a_formula_is_cut_off() -> None:
    for width, taken in ((80, (9, 9, 7, 11)), (39, (9, 9, 7, 10)), (38, (9, 9, 7, 0)), (26, (6, 9, 7, 0))):
        assert widths(ROWS, width) == taken
    assert widths(ROWS[1:], 80) == (5, 0, 0, 0), "what nobody has takes no room"


@pytest.mark.parametrize("title", ["Disjunction and negation", "論理学入門：直観主義命題論理"])
def test_a_long_title_of_a_chapter_leaves_room_for_what_is_done_of_it(title: str) -> None:
    first, rest = _title(_Chapter(title, "", exercises("arrows")[:2], [None, None]), Look()).plain.splitlines()
    assert first.endswith(" 0/2") and title.startswith(first[2:].split("  ")[0][:8])
    assert title.endswith(rest.strip()), "the whole title stands there, in two lines"


LESSON = 'name = "week"\nlemmas = ["textbook/and_comm", "textbook/or_comm", "textbook/peirce"]'


def test_a_student_finds_what_they_were_at_last_until_it_is_done_and_then_the_first_left() -> None:
    lesson = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    course = exercises("arrows")
    with Store(Path(":memory:")) as store:
        desk = local(store)

        def present() -> str:
            seat = Seat(desk, 1.0)
            seat.take_first(lesson, course)
            assert seat.exercise is not None
            assert seat.exercise in seat.others
            seat.close()
            return seat.exercise.name

        assert present() == "textbook/and_comm"
        sit(desk, course[1])
        assert present() == "textbook/and_comm", "nothing was done there"
        make(sit(desk, lesson[1]), PROOF[:2])
        assert present() == "textbook/or_comm"
        make(sit(desk, lesson[1]), PROOF[2:])
        assert present() == "textbook/and_comm"
        sit(desk, course[2]).take_hint()  # begun last, so that the clock need not tell them apart
        assert present() == course[2].name


def test_the_next_exercise_is_the_next_that_is_not_done_from_this_one_on_and_round() -> None:
    tasks = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    with Store(Path(":memory:")) as store:
        seat = Seat(local(store), 1.0)
        make(sit(seat.desk, tasks[1]), PROOF)
        for here, following in ((0, 2), (1, 2), (2, 0)):
            seat.take(tasks[here], tasks)
            assert seat.following() == tasks[following]
            assert seat.before() == (tasks[here - 1] if here else None)
        seat.close()


def test_one_exercise_that_comes_first_does_not_speak_for_all(tmp_path: Path) -> None:
    text = 'lemmas = ["p -> p", "q -> q"]\n[[exercise]]\nlemma = "r -> r"\nlight = false'
    first, second, other = Lesson.parse(text, "week_1.toml", "week_1", tmp_path).exercises_for("ada")
    assert shared([other, first, second]) == first.terms != other.terms


# Formulas, words and numbers


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize("text", ["p \\/ q \\/ r", "(p \\/ q) \\/ r", "(p -> q) \\/ ~r", "p /\\ q \\/ (p <-> q)"])
def test_the_halves_of_a_disjunction_are_found_in_its_text(text: str, notation: Notation) -> None:
    formula = parse(text)
    assert isinstance(formula, Or)
    whole = show(formula, notation)
    end, begin = halves(formula, notation)
    assert whole[end:begin] == f" {notation.disjunction} "
    for half, found in ((formula.left, whole[:end]), (formula.right, whole[begin:])):
        assert found in (show(half, notation), f"({show(half, notation)})")


@pytest.mark.parametrize("look", [Look(), Look.ascii()])
def test_connectives_are_set_off_from_atoms_by_weight(look: Look) -> None:
    content = styled(parse("Falsey /\\ ~q -> False \\/ (p <-> r)"), look)
    notation = look.notation
    assert content.plain in ("Falsey ∧ ¬q → ⊥ ∨ (p ↔ r)", "Falsey /\\ ~q -> False \\/ (p <-> r)")
    marked = {content.plain[span.start : span.end] for span in content.spans if "bold" in str(span.style)}
    signs = (notation.conjunction, notation.disjunction, notation.implication, notation.equivalence, notation.falsum)
    assert marked == {*signs, notation.negation.strip()}


@given(st.lists(st.sampled_from([f"{'w' * width}{width}" for width in range(1, 12)]), max_size=12), st.integers(14, 60))
def test_words_are_never_broken_and_lines_are_as_full_as_can_be(words: list[str], width: int) -> None:
    shown = Words()
    shown.show_words(Paragraph(tuple(map(Content, words))))
    lines = [line.plain for line in shown.lines(width)]
    assert [word for line in lines for word in line.split()] == words
    assert all(len(line) <= width for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 2 + len(following.split()[0]) > width


@given(st.floats(-1000, 10_000), st.integers(0, 999_000_000))
def test_values_and_counts_are_told_as_exactly_as_a_little_room_allows(value: float, count: int) -> None:
    told = number(value)
    assert len(told) <= 7
    assert float(told) == pytest.approx(value, abs=0.0501 if abs(value) > 9.999 else 0.000501)
    told = brief(count)
    assert len(told) <= 5
    factor = {"k": 1e3, "M": 1e6}.get(told[-1], 1)
    assert float(told.rstrip("kM")) * factor == pytest.approx(count, rel=0.1)


def test_opinions_stand_best_first_and_unknown_ones_last() -> None:
    moves = tuple(map(Move, ("left", "right", "intro", "split")))
    proofs = Voice("search", "", (Column("proof", Kind.MOVES, (None, 3, inf, 2)),), moves[3])
    q = Voice("table", "", (Column("Q", Kind.VALUE, (0.2, 0.9, 0.2, 0.1)), Column("tried", Kind.COUNT, (1, 2, 3, 4))))
    ranked = [str(moves[place]) for place in Opinion(moves, (q, proofs), "search").ranked()]
    assert ranked == ["split", "right", "left", "intro"]  # which may have a proof, and which has none
    ranked = [str(moves[place]) for place in Opinion(moves, (q,), "").ranked()]
    assert ranked == ["right", "intro", "left", "split"]


def curve_of(lengths: list[int]) -> Curve:
    """Return the curve of an agent with proofs of so many moves; 0 is an episode without a proof."""
    curve = Curve()
    for moves in lengths:
        curve.add(moves)
    return curve


@given(st.lists(st.sampled_from([0, 3, 5, 8]), max_size=60), st.integers(1, 60))
def test_the_line_of_episodes_is_the_mean_of_all_proofs_from_first_to_last(lengths: list[int], most: int) -> None:
    picture = Picture((("", curve_of(lengths).points()),))
    proofs = [moves for moves in lengths if moves]
    lines = list(picture.lines(most))
    assert [line.name for line in lines] == (["episodes"] if proofs else [])
    for line in lines:
        assert len(line.moves) <= most and line.episodes == sorted(set(line.episodes))
        assert min(proofs) <= min(line.moves) <= max(line.moves) <= max(proofs)
        assert line.episodes[-1] == max(episode for episode, moves in enumerate(lengths, 1) if moves)


def test_a_short_curve_is_drawn_as_it_is_and_what_is_not_to_be_shown_is_not_in_the_picture() -> None:
    (line,) = Picture((("A", curve_of([0, 5, 0, 3]).points()),)).lines(100)
    assert (line.name, line.letter, line.episodes, line.moves) == ("A episodes", "a", [2, 4], [5, 3])
    points = Curve().points()
    assert [line.name for line in Picture((("", points),), 5, None).lines(10)] == ["you"]
    assert [line.name for line in Picture((("", points),), None, 4).lines(10)] == ["best"]
    student, shortest = Picture((("", points),), 5, 4).lines(10)
    assert (set(student.moves), set(shortest.moves)) == ({5}, {4})
    assert student.is_dashed and shortest.is_dashed
    assert shortest.episodes == pytest.approx((1, 10))


# Colours

GROUNDS = ("background", "surface", "panel", "block-cursor-background", "block-cursor-blurred-background")
TEXTS = ("foreground", "text", "text-muted", "text-disabled", "success", "error", "warning", "accent", "primary")


def test_contrast_is_that_of_wcag_and_a_colour_is_moved_only_as_far_as_it_must() -> None:
    assert contrast(BLACK, WHITE) == contrast(WHITE, BLACK) == 21
    assert contrast(WHITE, WHITE) == 1
    assert contrast(Color.parse("#767676"), WHITE) == pytest.approx(4.54, abs=0.01)  # the lightest grey that will do
    dark = Color.parse("#101010")
    assert readable(Color.parse("#ffa62b"), [dark]).hex == "#FFA62B"
    moved = readable(Color.parse("#004578"), [dark])
    assert CONTRAST <= contrast(moved, dark) < CONTRAST + 1


@pytest.mark.parametrize("name", OFFERED)
def test_the_texts_of_a_theme_can_be_read_on_its_grounds(name: str) -> None:
    colours = legible(BUILTIN_THEMES[name].to_color_system().generate())
    for text, ground in product(TEXTS, GROUNDS):
        assert contrast(Color.parse(colours[text]), Color.parse(colours[ground])) >= CONTRAST, (text, ground)


# Tabs of a browser


@pytest.mark.parametrize("before", ["2", None])
def test_numbers_may_use_as_many_threads_in_a_tab_as_ever(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def importing(*_: object) -> list[str]:
        seen.append(os.environ["OMP_NUM_THREADS"])
        return []

    monkeypatch.setattr("tui.nursery.walk_packages", importing)
    monkeypatch.setattr("tui.nursery.fork_when_told", lambda: seen.append(os.environ.get("OMP_NUM_THREADS")))
    if before is None:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("OMP_NUM_THREADS", before)
    assert fork_for_tabs() == os.getpid()
    assert seen == ["1", before]
