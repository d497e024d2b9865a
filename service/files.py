"""``bastide rule`` and ``bastide score``: the answers of the API, for a game written in a file.

The file is JSON: ``{"game": …, "setup": {…}, "moves": […] or "position": {…}}``, and for `rule` a ``"move"``: what the
API's stateless endpoints take, with the game beside it. The answer is theirs too, as JSON or as lines to read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import rules
from service import problems, rulings, serializers, texts, wire
from service.responses import encode
from service.rulings import AnyGame
from service.texts import Words
from service.validation import Complaint, Invalid, parse

LEGAL: Final = 0
REFUSED: Final = 1
UNUSABLE: Final = 2

Answer = dict[str, Any]
Lines = Iterator[str]


def run(command: str, file: str, language: str, as_json: bool) -> int:
    """Answer `command` (``rule`` or ``score``) for a file (``-``: the standard input); the exit status."""
    answer, lines = COMMANDS[command]
    try:
        document = parse(_read(file))
        game, members = _game(document)
        found = answer(game, members, language)
    except OSError as error:
        return _complain(texts.say(language, "command", "unreadable_file", {"file": file, "reason": error.strerror}))
    except tuple(problems.MADE) as error:
        return _problem(error, language, as_json)
    if as_json:
        print(encode(found).decode())
    else:
        print("\n".join(lines(found, texts.words(language, game.id))))
    return LEGAL if found.get("ruling", "legal") == "legal" else REFUSED


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _game(document: Any) -> tuple[AnyGame, Mapping[str, Any]]:
    """The game that a document names, and the rest of it. Raises `Invalid`."""
    if not isinstance(document, dict):
        raise Invalid([("", Complaint("not_object"))])
    if "game" not in document:
        raise Invalid([("/game", Complaint("missing"))])
    game = document["game"]
    if not isinstance(game, str) or game not in rules.GAMES:
        raise Invalid([("/game", Complaint("unknown_game", values=tuple(rules.GAMES)))])
    return rules.GAMES[game], {name: value for name, value in document.items() if name != "game"}


# --- ruling --------------------------------------------------------------------------------------------------------


def _rule(game: AnyGame, members: Mapping[str, Any], language: str) -> Answer:
    body = wire.load(wire.of(game).rulings, members)
    state = rulings.state_of(game, *wire.start(body))
    return serializers.ruling(rulings.judge(game, state, body["move"]), language)


def _ruling_lines(ruling: Answer, words: Words) -> Lines:
    def say(code: str, **values: Any) -> str:
        return texts.say(words.language, "command", code, values)

    verdict = say(ruling["ruling"])
    colour = ruling["by"] and words.name(ruling["by"])
    yield say("verdict" if colour else "verdict_over", notation=ruling["notation"], colour=colour, ruling=verdict)
    for finding in ruling["findings"]:
        yield f"  {finding['rule']}  {finding['text']}"
        yield from (f"    {_evidence(fact, words)}" for fact in finding["evidence"])
        if finding["needs"]:
            yield "    " + say("needs", needs=finding["needs"])
    for other in ruling["readings"]:
        yield "  " + say("reading", key=other["key"], value=other["value"], ruling=say(other["ruling"]))
    if ruling["nearest"]:
        yield "  " + say("nearest", moves=ruling["nearest"])


def _evidence(fact: Mapping[str, Any], words: Words) -> str:
    """Cells, and what is counted there."""
    cells = fact["cells"] if "cells" in fact else (fact["cell"],)
    named = " ".join(str(cell) for cell in cells)
    counts = ", ".join(f"{words.name(name)} {n}" for name, n in fact.items() if name not in ("cell", "cells"))
    return _said(words.language, named, counts) if counts else named


def _said(language: str, of: str, text: str) -> str:
    """What is said of something: with a colon, as the language sets it."""
    return texts.say(language, "command", "said", {"of": of, "text": text})


# --- the score -----------------------------------------------------------------------------------------------------


def _score(game: AnyGame, members: Mapping[str, Any], language: str) -> Answer:
    body = wire.load(wire.of(game).start, members)
    state = rulings.state_of(game, *wire.start(body))
    return serializers.sheet(rulings.sheet(game, state), language)


def _score_lines(sheet: Answer, words: Words) -> Lines:
    ended = sheet["ended"]
    yield ended["text"] if ended else texts.say(words.language, "command", "going_on")
    for player in sheet["players"]:
        yield f"{words.name(player['colour'])} {player['total']}"
        yield from (f"  {line['points']:>3}  {line['label']} ({line['rule']})" for line in player["lines"])
    for place in sheet["ranking"]:
        yield f"{place['place']}. {_said(words.language, ', '.join(map(words.name, place['colours'])), place['text'])}"


COMMANDS: Final[Mapping[str, tuple[Callable[..., Answer], Callable[[Answer, Words], Lines]]]] = {
    "rule": (_rule, _ruling_lines),
    "score": (_score, _score_lines),
}


# --- what went wrong -----------------------------------------------------------------------------------------------


def _problem(error: Exception, language: str, as_json: bool) -> int:
    """Tell a problem, in the words and the shape that the API has for it."""
    problem = problems.of(error, language)
    title, detail = problem.words(language)
    if as_json:
        head = {"type": f"/problems/{problem.slug}", "title": title, "status": problem.status, "detail": detail}
        print(encode(head | dict(problem.members)).decode())
        return UNUSABLE
    errors = problem.members.get("errors", ())
    lines = [(title, detail), *((f"  {each['pointer']}", each["detail"]) for each in errors)]
    return _complain("\n".join(_said(language, *line) for line in lines))


def _complain(text: str) -> int:
    print(f"bastide: {text}", file=sys.stderr)
    return UNUSABLE
