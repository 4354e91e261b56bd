"""What is released: a wheel and an archive that hold what they should, and licences that go with ours."""

from __future__ import annotations

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

ROOT = Path(__file__).resolve().parents[1]
TOPS = {"curricula", "oasis", "state_spaces", "tactics", "tui"}
pytestmark = pytest.mark.slow


def run(*command: str, folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
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


def test_a_citation_leaves_to_the_program_which_version_it_is() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"license: {described['project']['license']}\n" in cited
    assert "`oasis --version`" in cited
    # Any commit can be cited, and these could be right for one alone.
    assert not {"version", "date-released", "commit"} & set(re.findall(r"^([\w-]+):", cited, re.MULTILINE))


def test_sources_without_git_are_built_as_the_newest_version_of_the_changes() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == described["tool"]["setuptools_scm"]["fallback_version"]


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
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(described["build-system"]["requires"]) <= set(described["project"]["optional-dependencies"]["release"])


def test_the_recipe_of_the_container_passes_its_linter() -> None:
    if shutil.which("hadolint") is None:
        missing("hadolint is not installed")
    run("hadolint", "Containerfile")
