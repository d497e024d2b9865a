"""The parsers from JSON to the domain: strict schemas, whose errors name the place by a JSON pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import marshmallow

import rules
from rules.caches import cache
from rules.forms import Between, Plain, plain
from rules.kernel import ORDINARY, Seat
from service.errors import Invalid
from service.i18n.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.judgements import AttemptedMove
from service.schemas.fields import (
    MAX_WORDS,
    AnyField,
    AnyObject,
    Digits,
    Enumeration,
    Flag,
    Lookup,
    Many,
    Messages,
    Text,
    Whole,
    Word,
    allow_unknown,
    is_legible,
)
from service.schemas.game_schemas import BY_DIE, MAX_MOVES, Wire, body_of, of
from service.schemas.json_schema import answer_schemas, json_schemas
from service.schemas.objects import Body
from service.schemas.parsing import parse
from service.schemas.results import RESULTS, with_ids
from service.tables.decisions import ADJUST, REMEDIES, Remedy
from service.tables.entries import BATTLE, CHANGES, DICE, LateMove, LogChange, ToRoll, Unreadable
from service.tables.export import FORMAT
from service.tables.players import names_of
from service.types import MOVES, RULINGS, AnyGame, Json, JsonObject, Move, Position, Setup
from service.validation import FieldError

Members: TypeAlias = Mapping[str, Any]
"""The parsed members of a body or a query."""
MAX_WAIT: Final = 25
MAX_PAGE: Final = 500
MAX_CASES: Final = 50
EXPORT_FORMATS: Final = ("json", "text", "csv", "svg", "png")
EXPORT_PARTS: Final = ("log", "sheet", "board")
MAX_RULINGS: Final = 100
"""The most questions of a batch."""
MAX_NAMES: Final = 12
"""The most names of players in a request."""
MAX_ASKED: Final = 100
"""Characters of a search query."""


# --- reading -----------------------------------------------------------------------------------------------------


def load(schema: marshmallow.Schema, value: Any) -> Any:
    """Parse a value by a schema. Raises `Invalid`."""
    try:
        return schema.load(value)
    except marshmallow.ValidationError as error:
        raise Invalid(tuple(_flatten_errors(error.messages))) from None


@cache()
def defaults(schema: marshmallow.Schema) -> Members:
    """The values of a schema for an empty object. Raises `Invalid`."""
    return MappingProxyType(load(schema, {}))


def _flatten_errors(messages: Messages, pointer: str = "") -> Iterator[tuple[str, FieldError]]:
    """Every field error in marshmallow's nested messages, with its JSON pointer."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _flatten_errors(inner, pointer + step)
    elif isinstance(messages, FieldError):
        yield pointer, messages
    else:
        for message in messages:
            yield from _flatten_errors(message, pointer)


def filters(game: AnyGame, query: Mapping[str, str]) -> Members:
    """The filters of a list of moves from a query."""
    filters_read: Members = load(of(game).filters, query)
    return filters_read


def listing_options(body: Members) -> Members:
    """The members of a body or a query that say which legal moves to list."""
    return {name: body[name] for name in ("kind", "at", "limit", "after")}


def game_of_body(value: Json) -> AnyGame:
    """The game that the body of a new table names. Raises `Invalid`."""
    if not isinstance(value, dict):
        raise Invalid([("", FieldError("not_object"))])
    name = value.get("game")
    if not isinstance(name, str):
        raise Invalid([("/game", FieldError("missing" if "game" not in value else "not_text"))])
    if name not in rules.GAMES:
        raise Invalid([("/game", FieldError("unknown_game", values=tuple(rules.GAMES)))])
    return rules.GAMES[name]


def is_export(value: Json) -> bool:
    """Whether the body of a new table is the export of another."""
    return isinstance(value, dict) and "format" in value


def export_of_body(value: Json) -> tuple[AnyGame, tuple[JsonObject, ...]]:
    """The game and the entries of an export. Raises `Invalid`."""
    members = load(EXPORT_BODY, value)
    if not members["entries"]:
        raise Invalid([("/entries", FieldError("missing"))])
    return rules.GAMES[members["game"]], members["entries"]


