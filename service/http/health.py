"""The health probes: `/livez`, whether the process is alive, and `/readyz`, whether it can work."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response

from service import __version__
from service.http.api import count_request
from service.http.current import referee
from service.http.request import query
from service.http.responses import language, reply
from service.schemas import READINESS_QUERY

health: Final = Blueprint("health", __name__)

health.before_request(count_request)


@health.get("/livez")
def live() -> Response:
    """Answer that the process is alive, and its version, without checking anything else."""
    return reply({"status": "ok", "version": __version__}, lang=language(), cache="no-store", vary="Accept-Language")


@health.get("/readyz")
def ready() -> Response:
    """Whether Redis accepts moves, or the rules can give rulings, and the worker is not shutting down."""
    referee().require_ready(query(READINESS_QUERY)["for"])
    return live()
