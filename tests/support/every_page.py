"""Every page by its address, and the tables and the group that these addresses name.

`tests/e2e/test_access.py` examines each page in a browser. `tests/web/test_every_page.py` checks that none is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from rules import GAMES
from rules.architekton.state import BuildingTile, LandscapeTile, Position
from service import schemas
from service.groups.groups import Groups
from service.judgements import AttemptedMove
from service.referee.access import ViewRequest
from service.referee.dispute import DisputeSubject
from service.referee.repository import ChangeRequest
from service.referee.use_cases import NewTable, Referee
from service.tables.public_views import id_of
from tests.e2e.game import MOVES
from tests.support.forms import FILLED_FIELDS
from tests.support.tables import open_table
from web.games import all_pages
from web.games.architekton.entry import blank
from web.position_url import Trail, step_of

# --- addresses; a name in braces is that of a table, or of the group -----------------------------------------------

TABLE: Final[Mapping[str, str]] = {
    "idle": "/t/{going}",
    "placed": "/t/{going}?done=3",
    "places": "/t/{going}?kind=house",
    "choice": "/t/{going}?at=d4",
    "ways": "/t/{going}?at=c5&kind=nave",
    "legal": "/t/{going}?move=h+d4",
    "refused": "/t/{going}?move=h+g5",
    "not a move": "/t/{going}?move=x",
    "zoomed": "/t/{going}?zoom=e5",
    "zoomed choice": "/t/{going}?zoom=e5&at=f4",
    "score": "/t/{going}/score",
    "score lit": "/t/{going}/score?show=VF-60.black",
    "log": "/t/{going}/moves",
    "entry": "/t/{going}/moves?entry=4",
    "chart": "/t/{going}/moves?entry=21&do=chart",
    "turns": "/t/{going}/turns",
    "share": "/t/{going}/share",
    "join": "/t/{going}/join",
    "join by a code": "/join",
    "first tour": "/t/{going}?tour=1",
    "ended": "/t/{ended}",
    "ended score": "/t/{ended}/score",
    "again": "/t/{ended}/again",
    "phases": "/t/{phases}",
    "a phase asked about": "/t/{phases}?kind=next",
    "many": "/t/{many}",
    "many score": "/t/{many}/score",
    "many log": "/t/{many}/moves",
    "many chart": "/t/{many}/moves?entry=271&do=chart",
}
"""The pages of tables, from the first tap to the end."""
REMEDY_PAGES: Final[Mapping[str, str]] = {
    "readings": "/t/{going}/readings",
    "amend": "/t/{going}/amend?entry=4&do=insert",
    "amend by text": "/t/{phases}/amend?entry=4&do=insert",
    "preview": "/t/{going}/amend/preview?entry=3&do=delete",
    "here": "/t/{going}/here",
    "here to settle": "/t/{disputed}/disputes/1/here",
    "what if": "/t/{going}/what-if",
    "what if this": "/t/{going}/what-if?move=h+c4",
    "then": "/t/{many}/then?entry=40",
    "raise a dispute": "/t/{disputed}/disputes/new?entry=4",
    "dispute": "/t/{disputed}/disputes/1",
    "no dispute": "/t/{disputed}/disputes/9",
}
"""The pages that correct something at a table."""
RESULTS: Final[Mapping[str, str]] = {
    "sheet": "/t/{going}/sheet",
    "many on a sheet": "/t/{many}/sheet",
    "result": "/t/{ended}/result",
    "no result": "/t/{going}/result",
    "groups": "/g",
    "group": "/g/{group}?out=3",
    "group after an import": "/g/{group}?come=2&back=1&differing=2",
    "share a group": "/g/{group}/share",
    "join a group": "/g/{group}/join",
    "leave a group": "/g/{group}/leave",
    "clear a group": "/g/{group}/clear",
    "write a result": "/g/{group}/add",
}
"""The pages of results and groups."""
SEVEN: Final = tuple(LandscapeTile((2 * (n % 2) + n // 2 % 2, n // 2), "water") for n in range(7))


def count_of_tiles(landscapes: tuple[LandscapeTile, ...]) -> str:
    """The address of a count with these landscapes, and buildings between them."""
    nothing = blank()
    buildings = tuple(BuildingTile((x + 1, y), "EMWF", "dark") for (x, y), _ in map(astuple, landscapes))
    count = replace(nothing, position=Position(landscapes, buildings))
    return f"/count/architekton/{Trail((step_of(count),)).text()}"


COUNTS: Final[Mapping[str, str]] = {
    "count": "/count/robber_knights",
    "count choice": "/count/villefranche?at=d4",
    "count zoomed": "/count/villefranche?at=d4&zoom=d4",
    "count sides": f"{count_of_tiles(SEVEN[:2])}?at=1,0&kind=2",
    "count of a villa": "/count/villa_paletti?at=red.big.0",
    "count painted": "/count/villefranche?brush=black-shop&at=c4",
    "count of lords": "/count/fief?at=sennecy",
    "count problem": count_of_tiles(SEVEN),
    "no count": "/count/villefranche/x",
    "position to ask about": "/ask/fief",
    "cell to ask about": "/ask/villefranche?at=c4",
    "no question": "/ask/villefranche/x/move",
}
"""The pages of counts and questions."""
RULES: Final[Mapping[str, str]] = {
    "games with rules": "/rules",
    "rules by chapter": "/rules/fief",
    "rules that are due": "/rules/villefranche?phase=town",
    "rules found": "/rules/villefranche?q=second+church",
    "rule": "/rules/villefranche/VF-64",
    "no rule": "/rules/villefranche/VF-999",
    "cases": "/rules/villefranche/cases",
    "case": "/rules/villefranche/cases/VF-C1",
    "no connection": "/app/fr/offline",
}
"""The pages of rules, and the one that replaces all pages without a connection."""
DOCS: Final[Mapping[str, str]] = {
    "problems": "/problems",
    "problem": "/problems/too-many-requests",
}
"""The pages for programmers: text, whose links are as large as its words."""
FORMS: Final[Mapping[str, str]] = {
    f"form of {game}": f"/?{urlencode({'game': game, **FILLED_FIELDS[game]})}" for game in all_pages()
}
"""The forms that open tables."""
PUBLIC_VIEWS: Final[Mapping[str, str]] = {"public view": "/p/{view}"}
PAGES: Final[Mapping[str, str]] = {
    "home": "/",
    **FORMS,
    **TABLE,
    **PUBLIC_VIEWS,
    **REMEDY_PAGES,
    **RESULTS,
    **COUNTS,
    **RULES,
    **DOCS,
}
ASTRAY: Final = frozenset({"no dispute", "no result", "no count", "no question", "no rule"})
"""Pages that report something missing."""

NO_PAGES: Final[Mapping[str, frozenset[str]]] = {
    "files that pages load": frozenset({
        "web.static", "web.script", "web.inks", "web.portrait", "web.worker", "web.manifest", "web.ahead",
        "web.case_board", "web.board_picture", "docs.static", "public.drawing",
    }),
    "files to be kept": frozenset({
        "web.sheet_text", "web.log_text", "web.sheet_csv", "web.sheet_json", "web.sheet_picture", "web.export_group",
        "web.export_played",
        "web.table_case", "web.ask_case", "docs.read_contract",
    }),
    "the style of the problems' pages, at a length that takes minutes to look at": frozenset({"docs.read_docs"}),
    "words for machines": frozenset({"health.live", "health.ready"}),
    "they lead to a page at once": frozenset({
        "web.nothing_to_see", "web.no_form", "web.no_form_of_group", "web.no_form_of_results",
        "web.old_log", "web.old_replay", "web.no_form_of_views", "web.no_form_of_keys",
    }),
}  # fmt: skip
"""Why no page is examined -> endpoints that answer GET. The whole API is for machines, too."""


# --- the tables and the group of these addresses -------------------------------------------------------------------


@dataclass(frozen=True)
class OpenedPlaces:
    """Tables, a group and a public view: their ids by the names in addresses, and the cookies that open them."""

    tables: Mapping[str, NewTable]
    group: str
    key: str
    view: str

    @property
    def ids(self) -> Mapping[str, str]:
        """The ids that replace the names in addresses."""
        return {"group": self.group, "view": self.view, **{name: each.table.id for name, each in self.tables.items()}}

    def cookies(self) -> Iterator[tuple[str, str, str]]:
        """The name, the value and the path of each cookie: the host's keys of all tables, and that of the group."""
        for each in self.tables.values():
            held = {"host": each.keys.host, **each.keys.seats, "watch": each.keys.watch}
            yield "keys", ":".join(f"{role}.{key}" for role, key in held.items()), f"/t/{each.table.id}"
        yield "groups", f"{self.group}.{self.key}", "/"