def moves_of_body(body: Members) -> tuple[AttemptedMove, ...]:
    """The moves of a body that may give one `move` or several `moves`. Raises `Invalid`."""
    move, moves, stands = body["move"], body["moves"], body["stands"]
    if move is not None:
        if moves:
            raise Invalid([("/moves", FieldError("either_move"))])
        return (AttemptedMove(move, stands),)
    if not moves:
        raise Invalid([("/move", FieldError("no_move"))])
    return tuple(AttemptedMove(each.move, each.stands or stands) for each in moves)


def dispute_of_body(body: Members) -> tuple[int | None, Move | None, str]:
    """The entry or the move of a body that raises a dispute, and the question. Raises `Invalid`."""
    entry, move = body["about"]["entry"], body["about"]["move"]
    if entry is None and move is None:
        raise Invalid([("/about", FieldError("no_dispute"))])
    if entry is not None and move is not None:
        raise Invalid([("/about", FieldError("either_dispute"))])
    return entry, move, body["question"]


def names_of_body(setup: Setup, body: Members) -> Mapping[Seat, str]:
    """The names that a body gives to players of a table; an empty one for null. Raises `Invalid`."""
    names: Mapping[Seat, str | None] = body["names"]
    seats = tuple(names_of(setup))
    if not names:
        raise Invalid([("/names", FieldError("missing"))])
    if strangers := names.keys() - {*seats}:
        raise Invalid([(f"/names/{name}", FieldError("not_one_of", values=seats)) for name in sorted(strangers)])
    return {seat: name or "" for seat, name in names.items()}


def roll_of_body(body: Members) -> ToRoll:
    """The roll that a body requests. Raises `Invalid` for a missing member, or one that belongs to another kind of
    dice.
    """
    battle, members = body["for"] == BATTLE, {True: ("move", "camp"), False: ("dice", "die")}
    others = [name for name in members[not battle] if body[name] is not None]
    missing = [name for name in members[battle] if body[name] is None and name != "die"]
    if others or missing:
        wrong = [(f"/{name}", FieldError("not_rolled_so")) for name in others]
        raise Invalid([*wrong, *((f"/{name}", FieldError("missing")) for name in missing)])
    if battle:
        return ToRoll(BATTLE, body["move"], body["camp"])
    return ToRoll(DICE, n=body["dice"], kind=body["die"] or ORDINARY)


def is_begun_by_die(body: Members) -> bool:
    """Whether a die decides who begins at the new table. Raises `Invalid` if the body contains moves."""
    if body["begins"] is not None and body["moves"]:
        raise Invalid([("/begins", FieldError("either_begins"))])
    return body["begins"] is not None


def settlement_of_body(body: Members) -> tuple[Remedy, str, Position | None]:
    """The remedy of a body that settles a dispute, the words, and the position if it adjusts. Raises `Invalid`."""
    remedy, position = body["remedy"], body["position"]
    if remedy == ADJUST and position is None:
        raise Invalid([("/position", FieldError("missing"))])
    if remedy != ADJUST and position is not None:
        raise Invalid([("/position", FieldError("not_adjusted"))])
    return remedy, body["text"], position


def change_of_body(game: AnyGame, body: Members) -> LogChange:
    """The change of the log that a body requests. Raises `Invalid`."""
    kinds = [do for do in CHANGES if body[do] is not None]
    if not kinds:
        raise Invalid([("", FieldError("no_change"))])
    if len(kinds) > 1:
        raise Invalid([("", FieldError("either_change"))])
    do = kinds[0]
    change = body[do]
    tries = change["moves"] if "moves" in change else (change["move"],) if "move" in change else ()
    if "moves" in change and not tries:
        raise Invalid([(f"/{do}/moves", FieldError("no_move"))])
    late = tuple([LateMove(game.write(each.move), each.stands) for each in tries])
    return LogChange(do, change["after"] if "after" in change else change["entry"], late, body["misfits"])


