"""What is released, and where it works: a wheel and an archive, their licences, Windows and the jobs of the workflow.

`tests.windows` and `tests.elsewhere` say how far this machine can tell what another one does.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
import tomlkit

from tests.optional import missing
from tests.thorough import thoroughly

ROOT = Path(__file__).resolve().parents[1]
TOPS = {"curricula", "oasis", "state_spaces", "tactics", "tui"}
DESCRIBED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "PYTEST_"))}
# Beside that program lie folders of tests that are called as packages are.
ON_WINDOWS = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))}
PROVED_ON_SCREEN = """
import asyncio, importlib, pkgutil, sys
from pathlib import Path

import windows

windows.pretend()
for top in windows.OURS:
    for module in pkgutil.walk_packages([top], top + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

from curricula import resolve_lemma
from tui.app import Classroom
from tui.setup import Setup


async def prove():
    lemma = resolve_lemma("A -> A")
    app = Classroom(Setup(database=Path(sys.argv[1]), account="ada", lemma=lemma, provers=(), tour=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("slash", *"intro", "enter", *"assumption", "enter")
        while not app.export_screenshot().count("Proved"):
            await pilot.pause(0.1)


asyncio.run(prove())
"""
pytestmark = pytest.mark.slow


def run(*command: str, folder: Path = ROOT, env: dict[str, str] | None = None, codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in codes, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the archive of what git has here, committed or not."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    run("git", "init", "--quiet", folder=source)
    run("git", "add", ".", folder=source)  # from git setuptools-scm takes what belongs to the archive
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), folder=source)
    return built


@pytest.mark.thorough
def test_the_wheel_holds_every_module_and_all_data_and_no_tests(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(ZipFile(wheel).namelist())
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == TOPS
    tracked = run("git", "ls-files", "--cached", "--others", "--exclude-standard", *sorted(TOPS)).splitlines()
    assert {name for name in tracked if (ROOT / name).is_file()} <= names
    run("check-wheel-contents", str(wheel))


@pytest.mark.thorough
def test_the_archive_holds_the_tests_too_and_both_pass_twine(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"README.md", "CHANGELOG.md", "LICENSE", "tests/test_release.py", "scripts/test"} <= names
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir()))


@pytest.mark.thorough
def test_licences_go_with_ours() -> None:
    table = run(sys.executable, "scripts/licences")
    assert re.search(r"textual .*MIT", table)
    assert "pynauty" not in table, "a tool of the tests is no dependency"


def test_sources_without_git_are_built_as_the_newest_version_of_the_changes() -> None:
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == DESCRIBED["tool"]["setuptools_scm"]["fallback_version"]


@pytest.mark.thorough
def test_types_are_right_for_who_has_no_torch(tmp_path: Path) -> None:
    lint = re.search(r"mypy (--.*?)\n *fi\n", (ROOT / "scripts/environment").read_text(encoding="utf-8"), re.DOTALL)
    assert lint is not None
    settings = tomlkit.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8")).unwrap()
    settings["tool"]["mypy"]["packages"] = ["oasis.neural"]  # all would take a minute
    absent = {"module": ["safetensors.*", "torch.*"], "follow_imports": "skip", "ignore_missing_imports": True}
    settings["tool"]["mypy"]["overrides"].append(absent)
    (tmp_path / "pyproject.toml").write_text(tomlkit.dumps(settings), encoding="utf-8")
    given = ["--config-file", str(tmp_path / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache")]
    run(sys.executable, "-m", "mypy", *given, *lint[1].replace("\\\n", " ").split())


def test_the_tests_have_what_a_release_is_built_with() -> None:
    assert set(DESCRIBED["build-system"]["requires"]) <= set(DESCRIBED["project"]["optional-dependencies"]["release"])


def test_the_recipe_of_the_container_passes_its_linter() -> None:
    if shutil.which("hadolint") is None:
        missing("hadolint is not installed")
    run("hadolint", "Containerfile")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("prove SYJ203.2 --search best-first", "intro; imply3 H"),
        *thoroughly(
            ("doctor", "not asked from Windows itself"),
            ("train SYJ203.1 --episodes 200 --seeds 2 --certify none", "2 students, seeds 0 to 1"),
            ("countermodel textbook/peirce", "At world 0"),
        ),
    ],
)
def test_commands_do_on_windows_what_they_do_elsewhere(command: str, said: str, tmp_path: Path) -> None:
    program = str(ROOT / "tests" / "windows.py")
    # The doctor ends with 1 if a prover is missing.
    assert said in run(sys.executable, program, *command.split(), folder=tmp_path, env=ON_WINDOWS, codes=(0, 1))


@pytest.mark.thorough
def test_on_windows_every_module_is_imported_and_a_proof_is_made_on_the_screen(tmp_path: Path) -> None:
    run(sys.executable, "-W", "ignore", "-c", PROVED_ON_SCREEN, str(tmp_path / "oasis.db"), env=ON_WINDOWS)


@pytest.mark.thorough
@pytest.mark.parametrize("job", ["quick", "windows"])
def test_every_file_of_a_job_is_imported_where_it_runs(job: str) -> None:
    run(sys.executable, "-m", "tests.elsewhere", job, env=PLAIN)
