"""The sheet at the end of an evening: its contents and its file formats."""

from __future__ import annotations

import csv
import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest

from rules import GAMES
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.loops import over
from tests.support.records import record_of, records_of
from tests.web.conftest import Visitor
from web.browser.public_url import PublicUrl
from web.panels.score import formats, sheet
from web.panels.score.formats import BG_STATS
from web.panels.score.sheet import SheetMove, head_lines, largest_type, moves_that_fit, wide

GAME = "robber_knights/knights_decide"
ADDRESSES = ("sheet", "sheet.txt", "sheet.csv", "sheet.json", "sheet.svg", "board.svg")
SVG = "{http://www.w3.org/2000/svg}"
ENTRY = re.compile(r"^\d+\. .*$", re.MULTILINE)
LOGGED_MOVE = re.compile(r"<li><b>(\d+)</b>")
WRITTEN_MOVE = re.compile(r"<li>(?:<span[^>]*>[^<]*</span> )?<b>(\d+)</b>")
"""The same, with moves that begin a round."""


def test_the_sheet_says_all_of_a_game(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The sheet has the winner and why, every line of the score, the readings, and each move; the table links to it."""
    guest = visitor()
    table = guest.sit(ledger, GAME)
    for path in (table, f"{table}/score"):
        assert f"{table}/sheet" in guest.see(path).links()
    text = guest.see(f"{table}/sheet").text
    for said in (
        "Yann wins, 12–12",
        "the knights left decide",
        "Knights left 0 1",
        "Total 12 12",
        "All rules are read as usual.",
    ):
        assert said in text
    assert "1 Gil: castle in the plain beside mountain, knights up: 2, 3" in text
    assert "46 Yann: town in the plain beside castle in the plain" in text
    assert "left out" not in text


TIES = {
    GAME: ("Knights left: {green} 0, {yellow} 1.", "Chevaliers restants\xa0: {green} 0, {yellow} 1."),
    "robber_knights/drawn": ("Knights left: {green} 0, {yellow} 0.", "Chevaliers restants\xa0: {green} 0, {yellow} 0."),
    "architekton/box_and_series": ("Houses: {light} 9, {dark} 8.", "Maisons\xa0: {light} 9, {dark} 8."),
    "villefranche/tower_decides": (
        "Cells from the nearest finished noble tower to the market square: {black} 3, {white} none.",
        (
            "Terrains entre la tour de noblesse achevée la plus proche et la place du marché\xa0: "
            "{black} 3, {white} aucune."
        ),
    ),
    "villefranche/gate_decides": (
        "Cells from the gates held to the market square: {black} 4 and 4, {white} 4.",
        "Terrains entre les portes détenues et la place du marché\xa0: {black} 4 et 4, {white} 4.",
    ),
}


@pytest.mark.parametrize("name", TIES)
def test_a_tie_is_told_with_its_figures(name: str, visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Pages, text, picture and JSON give the figures of a tie-break that decided."""
    for language, told_so in over(zip(("en", "fr"), TIES[name], strict=True)):
        guest = visitor(language)
        table = guest.sit(ledger, name)
        told = json.loads(guest.get(f"{table}/sheet.json").text)
        said = told_so.format(**{player["colour"]: player["name"] for player in told["setup"]["players"]})
        for path in (table, f"{table}/score", f"{table}/sheet"):
            assert said.replace("\xa0", " ") in guest.see(path).text.replace("\xa0", " "), path
        assert said in guest.get(f"{table}/sheet.txt").text
        picture = " ".join(text.text or "" for text in drawing_of(guest, f"{table}/sheet.svg").findall(f"{SVG}text"))
        assert said in picture
        assert all(said in place["text"] for place in told["score"]["ranking"])


def test_points_of_one_player_only_are_on_the_sheet(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A line of one player has that player's points, and a dash for each other."""
    guest = visitor()
    table = guest.sit(ledger, "fief/five_and_much_stood")
    text = guest.see(f"{table}/sheet").text
    assert "County of St André – – – 1 –" in text
    assert text.count("Three points or more alone") == text.count("Three points or more alone: Denis wins.")
    head, *lines = csv.reader(io.StringIO(opened_in_office(guest, table), newline=""))
    assert [line[head.index("County of St André")] for line in lines] == ["–", "–", "–", "1", "–"]


def test_the_sheet_speaks_french(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The sheet and its CSV are in the page's language."""
    guest = visitor("fr")
    table = guest.sit(ledger, GAME, 4)
    assert "Journal" in guest.see(f"{table}/sheet").text
    assert guest.get(f"{table}/sheet.csv").text.startswith("\ufeffJoueur,Couleur,Châteaux forts,")


def test_a_reading_in_french_has_a_space_before_its_colon(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A no-break space stands before a French colon."""
    table = (guest := visitor("fr")).sit(ledger, "fief/five_and_much_stood", 4)
    assert "Combien d’excommunications\xa0: Une autre" in guest.get(f"{table}/sheet").text


def test_the_board_on_the_sheet_calls_players_by_their_names(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The pictures of board and sheet name players by their names."""
    guest = visitor()
    table = guest.sit(ledger, "villa_paletti/nobody_can_build")
    for picture in ("board.svg", "sheet.svg"):
        drawn = guest.get(f"{table}/{picture}").text
        assert "Seal: Yara, before: Bob" in drawn
        assert "Seal: Yellow" not in drawn


def test_what_no_page_holds_is_left_out_and_said(
    visitor: Callable[..., Visitor], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short page has the last moves and says where the others are. No page has moves that only go on."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 60)
    page = guest.get(f"{table}/sheet").text
    assert "only go on to the next phase are not listed" in page
    assert "going on" not in page.lower()
    assert "left out" not in page
    monkeypatch.setattr(sheet, "PAGE", 900)
    shorter = guest.get(f"{table}/sheet").text
    every, shown = LOGGED_MOVE.findall(page), LOGGED_MOVE.findall(shorter)
    assert 0 < len(shown) < len(every)
    assert shown == every[-len(shown) :]
    left_out = len(every) - len(shown)
    assert f"{left_out} entries before these are left out; the table’s log has them." in shorter


def test_the_sheet_has_as_many_pages_as_the_game_needs(
    visitor: Callable[..., Visitor], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The linked pages together hold the moves of one long page, forwards and backwards.

    The links work without a script.
    """
    guest = visitor()
    address = guest.sit(ledger, "fief/three_alone", 160) + "/sheet"
    every = WRITTEN_MOVE.findall(guest.get(address).text)
    monkeypatch.setattr(sheet, "PAGE", 800)

    def turn(start: str, link: str) -> tuple[list[list[str]], str]:
        pages, page = [], start
        while True:
            shown = guest.get(page).text
            pages.append(WRITTEN_MOVE.findall(shown))
            if (found := re.search(rf'id="{link}" href="([^"]+)"', shown)) is None:
                return pages, page
            page = found[1]

    back, first = turn(address, "earlier-page")
    assert len(back) > 2
    assert [move for page in back[::-1] for move in page] == every
    forth, last = turn(first, "later-page")
    assert last == address
    assert list(dict.fromkeys(move for page in forth for move in page)) == every
    assert guest.get(f"{address}?before=2").status_code == guest.get(f"{address}?before=99999").status_code == 200


def test_the_whole_log_is_there_as_text(
    visitor: Callable[..., Visitor], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text has every entry below its round, marked if it stood or was undone; a very long log comes in parts."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 22)
    assert f"{table}/log.txt" in guest.see(f"{table}/sheet").links()
    guest.send(guest.see(f"{table}/moves?entry=22").form("/rewind", to="22"))
    answer = guest.get(f"{table}/log.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert re.findall(r"^Round \d+$", answer.text, re.MULTILINE) == [f"Round {n}" for n in range(1, 7)]
    sheet = guest.get(f"{table}/sheet").text
    assert re.findall(r'class="round-of">Round (\d+)<', sheet) == list("123456"), "where each begins"
    lines = ENTRY.findall(answer.text)
    assert [line.partition(".")[0] for line in lines] == [str(n) for n in range(1, 25)]
    assert [line for line in lines if line.endswith("– undone")] == lines[22:23]
    assert [line for line in lines if line.endswith("– let stand")] == lines[21:22]
    monkeypatch.setattr(formats, "MAX_LINES", 20)
    end = guest.get(f"{table}/log.txt").text
    assert f"The entries up to no. 4: http://localhost{table}/log.txt?before=5\n" in end
    assert ENTRY.findall(guest.get(f"{table}/log.txt?before=5").text + end) == lines


def test_the_last_moves_that_fit_are_written() -> None:
    """The last moves that fit are written, if any; characters of double width count twice."""
    moves = [SheetMove(number, "a turn", stands=False) for number in range(1, 10)]
    assert [move.number for move in moves_that_fit(moves, 2 * 11)] == [8, 9]
    assert [move.number for move in moves_that_fit([SheetMove(1, "城" * 6, stands=False), moves[1]], 2 * 11)] == [2]
    assert moves_that_fit(moves, 0) == moves_that_fit(moves, -5) == ()


def test_broad_and_long_words_take_more_of_the_page() -> None:
    """Letters like W count as two characters, in any alphabet; a long word costs the rest of a line."""
    assert [wide(text) for text in ("a turn", "AVAVAV", "WWW mm", "WWÉ", "城城")] == [6, 6, 11, 5, 4]
    assert wide("a" * 20) == 20
    assert wide("W" * 25) == 50 + 10
    assert wide("a" * 10 + " " + "a" * 10) == 21


def test_a_head_of_long_names_is_higher() -> None:
    """More players have narrower columns, in which names break into more lines."""
    assert head_lines(["Ada", "Bo"]) == head_lines(["Ada", "Bruno", "Clara", "Denis", "Elsa", "Finn"]) == 1
    assert head_lines(["Ada Bo", "Bo"]) == 2
    assert [head_lines(["Alexandra-Marie", *["Bo"] * others]) for others in (1, 3, 5)] == [1, 2, 4]


def test_a_short_log_is_written_larger() -> None:
    """The log has the largest type in which its characters fit the page."""
    assert [largest_type(signs, 900) for signs in (0, 400, 401, 506, 507, 661, 662, 5000)] == [9, 9, 8, 8, 7, 7, 6, 6]


def test_a_move_that_stood_names_its_rule(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Each move that the table let stand, and no other, names the rules that forbid it."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    stood = re.findall(r"\(let stand, VF-\d+(?:, VF-\d+)*\)", guest.get(f"{table}/sheet").text)
    assert len(stood) == sum("stands" in move for move in recorded_moves("villefranche/stood_and_cut"))


def recorded_moves(name: str) -> list[str]:
    """The moves of a recorded game, each as JSON."""
    record = record_of(name)
    return [json.dumps(move) for move in record["moves"]]


def test_a_dispute_is_on_the_sheet_with_its_ruling(visitor: Callable[..., Visitor]) -> None:
    """The sheet says a dispute's move, who raised it, its question, and its settlement."""
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Bo"}).partition("#")[0]
    guest.place(table, "r g1h1")
    form = guest.see(f"{table}/disputes/new?entry=2").form("/disputes")
    page = guest.send(form, question="Is <b>this</b> so?")
    text = guest.see(f"{table}/sheet").text
    assert "1. No. 1, " in text
    assert "(Legal) – The host: “Is <b>this</b> so?” Not settled." in text
    guest.send(page.form("/settlement", remedy="stands"))
    assert "“Is <b>this</b> so?” Settled: It stands." in guest.see(f"{table}/sheet").text


def test_the_text_for_a_chat(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The text has a line each for game and day, every player's points, who won, why it ended, and the tie-break."""
    guest = visitor()
    answer = guest.get(f"{guest.sit(ledger, GAME)}/sheet.txt")
    assert answer.mimetype == "text/plain"
    title, *lines = answer.text.splitlines()
    assert title.startswith("Robber Knights, ")
    assert lines[:3] == ["Gil: 12", "Yann: 12", "Yann wins, 12–12"]
    assert lines[4].startswith("Equal points: the knights left decide")
    assert lines[5:] == []


def test_a_link_that_is_sent_or_printed_opens_the_table(
    visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link has only the key for watching. Without that key or a public address, no address is written."""
    guest, stranger, base = visitor(), visitor(), "http://192.0.2.7:8000"
    monkeypatch.setattr(PublicUrl, "of_request", lambda: PublicUrl(base, only_here=False))
    table = guest.open().partition("#")[0]
    link = guest.get(f"{table}/sheet.txt").text.splitlines()[-1]
    assert f"To watch: {link}" in guest.see(f"{table}/sheet").text
    path, key = link.removeprefix(base).split("#")
    assert path == table
    form = Document(stranger.get(path).text).form("/join")
    stranger.send(form, key=key)
    assert stranger.post(f"{path}/play", {"move": "r g1h1", "version": "1", "key": "k"}).status_code == 403
    assert link in stranger.get(f"{path}/sheet").text  # a watcher can pass the link on
    player = visitor()
    form = Document(player.get(path).text).form("/join")
    player.send(form, key=key_of(guest, f"{table}/share", "black"))
    monkeypatch.setattr(PublicUrl, "of_request", lambda: PublicUrl(base, only_here=True))
    for one in (player, guest):
        assert base not in one.get(f"{table}/sheet.txt").text + one.get(f"{table}/sheet").text
    monkeypatch.setattr(PublicUrl, "of_request", lambda: PublicUrl(base, only_here=False))
    assert base not in player.get(f"{table}/sheet.txt").text + player.get(f"{table}/sheet").text


def key_of(guest: Visitor, path: str, role: str) -> str:
    """The key of a role, from the page that shares the table."""
    page = guest.see(path)
    return next(found["value"] or "" for _, found in page.elements if found.get("id") == f"link-{role}").split("#")[1]


def test_the_score_as_csv(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The CSV has a line for each player: score lines, total and rank. Lines end as in RFC 4180."""
    guest = visitor()
    table = guest.sit(ledger, GAME)
    assert guest.get(f"{table}/sheet.csv").mimetype == "text/csv"
    text = opened_in_office(guest, table)
    assert text.count("\r\n") == text.count("\n") == 3
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["Player", "Colour", "Castles", "Villages", "Towns", "Knights left", "Total", "Rank"],
        ["Gil", "Green", "5", "4", "3", "0", "12", "2"],
        ["Yann", "Yellow", "8", "4", "0", "1", "12", "1"],
    ]


def opened_in_office(guest: Visitor, table: str) -> str:
    """The CSV as an office program reads it: as UTF-8 only if it begins with a byte order mark."""
    data: bytes = guest.get(f"{table}/sheet.csv").data
    return data.decode("utf-8-sig" if data.startswith(BOM_UTF8) else "cp1252")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(1)", "<b>\"A\",'b'"])
def test_names_do_nothing(visitor: Callable[..., Visitor], name: str) -> None:
    """A name cannot become a formula in an exported spreadsheet, or markup on a page."""
    guest = visitor()
    table = guest.open(**{"name-black": name, "name-white": "Bo"}).partition("#")[0]
    rows = list(csv.reader(io.StringIO(opened_in_office(guest, table), newline="")))
    assert rows[1][0] == (name if name.startswith("<") else f"'{name}")
    assert name in [text.text for text in drawing_of(guest, f"{table}/sheet.svg").iter(f"{SVG}text")]
    page = guest.see(f"{table}/sheet")
    assert name in page.text
    assert not any(tag == "b" for tag, _ in page.elements)


def test_the_score_as_json(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The JSON has game, setup and score."""
    guest = visitor()
    table = guest.sit(ledger, GAME)
    told = json.loads(guest.get(f"{table}/sheet.json").text)
    assert told["game"] == "robber_knights"
    assert [player["name"] for player in told["setup"]["players"]] == ["Gil", "Yann"]
    assert told["score"]["winner"] == "yellow"


@pytest.mark.parametrize("name", [GAME, "fief/six_together"])
def test_the_result_as_a_picture(name: str, visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The picture has the winner and the players' points by rank above the board, which has its own picture, too."""
    guest = visitor()
    table = guest.sit(ledger, name)
    told = json.loads(guest.get(f"{table}/sheet.json").text)
    total = {player["colour"]: player["total"] for player in told["score"]["players"]}
    called = {player["colour"]: player["name"] for player in told["setup"]["players"]}
    ranked = [seat for place in told["score"]["ranking"] for seat in place["colours"]]
    board, card = (drawing_of(guest, f"{table}/{picture}.svg") for picture in ("board", "sheet"))
    lines = [text.text for text in card.findall(f"{SVG}text")]
    assert lines[0] == guest.get(f"{table}/sheet.txt").text.splitlines()[0]
    figures = [each["text"] for each in told["score"]["ranking"][0]["tied"]]
    assert lines[2 : 2 + len(figures)] == figures
    assert lines[2 + len(figures) :] == [said for seat in ranked for said in (called[seat], str(total[seat]))]
    assert [len(part) for part in card.find(f"{SVG}g/{SVG}svg") or ()] == [len(part) for part in board]


def test_the_points_lie_on_the_cells_of_the_picture(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """After the end, the board's picture shows all points of the result on its cells; before it, none."""
    ended, going = visitor(), visitor()
    table = ended.sit(ledger, "villefranche/five_buildings")
    numbers = [
        int(each.text or "") for each in drawing_of(ended, f"{table}/sheet.svg").findall(f"{SVG}g/{SVG}g/{SVG}text")
    ]
    told = json.loads(ended.get(f"{table}/sheet.json").text)
    assert sum(numbers) == sum(player["total"] for player in told["score"]["players"]) == 43
    before = going.sit(ledger, "villefranche/five_buildings", 30)
    assert not drawing_of(going, f"{before}/sheet.svg").findall(f"{SVG}g/{SVG}g/{SVG}text")


def drawing_of(guest: Visitor, path: str) -> Element:
    """The SVG at an address, parsed."""
    answer = guest.get(path)
    assert answer.mimetype == "image/svg+xml"
    return fromstring(answer.data)  # noqa: S314  # our own


def test_a_play_for_bg_stats(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A finished game has a link for BG Stats, in English on any page, with ranks and scores; one in play has none."""
    guest = visitor("fr")
    table = guest.sit(ledger, GAME)
    link = next(href for href in guest.see(f"{table}/sheet").links() if href.startswith(BG_STATS))
    play = json.loads(unquote(link.removeprefix(BG_STATS)))
    assert play["game"] == {
        "name": "Robber Knights",
        "sourceGameId": "robber_knights",
        "highestWins": True,
        "noPoints": False,
    }
    assert play["players"] == [
        {"name": "Gil", "sourcePlayerId": "gil", "winner": False, "rank": 2, "score": 12},
        {"name": "Yann", "sourcePlayerId": "yann", "winner": True, "rank": 1, "score": 12},
    ]
    assert play["sourceName"] == "Bastide"
    assert play["sourcePlayId"] == table.removeprefix("/t/")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    going = guest.sit(ledger, GAME, 20)
    assert not any(href.startswith(BG_STATS) for href in guest.see(f"{going}/sheet").links())


@pytest.mark.parametrize("game", GAMES)
def test_all_plays_of_a_game_say_the_same_of_it(game: str, visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """All plays of a game say whether the most points win; where they do not, no play has points."""
    guest, told = visitor(), set()
    for path in records_of(game)[:3]:
        table = guest.sit(ledger, f"{game}/{path.stem}")
        link = next(href for href in guest.see(f"{table}/sheet").links() if href.startswith(BG_STATS))
        play = json.loads(unquote(link.removeprefix(BG_STATS)))
        told.add((play["game"]["highestWins"], play["game"]["noPoints"]))
        assert {"score" in each for each in play["players"]} == {not play["game"]["noPoints"]}
    assert told == {(GAMES[game].by_points, not GAMES[game].by_points)}


def test_the_sheet_asks_for_a_key(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Every format answers 401 without a key, and no cache may store it."""
    guest, stranger = visitor(), visitor()
    table = guest.sit(ledger, GAME, 2)
    for address in ADDRESSES:
        answer = guest.get(f"{table}/{address}")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
        assert stranger.get(f"{table}/{address}").status_code == 401
