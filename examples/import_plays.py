"""Imports plays of another program as results of a group: a file that BG Stats exported (Settings, Backup, Export).

    python import_plays.py http://localhost:8000/ GROUP KEY BGStatsExport.json

GROUP and KEY are the two parts of the group's link, before and after its `#`. The id of each result follows from that
of its play, so a file can be imported again: no play is added twice.
"""

import json
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bastide_client import Bastide

MOST = 2000
"""Results in one request."""


def results(export: Mapping[str, Any], games: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The results of an export; `games` has the id of each game that Bastide knows, by its name in lower case."""
    names = {game["id"]: game["name"] for game in export["games"]}
    people = {player["id"]: player["name"] for player in export["players"]}
    for play in export["plays"]:
        name = names[play["gameRefId"]]
        identity = urlsafe_b64encode(sha256(play["uuid"].encode()).digest()[:16]).decode().rstrip("=")
        players = [
            {"name": people[each["playerRefId"]], "points": points(each["score"]), "won": bool(each["winner"])}
            for each in play["playerScores"]
        ]
        yield {"id": identity, "game": games.get(name.lower(), name), "day": play["playDate"][:10], "players": players}


def points(score: str | None) -> int | None:
    """A score as a whole number; None for others, such as `3+4`."""
    return int(score) if score and score.lstrip("-").isdecimal() else None


def main(address: str, group: str, key: str, file: str) -> None:
    """Import a file, and print the counts of each request."""
    with Bastide(address) as bastide:
        games = {game["name"].lower(): game["id"] for game in bastide.request("GET", "/games")["games"]}
        found = list(results(json.loads(Path(file).read_text("utf-8")), games))
        for first in range(0, len(found), MOST):
            filled = bastide.request(
                "POST", f"/groups/{group}/results", key=key, json={"results": found[first : first + MOST]}
            )
            print(filled["added"])


if __name__ == "__main__":
    main(*sys.argv[1:])
