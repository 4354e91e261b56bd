"""The programs in examples/, as modules that a test can call."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples"


def example(name: str) -> ModuleType:
    """Return the program of this name, imported but not run."""
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
