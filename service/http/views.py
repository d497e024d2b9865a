"""The blueprint of the API with all its views: each module adds those of its resource."""

from service.http import disputes, events, games, groups, limits, public_views, tables
from service.http.api import api

__all__ = ["api", "disputes", "events", "games", "groups", "limits", "public_views", "tables"]
