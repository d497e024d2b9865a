"""What a ruling has besides objections: the move's effects, and readings that would change it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import rules
from rules.effects import ENDED, OF_EVERY_GAME, POINTS, WON, effect, effects_of
from rules.forms import TrackedReadings
from rules.kernel import Effect, Place, Ruling
from service import schemas
from service.cases.worked_cases import stage
from service.http.serializers import rulings
from service.i18n import reading_notes
from service.i18n.grammar import service_words
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.judgements import ScoreChange
from service.rulings import judge
from tests.rules.play import EVERY_GAME, SEED, SHARED_GAMES, AnyGame, shared_games, some_game
from tests.support.loops import over
from tests.support.records import RECORD_PATHS, notations_of, record_of

OTHERWISE = "If your table reads the rule differently: "
NOT_SO = "If your table reads the rule differently, this is not so: "
FAILED_OBJECTION = "floor ! blue blue small 0 fail blue small* 0 -"
"""A floor that is not laid, as the objection failed; a locked column of the objector leaves the game."""
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


def moves_to_ask(game: AnyGame) -> list[tuple[Any, Any]]:
    """Moves of random games, legal and not: each at its own time and at a random one."""
    chance = Random(f"{SEED} rulings {game.id}")
    found = []
    for _ in range(4 * SHARED_GAMES):
        steps = some_game(game, chance).steps
        number = chance.randrange(len(steps) - 1)
        found.append(steps[number])
        found.append((chance.choice(steps)[0], steps[number][1]))
    return found


def at_case(game: AnyGame, number: str, readings: dict[str, str] | None = None) -> Any:
    """The state of a worked case, with some other readings."""
    book = rules.load(game.id, "cases")
    (case,) = (case for case in book["case"] if case["id"] == number)
    return stage(game, {**case, "readings": {**case.get("readings", {}), **(readings or {})}}, book)


def at_move(name: str, number: int) -> tuple[AnyGame, Any, Any]:
    """A recorded game, a move of it and the state before."""
    (path,) = (path for path in RECORD_PATHS if path.stem == name)
    record = record_of(path)
    game = rules.GAMES[record["game"]]
    state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
    moves = [game.read(notation) for notation in notations_of(record)[: number + 1]]
    for move in moves[:-1]:
        state = game.apply(state, move)
    return game, state, moves[-1]


@pytest.mark.parametrize(
    ("name", "number", "reading"),
    [
        ("four_as_a_pair", 148, ("solo_victory", "anyone")),
        ("six_together", 145, ("solo_victory", "unmarried")),
        ("six_together", 177, ("solo_victory", "unmarried")),
        ("five_buildings", 40, ("church_funding", "cumulative")),
        ("five_buildings", 47, ("church_funding", "cumulative")),
        ("five_and_much_stood", 125, ("church_votes", "sum")),
    ],
)
def test_a_reading_that_changes_only_what_is_told_is_named(name: str, number: int, reading: tuple[str, str]) -> None:
    """A reading that changes only what is told of a move (near victory, costs, a tally) is listed, too."""
    assert reading in {(other.key, other.value) for other in judge.judge(*at_move(name, number)).alternatives}


@pytest.mark.parametrize(
    ("game_id", "case", "notation", "readings", "said"),
    [
        ("fief", "FI-71/44", "assassin Arthur by Isabelle", {"dead_army": "heir_may_attack"}, f"{NOT_SO}“Thierry, "),
        ("fief", "FI-71/44", "assassin Arthur by Isabelle", {"dead_army": "defends"}, f"{OTHERWISE}“Thierry, "),
        ("fief", "FI-22/7", "bishop 2: Éric; Yellow>Éric", {"church_votes": "highest"}, f"{OTHERWISE}“Éric: 8 votes "),
        ("villefranche", "VF-43/3", "e c7d7", {"church_funding": "per_church"}, f"{OTHERWISE}“The next element "),
        ("villefranche", "VF-33/3", "n e4", {"shared_shop": "matched"}, "The move would not be legal. A new "),
        ("villefranche", "VF-33/3", "n e4", {"shared_shop": "refused"}, "The move would be legal."),
        ("villefranche", "VF-33/18", "s d4", {"shared_shop": "matched"}, f"{NOT_SO}“The shop at d4 can carry "),
        (
            "villefranche",
            "VF-62/18",
            "s f4",
            {"corporation": "majority_takes_all"},
            f"{OTHERWISE}“Points: Black 6 → 4.”",
        ),
        ("villefranche", "VF-62/18", "s f4", {"corporation": "majority_own"}, f"{OTHERWISE}“Points: Black 7 → 4.”"),
        (
            "architekton",
            "AR-33/7",
            "pass",
            {"tie_houses": "before_removal"},
            f"{OTHERWISE}“Equal points and equal houses, ",
        ),
        (
            "villa_paletti",
            "VP-34/4",
            FAILED_OBJECTION,
            {"failed_column": "free"},
            f"{OTHERWISE}“Locked, as the objection failed: ",
        ),
        (
            "villa_paletti",
            "VP-34/4",
            FAILED_OBJECTION,
            {"failed_column": "locked"},
            f"{NOT_SO}“Locked, as the objection ",
        ),
    ],
)
def test_the_sentence_of_a_reading_says_what_differs(
    game_id: str, case: str, notation: str, readings: dict[str, str], said: str
) -> None:
    """The sentence of another reading says what differs, not an effect that both have."""
    game, among = rules.GAMES[game_id], {"objection_column": "any"} if game_id == "villa_paletti" else {}
    state = at_case(game, case, {**readings, **among})
    ruled: Any = rulings.ruling(judge.judge(game, state, game.read(notation)), words("en", game_id))
    (key,) = readings
    assert [other["text"] for other in ruled["readings"] if other["key"] == key and other["text"].startswith(said)]


def in_short(language: str, code: str) -> str:
    """The beginning of a sentence about another reading."""
    opening: str = service_words(language)["otherwise"][code]
    return opening.partition("{")[0]


@every_game
def test_a_reading_never_says_what_the_ruling_says(game: AnyGame) -> None:
    """A reading that would change the outcome of a worked case has its own whole sentence, in every language."""
    book = rules.load(game.id, "cases")
    told = 0
    for case in (case for case in book["case"] if "move" in case):
        judgement = judge.judge(game, stage(game, case, book), game.read(case["move"]))
        for language in LANGUAGES if judgement.alternatives else ():
            ruled: Any = rulings.ruling(judgement, words(language, game.id))
            known = {each["text"] for each in (*ruled["findings"], *ruled["effects"], ruled["due"]) if each}
            for other in ruled["readings"]:
                text, told = other["text"], told + 1
                assert text.endswith((".", ".”", ".\xa0»")) and not {"{", "}", "…"} & set(text), text
                assert other["ruling"] != ruled["ruling"] or text != in_short(language, ruled["ruling"]), case["id"]
                assert text.startswith(in_short(language, "without")) or not any(one in text for one in known), text
    assert told


def test_readings_remember_that_they_were_looked_at() -> None:
    """Readings record which were read, until asked once."""
    readings = TrackedReadings({"a": "1", "b": "2"})
    assert readings["a"] == "1"
    assert readings.pop_keys_read() == {"a"}
    assert readings.pop_keys_read() == frozenset()


@every_game
def test_rules_that_were_heard_are_listed_once(game: AnyGame) -> None:
    """Each rule that was checked either objects or is listed once as not objecting, with its count."""
    for state, move in over(moves_to_ask(game)):
        verdict = game.check(state, move)
        listed = judge.rules_without_objection(state, move, verdict)
        objecting = {finding.rule for finding in verdict.findings if finding.ruling is not Ruling.LEGAL}
        assert [rule for rule, _ in listed] == [rule for rule in verdict.heard_rules if rule not in objecting]
        shown = {finding.rule for finding in verdict.findings} - objecting
        assert shown <= {rule for rule, counted in listed if counted is not None}


@every_game
def test_what_was_counted_is_said(game: AnyGame) -> None:
    """The count of a rule that does not object is a legal finding, and a sentence in both languages."""
    counts = set()
    for state, move in moves_to_ask(game):
        for rule, found in judge.rules_without_objection(state, move, game.check(state, move)):
            if found is None:
                continue
            assert (found.rule, found.ruling) == (rule, Ruling.LEGAL)
            said = [words(language, game.id).finding_text(found) for language in LANGUAGES]
            assert not any("…" in text or rule in text for text in said)
            counts.add(found.facts.code)
    assert counts


@pytest.mark.parametrize(("value", "told"), [("laid", "VP-14.not_laid"), ("not_laid", "VP-32.held")])
def test_a_floor_that_is_laid_or_not_is_the_difference_that_is_told(value: str, told: str) -> None:
    """After a failed objection, the difference told is whether the floor is laid, not points or the removed column."""
    game = rules.GAMES["villa_paletti"]
    book = rules.load(game.id, "cases")
    case = {"from": "red_holds", "due": "blue", "readings": {"floor_after_failed_objection": value}}
    move = game.read("floor ! green blue big 0 fail green small 2")
    (first,) = (
        other.differences[0]
        for other in judge.judge(game, stage(game, case, book), move).alternatives
        if other.key == "floor_after_failed_objection"
    )
    assert isinstance(first, Effect)
    assert f"{first.rule}.{first.facts.code}" == told


def told_at_the_end(game: AnyGame, state: Any, move: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The winners of the score sheet after the last move, and the codes and values of its effects."""
    after = game.apply(state, move)
    told = effects_of(game, state, move, after)
    return judge.sheet(game, after).winners, {effect.facts.code: effect.facts.values for effect in told}


