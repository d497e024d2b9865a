"""The form that opens a table: laws for every game's form, and the setups that forms mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask

from rules import GAMES
from service import schemas
from service.errors import Invalid
from service.http.current import REFEREE
from service.i18n.languages import LANGUAGES
from service.referee.use_cases import Referee
from service.schemas import plain
from tests.rules.play import setups
from tests.support import forms
from tests.support.document import Document
from tests.support.forms import FILLED_FIELDS
from tests.support.loops import over
from tests.support.records import record_of
from tests.web.conftest import ORIGIN, Visitor
from web.form_fields import Field, FieldChoice
from web.games import all_pages
from web.opening import form as opening
from web.opening.names import Suggestions

Visitors = Callable[..., Visitor]
PART = {"HX-Request": "true", "HX-Target": "opening", "Origin": ORIGIN}
"""The headers of htmx when a change requests other fields."""
JUNK = ("", " ", "x", "-1", "99", "9" * 30, "\x00", "\ud800", "\u202e", "<b>", "{}", "[[1]]", "FWMX", "é" * 2000)
BOX = ["EEEE", "EEEM", "EEEW", "EEEF", "EEMM", "EEWW", "EEFF", "EMEM", "EWEW", "EFEF", "MMMM"]
BOX += ["MMMW", "MMMF", "MMWW", "MMFF", "MWMW", "MFMF", "WWWW", "WWWF", "WWFF", "WFWF", "FFFF"]
LAID_OUT: Mapping[str, str] = {
    "players": "3",
    "colour-1": "green",
    "name-1": "Anne",
    "colour-2": "yellow",
    "name-2": "Bruno",
    "colour-3": "blue",
    "name-3": "Chloé",
    "tile-0-2": "plain",
    "tile-1-2": "mountain",
    "tile-0-1": "plain village",
    "tile-1-1": "plain",
    "tile-0-0": "mountain",
    "tile-1-0": "plain village",
    "reading-knights": "compulsory",
}
"""A form of Robber Knights."""
TILES: Mapping[str, str] = {
    "name-light": "Anne",
    "name-dark": "Bruno",
    "begins": "dark",
    "land-0": "water",
    "land-1": "earth",
    "corner": "1,-1",
    "display": "yes",
    "buildings": "FWME eemf W M W M",
    "open-0": "forest",
    "open-1": "forest",
    "open-2": "meadow",
}
"""A form of Architekton."""
every_game = pytest.mark.parametrize("game", all_pages())


@pytest.fixture(autouse=True)
def page(app: Flask, request: pytest.FixtureRequest) -> Any:
    """A request in English, in whose language the forms are made."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


def setup_of(game: str, values: Mapping[str, str]) -> Any:
    """The JSON of the setup that a form with these values means."""
    return plain(opening.setup_of(opening.form_of({"game": game, **values}))[1])


