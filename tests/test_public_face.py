"""What `import oasis` offers a notebook."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import oasis
from oasis.notebook import __all__ as offered
from oasis.play.policy import Uniform
from tactics.errors import InputError
from tactics.formula import FALSE, And, Atom
from tactics.script import replay
from tests.book.pages import DOCS
from tests.commands import Oasis

_TASK = {"reward": "terminating", "actions": "legal", "max_steps": 9, "render_mode": None}


def test_a_name_that_it_does_not_offer_is_told_with_those_that_it_does() -> None:
    assert oasis.__all__ == offered
    assert all(callable(getattr(oasis, name)) for name in offered)
    assert dir(oasis) == sorted([*offered, "__version__"])
    with pytest.raises(AttributeError, match="oasis has no nothing; it offers check, countermodel, "):
        oasis.nothing  # noqa: B018
    with pytest.raises(AttributeError, match=r"oasis has no solve; write oasis\.prove"):
        oasis.solve  # noqa: B018


GUESSES = Path(__file__).with_name("first_guesses.txt")
"""What a newcomer types first, a line each; each gives what is true."""


@pytest.mark.slow
def test_first_guesses_work_and_what_comes_back_shows_itself(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    Oasis(tmp_path).ran("train", "SYJ203.1", "--episodes", "20", "--db", str(tmp_path / "oasis.db"))
    found = {guess: eval(guess, {"oasis": oasis, "folder": tmp_path}) for guess in GUESSES.read_text().splitlines()}
    assert [guess for guess, value in found.items() if value is False or value is None] == []
    assert "object at 0x" not in " ".join(map(repr, found.values()))
    rich = {
        form: sum(hasattr(value, f"_repr_{form}_") for value in found.values()) for form in ("latex", "svg", "html")
    }
    assert min(rich.values()) > 1


@pytest.mark.slow
def test_the_notebook_of_the_book_shows_what_its_lines_give() -> None:
    names: dict[str, Any] = {}
    for cell in json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        *lines, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(lines, []), "cell", "exec"), names)
        if shown := [output["data"] for output in cell["outputs"] if output["output_type"] == "execute_result"]:
            assert isinstance(last, ast.Expr)
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            assert "".join("".join(shown[0]["text/plain"]).split()) == "".join(repr(value).split())
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)


@pytest.mark.slow
def test_importing_it_imports_nothing_else_of_ours_nor_what_is_slow() -> None:
    program = (
        "import sys, oasis; "
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('numpy', 'numba', 'textual', 'tactics', 'curricula') or name.startswith('oasis.')])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_a_lemma_is_parsed_by_name_or_as_text() -> None:
    assert oasis.parse("A /\\ B") is And(Atom("A"), Atom("B"))
    assert oasis.parse("SYJ203.3") is oasis.parse("thesis/43")
    assert oasis.parse(FALSE) is FALSE
    assert [lemma.name for lemma in oasis.curriculum("SYJ203", "1-2").lemmas] == ["SYJ203.1", "SYJ203.2"]


@pytest.mark.parametrize(
    ("text", "remark"), [("A -> B <-> B", "read as Coq reads it"), ("A -> F", "F is read as an atom")]
)
def test_text_that_others_read_otherwise_is_read_with_a_warning(text: str, remark: str) -> None:
    gym = pytest.importorskip("oasis.api.gym.player")
    for read in (oasis.parse, oasis.curriculum, oasis.decide, partial(gym.Task.of, **_TASK)):
        with pytest.warns(UserWarning, match=remark):
            read(text)
    for line in (oasis.parse, oasis.decide, oasis.export):  # once, at the line that is written here
        with pytest.warns(UserWarning, match=remark) as warned:
            line(f"({text}) -> {text}")
        assert {each.filename for each in warned} == {__file__}
        assert len({str(each.message) for each in warned}) == len(warned)


def test_how_far_long_work_is_shows_in_a_notebook_and_elsewhere_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, displayed = list[int](), list[str]()

    @contextmanager
    def bar(noun: str, total: int) -> Iterator[Callable[[int, str], None]]:
        yield lambda done, words: drawn.append(done)

    def display(shown: dict[str, str], **_: bool) -> Any:
        displayed.append(shown["text/plain"])
        assert shown["text/plain"] in shown["text/html"]
        return SimpleNamespace(update=display)

    def work(progress: bool | None) -> None:
        oasis.train("A -> A", episodes=50, progress=progress)
        oasis.study("SYJ203.1", seeds=2, episodes=5, workers=1, progress=progress)

    monkeypatch.setattr("oasis.ground.bar.bar", bar)
    work(None)
    assert not drawn
    work(True)
    assert drawn[0] == 3 and {50, 2} <= {*drawn} and max(drawn) == 50
    drawn.clear()
    shell = SimpleNamespace(has_trait=lambda name: name == "kernel")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    work(False)
    assert not displayed
    work(None)
    assert displayed[0] == "0 of 50 episodes"
    assert {"50 of 50 episodes", "0 of 2 trials", "2 of 2 trials"} <= {*displayed} and not drawn


def test_what_is_trained_passes_an_exam_that_chance_does_not() -> None:
    student = oasis.train("SYJ203.2", episodes=3000, seed=5)
    exam = oasis.examine(student, "SYJ203.2")
    assert (exam.share, exam.median) == (1.0, 10)
    assert exam.script is not None
    assert replay(oasis.parse("SYJ203.2"), exam.script)[-1] == ()
    assert oasis.examine(Uniform(), "SYJ203.2").share < 0.8
    with pytest.raises(InputError, match=r"a setting is one of learner, reward, .*, not 'lerner'"):
        oasis.train("SYJ203.2", lerner="sarsa")


def test_a_policy_is_examined_by_name_and_what_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert oasis.examine("teacher", "SYJ203.2").share == 1.0
    (tmp_path / "mine_to_examine.py").write_text("class Object:\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for who, sentence in (
        ("mine_to_examine:Object", "mine_to_examine:Object is no policy: it has no method probabilities"),
        ("mine_to_examine:Nothing", "mine_to_examine has no Nothing"),
        (5, "examine takes a student, a policy or the name of one, not 5"),
    ):
        with pytest.raises(InputError, match=sentence):
            oasis.examine(who, "SYJ203.2")  # type: ignore[arg-type]


def test_the_teacher_is_asked_in_a_line() -> None:
    assert oasis.decide("textbook/peirce").verdict == "non-theorem"
    assert len(oasis.prove("SYJ203.2", shortest=True) or ()) == 10
    assert oasis.prove("textbook/peirce") is None
    model = oasis.countermodel("textbook/peirce")
    assert model is not None
    assert len(model.worlds_to_json()) == 2
    assert oasis.countermodel("A -> A") is None


def test_states_are_counted_as_a_space_tells_them_apart() -> None:
    assert (oasis.states("SYJ203.2", "match"), oasis.states("SYJ203.2")) == (60, 143)
    with pytest.raises(InputError, match="more than 10 states"):
        oasis.states("SYJ203.3", limit=10)