def test_everybody_has_won_where_a_rule_lets_all_win() -> None:
    """Two pairs with four points each win together: all four players have won, and it is no draw."""
    game = rules.GAMES["fief"]
    book = rules.load(game.id, "cases")
    (case,) = (case for case in book["case"] if case["id"] == "FI-82/12")
    state = stage(game, case, book)
    winners, told = told_at_the_end(game, state, game.read(case["move"]))
    assert winners == ("red", "blue", "green", "yellow")
    assert told[ENDED]["winners"] == winners and WON not in told


@every_game
def test_who_has_won_is_said_once(game: AnyGame) -> None:
    """A game's end names its winners once: in its own sentence, or in another."""
    for played in over(shared_games(game)):
        (before, last), (after, _) = played.steps[-2:]
        ended, told = game.due(after).ended, effects_of(game, before, last, after)
        assert ended is not None
        codes = [effect.facts.code for effect in told if effect.facts.code in OF_EVERY_GAME - {POINTS}]
        of_its_own = [] if ended.tells_winner or not judge.sheet(game, after).winners else [WON]
        assert codes == [ENDED, *of_its_own]
        assert ended.tells_winner == bool({"winner", "colours"} & ended.values.keys())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("decided", ["total", "VF-70"])
def test_the_rule_that_breaks_a_tie_is_not_said_after_its_figures(language: str, decided: str) -> None:
    """A victory by points is told so; a tie-break is not repeated after its figures."""
    spoken = words(language, "villefranche")
    said = spoken.effect_text(effect("VF-50", WON, {"winners": ("black",), "n": 1, "decided_by": decided}))
    assert (spoken.say("ranking", decided) in said) == (decided == "total")
    assert said.startswith(spoken.name("black"))


