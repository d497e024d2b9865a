"""Protects forms against other sites (CSRF): only a page of this host may send a changing request."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import Request

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def is_from_own_page(incoming: Request) -> bool:
    """Whether a request is safe, or comes from a page of this host.

    The Origin has to be this host; if the browser sends none (as old ones do with forms), Sec-Fetch-Site has to be
    ``same-origin``. A client without either is no browser, and programs have the API.
    """
    if incoming.method in SAFE:
        return True
    site = incoming.headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        return False
    origin = incoming.headers.get("Origin")
    if origin is None:
        return site == "same-origin"
    try:
        parts = urlsplit(origin)
    except ValueError:  # an invalid origin is not this host
        return False
    return parts.scheme in ("http", "https") and parts.netloc == incoming.host
