"""What every page of a report has to be: well-formed, and whole without anything from elsewhere."""

import re
from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """Fails on a tag that is not closed in its place; keeps tags and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page_is_whole(text: str) -> None:
    """Fail if a tag is left open, an identifier is there twice, or something is asked for that is not in the page."""
    found = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    said = [(name, value or "") for _, attributes in found.tags for name, value in attributes.items()]
    asked = [value for name, value in said if name in ("src", "href", "xlink:href")]
    identifiers = Counter(value for name, value in said if name == "id")
    assert all(address.startswith("#") for address in asked)
    assert {address[1:] for address in asked} <= set(identifiers) and set(identifiers.values()) <= {1}
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