def open_all(referee: Referee, groups: Groups) -> OpenedPlaces:
    """Open the tables that the addresses name, and found a group with a removed result. One table is in the middle of
    a game, with a forbidden move let stand and moves undone; at one the game has ended. The others have a dispute,
    phases and a public view, or many players.
    """
    tables = {
        "going": _villefranche(referee, *MOVES[:24], "h c5", stood=("h c5",)),
        "ended": _villefranche(referee, *MOVES),
        "disputed": _villefranche(referee, "r b9c9", "r g1h1", "h e3"),
        "phases": open_table(referee, "fief/four_as_a_pair", 43),
        "many": open_table(referee, "fief/five_and_much_stood"),
    }
    going, disputed = tables["going"], tables["disputed"]
    referee.rewind(ChangeRequest(going.table.id, going.keys.host, 26), 24)
    referee.raise_dispute(
        ChangeRequest(disputed.table.id, disputed.keys.host, 4), DisputeSubject(3), "Not out of turn?"
    )
    watched = tables["phases"]
    made = referee.make_view(ChangeRequest(watched.table.id, watched.keys.host, 0), ViewRequest("Club"))
    secret = made.table.views[0].secret(watched.table.id, watched.keys.host) or ""
    group, key = groups.create("Tuesday")
    players = [{"name": "Ada", "points": 9, "won": True}, {"name": "Ben", "points": 4, "won": False}]
    value: Any = {"results": [{"game": name, "day": "2026-01-05", "players": players} for name in (*GAMES, "Go")]}
    groups.import_results(group.id, key, tuple(schemas.with_ids(schemas.load(schemas.RESULTS, value)["results"])), None)
    groups.remove_result(group.id, key, 3)
    return OpenedPlaces(tables, group.id, key, id_of(watched.table.id, secret))


def _villefranche(referee: Referee, *moves: str, stood: tuple[str, ...] = ()) -> NewTable:
    game = GAMES["villefranche"]
    players = [{"colour": "black", "name": "Anne"}, {"colour": "white", "name": "Bruno"}]
    setup = schemas.load(schemas.of(game).setup, {"players": players})
    return referee.open(game.id, setup, [AttemptedMove(game.read(move), move in stood) for move in moves])
