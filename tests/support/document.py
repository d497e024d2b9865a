"""A parsed page, for tests that read pages without a browser."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

MUTE: Final = ("script", "style")
"""Elements whose text no reader sees."""


def fields_of(form: LexborNode) -> dict[str, str]:
    """Field -> the value that an unchanged form sends."""
    found = {}
    for field in form.css("input[name]:not([type=radio]), input[type=radio]:checked, textarea[name]"):
        value = field.text().removeprefix("\n") if field.tag == "textarea" else field.attributes.get("value")
        found[field.attributes["name"] or ""] = value or ""
    for field in form.css("select[name]"):
        chosen = field.css_first("option[selected]") or field.css_first("option")
        found[field.attributes["name"] or ""] = (chosen and chosen.attributes.get("value")) or ""
    return found


class Document:
    """A parsed page: its elements with their attributes, the fields of its forms, its text, and its page data."""

    def __init__(self, text: str) -> None:
        self.page = LexborHTMLParser(text)
        root = self.page.root
        self.roots = (root, *root.template_fragments()) if root else ()
        """The page, then what its templates hold for scripts."""

    @cached_property
    def elements(self) -> list[tuple[str, dict[str, str | None]]]:
        """Every element in the order of the page, then those in templates: its tag and its attributes."""
        return [(node.tag or "", node.attributes) for root in self.roots for node in root.css("*")]

    @cached_property
    def forms(self) -> list[tuple[str, dict[str, str]]]:
        """Every form: its address, and the fields that it sends unchanged."""
        return [(form.attributes.get("action") or "", fields_of(form)) for form in self.page.css("form")]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The page data for scripts; empty without it."""
        island = self.page.css_first("#page-data")
        return json.loads(island.text()) if island else {}

    @cached_property
    def texts(self) -> list[tuple[LexborNode, str]]:
        """Every text that a reader sees, with the element around it."""
        texts = (node for root in self.roots for node in root.traverse(include_text=True) if node.is_text_node)
        return [(node.parent, node.text_content or "") for node in texts if node.parent and node.parent.tag not in MUTE]

    @property
    def text(self) -> str:
        """The text, on one line."""
        return " ".join(" ".join(text for _, text in self.texts).split())

    def links(self) -> list[str]:
        """The addresses of its links."""
        return [attributes["href"] or "" for tag, attributes in self.elements if tag == "a" and "href" in attributes]

    def files(self) -> list[str]:
        """The scripts, styles and pictures that it loads, without the manifest and the icon for installation."""
        names, later = {"script": "src", "link": "href", "img": "src"}, ("manifest", "apple-touch-icon", "expect")
        loaded = [
            (tag, found) for tag, found in self.elements if names.get(tag) in found and found.get("rel") not in later
        ]
        return [found.get(names[tag]) or "" for tag, found in loaded]

    def form(self, action: str, **fields: str) -> tuple[str, dict[str, str]]:
        """The first form whose address ends with `action` and that has these fields."""
        for address, values in self.forms:
            if address.endswith(action) and fields.items() <= values.items():
                return address, values
        raise AssertionError(f"no form {action} {fields}: {self.forms}")
