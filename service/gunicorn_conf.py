"""Where Procfile and unit look for gunicorn's settings: they stand in `service.server.gunicorn_conf`."""

from service.server.gunicorn_conf import *  # noqa: F403  # gunicorn reads them all from this module