def start_of_body(body: Members) -> tuple[Setup, tuple[AttemptedMove, ...], Position | None]:
    """The setup, and the moves or the position, of a body. Raises `Invalid`."""
    if body["moves"] and body["position"] is not None:
        raise Invalid([("/position", FieldError("either_start"))])
    return body["setup"], body["moves"], body["position"]


def stored_setup(game: AnyGame, value: Mapping[str, Json]) -> Setup:
    """A setup from the log. A reading that did not exist then gets the value that the rules followed. An invisible
    name, which an old release accepted, counts as no name.

    Raises `Unreadable` for a setup of another release.
    """
    before = {reading.key: reading.before for reading in game.readings if reading.before}
    document: dict[str, Json] = {"players": [], "readings": {}, **value}
    players, readings = document["players"], document["readings"]
    if isinstance(players, list):
        document["players"] = [_without_invisible_name(each) for each in players]
    if isinstance(readings, dict):
        document["readings"] = before | readings
    try:
        setup: Setup = of(game).setup.load(document)
    except marshmallow.ValidationError as error:
        raise Unreadable(f"a setup of another release: {error}") from error
    return setup


def _without_invisible_name(player: Json) -> Json:
    """A player from the log, without an invisible name."""
    if not isinstance(player, dict) or not isinstance(name := player.get("name"), str) or is_legible(name):
        return player
    return {member: value for member, value in player.items() if member != "name"}


NAMES_BODY: Final = body_of(names=Lookup(Text(), Text(allow_none=True), most=MAX_NAMES, required=True))
"""The names of players, by their colours."""
REWIND_BODY: Final = body_of(to=Whole(Between(1, 2**31 - 1), required=True))
"""The body of a rewind."""
CONFIRMATION_BODY: Final = body_of(remedy=Enumeration(REMEDIES, required=True))
"""The body of a confirmation."""
QUESTION_FORM: Final = body_of(question=Text(MAX_WORDS, required=True))
"""The form with the question of a dispute."""
TITLE_FORM: Final = body_of(title=Text(required=True))
"""The form with a reader's name for a table."""
DECISION_FORM: Final = body_of(text=Text(MAX_WORDS, load_default=""))
"""The form with a table's decision in its own words."""
SECONDS: Final = Digits(Between(0, MAX_WAIT), load_default=0)
TABLE_QUERY: Final = body_of(wait=SECONDS, fields=Text(MAX_WORDS, load_default=None))
"""The query of a table: the seconds to wait for news, and the members of the response, separated by commas."""
POSITION_QUERY: Final = body_of(version=Digits(Between(1, 2**31 - 1), load_default=None))
"""The query of a position: its version."""
PAGE_QUERY: Final = body_of(
    after=Digits(Between(0, 2**31 - 1), load_default=None),
    limit=Digits(Between(1, MAX_PAGE), load_default=100),
    wait=SECONDS,
)
"""The query of a log: the number to begin after, the limit, and the seconds to wait for the first entry."""
RULINGS_BODY: Final = body_of(rulings=Many(AnyObject(), least=1, most=MAX_RULINGS, required=True))
"""The questions of a batch; each is parsed separately (`Wire.ruling_body`)."""
VIEW_BODY: Final = body_of(label=Text(required=True), names=Flag(load_default=False), from_now=Flag(load_default=False))
"""The body that makes a public view."""
EVENTS_QUERY: Final = body_of(after=Digits(Between(0, 2**31 - 1), load_default=None))
"""The query of a stream of events: the number to begin after."""
VIEW_QUERY: Final = body_of(lang=Enumeration(LANGUAGES, load_default=DEFAULT_LANGUAGE))
"""The query of a public view: the language of the response."""
VIEW_EVENTS_QUERY: Final = body_of(**VIEW_QUERY.fields, **EVENTS_QUERY.fields)
"""The query of a stream of events of a public view."""
DISPUTES_QUERY: Final = body_of(
    after=Digits(Between(0, 2**31 - 1), load_default=0),
    limit=Digits(Between(1, MAX_PAGE), load_default=100),
)
"""The query of disputes: the number to begin after, and the limit."""
EXPORT_QUERY: Final = body_of(
    format=Enumeration(EXPORT_FORMATS, load_default=None),
    of=Enumeration(EXPORT_PARTS, load_default=None),
    entry=Digits(Between(1, 2**31 - 1), load_default=None),
)
"""The query of an export: its format, the part of the table, and the entry from which play could continue."""
EXPORT_BODY: Final = body_of(
    format=Enumeration((FORMAT,), required=True),
    game=Enumeration(tuple(rules.GAMES), required=True),
    entries=Many(AnyObject(), most=MAX_MOVES, required=True),
)
"""An export, as the body of a new table."""
SEARCH_QUERY: Final = body_of(q=Text(MAX_ASKED, required=True))
"""The query of a search for rules: words."""
CASES_QUERY: Final = body_of(
    after=Digits(Between(0, 2**31 - 1), load_default=0),
    limit=Digits(Between(1, MAX_CASES), load_default=MAX_CASES),
    rule=Text(load_default=None),
    reading=Text(load_default=None),
)
"""The query of worked cases: their rule or reading, the number of cases to skip, and the limit."""
READINESS_QUERY: Final = body_of(**{"for": Enumeration((MOVES, RULINGS), load_default=MOVES)})
"""The query of readiness: its kind."""
GROUP_NAME_BODY: Final = body_of(name=Text(required=True))
"""The name of a new group."""
EMPTY_QUERY: Final = body_of()
"""The query of an endpoint without parameters."""


