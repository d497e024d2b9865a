"""What people read about the service: the contract, plain and readable, the pages of the problems, and its health."""

from __future__ import annotations

import json
import re
from typing import Final

from flask import Blueprint, Response, render_template
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound

from service import contract, texts
from service.api import PREFIX, not_too_often
from service.contract import OpenApi
from service.current import referee
from service.datatypes import Json
from service.errors import StoreAway
from service.problems import PROBLEMS
from service.responses import language, reply

METHODS: Final = ("get", "post", "put", "patch", "delete")


docs: Final = Blueprint(
    "docs", __name__, template_folder="templates", static_folder="static", static_url_path=f"{PREFIX}/static"
)


docs.before_request(not_too_often)


@docs.get(f"{PREFIX}/openapi.yaml")
def read_contract() -> Response:
    """The API's description."""
    return Response(contract.served(), content_type="application/yaml; charset=utf-8", headers=_kept())


@docs.get(f"{PREFIX}/docs")
def read_docs() -> Response:
    """The API's description, readable."""
    description = contract.description()
    return _page("docs.html", description=description, operations=operations(description))


@docs.get("/problems")
def list_problems() -> Response:
    """All kinds of problems."""
    return _page("problems.html", problems=PROBLEMS)


@docs.get("/problems/<kind>")
def read_problem(kind: str) -> Response:
    """What a kind of problem means, in every language: whoever follows a link to it may read any."""
    if kind not in PROBLEMS:
        raise NotFound
    spoken = language()
    order = (spoken, *(other for other in texts.LANGUAGES if other != spoken))
    wordings = [(each, texts.own(each)["problems"][kind]) for each in order]
    return _page("problem.html", slug=kind, status=PROBLEMS[kind], wordings=wordings)


@docs.get("/livez")
def live() -> Response:
    """Whether the process lives: nothing else is asked."""
    return reply({"status": "ok"}, spoken=language(), cache="no-store", vary="Accept-Language")


@docs.get("/readyz")
def ready() -> Response:
    """Whether the store answers, and the worker is not ending."""
    if not referee().ready():
        raise StoreAway
    return live()


def _kept() -> dict[str, str]:
    return {"Cache-Control": "public, max-age=300"}


def _page(name: str, **values: object) -> Response:
    spoken = language()
    page = render_template(f"docs/{name}", spoken=spoken, words=texts.own(spoken), **values)
    headers = {"Content-Language": spoken, "Vary": "Accept-Language"} | _kept()
    return Response(page, content_type="text/html; charset=utf-8", headers=headers)


def operations(description: OpenApi) -> list[OpenApi]:
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


def resolved(value: OpenApi, description: OpenApi) -> OpenApi:
    """What a reference refers to, or the value itself."""
    if "$ref" not in value:
        return value
    target = description
    for step in value["$ref"].split("/")[1:]:
        target = target[step]
    return target


@docs.app_template_filter("prose")
def prose(text: str) -> Markup:
    """A description's text as paragraphs, with its `code`, **strong** and *stressed* words."""
    marked = str(escape(text.strip()))
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    marked = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)
    marked = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", marked)
    paragraphs = re.split(r"\n\s*\n", marked)
    return Markup("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))  # noqa: S704  # escaped above


@docs.app_template_global("shape")
def shape(value: Json, description: OpenApi) -> Markup:
    """A value or a shape as JSON, where the names of other shapes lead to them."""
    written = str(escape(json.dumps(value, ensure_ascii=False, indent=2)))
    linked = written
    for name in description["components"]["schemas"]:
        quoted = f"&#34;#/components/schemas/{escape(name)}&#34;"
        linked = linked.replace(quoted, f'<a href="#shape-{escape(name)}">{escape(name)}</a>')
    return Markup(linked)  # noqa: S704  # escaped above
