"""The board of Fief: maps from any data, the pieces on them, and the titles of lords."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from rules import GAMES
from rules.fief.data import COLOURS, LORDS, Data, Lords, Map, Village, land
from rules.fief.state import Player, Position, Setup, StandingLord
from service import schemas
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.storage.ledger import Ledger
from tests.rules.play import random_game
from tests.support.loops import over
from tests.web.conftest import Visitor
from web.game_pages import Draft
from web.games import pages_of
from web.games.fief import PAGES, pieces, scenery
from web.games.fief.geography import SIDE, box, centres, keys, labels
from web.games.fief.pieces import SIZE
from web.panels.sentences import phrase

GAME = GAMES["fief"]
FOUR = tuple(
    Player(colour, lord, village)
    for colour, lord, village in zip(
        COLOURS, ("Henri", "Blanche", "Othon", "Jeanne"), ("Sigy", "Bourg", "Blaye", "Tournus"), strict=False
    )
)


def enter(**position: Any) -> Any:
    """A position of a table of four, from its JSON."""
    return GAME.enter(Setup(FOUR), schemas.load(schemas.of(GAME).position, position))


def ask(state: Any, kind: str, *so: str, cell: str | None = None, language: str = "en") -> Draft[Any]:
    """The draft of a move; it must exist."""
    draft = PAGES.draft(state, kind, cell, so, words(language, "fief"))
    assert draft is not None
    return draft


def answers(draft: Draft[Any], number: int = 0) -> dict[str, str]:
    """Label of each answer to a question -> its note."""
    return {tap.label: tap.note for tap in draft.questions[number].answers}


# --- maps of any data --------------------------------------------------------------------------------------------


def ring(names: list[str], at: Callable[[int], Any]) -> Data:
    """A country of these villages in a ring of roads; each pair of them is a fief."""
    villages = tuple(Village(name, f"F{n // 2}", 1, n == 0, at(n)) for n, name in enumerate(names))
    roads = tuple((name, names[(n + 1) % len(names)]) for n, name in enumerate(names))
    return Data(Map(villages, roads), lords=Lords(("Henri", "Othon", "Charles"), ("Blanche",)))


def apart(points: dict[str, tuple[float, float]]) -> bool:
    """Whether no two villages overlap."""
    places = list(points.values())
    gaps = (max(abs(a[0] - b[0]), abs(a[1] - b[1])) for n, a in enumerate(places) for b in places[:n])
    return min(gaps) >= SIDE


@pytest.mark.parametrize("number", [6, 8, 24, 60])
@pytest.mark.parametrize(
    "at",
    [lambda _: None, lambda n: (n % 8 * 12, n // 8 * 12), lambda n: (n % 8 * 5, n // 8 * 5), lambda _: (50, 50)],
    ids=["nowhere", "far", "near", "one on the other"],
)
def test_villages_are_drawn_apart_wherever_a_map_has_them(number: int, at: Callable[[int], Any]) -> None:
    """Villages are drawn apart on a map without places, and where places are too close for a finger."""
    board = land(ring([f"Village {n}" for n in range(number)], at))
    points = scenery.points_of(board)
    assert points.keys() == set(board.villages)
    assert apart(points)
    assert min(min(point) for point in points.values()) >= SIDE / 2


def test_the_published_map_lies_as_printed() -> None:
    """Villages lie relative to each other as the data's percentages say."""
    board = land(Data())
    points = centres(tuple(board.at.items()))
    for one in over(board.villages):
        for other in over(board.villages):
            (x, y), (left, top) = board.at[one] or (0, 0), board.at[other] or (0, 0)
            assert (points[one][0] < points[other][0]) == (x < left)
            assert (points[one][1] < points[other][1]) == (y < top)


Frame = tuple[float, float, float, float]


def overlap(one: Frame, other: Frame) -> bool:
    """Whether two frames (left, top, right, bottom) overlap."""
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(one[3], other[3])


def test_names_of_villages_can_be_read() -> None:
    """On the published map no name overlaps a village or another name, or leaves the board."""
    points = scenery.points_of(land(Data()))
    names = {name: label.frame for name, label in labels(tuple(points.items())).items()}
    squares = {name: (x - SIDE / 2, y - SIDE / 2, x + SIDE / 2, y + SIDE / 2) for name, (x, y) in points.items()}
    assert not [pair for pair in combinations(names, 2) if overlap(names[pair[0]], names[pair[1]])]
    assert not [pair for pair in product(names, squares) if overlap(names[pair[0]], squares[pair[1]])]
    _, _, right, bottom = box(points)
    assert all(min(frame[:2]) >= 0 and frame[2] <= right and frame[3] <= bottom for frame in names.values())


