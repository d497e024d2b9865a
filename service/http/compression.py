"""Compresses responses for clients that accept it.

Responses to requests with cookies are compressed, too. Another site could make a browser send such a request, and
measure the length of the response (BREACH). So a response that contains a table's key is marked ``no-transform`` (RFC
9111, 5.2.2.6) and not compressed. No other page contains a secret: forms are protected by their `Origin`. And no
browser sends an API key by itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import brotli  # type: ignore[import-untyped]  # it has no types
from flask import Flask, Response, request
from flask_compress import Compress

from rules.steps import spend
from service.runtime.budget import BYTES

LEAST: Final = 1_000
"""Bytes below which compressing gains nothing: the response fits in one packet anyway."""
ALGORITHMS: Final = ("br", "zstd", "gzip")
"""The smallest first. On plain HTTP browsers take gzip only."""
BROTLI: Final = 5
"""Quality: a page of 70 kB takes a millisecond, and is a sixth smaller than with gzip or zstd at their usual levels."""
GZIP: Final = 9
"""Level: a whole page is 1% smaller than at the usual level, for a millisecond more; a tap costs the same."""
COMPRESSORS: Final[Mapping[str, Callable[[], Any]]] = {
    "br": lambda: brotli.Compressor(quality=BROTLI),
    "gzip": lambda: zlib.compressobj(GZIP, wbits=zlib.MAX_WBITS | 16),
}
"""Content coding -> a compressor for content that is compressed in parts, once, and cached; smallest result first."""
PART: Final = 10_000
"""Bytes of a part; it takes half a millisecond."""
KINDS: Final = (
    "text/html",
    "text/plain",
    "text/csv",
    "application/json",
    "application/yaml",
    "application/schema+json",
    "image/svg+xml",
)


def init_app(app: Flask) -> None:
    """Compress the responses of an application, except those that must stay as they are."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=list(ALGORITHMS),
        COMPRESS_BR_LEVEL=BROTLI,
        COMPRESS_LEVEL=GZIP,
        COMPRESS_MIMETYPES=list(KINDS),
        COMPRESS_MIN_SIZE=LEAST,
        COMPRESS_STREAMS=False,
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,
    )
    compress = Compress(app)

    @app.after_request
    def compress_response(response: Response) -> Response:
        if response.status_code == HTTPStatus.NO_CONTENT:
            return response
        if (
            response.status_code == HTTPStatus.NOT_MODIFIED  # it has no content, and varies as the content would
            or response.cache_control.no_transform
            or request.accept_encodings.best_match(ALGORITHMS) is None
        ):
            response.vary.add("Accept-Encoding")
            return response
        tag = response.headers.get("ETag")
        response = compress.after_request(response)
        if tag is not None:  # the version of a table, in any coding: clients send it back in `If-Match`
            response.headers["ETag"] = tag
        return response


def compress_content(content: bytes, coding: str) -> bytes:
    """Compress content with one of the codings of `COMPRESSORS`. The worker yields to other requests between parts."""
    compressor = COMPRESSORS[coding]()
    add, end = (compressor.process, compressor.finish) if coding == "br" else (compressor.compress, compressor.flush)
    parts = []
    for start in range(0, len(content), PART):
        parts.append(add(content[start : start + PART]))
        spend(PART // BYTES)
    return b"".join([*parts, end()])
