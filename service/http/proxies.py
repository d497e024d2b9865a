"""Proxies in front of the service: which ones it trusts to name the client, and the port in its links.

A proxy names its client in ``X-Forwarded-*``, but anybody can write the same. So the service checks each hop: its own
peer must be in the networks of the proxies, and so must each proxy that called another proxy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from flask import request
from werkzeug.http import parse_list_header
from werkzeug.middleware.proxy_fix import ProxyFix

from service.addresses import Network, within

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SCHEMES: Final = frozenset({"http", "https"})
FOR: Final = "HTTP_X_FORWARDED_FOR"
PROTO: Final = "HTTP_X_FORWARDED_PROTO"
FORWARDED_PORT: Final = "HTTP_X_FORWARDED_PORT"
NUMBER: Final = re.compile(r"[1-9][0-9]{0,4}")
PORT: Final = re.compile(r":([0-9]+)\Z")
BY_PROXY: Final = "bastide.proxy_port"
"""The key in a request's environment for the port that the proxy sent: empty if it sent none."""
BEFORE: Final = "werkzeug.proxy_fix.orig"


class ForwardedHeaders:
    """Applies the ``X-Forwarded-*`` headers that trusted proxies have written, and ignores all others.

    The chain has at most `most` proxies, each with an address in one of these networks.
    """

    def __init__(self, application: WSGIApplication, most: int, networks: Sequence[Network]) -> None:
        self._most = most
        self._trusts = within(networks)
        self._by_hops: list[WSGIApplication] = [
            application,
            *(ProxyFix(application, n, n, n) for n in range(1, most + 1)),
        ]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if '"' in environ.get(FOR, ""):  # a quote from the client would hide what the proxy adds
            environ[FOR] = environ[FOR].replace('"', "")
        hops = self._hops(environ)
        if hops:
            if _header_at_hop(environ, PROTO, hops) not in SCHEMES:
                environ.pop(PROTO, None)
            port = _header_at_hop(environ, FORWARDED_PORT, hops)
            environ[BY_PROXY] = port if NUMBER.fullmatch(port) else ""
        return self._by_hops[hops](environ, start_response)

    def _hops(self, environ: WSGIEnvironment) -> int:
        """The number of trusted proxies that a request passed."""
        came = parse_list_header(environ.get(FOR, ""))
        hops, at = 0, environ.get("REMOTE_ADDR", "")
        while hops < self._most and self._trusts(at):
            hops += 1
            if hops > len(came):
                break
            at = came[-hops]
        return min(hops, max(1, len(came)))


def _header_at_hop(environ: WSGIEnvironment, field: str, hops: int) -> str:
    """The value from the proxy `hops` away; empty if that proxy sent none."""
    came = parse_list_header(environ.get(field, ""))
    return came[-hops] if len(came) >= hops else ""


def own_url() -> str:
    """The base URL of the service, such as ``http://192.0.2.7:8000``, as the current request names it.

    A client may name any port. If it is neither ours nor the proxy's, the port that received the request replaces it.
    """
    host, environ = request.host, request.environ
    port_match = PORT.search(host)
    if port_match:
        ours, by_proxy = str(environ.get(BEFORE, environ)["SERVER_PORT"]), environ.get(BY_PROXY)
        if port_match[1] not in (ours, by_proxy):
            right = ours if by_proxy is None else by_proxy
            usual = {"http": "80", "https": "443"}[request.scheme]
            host = host[: port_match.start()] + ("" if right in ("", usual) else f":{right}")
    return f"{request.scheme}://{host}"
