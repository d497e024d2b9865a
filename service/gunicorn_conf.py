"""An alias: Procfile and unit name this module; gunicorn's settings are in `service.server.gunicorn_conf`."""

from service.server.gunicorn_conf import *  # noqa: F403  # gunicorn reads them all from this module
