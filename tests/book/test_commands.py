"""What the pages of the book show can be run as it stands, and prints what stands below it."""

import json
import re
import shlex
import shutil
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, DocTestParser, DocTestRunner
from pathlib import Path
from typing import Any

import pytest
import typer

from oasis.cli.main import app
from tests.book.pages import DOCS, FENCED, PAGES, ROOT, Block, blocks, prose, trained
from tests.commands import Oasis, environment

# A term with a class has secrets, browsers and a calendar: tests/server/test_term.py goes through it.
SHOWN = [page for page in PAGES if page.name != "classroom.md"]
WITH_TORCH = re.compile(r"\.safetensors|\.jsonl|--escalate")
"""Commands that train networks for minutes, which tests/neural does."""
NOT_PRACTISED = {"--resume", "--so-far", "--search", "--ladder"}
DEAR = {"which-learner", "student", "dagger", "teacher", "how-built", "same-states"}
"""Pages whose commands take seconds; tests/cli and tests/golden ask the same of smaller ones."""


def _commands(block: Block) -> list[list[str]]:
    """Return the commands of a block of shell, without their first word."""
    lines = [line for line in block.text.splitlines() if line.startswith("oasis ")] if block.language == "sh" else []
    return [shlex.split(line, comments=True)[1:] for line in lines if not WITH_TORCH.search(line)]


RUN = [
    pytest.param(page, marks=[pytest.mark.thorough] * (page.stem in DEAR), id=page.stem)
    for page in SHOWN
    if any(map(_commands, blocks(page)))
]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_every_command_of_a_page_succeeds(page: Path, oasis: Oasis, tmp_path: Path) -> None:
    for example in (ROOT / "examples").glob("own_*.py"):
        shutil.copy(example, tmp_path)
    for block in blocks(page):  # a command may need a file that is shown below it
        if name := re.match(r"# (\w+\.(?:py|toml))\n", block.text):
            (tmp_path / name[1]).write_text(block.text, encoding="utf-8")
    printed = ""
    for block in blocks(page):
        if block.language == "text" and block.follows and printed:
            told = iter(line.rstrip() for line in printed.splitlines())
            assert [line for line in block.text.splitlines() if line.rstrip() not in told] == [], printed
        printed = ""
        for command in _commands(block):
            # A few episodes show that the command is right; how much it learns is tested elsewhere.
            practises = command[0] in ("train", "compare") and not NOT_PRACTISED & {*command}
            few = ["--episodes", "5"] if practises and "--episodes" not in command else []
            answer = oasis(*command, *few, env=environment(COLUMNS="120"))
            # Nobody types anything, so a lemma that is to be played is not proved; and there is no terminal here.
            expected = {"play": 1, "tui": 2}.get(command[0], 0)
            assert answer.returncode == expected, (command, answer.stderr)
            printed = answer.stdout
            changes = command[:2] in (["lesson", "new"], ["experience", "modify"], ["experience", "delete"])
            assert printed or command[0] == "tui" or changes or "-o" in command


@pytest.mark.slow
def test_what_a_page_shows_of_playing_by_hand_is_what_is_said(oasis: Oasis) -> None:
    """Lines behind `> ` are typed; all others are told."""
    seen, played = 0, ""
    for page in SHOWN:
        for block in blocks(page):
            played = next((" ".join(each) for each in _commands(block) if each[0] == "play"), played)
            lines = block.text.splitlines()
            typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
            if block.language == "text" and typed:
                said = oasis(*played.split(), typed="\n".join(typed) + "\n").stdout
                assert [line for line in lines if not line.startswith("> ")] == said.splitlines(), page.name
                seen += 1
    assert seen


PYTHON = [(page, block.text) for page in SHOWN for block in blocks(page) if block.language == "pycon"]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "text"), PYTHON, ids=lambda each: getattr(each, "stem", ""))
def test_what_a_page_shows_in_python_is_what_comes(page: Path, text: str) -> None:
    test, said = DocTestParser().get_doctest(text, {}, page.name, None, 0), list[str]()
    failed, tried = DocTestRunner(optionflags=ELLIPSIS | NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert tried and not failed, "".join(said)


@pytest.mark.thorough
@pytest.mark.slow
def test_the_first_training_learns_what_the_book_shows(oasis: Oasis) -> None:
    def without_speed(row: str) -> list[str]:
        return row.split(" M ")[0].split()[:-1]

    answer = oasis("train", env=environment(COLUMNS="120"))
    printed = [line for line in answer.stdout.splitlines() if line.startswith(" thesis/")]
    assert len(printed) == 6, answer.stderr
    for page in (ROOT / "README.md", DOCS / "first-proof.md", DOCS / "measurements.md"):
        assert list(map(without_speed, trained(page))) == list(map(without_speed, printed))


COMMANDS: Any = typer.main.get_command(app)


def _unknown(words: list[str]) -> list[str]:
    """Return the words behind `oasis` that should be a command or an option and are none."""
    found = COMMANDS
    while words and hasattr(found, "commands") and not words[0].startswith("-") and words[0] not in ("COMMAND", "…"):
        if words[0] not in found.commands:
            return [words[0]]
        found = found.commands[words.pop(0)]
    known = {option for each in found.params for option in each.opts + each.secondary_opts} | {"--help"}
    return [word for word in words if re.match(r"--\w", word) and word.split("=")[0] not in known]


def _shown(text: str) -> list[str]:
    """Return what a page writes behind `oasis` in boxes of any language and in indented code."""
    boxes = [box[3] for box in FENCED.finditer(text)]
    code = "\n".join(boxes + re.findall(r"^ {4}.*$", FENCED.sub("", text), re.MULTILINE)).replace("\\\n", " ")
    lines = re.findall(r"^\s*(?:\$ |.*&& |.*-m |podman run .*)?\boasis +(?!-c )(\S.*)$", code, re.MULTILINE)
    return [" ".join(re.split(r"\s+#", line)[0].split()) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_and_option_that_a_page_names_exists(page: Path) -> None:
    spans = re.findall(r"`([^`]+)`", prose(page))
    inline = [told[1] for span in spans if (told := re.search(r"(?:^|-m )oasis (.+)", span, re.DOTALL))]
    for written in inline + _shown(page.read_text(encoding="utf-8")):
        assert _unknown(written.split()) == [], written


def test_commands_are_found_in_every_box() -> None:
    assert _shown("Of it:\n\n```text\npip install . && oasis train --seed 1  # a student\n```\n") == ["train --seed 1"]
    assert _shown("So:\n\n    oasis dagger tune \\\n        -o FILE\n\noasis is\n") == ["dagger tune -o FILE"]
    assert _shown("```console\n$ oasis decide 'p'\n```\n") == ["decide 'p'"]
    assert _shown("- A list:\n  ```sh\n  torchrun -m oasis policy sft\n  ```\n") == ["policy sft"]
    assert _shown("```text\npodman run -v class:/class oasis classroom copy\n```\n") == ["classroom copy"]


def test_what_the_container_runs_exists_and_is_told() -> None:
    recipe = (ROOT / "Containerfile").read_text(encoding="utf-8")
    entry, command, volume = (
        re.findall(rf"^{word} (.+)$", recipe, re.MULTILINE) for word in ("ENTRYPOINT", "CMD", "VOLUME")
    )
    assert json.loads(entry[0]) == ["oasis"]
    assert _unknown(json.loads(command[0])) == []
    page = (DOCS / "serving.md").read_text(encoding="utf-8")
    assert " ".join(json.loads(command[0])) in page and f"class:{volume[0]} " in page