def wrong(game: str, values: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Place of the form -> the errors there, for a form with these values."""
    form = opening.form_of({"game": game, **values})
    with pytest.raises(Invalid) as refused:
        opening.setup_of(form)
    return opening.with_errors(form, refused.value).errors


# --- every game --------------------------------------------------------------------------------------------------


def test_every_game_with_a_board_can_be_opened(visitor: Visitors) -> None:
    """Each game with pages has an opening form, to which the first page links."""
    assert {game.id for game in opening.games()} == set(all_pages())
    links = visitor().see("/").links()
    assert all(f"/?game={game}" in links for game in all_pages())


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_of_every_game_is_opened(visitor: Visitors, game: str, language: str) -> None:
    """The filled form opens a table, whose page shows the players' names."""
    guest = visitor(language)
    assert guest.see(f"/?game={game}").form("/", game=game)
    page = guest.see(guest.open(game=game, **FILLED_FIELDS[game]))
    names = [value for field, value in FILLED_FIELDS[game].items() if field.startswith("name-")]
    assert names
    assert all(name in page.text for name in names)


@every_game
def test_the_setup_is_what_was_filled_in(game: str) -> None:
    """The visible fields alone, as sent without a script, mean the same setup as the values filled in."""
    form = opening.form_of({"game": game, **FILLED_FIELDS[game]})
    seen = {each.name: each.value for each in form.fields}
    assert FILLED_FIELDS[game].items() <= seen.items()
    assert setup_of(game, seen) == setup_of(game, FILLED_FIELDS[game])


@every_game
def test_fields_have_names_and_labels_of_their_own(game: str) -> None:
    """Field names differ; every field and choice has a label; a field's value is one of its choices, or empty."""
    for values in ({}, FILLED_FIELDS[game]):
        fields = list(opening.form_of({"game": game, **values}).fields)
        assert len({each.name for each in fields}) == len(fields)
        for each in fields:
            assert each.label and all(choice.label for choice in each.choices)
            assert not each.choices or each.value in ("", *(choice.value for choice in each.choices))
            assert len({choice.value for choice in each.choices}) == len(each.choices)


@every_game
def test_whatever_is_filled_in_is_read_or_refused(game: str) -> None:
    """Whatever a field holds, the form gives a setup or errors, and the invalid value stays in it."""
    names = [each.name for each in opening.form_of({"game": game, **FILLED_FIELDS[game]}).fields]
    for name in over(names):
        for junk in JUNK:
            form = opening.form_of({"game": game, **FILLED_FIELDS[game], name: junk})
            try:
                opening.setup_of(form)
            except Invalid as error:
                said = opening.with_errors(form, error).errors
                assert said
                assert name not in said or form.values[name] == junk


@every_game
def test_what_is_wrong_is_said_where_it_is(game: str) -> None:
    """An error stands beside its field or above its group, never above the whole form."""
    for each in over(opening.form_of({"game": game, **FILLED_FIELDS[game]}).fields):
        try:
            setup_of(game, {**FILLED_FIELDS[game], each.name: "\u202e<b>"})
        except Invalid:
            assert opening.FORM not in wrong(game, {**FILLED_FIELDS[game], each.name: "\u202e<b>"}), each.name


@every_game
def test_an_error_loses_nothing(visitor: Visitors, game: str) -> None:
    """A refused form keeps its values, and links to the error from its top."""
    name = next(name for name in FILLED_FIELDS[game] if name.startswith("name-"))
    answer = visitor().post("/", {"game": game, **FILLED_FIELDS[game], name: "\u202eevil"})
    assert answer.status_code == 422
    page = Document(answer.text)
    assert "Correct this first" in page.text
    assert f"#{name}" in page.links()
    _, sent = page.form("/", game=game)
    assert {**FILLED_FIELDS[game], name: "\u202eevil"}.items() <= sent.items()


@every_game
def test_what_is_to_be_told_is_said_before_it_is_refused(visitor: Visitors, game: str) -> None:
    """One sentence names exactly the groups for which an empty form is refused, if any."""
    form = opening.form_of({"game": game})
    refused = set()
    try:
        opening.setup_of(form)
    except Invalid as error:
        wrong = opening.with_errors(form, error).errors
        groups = enumerate(form.groups)
        refused = {f"group-{at}" for at, group in groups if any(each.name in wrong for each in group.fields)}
    assert {place for place, _ in form.missing_parts} == refused
    assert opening.form_of({"game": game, **FILLED_FIELDS[game]}).missing_parts == []
    page = visitor().see(f"/?game={game}")
    assert ("Still needed:" in page.text) == bool(refused)
    assert all(what in page.text and f"#{place}" in page.links() for place, what in form.missing_parts)


@pytest.mark.parametrize(
    ("game", "given", "needed"),
    [
        ("architekton", {}, ["two landscapes"]),
        ("architekton", {"land-0": "water"}, ["one landscape"]),
        ("architekton", {"land-0": "water", "land-1": "earth", "display": "yes"}, ["the open display"]),
        ("fief", {"players": "4", "lord-2": "Othon"}, ["3 lords", "4 villages"]),
        ("robber_knights", {"players": "2", "tile-0-0": "mountain"}, ["3 tiles"]),
        ("villefranche", {}, []),
    ],
)
def test_what_is_needed_is_counted(game: str, given: Mapping[str, str], needed: list[str]) -> None:
    """The form counts what is still missing."""
    assert [what for _, what in opening.form_of({"game": game, **given}).missing_parts] == needed


@every_game
def test_all_options_lie_in_one_fold(visitor: Visitors, game: str) -> None:
    """One fold holds the readings and other defaults; it stands open once one differs, and names that group."""
    guest = visitor()
    page = guest.see(f"/?game={game}")
    folds = [found for tag, found in page.elements if tag == "details"]
    assert [(found.get("id"), "open" in found) for found in folds] == [("options", False)]
    reading = GAMES[game].readings[0]
    changed = guest.see(f"/?game={game}&reading-{reading.key}={reading.values[-1]}")
    (fold,) = (found for tag, found in changed.elements if tag == "details")
    assert "open" in fold and "More options How the rules are read" in changed.text


def test_a_question_with_one_answer_is_not_asked(app: Flask) -> None:
    """A field with one choice is hidden; the form still sends its value."""
    only = Field("lone", "Which one?", "/lone", "row", "a", (FieldChoice("a", "The first"),))
    macros = app.jinja_env.get_template("part/field.html").make_module({"names": Suggestions((), (), {})})
    written = macros.field(opening.form_of({}), only, "next")  # type: ignore[attr-defined]
    assert '<input type="hidden" id="lone" name="lone" value="a">' in written and "Which one?" not in written


def test_the_open_buildings_are_picked_by_their_sides(visitor: Visitors) -> None:
    """Four sides make a building, after which the form asks for the next; a tap on a building removes it."""
    guest = visitor()
    sides = {"side-n": "forest", "side-e": "water", "side-s": "meadow", "side-w": "earth"}
    asked = {"game": "architekton", "display": "yes", "update": "yes", "buildings": "EEMF"}
    page = Document(guest.post("/", {**asked, **sides}).text)
    _, fields = page.form("/", game="architekton")
    assert fields["buildings"] == "EEMF FWME" and "Building 3: tap its four sides." in page.text
    assert not sides.keys() & fields.keys()
    back = Document(guest.post("/", {**fields, "pick": "buildings 0"}).text)
    assert back.form("/", game="architekton")[1]["buildings"] == "FWME"
    third = Document(guest.post("/", {**fields, **sides, "update": "yes"}).text)
    assert third.form("/", game="architekton")[1]["buildings"] == "EEMF FWME FWME"
    assert "tap its four sides" not in third.text
    kept = guest.post("/", {**fields, "side-n": "water", "pick": "buildings x"}).text
    assert Document(kept).form("/", game="architekton")[1]["buildings"] == "EEMF FWME"


@every_game
def test_the_form_asks_again_without_opening(visitor: Visitors, app: Flask, game: str) -> None:
    """A change that needs other fields opens no table: htmx gets the form, other browsers the whole page."""
    guest = visitor()
    filled = {"game": game, **FILLED_FIELDS[game]}
    part = guest.post("/", filled, PART)
    whole = guest.post("/", {**filled, "update": "yes"})
    assert part.status_code == whole.status_code == 200
    assert part.text.lstrip().startswith('<form method="post" action="/" class="opening" id="opening"')
    assert "<html" in whole.text
    for answer in (part, whole):
        assert filled.items() <= Document(answer.text).form("/", game=game)[1].items()
        assert not answer.headers.getlist("Set-Cookie")


@every_game
def test_a_game_is_played_again(visitor: Visitors, game: str) -> None:
    """The form reached from a table has its players and readings; completed, it opens another table."""
    guest = visitor()
    table = guest.open(game=game, **FILLED_FIELDS[game])
    _, again = guest.see(f"{table}/again").form("/", game=game)
    kept = [name for name in FILLED_FIELDS[game] if name.startswith(("name-", "colour-", "reading-", "players"))]
    assert all(again[name] == FILLED_FIELDS[game][name] for name in kept)
    assert guest.open(**{**FILLED_FIELDS[game], **{name: value for name, value in again.items() if value}}) != table
    assert visitor().get(f"{table}/again").status_code == 401


@every_game
def test_the_form_can_mean_most_recorded_setups(game: str) -> None:
    """The form can express all recorded setups but one at most: a layout in another place may not fit."""
    assert len(list(forms.values_of_records(GAMES[game]))) >= len(setups(game)) - 1


@every_game
def test_every_setup_can_be_begun_again(app: Flask, game: str) -> None:
    """For a table opened through the API with any setup, the form has its readings and its players, in order,
    without what they drew.
    """
    for setup in over(setups(game)):
        referee: Referee = app.extensions[REFEREE]
        table = referee.open(game, setup).table
        form, way = opening.again(table), opening.opening_of(GAMES[game])
        assert way is not None
        drawn = {prefix.removesuffix("-") for prefix in way.drawn_prefixes}
        sat = [
            {member: said for member, said in each.items() if member not in drawn} for each in plain(setup)["players"]
        ]
        assert way.setup(form.values)["players"] == sat
        assert form.values.items() >= {f"reading-{key}": value for key, value in setup.readings.items()}.items()


def test_two_fields_do_not_keep_the_same_choice() -> None:
    """Choosing another player's colour gives that player a free one; without a script the sent form is refused."""

    def colours(values: Mapping[str, str], changed: str | None = None) -> list[str]:
        form = opening.form_of({"game": "robber_knights", **values}, changed)
        return [value for name, value in form.values.items() if name.startswith("colour-")]

    three = {"players": "3", "colour-1": "blue", "colour-2": "yellow", "colour-3": "blue"}
    assert colours(three, "colour-3") == ["green", "yellow", "blue"]
    assert colours(three, "colour-1") == ["blue", "yellow", "green"]
    assert colours(three, "name-1") == colours(three) == ["blue", "yellow", "blue"]
    assert wrong("robber_knights", {**LAID_OUT, **three}) == {"colour-3": ("Each colour plays once.",)}
    assert colours({"players": "4", "colour-1": "green", "colour-2": "blue"}) == ["green", "blue", "yellow", "red"]


# --- games with a starting layout --------------------------------------------------------------------------------


def test_the_layout_is_entered_tile_by_tile() -> None:
    """The layout is two tiles wide, entered from the upper left; a tile has a colour only where one was entered."""
    setup = setup_of("robber_knights", {**LAID_OUT, "back-1-2": "green"})
    assert setup["players"] == [
        {"colour": "green", "name": "Anne"},
        {"colour": "yellow", "name": "Bruno"},
        {"colour": "blue", "name": "Chloé"},
    ]
    assert setup["layout"] == [
        {"cell": [0, 2], "tile": "plain"},
        {"cell": [1, 2], "tile": "mountain", "colour": "green"},
        {"cell": [0, 1], "tile": "plain village"},
        {"cell": [1, 1], "tile": "plain"},
        {"cell": [0, 0], "tile": "mountain"},
        {"cell": [1, 0], "tile": "plain village"},
    ]
    assert setup["readings"] == {"castle_minimum": "terrain", "knights": "compulsory"}


def test_the_layout_may_be_a_single_row() -> None:
    """A row has its tiles one below the other; an unknown shape is read as the usual one, two tiles wide."""
    tiles = {f"tile-0-{y}": face for y, face in enumerate(("plain", "mountain", "plain village", "plain village"))}
    setup = setup_of("robber_knights", {"players": "2", "shape": "row", **tiles})
    assert [entry["cell"] for entry in setup["layout"]] == [[0, 3], [0, 2], [0, 1], [0, 0]]
    form = {"game": "robber_knights", "players": "2", "shape": "of no kind"}
    assert {name for name in opening.form_of(form).values if name.startswith("tile-")} == {
        f"tile-{x}-{y}" for x in (0, 1) for y in (0, 1)
    }


def notes(game: str, values: Mapping[str, str]) -> list[str]:
    """The notes on a form before it is sent."""
    return [said for group in opening.form_of({"game": game, **values}).groups for said in group.notes]


def test_what_no_layout_can_have_is_seen_at_once() -> None:
    """A layout has each tile at most once per player; the form says so before it is sent."""
    two = {"players": "2", "tile-0-0": "mountain", "tile-0-1": "mountain", "tile-1-0": "plain", "tile-1-1": "plain"}
    assert notes("robber_knights", two) == []
    three = {**two, "tile-1-0": "mountain"}
    said = "You chose mountain 3 times; one for each player, 2 at most."
    assert notes("robber_knights", three) == [said]
    assert wrong("robber_knights", three) == {
        "group-3": ("The players’ A tiles cannot make this starting layout. Change one of its tiles.",)
    }
    mine = {**two, "back-0-0": "blue", "back-0-1": "blue"}
    assert list(wrong("robber_knights", mine)) == ["group-3"]


def test_a_tile_that_is_not_chosen_is_asked_for() -> None:
    """Only a missing tile's field shows an error."""
    filled = {name: value for name, value in LAID_OUT.items() if name != "tile-1-1"}
    assert wrong("robber_knights", filled) == {"tile-1-1": ("This field is required.",)}


# --- games with a box of tiles -----------------------------------------------------------------------------------


def test_the_landscapes_and_the_display_are_entered() -> None:
    """The first landscape lies at (0, 0), the second beside it, above or below; the first player begins."""
    setup = setup_of("architekton", TILES)
    assert setup == {
        "players": [{"colour": "dark", "name": "Bruno"}, {"colour": "light", "name": "Anne"}],
        "layout": [{"cell": [0, 0], "tile": "water"}, {"cell": [1, -1], "tile": "earth"}],
        "display": {"buildings": ["FWME", "EEMF", "WMWM"], "landscapes": ["F", "F", "M"]},
        "readings": {"tie_houses": "after_removal", "pool": "unlimited"},
    }
    bare = setup_of("architekton", {"land-0": "water", "land-1": "water"})
    assert bare["layout"] == [{"cell": [0, 0], "tile": "water"}, {"cell": [1, 1], "tile": "water"}]
    assert bare.keys() == {"players", "layout", "readings"}


def test_a_box_is_entered_tile_by_tile() -> None:
    """Blanks, commas or lines separate tiles, also with their sides apart; each error names the tile's number."""
    filled = {"land-0": "water", "land-1": "water"}
    for text in (" ".join(BOX), "\r\n".join(BOX), ", ".join(BOX).lower(), "\n".join(" ".join(tile) for tile in BOX)):
        assert setup_of("architekton", {**filled, "set": text})["set"] == BOX
    short = wrong("architekton", {**filled, "set": "FWME EEMF"})
    assert short == {"set": ("List the 22 buildings of the box; here are 2.",)}
    (said,) = wrong("architekton", {**filled, "set": " ".join([*BOX[:2], "FXME", *BOX[3:11], "F", *BOX[12:]])}).values()
    assert [line.partition(":")[0] for line in said] == ["No. 3", "No. 12"]
    assert "“FXME”" in said[0] and "“F”" in said[1]


def test_a_display_comes_out_of_the_box() -> None:
    """The display's field names a building that the box does not have."""
    filled = {**TILES, "set": " ".join(BOX)}
    assert wrong("architekton", filled) == {"buildings": ("No. 1: The box has no such building left: FWME.",)}
    few = {**TILES, "open-2": "", "buildings": "FWME EEMF WMWM"}
    assert wrong("architekton", few) == {
        "group-2": ("Enter three buildings and three landscapes for the display; here are 2.",)
    }


def play_record(name: str, **changes: Any) -> tuple[Any, Any]:
    """The setup, with these changes, and the final state of a recorded game."""
    game = GAMES["architekton"]
    record = record_of(f"{game.id}/{name}")
    asked = {"setup": {**record["setup"], **changes}, "moves": record["moves"]}
    setup, moves, _ = schemas.start_of_body(schemas.load(schemas.of(game).start_body, asked))
    state = game.setup(setup)
    for each in moves:
        state = game.apply(state, each.move)
    return setup, state


def series_of(values: Mapping[str, str]) -> tuple[str, list[str]]:
    """Who begins, and the results of the series' earlier games."""
    return values["begins"], [value for name, value in values.items() if name.startswith("game-")]


def test_a_series_goes_on() -> None:
    """The finished game counts, and the other player begins, until one has two points; then a new series begins.

    The older player, who began the first game, begins it. Landscapes and display are drawn again.
    """

    def again(setup: Any, state: Any) -> Mapping[str, str]:
        own = opening.opening_of(GAMES["architekton"])
        values = own.values(own.next_setup(setup, state))
        return {name: value for name, value in values.items() if not name.startswith(own.drawn_prefixes)}

    assert series_of(again(*play_record("no_display", series=[]))) == ("dark", ["light"])
    drawn = again(*play_record("no_display", series=[{"winner": "dark"}, {}]))
    assert series_of(drawn) == ("dark", ["dark", "draw", "light"])
    assert series_of(again(*play_record("box_and_series"))) == ("dark", [])
    assert series_of(again(*play_record("early_end"))) == ("light", [])
    assert drawn["began-2"] == "light" and "began-1" not in drawn
    alone = again(*play_record("no_display"))
    assert series_of(alone) == ("light", []) and "series" not in alone
    setup, _ = play_record("no_display", series=[{"winner": "dark"}])
    assert series_of(again(setup, GAMES["architekton"].setup(setup))) == ("light", ["dark"])
    kept = again(*play_record("box_and_series"))
    assert kept["set"].split()[:2] == ["MFMW", "FFFW"]
    assert kept["display"] == "yes" and not [name for name in kept if name.startswith(("land", "open", "build"))]


def test_the_prices_of_a_table_are_its_own() -> None:
    """An entered price replaces the printed one; players, lords and villages are as entered."""
    filled = {
        "players": "3",
        "colour-1": "white",
        "name-1": "Anne",
        "lord-1": "Blanche",
        "village-1": "Sigy",
        "colour-2": "black",
        "name-2": "Bruno",
        "lord-2": "Othon",
        "village-2": "Charolles",
        "colour-3": "red",
        "name-3": "Chloé",
        "lord-3": "Guenièvre",
        "village-3": "Bourg",
        "price-castle": "3",
        "reading-cardinal": "unmarried_man",
    }
    setup = setup_of("fief", filled)
    assert setup["players"] == [
        {"colour": "white", "name": "Anne", "lord": "Blanche", "village": "Sigy"},
        {"colour": "black", "name": "Bruno", "lord": "Othon", "village": "Charolles"},
        {"colour": "red", "name": "Chloé", "lord": "Guenièvre", "village": "Bourg"},
    ]
    usual = setup_of("fief", {**filled, "price-castle": "4"})["data"]["prices"]
    assert setup["data"]["prices"] == {**usual, "castle": 3} != usual
    assert setup["readings"]["cardinal"] == "unmarried_man"


def test_the_games_of_a_series_are_entered_one_by_one() -> None:
    """The form always has a field for one more game; a hint names what breaks the rule of series, which stays valid."""
    filled = {"land-0": "water", "land-1": "water", "series": "yes", "game-0": "light", "game-1": "draw"}
    assert setup_of("architekton", filled)["series"] == [{"winner": "light", "early": False}, {"early": False}]
    form = opening.form_of({"game": "architekton", **filled})
    assert [name for name in form.values if name.startswith("game-")] == ["game-0", "game-1", "game-2"]
    won = {**filled, "game-2": "light"}
    assert len(setup_of("architekton", won)["series"]) == 3
    assert opening.form_of({"game": "architekton", **won}).groups[4].hint == "Light won the series with game 3."
    begun = {**filled, "began-0": "light", "began-1": "light", "begins": "dark"}
    said = "Light began game 2 out of turn."
    assert opening.form_of({"game": "architekton", **begun}).groups[4].hint == said
    assert setup_of("architekton", begun)["series"][1] == {"early": False, "started": "light"}


def test_where_a_colour_begins_the_die_is_said_to_need_names(visitor: Visitors) -> None:
    """Only where a colour begins does the form say that the die needs names; without them it opens no table."""
    guest = visitor("en")
    pages = {game: guest.see(f"/?game={game}") for game in all_pages()}
    assert all("Who begins?" in page.text and "A die decides" in page.text for page in pages.values())
    assert [game for game, page in pages.items() if "The die says who plays it" in page.text] == ["villefranche"]
    address, fields = guest.see("/?game=villefranche").form("/", game="villefranche")
    refused = guest.post(address, fields | {"begins": "die"})
    assert (refused.status_code, "Without them, the die cannot say" in refused.text) == (422, True)
    named = fields | {name: name for name in fields if name.startswith("name-")}
    assert named != fields
    assert guest.post(address, named | {"begins": "die"}).status_code == 303


@pytest.mark.parametrize(("language", "said"), [("en", "Still needed: names"), ("fr", "Il manque encore : les noms")])
def test_the_die_says_that_it_needs_a_name(visitor: Visitors, language: str, said: str) -> None:
    """Where a colour begins, the form asks for names once the die is chosen, until one is entered."""
    guest = visitor(language)

    def fields_shown(**fields: str) -> str:
        form = {"game": "villefranche", "update": "yes", **fields}
        return Document(guest.post("/", form).text).text.replace("\u202f", " ").replace("\xa0", " ")

    assert said in fields_shown(begins="die")
    assert said not in fields_shown(begins="die", **{"name-black": "Anne"})
    assert said not in fields_shown()
