"""What answers to the addresses of the pages: HTTP only. Each module adds its views to `web.app.web`."""

from web.views import count, home, share, table

__all__ = ["count", "home", "share", "table"]
