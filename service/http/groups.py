"""The JSON views of groups: create a group, read it with its statistics, add and remove results."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from service import schemas
from service.groups.statistics import PlayerStatistics, compute_statistics
from service.http.api import PREFIX, api
from service.http.current import groups
from service.http.proxies import own_url
from service.http.request import BULK, bearer, body, idempotency_key, query
from service.http.responses import etag, language, reply
from service.tables.results import Group, result_json
from service.types import JsonObject


@api.post("/groups")
def found_group() -> Response:
    """Create a group."""
    group, key = groups().create(schemas.load(schemas.GROUP_NAME_BODY, body())["name"])
    headers = {"Location": f"{PREFIX}/groups/{group.id}", "ETag": etag(group.version)}
    answer = _group(group) | {"key": key, "link": f"{own_url()}/g/{group.id}#{key}"}
    return reply(answer, 201, lang=language(), headers=headers, cache="no-store")


@api.get("/groups/<group_id>")
def read_group(group_id: str) -> Response:
    """A group's results and statistics."""
    query()
    return _answer(groups().group(group_id, bearer()))


@api.post("/groups/<group_id>/results")
def keep_results(group_id: str) -> Response:
    """Add results: none is stored twice, and none replaces another."""
    use, key = groups(), bearer()
    use.group(group_id, key)
    results = tuple(schemas.with_ids(schemas.load(schemas.RESULTS, body(BULK))["results"]))
    now = use.import_results(group_id, key, results, idempotency_key())
    done = {"new": now.new_count, "back": now.restored_count, "differing": now.conflict_count}
    return _answer(now.group, {"added": done})


@api.delete("/groups/<group_id>/results/<int:number>")
def take_out_result(group_id: str, number: int) -> Response:
    """Remove a result."""
    groups().remove_result(group_id, bearer(), number)
    return Response(status=204)


def _answer(group: Group, more: JsonObject | None = None) -> Response:
    return reply(_group(group) | (more or {}), lang=language(), headers={"ETag": etag(group.version)}, cache="no-store")


def _group(group: Group) -> JsonObject:
    """A group with the results that count, and their statistics."""
    counted = compute_statistics(group.counting_results)
    return {
        "id": group.id,
        "name": group.name,
        "version": group.version,
        "expires_at": group.expires_at,
        "results": [{"number": number, **result_json(result)} for number, result in group.counting_results.items()],
        "statistics": {
            "played": counted.played,
            "players": _players_json(counted.players),
            "games": [
                {
                    "game": each.game,
                    "played": each.played,
                    "players": _players_json(each.players),
                    "best": each.best and {"names": each.best[0], "points": each.best[1]},
                    "clearest": each.clearest and {"numbers": each.clearest[0], "margin": each.clearest[1]},
                }
                for each in counted.games
            ],
        },
    }


def _players_json(tallies: Sequence[PlayerStatistics]) -> list[JsonObject]:
    return [
        {
            "name": each.name,
            "played": each.played,
            "won": each.won,
            "streak": each.streak,
            "longest_streak": each.longest_streak,
            "average": each.average,
            "best": each.best,
        }
        for each in tallies
    ]
