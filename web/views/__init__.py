"""What answers to the addresses of the pages: HTTP only. Each module adds its views to `web.app.web`."""

from web.views import (
    amend,
    ask,
    count,
    disputes,
    here,
    home,
    readings,
    replay,
    reports,
    rules,
    share,
    sheet,
    shell,
    table,
    turns,
)

__all__ = [
    "amend",
    "ask",
    "count",
    "disputes",
    "here",
    "home",
    "readings",
    "replay",
    "reports",
    "rules",
    "share",
    "sheet",
    "shell",
    "table",
    "turns",
]
