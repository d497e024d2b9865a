"""What people read about the service: the contract, plain and readable, the pages of the problems, and its health."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from flask import Blueprint, Response, render_template
from markupsafe import Markup, escape

from service import contract, texts
from service.errors import PROBLEMS, RequestError, StoreAway
from service.referee import Referee
from service.responses import language, reply

METHODS: Final = ("get", "post", "put", "patch", "delete")


class Reference:
    """The views."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee

    def contract(self) -> Response:
        """The API's description, as it is."""
        return Response(contract.text(), content_type="application/yaml; charset=utf-8", headers=_kept())

    def docs(self) -> Response:
        """The API's description, readable."""
        description = contract.description()
        return _page("docs.html", description=description, operations=operations(description))

    def problems(self) -> Response:
        """All kinds of problems."""
        return _page("problems.html", problems=PROBLEMS)

    def problem(self, slug: str) -> Response:
        """What a kind of problem means, in every language: whoever follows a link to it may read any."""
        if slug not in PROBLEMS:
            raise RequestError("not-found")
        spoken = language()
        order = (spoken, *(other for other in texts.LANGUAGES if other != spoken))
        wordings = [(each, texts.own(each)["problems"][slug]) for each in order]
        return _page("problem.html", slug=slug, status=PROBLEMS[slug], wordings=wordings)

    def live(self) -> Response:
        """Whether the process lives: nothing else is asked."""
        return reply({"status": "ok"}, spoken=language(), cache="no-store", vary="Accept-Language")

    def ready(self) -> Response:
        """Whether the store answers."""
        if not self.referee.ready():
            raise StoreAway
        return self.live()


def _kept() -> dict[str, str]:
    return {"Cache-Control": "public, max-age=300"}


def _page(name: str, **values: Any) -> Response:
    spoken = language()
    page = render_template(f"docs/{name}", spoken=spoken, words=texts.own(spoken), **values)
    headers = {"Content-Language": spoken, "Vary": "Accept-Language"} | _kept()
    return Response(page, content_type="text/html; charset=utf-8", headers=headers)


def operations(description: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations of a description in their order, references resolved one level deep."""
    found = []
    for path, item in description["paths"].items():
        for method in METHODS:
            if method in item:
                operation = item[method]
                parameters = [*item.get("parameters", ()), *operation.get("parameters", ())]
                found.append(
                    operation
                    | {
                        "method": method.upper(),
                        "path": path,
                        "parameters": [resolved(each, description) for each in parameters],
                        "responses": {
                            status: resolved(each, description) for status, each in operation["responses"].items()
                        },
                    }
                )
    return found


def resolved(value: dict[str, Any], description: dict[str, Any]) -> dict[str, Any]:
    """What a reference refers to, or the value itself."""
    if "$ref" not in value:
        return value
    target: Any = description
    for step in value["$ref"].split("/")[1:]:
        target = target[step]
    found: dict[str, Any] = target
    return found


def prose(text: str) -> Markup:
    """A description's text as paragraphs, with its `code`, **strong** and *stressed* words."""
    marked = str(escape(text.strip()))
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    marked = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)
    marked = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", marked)
    paragraphs = re.split(r"\n\s*\n", marked)
    return Markup("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))  # noqa: S704  # escaped above


def shape(value: Any, description: dict[str, Any]) -> Markup:
    """A value or a shape as JSON, where the names of other shapes lead to them."""
    written = str(escape(json.dumps(value, ensure_ascii=False, indent=2)))
    linked = written
    for name in description["components"]["schemas"]:
        quoted = f"&#34;#/components/schemas/{escape(name)}&#34;"
        linked = linked.replace(quoted, f'<a href="#shape-{escape(name)}">{escape(name)}</a>')
    return Markup(linked)  # noqa: S704  # escaped above


def blueprint(referee: Referee, prefix: str) -> Blueprint:
    """The routes: the contract and its page under the API's prefix, the rest where clients look for it."""
    views = Reference(referee)
    pages = Blueprint(
        "docs", __name__, template_folder="templates", static_folder="static", static_url_path=f"{prefix}/static"
    )
    pages.add_app_template_filter(prose, "prose")
    pages.add_app_template_global(shape, "shape")
    for rule, name, view in (
        (f"{prefix}/openapi.yaml", "contract", views.contract),
        (f"{prefix}/docs", "docs", views.docs),
        ("/problems", "problems", views.problems),
        ("/problems/<slug>", "problem", views.problem),
        ("/livez", "live", views.live),
        ("/readyz", "ready", views.ready),
    ):
        pages.add_url_rule(rule, name, view)
    return pages
