"""``bastide rule`` and ``bastide score``: give the API's answers for a game in a file.

The file is JSON: ``{"game": …, "setup": {…}, "moves": […] or "position": {…}}``, and for `rule` a ``"move"``. This is
what the API's stateless endpoints accept, with the game added. The answer is theirs, too, as JSON or as lines to read.
Both commands also read a case file (`service.cases.report`); `score` ignores the move. ``bastide case add`` adds a case
file to the case book.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import rules
from rules.forms import Malformed
from rules.kernel import Fact, Finding, Line
from service import schemas
from service.cases import report
from service.errors import Impossible, Invalid
from service.http.serializers import rulings
from service.i18n import reading_notes, sentences
from service.i18n.sentences import Words
from service.judgements import Judgement, Sheet
from service.rulings import judge
from service.schemas.parsing import encode, parse
from service.types import AnyGame, Json, JsonObject
from service.validation import FieldError

LEGAL: Final = 0
REFUSAL_STATUS: Final = 1
UNUSABLE: Final = 2

Lines: TypeAlias = Iterator[str]


class Output(NamedTuple):
    """The output of a command: the answer as JSON and as lines, and whether the move in question, if any, is legal."""

    json: JsonObject
    lines: Lines
    legal: bool = True


def run(command: str, file: str, language: str, as_json: bool) -> int:
    """Answer `command` (``rule`` or ``score``) for a file (``-``: the standard input). Returns the exit status."""
    try:
        game, members = _game(parse(_read(file)))
        answer = COMMANDS[command](game, members, language)
    except OSError as error:
        return _fail(sentences.say(language, "command", "unreadable_file", {"file": file, "reason": error.strerror}))
    except handled_errors() as error:
        return _problem(error, language, as_json)
    print(encode(answer.json).decode() if as_json else "\n".join(answer.lines))
    return LEGAL if answer.legal else REFUSAL_STATUS


def add_case(file: str, rule: str | None, texts: Mapping[str, str | None], language: str) -> int:
    """Add a case file to the case book. Returns the exit status."""
    from service.cases import add  # noqa: PLC0415  # the other commands write no file

    try:
        game, members = _game(parse(_read(file)))
        added = add.add(game, schemas.load(schemas.of(game).case_file_body, members), rule, texts)
    except OSError as error:
        values = {"file": error.filename or file, "reason": error.strerror}
        return _fail(sentences.say(language, "command", "unreadable_file", values))
    except handled_errors() as error:
        return _problem(error, language, as_json=False)
    code = "added" if added.agrees else "added_against"
    print(sentences.say(language, "command", code, {"case": added.name, "file": str(added.path)}))
    return LEGAL


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _game(document: Json) -> tuple[AnyGame, JsonObject]:
    """The game that a document names, and the rest of it. Raises `Invalid`."""
    if not isinstance(document, dict):
        raise Invalid([("", FieldError("not_object"))])
    if "game" not in document:
        raise Invalid([("/game", FieldError("missing"))])
    game = document["game"]
    if not isinstance(game, str) or game not in rules.GAMES:
        raise Invalid([("/game", FieldError("unknown_game", values=tuple(rules.GAMES)))])
    return rules.GAMES[game], {name: value for name, value in document.items() if name != "game"}


# --- ruling --------------------------------------------------------------------------------------------------------


def _rule(game: AnyGame, members: JsonObject, language: str) -> Output:
    body = schemas.load(schemas.of(game).case_file_body, members)
    start = report.read_start(body)
    unknown = judge.unknown_of(game, start.setup, start.position)
    state, problems = judge.state_and_problems(game, *start, anyway=body["anyway"], in_part=True)
    judgement = judge.judge(game, state, body["move"], unknown)
    words = sentences.words_with_people(language, game.id, start[0])
    answer = rulings.with_problems(rulings.ruling(judgement, words), problems, words)
    lines = _problem_lines(problems, words), _ruling_lines(judgement, words), _case_lines(body, words)
    return Output(answer, chain(*lines), judgement.verdict.legal)


def _problem_lines(problems: Sequence[Finding], words: Words) -> Lines:
    return (f"{problem.rule}  {words.finding_text(problem)}" for problem in problems)


def _ruling_lines(judgement: Judgement, words: Words) -> Lines:
    def say(code: str, **values: object) -> str:
        return sentences.say(words.language, "command", code, values)

    ruling = say(judgement.ruling.value)
    colour = judgement.seat and words.name(judgement.seat)
    yield say("verdict" if colour else "verdict_over", notation=judgement.notation, colour=colour, ruling=ruling)
    for finding in judgement.verdict.findings:
        yield f"  {finding.rule}  {words.finding_text(finding)}"
        yield from (f"    {_evidence(fact, words)}" for fact in finding.facts.evidence)
        if finding.facts.needs:
            yield "    " + say("needs", needs=words.unknown_list(finding.facts.needs))
    for effect in judgement.effects:
        yield f"  {effect.rule}  {words.effect_text(effect)}"
        yield from (f"    {_evidence(fact, words)}" for fact in effect.facts.evidence)
    for other, text in reading_notes.readings(words, judgement):
        yield "  " + say("reading", key=other.key, value=other.value, said=text)
    if judgement.nearest_moves:
        yield "  " + say("nearest", moves=[judgement.game.write(move) for move in judgement.nearest_moves])


def _case_lines(members: schemas.Members, words: Words) -> Lines:
    """The ruling that a case file expects, and the ruling that it reports."""
    for member in ("said", "expected"):
        if members[member] is not None:
            ruling = sentences.say(words.language, "command", members[member]["ruling"])
            values = {"ruling": ruling, "rules": members[member]["rules"], "version": members["rules_version"]}
            code = f"case_{member}_by" if values["rules"] else f"case_{member}"
            yield sentences.say(words.language, "command", code, values)


def _evidence(fact: Fact, words: Words) -> str:
    """The cells of the evidence, with their counts."""
    cells = " ".join(map(str, fact.cells))
    counts = ", ".join(f"{words.count_word(name)} {n}" for name, n in fact.counts.items())
    return _with_colon(words.language, cells, counts) if counts else cells


def _with_colon(language: str, of: str, text: str) -> str:
    """A text after its subject, with a colon in the language's style."""
    return sentences.say(language, "command", "said", {"of": of, "text": text})


