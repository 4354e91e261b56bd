"""What a person hears who has no torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oasis.neural.installed import check_installed
from tactics.errors import LibraryMissing
from tests.commands import Oasis, environment
from tests.neural.conftest import INSTALLED
from tests.optional import missing


def test_networks_are_tested() -> None:
    if not INSTALLED:
        missing("torch or safetensors is not installed: pip install '.[neural]'")
    check_installed()


def test_a_library_that_is_missing_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.neural.installed._LIBRARIES", ("torch_that_nobody_has", "json"))
    sentence = r"need torch_that_nobody_has, not installed here: pip install .*\[neural\]"
    with pytest.raises(LibraryMissing, match=sentence):
        check_installed()


@pytest.mark.slow
def test_training_data_and_the_lookup_of_beliefs_need_no_torch() -> None:
    modules = "oasis.neural.training.lemmas, oasis.dagger.beliefs.registry, oasis.neural.belief"
    program = f"import sys; sys.modules['torch'] = None; import {modules}"
    assert subprocess.run([sys.executable, "-c", program], env=environment(), check=False).returncode == 0


@pytest.mark.slow
def test_the_command_says_what_to_install(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'torch' else find(name, *more)\n"
    )
    run = oasis("policy", "sft", env=environment(PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}"))
    assert run.returncode == 3
    assert run.stderr.count("\n") == 1 and "[neural]" in run.stderr