def test_a_village_of_any_name_has_an_address() -> None:
    """A key has no accents or apostrophes; names that are equal without them get numbers instead."""
    assert keys(("St Ciers d'Abzac", "L'Épervier")) == {
        "St Ciers d'Abzac": "st-ciers-d-abzac",
        "L'Épervier": "l-epervier",
    }
    assert keys(("Sète", "Sete", "東京")) == {"Sète": "village-1", "Sete": "village-2", "東京": "village-3"}


def test_a_country_of_ones_own_is_drawn_and_played_on() -> None:
    """On a map without places every village has a spot, and a draft has its questions."""
    names = ["Haut", "Bas", "Nord", "Sud", "Mer", "Mont"]
    players = tuple(
        Player(c, lord, v) for c, lord, v in zip(COLOURS, ("Henri", "Othon", "Blanche"), names, strict=False)
    )
    state = GAME.setup(Setup(players, ring(names, lambda _: None)))
    board = PAGES.draw(state, "en")
    assert [spot.key for spot in board.spots] == ["haut", "bas", "nord", "sud", "mer", "mont"]
    assert answers(ask(state, "marry")) == {"Henri": "Red", "Othon": "Blue"}


# --- what stands there -------------------------------------------------------------------------------------------


def texts_of(shapes: Any) -> Counter[str]:
    """The texts on a board."""
    return Counter(shape.text for shape in shapes if shape.tag == "text")


def games() -> Iterator[Any]:
    """States of random games."""
    for seed in range(2):
        states = [state for state, _ in random_game(GAME, Random(seed))]
        yield from states[::12]


def test_everything_on_the_table_is_drawn() -> None:
    """The map shows every castle, city, flag and lord once, and every army of a dead lord."""
    for state in over(games()):
        drawn = Counter(piece[0] for piece in scenery.pieces_on_map(state, words("en", "fief")))
        buildings = Counter(state.buildings.values())
        assert drawn["lord"] == len(state.lords)
        assert drawn["army"] == len(state.armies)
        assert drawn["flag"] == len(state.control)
        assert (drawn["castle"], drawn["city"]) == (buildings["castle"], buildings["city"])
        assert drawn["village"] == len(state.land.villages) - len(state.buildings)


def test_what_a_move_brings_is_a_ghost_and_nothing_else() -> None:
    """A move in question draws the pieces that it changes as ghosts, in their new place."""
    state = enter(control={"red": ["Sigy"]}, lords=[{"name": "Henri", "player": "red", "place": "Sigy"}])
    after = state._replace(
        lords={"Henri": state.lords["Henri"]._replace(place="St Paul")}, buildings={"Sigy": "castle"}
    )
    board = PAGES.draw(after, "en", state)
    ghosts = texts_of(shape for shape in board.pieces if shape.ghost)
    assert ghosts == {"H": 1}
    assert sum(shape.ghost and shape.ink == "building" for shape in board.pieces) == 1
    assert not any(shape.ghost for shape in PAGES.draw(after, "en").pieces)


@pytest.mark.parametrize("number", [1, 3, 4, 6, 8])
def test_lords_do_not_hide_each_other(number: int) -> None:
    """Up to eight lords in a village stand within its width and do not overlap."""
    lords = [{"name": name, "player": "red", "place": "Sigy"} for name in LORDS.men[:number]]
    drawn = scenery.pieces_on_map(enter(lords=lords), words("en", "fief"))
    frames = []
    for shape in (shapes[0] for piece, shapes in drawn.items() if piece[0] == "lord"):
        x, y, *scale = map(float, re.findall(r"[\d.]+", str(shape.attributes["transform"])))
        side = SIZE * (scale or [1.0])[0]
        frames.append((x, y, x + side, y + side))
    assert len(frames) == number
    assert not any(overlap(one, other) for one, other in combinations(frames, 2))
    assert max(frame[2] for frame in frames) - min(frame[0] for frame in frames) <= SIDE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_flag_hides_no_fief(language: str) -> None:
    """The fief's name, in bold, fits between the flag and the bishopric."""
    state = enter(control={"red": ["Sigy"]})
    flag = scenery.pieces_on_map(state, words(language, "fief"))["flag", "Sigy", "red"]
    left = scenery.points_of(state.land)["Sigy"][0] - SIDE / 2
    end = left + max(int(number) for number in re.findall(r"[MH](\d+)", str(flag[1].attributes["d"])))
    sees = [
        shape.attributes for shape in scenery.ground(state.land) if shape.ink in ("see", "seat") and shape.tag == "rect"
    ]
    see = next(float(each["x"]) for each in sees if left < float(each["x"]) < left + SIDE)
    for name in ("F8", "F10", "Roma"):
        ground = pieces.village(left, 0, (name, 1), 1, seat=False)
        text = next(shape for shape in ground if shape.ink == "domain-name").attributes
        half = 0.7 * float(text["font-size"]) * len(name) / 2
        assert end - 1 <= float(text["x"]) - half and float(text["x"]) + half <= see + 1, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_flags_are_told_apart_by_their_letters(language: str) -> None:
    """No two colours have the same letters, in any language."""
    letters = [scenery.letter(colour, words(language, "fief")) for colour in COLOURS]
    assert len(set(letters)) == len(COLOURS)


def test_lords_are_called_by_all_their_titles() -> None:
    """A village names its lords by their titles, in French; so does a question, in English."""
    lords = [
        StandingLord("Guenièvre", "red", "Sigy", fiefs=("F8",), spouse="Arthur"),
        StandingLord("Arthur", "blue", "Sigy", king=True, spouse="Guenièvre"),
        StandingLord("Othon", "green", "Blaye", bishop=(1,), cardinal="card"),
        StandingLord("Charles", "green", "Blaye", prince=1, fiefs=("F1",)),
    ]
    state = GAME.enter(
        Setup(FOUR), Position(cities=("Sigy", "La Salle"), control={"red": ("Sigy",)}, lords=tuple(lords))
    )
    said = {spot.key: spot.name for spot in PAGES.draw(state, "fr").spots}
    assert "Sa Majesté la reine Guenièvre, comtesse de Sigy" in said["sigy"]
    assert "Sa Majesté le roi Arthur" in said["sigy"]
    assert "Son Éminence le cardinal Othon, évêque de Blaye" in said["blaye"]
    assert "Son Altesse Royale Charles, le dauphin, duc de La Salle" in said["blaye"]
    draft = ask(state, "assassin")
    assert "Her Majesty Queen Guenièvre, Countess of Sigy" in answers(draft)


def test_the_marks_of_arrivals_hide_no_name() -> None:
    """On the printed map, marks of arrival hide no name but on the road between Marcamps and St Ciers d'Abzac."""
    country = land(Data())
    points = scenery.points_of(country)
    frames = [label.frame for label in labels(tuple(points.items())).values()]
    hidden = set()
    for village, road in ((one, other) for one in points for other in country.roads[one]):
        mark = pieces.arrival("red", points[village], points[road], frames).attributes
        x, y, r = (float(mark[name]) for name in ("cx", "cy", "r"))
        if any(left - r < x < right + r and top - r < y < bottom + r for left, top, right, bottom in frames):
            hidden.add(frozenset({village, road}))
    assert hidden == {frozenset({"Marcamps", "St Ciers d'Abzac"})}


# --- drafts ------------------------------------------------------------------------------------------------------


def test_votes_for_a_bishop_are_counted_beforehand() -> None:
    """The draft counts each player's votes until answers name the candidates."""
    country = land(Data()).bishoprics[5]
    state = enter(
        phase="bishops",
        control={"red": ["Sigy", "Beaujeu"], "blue": [v for v in country if v not in ("Sigy", "Beaujeu")]},
        lords=[
            {"name": "Henri", "player": "red", "place": "Sigy"},
            {"name": "Othon", "player": "blue", "place": "Sigy", "cardinal": "card"},
        ],
    )
    assert ask(state, "bishop").lines == (
        "Red: 3 votes (Beaujeu 1, Sigy, the seat, 2)",
        "Blue: 5 votes (St Paul 1, St Ciers d'Abzac 1, His Eminence Cardinal Othon 3)",
    )
    assert ask(state, "bishop").move is None
    draft = ask(state, "bishop", "c:Henri", "c:Othon", "v:red>Henri", "v:blue>Henri", "v:green>Othon", "v:red>Charles")
    assert draft.lines == ()
    assert GAME.write(draft.move) == "bishop 5: Henri,Othon; Red>Henri Blue>Henri"
    assert GAME.write(ask(state, "bishop", "c:-").move) == "bishop 5: -"


def test_a_march_stops_for_consent() -> None:
    """A march through another player's village asks for consent, and is no move before the answer."""
    state = enter(
        phase="movements",
        control={"red": ["Sigy"], "blue": ["St Paul"]},
        lords=[{"name": "Henri", "player": "red", "place": "Sigy"}],
    )
    one = ask(state, "move", "to:St Paul", cell="Sigy")
    assert GAME.write(one.move) == "move Henri Sigy>St Paul"
    assert set(one.cells) == {"Sigy", "St Vivien", "Les Essarts"}
    two = ask(state, "move", "to:St Paul", "to:St Vivien", cell="Sigy")
    assert two.move is None and GAME.write(two.ghost) == "move Henri Sigy>St Paul>St Vivien !Blue"
    assert [question.title for question in two.questions][1] == "Does Blue let them pass?"
    passed = ask(state, "move", "to:St Paul", "to:St Vivien", "let-blue:yes", cell="Sigy")
    assert GAME.check(state, passed.move).legal
    refused = ask(state, "move", "to:St Paul", "to:St Vivien", "let-blue:no", cell="Sigy")
    assert GAME.check(state, refused.move).broken_rules == ("FI-62",)


def test_all_lords_of_a_village_set_out_by_one_tap() -> None:
    """*All of them* chooses each lord that can still move; a second tap clears it. A lord alone has no such answer."""
    lords = [{"name": name, "player": "red", "place": "Sigy"} for name in ("Henri", "Othon", "Jeanne")]
    position = {"phase": "movements", "control": {"red": ["Sigy"]}, "lords": lords}
    state = enter(**position)
    all_of_them = ask(state, "move", cell="Sigy").questions[0].answers[0]
    assert all_of_them.label == "All of them"
    together = ask(state, "move", *all_of_them.codes, "to:St Paul", cell="Sigy")
    assert GAME.write(together.move) == "move Henri+Othon+Jeanne Sigy>St Paul"
    assert together.questions[0].answers[0] == replace(all_of_them, codes=(), is_chosen=True)
    others = ask(enter(**position, moved=["Othon"]), "move", cell="Sigy").questions[0].answers[0]
    assert others.codes == ("who:Henri", "who:Jeanne")
    alone = enter(**{**position, "lords": lords[:1]})
    assert [answer.label for answer in ask(alone, "move", cell="Sigy").questions[0].answers] == ["Henri"]


def test_the_combat_sheet() -> None:
    """The sheet lists the strengths of both sides, the number of dice, and only possible sums."""
    state = enter(
        phase="combats",
        control={"blue": ["Sigy"]},
        castles=["Sigy"],
        lords=[
            {"name": "Henri", "player": "red", "place": "Sigy", "king": True},
            {"name": "Othon", "player": "blue", "place": "Sigy", "bishop": [1]},
        ],
    )
    draft = ask(state, "attack", cell="Sigy")
    attack, defence = draft.questions[1:]
    assert attack.lines == ("His Majesty King Henri: 5, as king", "Strength of the attack: 5.")
    assert defence.lines == (
        "Monsignor Othon, Bishop of Blaye: 2, as bishop",
        "The castle of Sigy: 2",
        "Strength of the defence: 4.",
    )
    assert attack.title == "The attack rolls 1 die (1 to 6). The sum:"
    assert [tap.label for tap in attack.answers] == ["1", "2", "3", "4", "5", "6"]
    won = ask(state, "attack", "attack:6", "defence:1", cell="Sigy")
    assert GAME.write(won.move) == "attack Sigy Red>Blue 6:1"


@pytest.mark.parametrize(
    ("language", "move", "village"),
    [
        ("en", "purchase of the county of Sigy for Guenièvre", "Marcamps, village of nobody, in the county of Sigy;"),
        (
            "fr",
            "achat du titre du comté de Sigy pour Guenièvre",
            "Marcamps, village de personne, dans le comté de Sigy;",
        ),
    ],
)
def test_a_fief_is_called_by_rank_and_city(language: str, move: str, village: str) -> None:
    """Words for a move and a village name a fief by rank and city; only notation has its letter and number."""
    state = enter(castles=["Sigy"], control={"red": ["Sigy"]})
    said = PAGES.words_for(words(language, "fief"), state)
    assert phrase(said, GAME, GAME.read("buy title F8 Guenièvre"), state) == move
    assert scenery.village_text(state, "Marcamps", said).startswith(village)


def test_what_is_not_legal_is_folded_away_with_its_reason() -> None:
    """The question offers the lords who may marry; the others are folded away, each with the rule's reason."""
    state = enter(
        lords=[
            {"name": "Henri", "player": "red", "place": "Sigy"},
            {"name": "Othon", "player": "green", "place": "Sigy", "bishop": [1]},
            {"name": "Blanche", "player": "blue", "place": "Sigy"},
        ]
    )
    draft = ask(state, "marry")
    assert answers(draft) == {"Henri": "Red"}
    (aside,) = draft.aside[:1]
    assert {tap.label: tap.note for tap in aside.answers} == {
        "Monsignor Othon, Bishop of Blaye": "Monsignor Othon, Bishop of Blaye, has a church title and cannot marry."
    }
    assert GAME.write(draft.move) == "marry Henri Blanche"


def test_every_purchase_says_what_it_costs_or_why_not() -> None:
    """A purchase's note says its cost, or why it is impossible: with three villages a castle is too dear."""
    state = enter(phase="purchases", control={"red": ["Sigy", "St Paul", "Bourg"]})
    said = words("en", "fief")
    assert PAGES.kind_note(state, "buy_card", said, possible=True) == "costs 1"
    assert PAGES.kind_note(state, "buy_title", said, possible=True).startswith("costs 2 for a barony")
    reason = PAGES.kind_note(state, "buy_castle", said, possible=False)
    assert reason == "That costs 4: of an income of 3, Red has only 3 left."


# --- pages -------------------------------------------------------------------------------------------------------


def test_what_is_said_of_a_lord_is_lit_where_the_lord_stands(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A point for a title, when opened, lights a village."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone")
    page = guest.see(f"{table}/score")
    link = next(a["href"] for _, a in page.elements if (a.get("id") or "").startswith("s-FI-80") and a.get("href"))
    page = guest.see(link or "")
    assert [a for _, a in page.elements if a.get("class") == "mark lit"]
    assert " of " in page.text and ": 1" in page.text


def test_the_pages_are_found() -> None:
    """`pages_of` finds a game's pages by the name of its folder."""
    assert pages_of("fief") is PAGES


def test_what_a_rule_needs_stands_below_what_it_counts(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Fief's score lists each title by name, then the points that victory needs; no row stands for no title."""
    guest = visitor()
    page = guest.see(f"{guest.sit(ledger, 'fief/three_alone')}/score").text
    assert "Fiefs, crown and Holy See" not in page
    places = [page.index(name) for name in ("County of Châteauneuf", "County of Sigy", "Alone: 3 points needed")]
    assert places == sorted(places)


def test_an_attack_lights_its_village(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """An attack lights its village as soon as that is known, before opponent and dice are chosen."""
    guest = visitor()

    def lit_cells(played: int, so: str = "") -> list[str | None]:
        page = guest.see(f"{guest.sit(ledger, 'fief/five_and_much_stood', played)}?kind=attack{so}")
        return [cell["id"] for _, cell in page.elements if cell.get("class") == "cell" and "aria-current" in cell]

    assert lit_cells(83) == []
    assert lit_cells(83, "&so=at:St Médard") == ["c-st-medard"]
    assert lit_cells(84) == ["c-st-gerome"]


@pytest.mark.parametrize(("language", "of_phase"), [("en", "card of this phase"), ("fr", "carte de cette phase")])
def test_who_can_buy_nothing_can_still_play_an_assassin(language: str, of_phase: str) -> None:
    """The sentence for a player with nothing to buy denies cards of the purchases only: an assassin goes always."""
    state = GAME.setup(Setup(FOUR))
    for move in ("next", "next", "next", "next", "buy card", "cede Sigy Blue"):
        state = GAME.apply(state, GAME.read(move))
    said = words(language, "fief").due_options_text(GAME.due(state), (), ("buy_card",))
    assert of_phase in said, said
    assert GAME.check(state, GAME.read("assassin Blanche by Henri")).legal


def test_the_log_calls_lords_by_the_titles_of_then(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A line of the log stays as it was when a lord's titles change later; a title held by then is told."""
    guest = visitor()
    whole, part = (guest.get(f"{guest.sit(ledger, 'fief/four_as_a_pair', n)}/log.txt").text for n in (None, 60))
    lines = [re.findall(r"^\d+\. (.*)", text, re.MULTILINE) for text in (whole, part)]
    assert lines[0][:61] == lines[1]
    cardinal = lines[1].index("Chloé: Henri becomes a cardinal")
    assert any("His Eminence Cardinal Henri" in line for line in lines[0][cardinal:])
