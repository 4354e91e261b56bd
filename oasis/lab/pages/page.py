"""A page from a template: what all reports share. What stands in one is known to the modules beside this one.

A page is one file: styles and pictures are in it, and it asks for nothing from anywhere.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oasis.ground.pictures import check_place, need_matplotlib
from oasis.ground.version import version
from tactics.errors import InputError, LibraryMissing, install_command


def check_page(path: Path) -> None:
    """Raises InputError if no page can be written under this name, LibraryMissing if a library for it is not there."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{path} should end in .html; rename it.")
    check_place(path)
    if find_spec("jinja2") is None:
        raise LibraryMissing(f"Reports need Jinja2, which is not installed: {install_command('plots')}")
    need_matplotlib()


def render(template: str, **content: Any) -> str:
    """Fill a template of `templates` with the version of this program and `content`, in which `made_by` must be."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("oasis.lab.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(version=version(), **content)


def write(path: Path, page: str) -> None:
    """Raises InputError if the file cannot be written."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None