def test_nobody_has_won_where_nothing_sets_anybody_apart() -> None:
    """In a draw of all players, nobody is called the winner."""
    record = record_of("robber_knights/drawn")
    game = rules.GAMES[record["game"]]
    state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
    *moves, last = map(game.read, notations_of(record))
    for move in moves:
        state = game.apply(state, move)
    winners, told = told_at_the_end(game, state, last)
    assert len(game.ranking(game.apply(state, last))) == 1
    assert winners == () and ENDED in told and WON not in told


def test_the_sheet_says_who_would_win_under_another_reading() -> None:
    """Red, married with three points, does not win alone, but would under another reading, and the sheet says so."""
    game = rules.GAMES["fief"]
    book = rules.load(game.id, "cases")
    (case,) = (case for case in book["case"] if case["id"] == "FI-81/7")
    sheet = judge.sheet(game, stage(game, case, book))
    assert sheet.winners == ()
    (change,) = (change for change in sheet.sensitivity if change.key == "solo_victory")
    assert (change.value, change.winner_changes, change.leaders) == ("anyone", True, ("red",))
    said = {language: reading_notes.score(words(language, "fief"), change) for language in LANGUAGES}
    assert said["en"].endswith(": Red would win.")
    assert said["fr"].endswith("\xa0: Rouge gagnerait.")


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([Place(1, ("red",), "total"), Place(2, ("blue",), "total")], "Red 2, Blue 2: Red would win."),
        ([Place(1, ("red", "blue"), "VP-31", level=True)], "Red 2, Blue 2: it would be a draw."),
        ([Place(1, ("red", "blue"), "VP-31")], "Red 2, Blue 2: Red and Blue would win together."),
        ([Place(None, ("red", "blue"), "VP-16")], "Red 2, Blue 2: nobody would win."),
    ],
)
def test_who_would_be_first_is_named(places: list[Place], said: str) -> None:
    """The sentence names one winner, several, a draw or nobody."""
    change = ScoreChange("supports", "three", {"red": 2, "blue": 2}, tuple(places), True, True)
    assert reading_notes.score(words("en", "villa_paletti"), change) == said
