"""The address under which other phones reach Bastide, for the links and codes that are handed on."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from flask import request

from service.current import lan_address

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # compared with, not listened on
"""What a server that listens on all of its machine's addresses names as its own."""


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """Where a link begins, such as ``http://192.0.2.7:8000``; `only_here` where no other device can follow it."""

    base: str
    only_here: bool

    @classmethod
    def now(cls) -> PublicUrl:
        """What the present request was sent to; for localhost, this machine's address in its network."""
        asked = request.host_url.rstrip("/")
        if not _is_loopback(urlsplit(asked).hostname or ""):
            return cls(asked, only_here=False)
        lan = lan_address() if request.environ.get("SERVER_NAME") in EVERYWHERE else None
        if lan is None:
            return cls(asked, only_here=True)
        return cls(f"http://{lan}:{request.environ['SERVER_PORT']}", only_here=False)


def _is_loopback(name: str) -> bool:
    """Whether a host's name or number is what a machine calls itself."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