def game_form(game: AnyGame, form: object) -> JsonObject:
    """A setup or position of a game for responses: it names its game, which tells a program its shape."""
    return {"game": game.id, **plain(form, is_answer=True)}


def example_setup(game: AnyGame) -> Plain | None:
    """A setup that opens a table of the game, with old and new member names; None if the game has none."""
    setup = _setup_from(game, game.example_setup or {})
    return None if setup is None else plain(setup, is_answer=True)


def default_setup(game: AnyGame) -> Plain | None:
    """The setup of a table without any settings, or None if the game requires some."""
    setup = _setup_from(game, {})
    return None if setup is None else plain(setup)


def _setup_from(game: AnyGame, given: Mapping[str, Any]) -> Setup | None:
    """A client's setup with all defaults; None if the game requires more."""
    try:
        setup: Setup = load(of(game).setup, given)
    except Invalid:
        return None
    return setup


__all__ = [
    "BY_DIE",
    "CASES_QUERY",
    "CONFIRMATION_BODY",
    "DECISION_FORM",
    "DISPUTES_QUERY",
    "EMPTY_QUERY",
    "EVENTS_QUERY",
    "EXPORT_QUERY",
    "GROUP_NAME_BODY",
    "MAX_WORDS",
    "NAMES_BODY",
    "PAGE_QUERY",
    "POSITION_QUERY",
    "QUESTION_FORM",
    "RESULTS",
    "REWIND_BODY",
    "RULINGS_BODY",
    "SEARCH_QUERY",
    "TABLE_QUERY",
    "VIEW_BODY",
    "VIEW_EVENTS_QUERY",
    "VIEW_QUERY",
    "AnyField",
    "Body",
    "Lookup",
    "Many",
    "Members",
    "Text",
    "Whole",
    "Wire",
    "Word",
    "allow_unknown",
    "answer_schemas",
    "change_of_body",
    "default_setup",
    "dispute_of_body",
    "example_setup",
    "export_of_body",
    "filters",
    "game_form",
    "game_of_body",
    "is_export",
    "json_schemas",
    "listing_options",
    "load",
    "moves_of_body",
    "names_of_body",
    "of",
    "parse",
    "plain",
    "settlement_of_body",
    "start_of_body",
    "stored_setup",
    "with_ids",
]
