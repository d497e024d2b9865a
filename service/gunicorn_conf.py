"""gunicorn's settings: ``gunicorn --config python:service.gunicorn_conf 'service.app:create_app()'`` (see Procfile).

Threads, and enough of them: a phone that asks for news or sits idle holds one for a while, and with a handful of
threads two hundred idle phones silence the service for good.
"""

from __future__ import annotations

import gc
from contextlib import closing
from pathlib import Path
from typing import Any

from service.config import Settings
from service.errors import StoreAway
from service.ledger import Ledger
from service.startup import BadSetting, Unfit

try:
    _settings = Settings.of()
except BadSetting as error:
    raise SystemExit(str(error)) from error

chdir = str(Path(__file__).resolve().parent.parent)
"""Where our own packages are: gunicorn looks for the application here first."""
bind = f"0.0.0.0:{_settings.port}"
worker_class = "gthread"
workers = _settings.workers
threads = _settings.threads
worker_connections = 1000
keepalive = 5
graceful_timeout = 8
control_socket_disable = True
"""No socket in the user's home through which a running server can be changed."""
forwarded_allow_ips = ""
"""Nobody is believed about https here: the application itself looks at the proxies it was told to trust."""
limit_request_line = 4094
limit_request_fields = 64
if Path("/dev/shm").is_dir():  # noqa: S108 - the workers' signs of life, which a slow disk must not delay
    worker_tmp_dir = "/dev/shm"  # noqa: S108 - see above


def post_worker_init(_: Any) -> None:
    """What was loaded stays: the collector of garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()


def on_starting(server: Any) -> None:
    """Refuse to start without a store, or on one that would lose games. One that is only away may come yet."""
    if not _settings.redis_url:
        raise SystemExit("REDIS_URL is not set. `bastide serve` starts a private Redis; gunicorn alone does not.")
    try:
        with closing(Ledger(_settings.redis_url)) as ledger:
            ledger.check()
    except Unfit as error:
        raise SystemExit(str(error)) from error
    except StoreAway as error:
        server.log.warning("Redis does not answer yet: %s", error)
