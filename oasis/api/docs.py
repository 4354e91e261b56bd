"""What people read of the doors: the table of calls as Markdown and as a page, which asks nothing of other sites."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape

from oasis.api.calls import CALLS
from oasis.api.errors import Code


def markdown(routes: Mapping[str, tuple[str, str]]) -> str:
    """A table of all calls with their routes and arguments, and one of all codes of errors."""
    rows = ["| call | HTTP | arguments | what it does |", "|---|---|---|---|"]
    for name, call in CALLS.items():
        usual = {each: f" = `{json.dumps(default)}`" for each, default in call.arguments.defaults.items()}
        named = ", ".join(f"`{each}`{usual.get(each, '')}" for each in call.arguments.kinds)
        rows.append(f"| `{name}` | `{' '.join(routes[name])}` | {named} | {call.about} |")
    rows += ["", "| code | what it means |", "|---|---|"]
    rows += [f"| `{code}` | {code.about} |" for code in Code]
    return "\n".join(rows) + "\n"


def page(title: str, about: str, routes: Mapping[str, tuple[str, str]]) -> str:
    """The same as a page of HTML, with what each argument is."""
    shown = [
        f"<h1>{escape(title)}</h1><p>{escape(about)} <a href='/openapi.json'>openapi.json</a> says it to programs."
    ]
    for name, call in CALLS.items():
        shown.append(f"<h2><code>{escape(' '.join(routes[name]))}</code></h2>{_paragraphs(call.told)}<dl>")
        usual = {each: f" ({json.dumps(default)} if left out)" for each, default in call.arguments.defaults.items()}
        for each, kind in call.arguments.kinds.items():
            told = f"{kind.about}: {kind.purpose}"
            shown.append(f"<dt><code>{each}</code>{escape(usual.get(each, ''))}<dd>{escape(told)}")
        shown.append("</dl>")
    shown.append("<h2>Errors</h2><dl>")
    shown += [f"<dt><code>{code}</code><dd>{escape(code.about)}" for code in Code]
    style = "body{font:1rem/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}h2{font-size:1rem}"
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{style}</style>"
    return head + "\n".join([*shown, "</dl>"])


def _paragraphs(text: str) -> str:
    """Paragraphs in which what stands between backticks is code."""
    shown = (re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(each)) for each in text.split("\n\n"))
    return "".join(f"<p>{each}</p>" for each in shown)
