"""The address by which other phones reach Bastide, for the links and codes that players pass on."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from flask import request

from rules.records import dataclass
from service.http.current import lan_address
from service.http.proxies import PORT, own_url

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # compared with, not listened on
"""The host of a server that listens on all addresses of its machine."""


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The start of a link, such as ``http://192.0.2.7:8000``; `only_here` if no other device can follow it."""

    base: str
    only_here: bool

    @classmethod
    def of_request(cls) -> PublicUrl:
        """The origin of the present request's URL; if its host means the machine itself, with the machine's address in
        its network instead.

        That address is known only where the browser runs on this machine. Through a published port of a container, or
        a forwarded one, the request comes from elsewhere: then this machine's address is not the browser's.
        """
        origin = own_url() if request.host else f"{request.scheme}:"
        name = urlsplit(origin).hostname or ""
        if name and not _is_own(name):
            return cls(origin, only_here=False)
        bind = request.environ.get("SERVER_NAME", "")
        is_local = bind in EVERYWHERE and _is_own(request.remote_addr or "")
        lan = lan_address(bind) if name and is_local else None
        if lan is None:
            return cls(origin, only_here=True)
        port = PORT.search(origin)
        return cls(f"{request.scheme}://{lan}{port[0] if port else ''}", only_here=False)


def _is_own(name: str) -> bool:
    """Whether a host's name or number means the machine itself, in any spelling: localhost with a dot at its end, the
    unspecified address, 127.1, or the same in IPv6.
    """
    name = name.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    with suppress(OSError):
        name = socket.inet_ntoa(socket.inet_aton(name))  # 127.1, 0x7f000001: as the system reads an address
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified
