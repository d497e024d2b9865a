"""The quarrels of docs/quarrels.md: the tests send each request, load each address, and compare the answers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import orjson
import pytest

import rules
from rules import GAMES
from service.cases import numbering
from tests.support.api import V1, Api
from tests.support.document import Document
from tests.support.loops import over
from tests.support.question_pages import Asker
from tests.web.conftest import Visitor
from web.position_url import Trail

Visitors = Callable[..., Visitor]
DOCUMENT = (Path(__file__).parents[2] / "docs" / "quarrels.md").read_text(encoding="utf-8")
HERE = "http://localhost:8000"
PART = re.compile(rf"^\[[^\]]+\]\(({HERE}/ask/[^)]+)\)$|^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A link to a question, a block of commands, or a block with the answer."""


@dataclass(frozen=True)
class Request:
    """The request of one curl command. `path` and `headers` may name variables of the shell."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Step:
    """Requests with the expected answer to the last one, and the address of the same question on a page, if any."""

    address: str | None
    requests: tuple[Request, ...]
    expected_answer: Any


def steps(document: str) -> list[Step]:
    """The steps of a document, in order."""
    found: list[Step] = []
    address: str | None = None
    asked: tuple[Request, ...] = ()
    for link, language, block in PART.findall(document):
        if link:
            address = link
        elif language == "sh":
            asked = tuple(requests(block))
        else:
            found.append(Step(address, asked, orjson.loads(block)))
            address = None
    return found


def requests(block: str) -> Iterator[Request]:
    """The curl requests in a block of commands."""
    words = shlex.split(block)
    starts = [place for place, word in enumerate(words) if word == "curl"]
    for start, end in pairwise([*starts, len(words)]):
        path, *options = words[start + 1 : end]
        given = list(zip(options[::2], options[1::2], strict=True))
        assert {name for name, _ in given} <= {"-H", "-d"}
        headers = dict(text.split(": ", 1) for name, text in given if name == "-H" and text != "$JSON")
        yield Request(path, headers, next((orjson.loads(text) for name, text in given if name == "-d"), None))


def differing(said: Any, answer: Any, at: str = "") -> list[str]:
    """Where an answer lacks what is expected. A list may have more items between; of findings, all are expected."""
    if isinstance(said, dict):
        if not isinstance(answer, dict):
            return [at]
        missing = [f"{at}/{name}" for name in said if name not in answer]
        return missing + [
            each for name in said.keys() & answer.keys() for each in quarrels_by_name(said, answer, name, at)
        ]
    if isinstance(said, list):
        rest = iter(answer if isinstance(answer, list) else [])
        return [f"{at}/{n}" for n, one in enumerate(said) if not any(not differing(one, other) for other in rest)]
    return [] if said == answer else [f"{at}: {answer!r}"]


def quarrels_by_name(said: Any, answer: Any, name: str, at: str) -> list[str]:
    """The same for one member; lists of findings and needs must have the same length."""
    if name in ("findings", "needs") and len(said[name]) != len(answer[name]):
        return [f"{at}/{name}: {len(answer[name])}"]
    return differing(said[name], answer[name], f"{at}/{name}")


def texts(said: Any) -> Iterator[str]:
    """Every sentence of an answer."""
    for name, value in said.items() if isinstance(said, dict) else enumerate(said if isinstance(said, list) else ()):
        if name == "text":
            yield value
        yield from texts(value)


class Shell:
    """Sends requests, with the id and keys of the last opened table as variables."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.variables: dict[str, str] = {"API": V1}

    def send(self, request: Request) -> Any:
        """The JSON of the answer to a request, which must succeed."""
        headers = {name: self.fill(text) for name, text in request.headers.items()}
        method = "GET" if request.body is None else "POST"
        answer = self.api.send(method, self.fill(request.path), request.body, headers=headers)
        assert answer.status_code < 400, answer.json
        said: Any = answer.json
        if "keys" in said:
            seats = {seat.upper(): key for seat, key in said["keys"]["seats"].items()}
            self.variables |= {"ID": said["id"], "HOST": said["keys"]["host"], **seats}
        return said

    def fill(self, text: str) -> str:
        """A text with its variables replaced."""
        return re.sub(r"\$([A-Z]+)", lambda found: self.variables[found[1]], text)


def test_every_quarrel_is_settled_as_the_document_says(api: Api) -> None:
    """Every request, in order, gets the document's answer."""
    shell = Shell(api)
    for step in over(steps(DOCUMENT)):
        answers = [shell.send(request) for request in step.requests]
        assert differing(step.expected_answer, answers[-1]) == [], orjson.dumps(
            answers[-1], option=orjson.OPT_INDENT_2
        ).decode()


def page_steps() -> list[Step]:
    """The steps that also have a page."""
    return [step for step in steps(DOCUMENT) if step.address is not None]


def test_every_game_has_its_quarrel() -> None:
    """Each game has a quarrel; one has an unknown cell, one depends on a reading, one is settled at a table."""
    paths = [request.path for step in steps(DOCUMENT) for request in step.requests]
    assert {f"$API/games/{game}/rulings" for game in GAMES} <= set(paths)
    assert "$API/tables/$ID/disputes/1/settlement" in paths
    said = [step.expected_answer for step in page_steps()]
    assert any(one["ruling"] == "unproven" and one["needs"] for one in said)
    assert any(one.get("readings") for one in said)


@pytest.mark.parametrize("step", page_steps(), ids=lambda step: step.requests[0].path.split("/")[2])
def test_the_page_says_the_same(visitor: Visitors, step: Step) -> None:
    """The address has the request's position and move, and its page has every sentence of the answer."""
    [request] = step.requests
    there = urlsplit(step.address or "")
    game, text = re.fullmatch(r"/ask/(\w+)/([\w-]+)/move", there.path).groups()  # type: ignore[union-attr]  # a link of ours
    assert request.path == f"$API/games/{game}/rulings"
    position = {"setup": request.body.get("setup", {}), "position": request.body["position"]}
    assert Trail.of(text).steps == (position,), f"{HERE}/ask/{game}/{Trail((position,)).text()}/move"
    guest = visitor()
    page = guest.get(f"{there.path}?{there.query}")
    assert f'class="verdict {step.expected_answer["ruling"]}"' in page.text
    seen = guest.see(f"{there.path}?{there.query}")
    assert ("move", request.body["move"]) in {(each.get("id"), each.get("value")) for _, each in seen.elements}
    assert [sentence for sentence in texts(step.expected_answer) if sentence not in seen.text] == []


SIDES = ("Top: forest", "Right: water", "Bottom: meadow", "Left: meadow")
UP = {"red": "small big", "blue": "hex", "yellow": "big", "green": "small"}
"""Villa Paletti: the columns on the top floor; one of each."""
TOP = {
    f"{colour}.{shape}.2": ["Columns here/1" if shape in up else "nothing"]
    for colour, up in UP.items()
    for shape in ("small", "hex", "big")
}
TAPS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "architekton": {
        "": ["Whose tile is due/Dark, first", "All else is empty"],
        "0,0": ["Landscape/earth"],
        "1,0": ["Building/house of Light", *(f"Its sides/{side}" for side in SIDES)],
        "1,1": ["Landscape/forest"],
        "2,0": ["Landscape/water"],
    },
    "villa_paletti": {
        "": [
            "The top floor/green floor",
            "Whose turn it is/Green",
            "Who has the seal/Red",
            "Who had it before/Yellow",
        ],
        **TOP,
        "green.big.0": ["Columns here/1"],
    },
    "fief": {
        "": ["Phase: marriages/election of the pope", "All else is empty"],
        "sigy": ["Who controls it?/Red", "Which lord comes there?/Arthur", "Bishopric/I", "Cardinal/by a card"],
        "blaye": ["Who controls it?/Blue", "Which lord comes there?/Baudoin", "Bishopric/II", "Cardinal/by a card"],
        "tournus": ["Who controls it?/Green", "Which lord comes there?/François", "Bishopric/III"],
    },
    "robber_knights": {
        "": ["Who played/Red", "Whose turn it is/Red"],
        "0,0": ["Tile/castle in the plain", "Knights/Yellow on top"],
        "0,1": ["Tile/town in the plain", "Knights/Yellow on top"],
        "0,2": ["Tile/village in the forest", "Knights/Yellow on top", "Knights/Yellow on top"],
    },
}
"""Cell (empty: beside the board) -> the taps there, each as group/choice."""


def pick(hand: Asker, choice: str) -> None:
    """Tap a choice, given as group/label or label alone."""
    group, _, label = choice.rpartition("/")
    part = hand.html.partition(f">{group}</")[2].partition("</ul>")[0] if group else hand.html
    found = re.findall(r'<a class="take[^>]* href="([^"]*)".*?<span>([^<]*)</span></a>', part, re.DOTALL)
    hand.go(next(unescape(href) for href, name in found if name == label))


@pytest.mark.parametrize("game", TAPS)
def test_a_quarrel_is_asked_by_taps(visitor: Visitors, game: str) -> None:
    """A position entered by taps, with all else unknown or declared empty, and its move get the document's ruling
    and sentences.
    """
    hand = Asker(visitor(), f"/ask/{game}")
    for cell, choices in TAPS[game].items():
        if cell:
            hand.click(f"c-{cell}")
        for choice in choices:
            pick(hand, choice)
    [step] = [step for step in page_steps() if f"/{game}/" in step.requests[0].path]
    notation = step.requests[0].body["move"].replace("(2,3)", "(0,3)")
    hand.click("ask")
    hand.go(f"?{urlencode({'move': notation})}")
    assert f'class="verdict {step.expected_answer["ruling"]}"' in hand.html
    assert [sentence for sentence in texts(step.expected_answer) if sentence not in hand.page.text] == []


MARKS = "Other titles"
LORDS: Mapping[str, Sequence[str]] = {
    "sigy": [
        "Which lord comes there?/Aliénor",
        f"{MARKS}/regent",
        f"{MARKS}/d’Arc",
        f"{MARKS}/excommunicated",
        f"{MARKS}/in this round",
    ],
    "blaye": [
        "Which lord comes there?/Arthur",
        f"{MARKS}/crown prince 1",
        f"{MARKS}/crown prince 1",
        f"{MARKS}/crown prince 1",
    ],
    "tournus": ["Which lord comes there?/Éric", f"{MARKS}/crown prince 2"],
    "bourg": ["Which lord comes there?/Blanche", f"{MARKS}/d’Arc", f"{MARKS}/named for a murder"],
}


def test_each_mark_of_a_lord_is_entered_by_a_tap(visitor: Visitors) -> None:
    """Taps enter regency, crown princes, d'Arc's card and excommunication; a mark for one lord leaves all others."""
    hand = Asker(visitor(), "/ask/fief")
    for cell, choices in LORDS.items():
        hand.click(f"c-{cell}")
        for choice in choices:
            pick(hand, choice)
    position: Any = Trail.of(urlsplit(hand.url).path.rpartition("/")[2]).steps[-1]["position"]
    assert position["excommunication"] == "Aliénor"
    marks = ("regent", "arc", "excommunicated", "prince", "marked")
    assert {lord["name"]: {mark: lord[mark] for mark in marks if lord.get(mark)} for lord in position["lords"]} == {
        "Aliénor": {"regent": True, "excommunicated": True},
        "Arthur": {"prince": 1},
        "Éric": {"prince": 2},
        "Blanche": {"arc": True, "marked": True},
    }
    hand.go("?")
    pick(hand, "d’Arc/out of the game")
    after: Any = Trail.of(urlsplit(hand.url).path.rpartition("/")[2]).steps[-1]["position"]
    assert after["arc_gone"] is True
    assert not any(lord.get("arc") for lord in after["lords"])


def test_a_march_is_asked_by_taps_alone(visitor: Visitors) -> None:
    """A march's questions say how many knights must stay on each tile; a fold has the illegal numbers, which lead to
    their ruling.
    """
    hand = Asker(visitor(), "/ask/robber_knights")
    for cell, choices in TAPS["robber_knights"].items():
        if cell:
            hand.click(f"c-{cell}")
        for choice in choices:
            pick(hand, choice)
    for tap in ("ask", "c-0,3"):
        hand.click(tap)
    hand.go(link_with(hand.html, "ask", "Castle in the plain"))
    hand.click("rest")
    for answer in ("down", "1"):
        hand.go(link_with(hand.html, "answer", answer))
    asked, _, folded = hand.html.partition("Why not something else?")
    assert "tile 2 of the march (village in the forest)? at least 2, 2 there already" in Document(asked).text
    folded = folded.partition("(village in the forest)?")[2]
    hand.go(link_with(folded, "answer", "1"))
    assert 'class="verdict illegal"' in hand.html
    assert "At least 2 of the new knights must stay on this tile, not 1: village in the forest." in hand.page.text


def link_with(html: str, kind: str, label: str) -> str:
    """The first link of a kind with these words."""
    links = re.findall(rf'<a class="{kind}\b[^>]* href="([^"]*)"(.*?)</a>', html, re.DOTALL)
    return next(unescape(href) for href, inner in links if f">{label}<" in inner)


CASE = re.compile(
    rf"^- Worked case: \[([A-Z]+-C\d+)\]\({HERE}(/rules/(\w+)/cases/\1)\), of rule `([A-Z]+-\d+)`", re.MULTILINE
)
"""A worked case: its number, its address, its game and its rule."""


def test_the_worked_cases_lead_to_their_questions(visitor: Visitors) -> None:
    """Each case in the document belongs to the rule beside it; its page links to its question, with its ruling."""
    guest, found = visitor(), CASE.findall(DOCUMENT)
    assert {game for _, _, game, _ in found} == set(GAMES)
    for number, address, game, rule in found:
        [case] = [case for case in rules.load(game, "cases")["case"] if numbering.name(case) == number]
        assert case["id"].startswith(f"{rule}/")
        [link] = [link for link in guest.see(address).links() if link.startswith(f"/ask/{game}/")]
        assert f'class="verdict {case["ruling"]}"' in guest.get(link).text


def changes(said: Any) -> Iterator[Any]:
    """Copies of an answer, each with one leaf changed."""
    for name in list(said) if isinstance(said, dict) else range(len(said)):
        if isinstance(said[name], dict | list) and said[name]:
            for inner in changes(said[name]):
                other = deepcopy(said)
                other[name] = inner
                yield other
        else:
            other = deepcopy(said)
            other[name] = "another"
            yield other


def test_a_changed_sentence_is_found(api: Api) -> None:
    """The control: the comparison finds every changed word or number of the document."""
    shell, tried = Shell(api), 0
    for step in steps(DOCUMENT):
        answers = [shell.send(request) for request in step.requests]
        for other in changes(step.expected_answer):
            tried += 1
            assert differing(other, answers[-1]), other
    assert tried > 20
    assert differing({"findings": []}, {"findings": [{"rule": "VF-22"}]}), "an objection that is not told"
