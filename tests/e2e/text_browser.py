"""A text browser without scripts and styles: it follows links and sends forms by Flask's test client.

It sees only a page's text and draws nothing, so whole games take seconds.
"""

from __future__ import annotations

from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode
from werkzeug.test import Client, TestResponse

from service.referee.use_cases import NewTable, Referee
from tests.support.document import fields_of

ORIGIN = "http://localhost"


def text_of(node: LexborNode) -> str:
    """All text of an element, on one line."""
    return " ".join(node.text().split())


def contains(node: LexborNode, text: str) -> bool:
    """Whether an element's text contains `text`, in any case."""
    return text.casefold() in text_of(node).casefold()


def is_named(node: LexborNode, name: str) -> bool:
    """Whether an element's label is exactly `name`, or, without a label, its text or that of a part."""
    label = node.attributes.get("aria-label")
    return label == name if label else any(text_of(part) == name for part in (node, *node.css("*")))


class TextBrowser:
    """Shows one page at a time. Any final status other than 200 fails the test."""

    def __init__(self, client: Client, referee: Referee) -> None:
        self.client = client
        self.referee = referee
        self.address = "/"
        self.page = LexborHTMLParser("")
        self.field_values: dict[str, str] = {}

    def _show(self, answer: TestResponse) -> None:
        assert answer.status_code == 200, (answer.request.path, answer.status_code, answer.text[-2000:])
        self.address = answer.request.url.removeprefix(ORIGIN)
        self.page = LexborHTMLParser(answer.text)
        self.field_values = {}

    def open(self, path: str) -> None:
        """Go to an address."""
        self._show(self.client.get(path, base_url=ORIGIN, follow_redirects=True))

    def sit(self, table: NewTable) -> None:
        """Sit at a table as its host."""
        path = f"/t/{table.table.id}"
        self.client.set_cookie("keys", f"host.{table.keys.host}", path=path)
        self.open(path)

    def all(self, css: str) -> list[LexborNode]:
        """The elements that a CSS selector finds."""
        return self.page.css(css)

    def one(self, css: str, text: str = "", *, within: LexborNode | None = None) -> LexborNode:
        """The first element that a selector finds whose text contains `text`."""
        there = self.page.css(css) if within is None else within.css(css)
        found = [node for node in there if contains(node, text)]
        assert found, (self.address, css, text, list(map(text_of, there)))
        return found[0]

    def one_named(self, css: str, name: str, *, within: LexborNode | None = None) -> LexborNode:
        """The first element that a selector finds with exactly this name."""
        there = self.page.css(css) if within is None else within.css(css)
        found = [node for node in there if is_named(node, name)]
        assert found, (self.address, css, name, list(map(text_of, there)))
        return found[0]

    def says(self, css: str) -> str:
        """The text of the first element that a selector finds."""
        return text_of(self.one(css))

    def fill(self, name: str, value: str) -> None:
        """Fill in a field of the next form."""
        fields = self.all(f"[name='{name}']")
        assert fields, f"no field {name}"
        offered = [one for field in fields for one in (field.css("option") or field.css("[type=radio]"))]
        assert not offered or value in [one.attributes["value"] for one in offered], (name, value)
        self.field_values[name] = value

    def tap(self, node: LexborNode) -> None:
        """Follow a link, or send a button's form."""
        if node.tag == "a":
            self.open(urljoin(self.address, node.attributes["href"]))
            return
        form = node.parent
        while form is not None and form.tag != "form":
            form = form.parent
        assert form is not None, "a button of no form does nothing without a script"
        assert form.attributes["method"] == "post"
        sent = fields_of(form) | self.field_values
        if "name" in node.attributes:
            sent[node.attributes["name"] or ""] = node.attributes.get("value") or ""
        action = urljoin(self.address, node.attributes.get("formaction") or form.attributes["action"])
        path = action.partition("#")[0]
        self._show(
            self.client.post(path, base_url=ORIGIN, data=sent, headers={"Origin": ORIGIN}, follow_redirects=True)
        )

    def pick(self, group: str, name: str) -> None:
        """Tap a choice of a list, by the list's title and the choice's name."""
        title = self.one_named("h3", group)
        self.tap(self.one_named(f"[aria-labelledby='{title.id}'] a", name))
