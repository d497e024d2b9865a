"""The views of documentation: the contract, plain and readable, and the pages of the problems."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

import orjson
from flask import Blueprint, Response, current_app, render_template, request
from markupsafe import Markup, escape
from werkzeug.exceptions import NotFound

from rules.steps import spend
from service.http import compression, openapi
from service.http.api import PREFIX, count_request
from service.http.docs.reference import chapters, resolve
from service.http.problems import PROBLEMS
from service.http.request import JSON
from service.http.responses import accepted_formats, language, reply
from service.i18n.grammar import service_words
from service.i18n.languages import LANGUAGES
from service.runtime.budget import BYTES
from service.runtime.first_use import Once
from service.schemas.parsing import encode
from service.types import Json

HTML_TYPE: Final = "text/html"
HTML: Final = f"{HTML_TYPE}; charset=utf-8"
PUBLIC: Final = "public, max-age=300"
REFERENCE: Final = re.compile("&#34;#/components/schemas/([^&]+)&#34;")
"""A reference from one schema to another, in escaped JSON."""

ALONE: Final = re.compile(r"\{\s*&#34;\$ref&#34;: (<a .*</a>)\s*\}")
"""A schema that is a bare reference."""

docs: Final = Blueprint(
    "docs", __name__, template_folder="templates", static_folder="static", static_url_path=f"{PREFIX}/static"
)


docs.before_request(count_request)


@docs.get(f"{PREFIX}/openapi.yaml")
def read_contract() -> Response:
    """The API's description."""
    return _contract_response(None, "application/yaml; charset=utf-8", {})


@docs.get(f"{PREFIX}/docs")
def read_docs() -> Response:
    """The API's description, readable."""
    lang = language()
    return _contract_response(lang, HTML, {"Content-Language": lang, "Vary": "Accept-Language"})


@docs.get("/problems")
def list_problems() -> Response:
    """All kinds of problems, as a page or as JSON."""
    if _prefers_json():
        return _json_reply(lambda lang: {"problems": [_kind_json(kind, lang) for kind in PROBLEMS]})
    return _page("problems.html", problems=PROBLEMS)


@docs.get("/problems/<kind>")
def read_problem(kind: str) -> Response:
    """A problem as JSON, or a page in every language, since a reader in any language may follow a link to it."""
    if kind not in PROBLEMS:
        raise NotFound
    if _prefers_json():
        return _json_reply(lambda lang: _kind_json(kind, lang))
    lang = language()
    order = (lang, *(other for other in LANGUAGES if other != lang))
    wordings = [(each, service_words(each)["problems"][kind]) for each in order]
    return _page("problem.html", slug=kind, status=PROBLEMS[kind], wordings=wordings)


def _prefers_json() -> bool:
    return accepted_formats().best_match((HTML_TYPE, JSON)) == JSON


def _json_reply(answer_in: Callable[[str], Json]) -> Response:
    lang = language()
    return reply(answer_in(lang), lang=lang, cache=PUBLIC, vary="Accept, Accept-Language")


def _kind_json(kind: str, lang: str) -> Json:
    words = service_words(lang)["problems"][kind]
    return {"type": f"/problems/{kind}", "status": PROBLEMS[kind], "title": words["title"], "about": words["about"]}


def _cache_headers() -> dict[str, str]:
    return {"Cache-Control": PUBLIC}


def _page(name: str, **values: object) -> Response:
    lang = language()
    page = render_template(f"docs/{name}", lang=lang, words=service_words(lang), **values)
    headers = {"Content-Language": lang, "Vary": "Accept, Accept-Language"} | _cache_headers()
    return Response(page, content_type=HTML, headers=headers)


def _contract_response(lang: str | None, content_type: str, headers: Mapping[str, str]) -> Response:
    """The contract as a page in a language, or as YAML; compressed if the client accepts it, 304 if it has a copy."""
    coding = request.accept_encodings.best_match(compression.COMPRESSORS)
    content, tag = _compressed_contract(lang, coding)
    if request.if_none_match.contains_weak(tag):
        response = Response(status=HTTPStatus.NOT_MODIFIED, headers={**headers, **_cache_headers()})
    else:
        response = Response(content, content_type=content_type, headers={**headers, **_cache_headers()})
        if coding is not None:
            response.headers["Content-Encoding"] = coding
    response.vary.add("Accept-Encoding")
    response.set_etag(tag, weak=True)  # each coding has other bytes
    return response


@Once
def _compressed_contract(lang: str | None, coding: str | None) -> tuple[bytes, str]:
    """The contract as `_contract_response` sends it, and its entity tag."""
    content = openapi.served_text().encode() if lang is None else contract_page(lang)
    compressed_content = content if coding is None else compression.compress_content(content, coding)
    return compressed_content, hashlib.sha256(content).hexdigest()[:16]


@Once
def contract_page(lang: str) -> bytes:
    """The contract as a page in a language. The worker yields to other requests between its parts."""
    description = openapi.description()
    template = current_app.jinja_env.get_template("docs/docs.html")
    values = {"description": description, "chapters": chapters(description), "resolve": resolve}
    parts = []
    for part in template.generate(lang=lang, words=service_words(lang), **values):
        spend(1 + len(part) // BYTES)
        parts.append(part)
    return "".join(parts).encode()


@docs.app_template_filter("prose")
def prose(text: str) -> Markup:
    """Format a description as paragraphs, with `code`, **strong** and *stressed* words."""
    marked = str(escape(text.strip()))
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    marked = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)
    marked = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", marked)
    paragraphs = re.split(r"\n\s*\n", marked)
    return Markup("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))  # noqa: S704  # escaped above


@docs.app_template_filter("shape")
def shape(value: Json) -> Markup:
    """Format a value or a schema as JSON, with links to the schemas that it names.

    A bare reference becomes the link alone; a text stays as it is.
    """
    if isinstance(value, str):
        return Markup("<pre>{}</pre>").format(value)
    written = str(escape(encode(value, orjson.OPT_INDENT_2).decode()))
    linked = REFERENCE.sub(r'<a href="#shape-\1">\1</a>', written)
    alone = ALONE.fullmatch(linked)
    return Markup(f"<p><code>{alone[1]}</code></p>" if alone else f"<pre>{linked}</pre>")  # noqa: S704  # escaped above