# --- the score -----------------------------------------------------------------------------------------------------


def _score(game: AnyGame, members: JsonObject, language: str) -> Output:
    has_move = "move" in members  # a file for `rule`: its move is parsed, but ignored
    body = schemas.load(schemas.of(game).case_file_body if has_move else schemas.of(game).start_body, members)
    start = report.read_start(body) if has_move else report.Start(*schemas.start_of_body(body))
    words = sentences.words_with_people(language, game.id, start.setup)
    state, problems = judge.state_and_problems(game, *start, anyway=body["anyway"])
    sheet = judge.sheet(game, state, problems)
    answer = rulings.with_problems(rulings.sheet(sheet, words), problems, words)
    return Output(answer, chain(_problem_lines(problems, words), _score_lines(sheet, words)))


def _score_lines(sheet: Sheet, words: Words) -> Lines:
    yield words.end_text(sheet.ended) if sheet.ended else sentences.say(words.language, "command", "going_on")
    for seat, lines in sheet.lines.items():
        yield f"{words.name(seat)} {sheet.totals[seat]}"
        yield from (_score_line(line, words) for line in lines)
    for place in sheet.ranking:
        seats = ", ".join(map(words.name, place.seats))
        number = "–" if place.place is None else f"{place.place}."
        yield f"{number} {_with_colon(words.language, seats, words.place_text(place))}"
    yield from map(words.forecast_text, sheet.forecasts)


def _score_line(line: Line, words: Words) -> str:
    """A line of the sheet; one without points shows its other counts."""
    label, counts = f"{words.line_text(line)} ({line.rule})", "" if line.points else words.line_counts(line)
    return f"  {'–' if counts else line.points:>3}  {_with_colon(words.language, label, counts) if counts else label}"


COMMANDS: Final[Mapping[str, Callable[[AnyGame, JsonObject, str], Output]]] = {"rule": _rule, "score": _score}


# --- problems ------------------------------------------------------------------------------------------------------


def handled_errors() -> tuple[type[Exception], ...]:
    """The exceptions that are a problem of the input. An `except` calls this only once something is raised."""
    from service.http.problems import HANDLED_ERRORS  # noqa: PLC0415  # it loads Werkzeug, and a ruling needs none of it

    return HANDLED_ERRORS


def _problem(error: Exception, language: str, as_json: bool) -> int:
    """Print a problem with the API's words and shape."""
    from service.http import problem_responses  # noqa: PLC0415  # it loads Flask

    problem = problem_responses.problem_of(error, language)
    title, detail = problem.words(language)
    if as_json:
        kind = f"/problems/{problem.kind}"
        document: JsonObject = {"type": kind, "title": title, "status": problem.status, "detail": detail}
        print(encode(document | dict(problem.members)).decode())
        return UNUSABLE
    lines = [_with_colon(language, title, detail)]
    if isinstance(error, Malformed):
        error = Invalid.of(error)
    if isinstance(error, Impossible):
        words = sentences.words_with_people(language, error.game.id, error.setup)
        lines += [f"  {line}" for line in _problem_lines(error.problems, words)]
    if isinstance(error, Invalid):
        lines += [
            _with_colon(language, f"  {at}", sentences.field_error(language, each)) for at, each in error.field_errors
        ]
    return _fail("\n".join(lines))


def _fail(text: str) -> int:
    print(f"bastide: {text}", file=sys.stderr)
    return UNUSABLE
