"""``bastide serve``: runs the service on this machine, with a private Redis unless REDIS_URL names one."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import Final, NoReturn, TextIO

from service.config import Settings, bind_error
from service.errors import StoreAway
from service.startup import KEEPER_VARIABLE, SERVED_VARIABLE, CannotServe, NoServer, Unfit
from service.storage.ledger import Ledger
from service.storage.private_redis.keeper_start import Keeper
from service.storage.private_redis.supervisor import PrivateRedis

APPLICATION: Final = "service.app:create_app()"


def serve(settings: Settings, out: TextIO = sys.stdout) -> NoReturn:
    """Become the server, in this same process: its signals are ours. Raises `CannotServe`."""
    _check(settings)
    environment = os.environ | {"PORT": str(settings.port), SERVED_VARIABLE: "1"}
    try:
        if settings.redis_url:
            with closing(Ledger(settings.redis_url, replicas=settings.replicas)) as ledger:
                print(*ledger.check(settings.fsync), sep="\n", file=out, flush=True)
        else:
            _private_redis(settings, environment, out)
    except (NoServer, Unfit) as error:
        raise CannotServe(str(error)) from error
    except StoreAway as error:
        raise CannotServe(f"The Redis of REDIS_URL cannot be used yet: {error}") from error
    command = [sys.executable, "-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", APPLICATION]
    os.execve(sys.executable, command, environment)  # noqa: S606 - our own server


def _check(settings: Settings) -> None:
    if reason := bind_error(settings.bind, settings.port):
        raise CannotServe(
            f"Port {settings.port} of {settings.bind} cannot be used ({reason}): choose another with PORT, "
            "or with BASTIDE_BIND another address of this machine."
        )


def _private_redis(settings: Settings, environment: dict[str, str], out: TextIO) -> None:
    """Start or join the private Redis, and put it and its keeper into the environment. Raises `NoServer`."""
    private = PrivateRedis(settings.data)
    environment |= {"REDIS_URL": private.url, KEEPER_VARIABLE: str(Keeper.start(str(private.folder)))}
    with closing(Ledger(private.url)) as ledger:
        print(*ledger.check(), f"Games are kept in {private.folder}", sep="\n", file=out, flush=True)
