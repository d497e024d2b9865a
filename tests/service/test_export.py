"""Export and import: an export has the whole log and no key, and opens the same table elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import GAMES
from rules.steps import at_most
from service import schemas
from service.errors import Invalid
from service.http.problems import kind_of
from service.referee import dispute, import_log, plans
from service.referee.dispute import DisputeSubject
from service.referee.fold import table_at_version
from service.referee.use_cases import Referee
from service.schemas.parsing import encode
from service.storage import write_sizes
from service.storage.ledger import Ledger
from service.tables import codec
from service.tables.entries import Unlisted, Unreadable
from service.tables.export import export
from service.tables.keys import Role, hash_of
from service.tables.table import Table
from tests.rules.play import often
from tests.support.api import V1, Api, OpenTable
from tests.support.loops import over
from tests.support.records import RECORD_PATHS
from tests.support.redis_call import redis_call
from tests.support.stored_logs import FOLDER, VALUES, answers_of, put, table_of_log, ways
from tests.support.tables import long_export, open_table, table_of_record

TABLES: Final = f"{V1}/tables"
SEED: Final = "Zm9yLXlvdXItZXllcy1vbmx5"
NOW: Final = datetime(2026, 11, 27, tzinfo=UTC)
LIFETIME: Final = timedelta(days=90)
HOST: Final = Role("host")
LONGEST: Final = (
    "villefranche/stood_and_cut",
    "robber_knights/four_and_much_stood",
    "architekton/stood",
    "villa_paletti/accident_and_much_stood",
    "fief/five_and_much_stood",
)
DECIDED_LOG: Final = FOLDER / "villefranche-2-decided.json"
"""A log with every kind of entry."""


# --- without a server --------------------------------------------------------------------------------------------


def document(table: Table, version: int | None = None) -> Any:
    """A table's export as JSON."""
    return orjson.loads(encode(export(table, version)))


def table_of_export(sent: Any) -> Table:
    """The table opened by an export."""
    game = GAMES[sent["game"]]
    opening, _ = import_log.read_opening(game, sent["entries"][0], NOW)
    opening = opening._replace(keys={"b" * 64: "host"}, imported=len(sent["entries"]), imported_at=NOW)
    return import_log.plan_import("B" * 22, opening, sent["entries"], LIFETIME).table


def without_marks(sent: Any) -> Any:
    """An export without the marks of imported entries."""
    entries = [{name: value for name, value in each.items() if name != "imported"} for each in sent["entries"]]
    return sent | {"entries": entries}


whole_game = cache(table_of_record)


@settings(max_examples=often(40))
@given(data=st.data())
def test_an_export_makes_the_same_table_again(data: st.DataObject) -> None:
    """Importing an export of any recorded game, cut anywhere, with an undo and a dispute, gives an equal table, but for
    the marks.
    """
    table = whole_game(data.draw(st.sampled_from(RECORD_PATHS), "game"))
    table = table_at_version(table, data.draw(st.integers(1, table.version), "version"))
    if table.version > 1 and data.draw(st.booleans(), "undo"):
        table = plans.plan_rewind(table, HOST, data.draw(st.integers(1, table.version - 1), "to"), NOW).table
    if data.draw(st.booleans(), "dispute"):
        about = DisputeSubject(data.draw(st.integers(1, table.version), "about"))
        table = dispute.plan_dispute(table, HOST, about, "May one?", NOW).table
    sent = document(table)
    there = table_of_export(sent)
    assert without_marks(document(there)) == sent == without_marks(sent)
    assert all(each["imported"] for each in document(there)["entries"])
    assert (there.state, there.tips, there.line, there.disputes) == (
        table.state,
        table.tips,
        table.line,
        table.disputes,
    )
    assert document(table_of_export(document(there))) == document(there)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_log_of_an_earlier_release_travels(path: Path) -> None:
    """Logs of earlier releases can be exported and imported, even if their rulings are not those of today."""
    table = table_of_log(orjson.loads(path.read_bytes())["log"])
    there = table_of_export(document(table))
    assert without_marks(document(there)) == without_marks(document(table))
    listed = [tip for entry, tip in zip(table.entries, table.tips, strict=True) if not isinstance(entry, Unlisted)]
    assert (there.state, [*there.tips]) == (table.state, listed)
    assert there.undo_to == table.undo_to
    assert encode(answers_of(there, 1))


def test_play_goes_on_from_any_entry() -> None:
    """An export from any entry opens a table with the state of then, and the moves then in play."""
    table = table_of_log(orjson.loads(DECIDED_LOG.read_bytes())["log"])
    for version in over(range(1, table.version + 1)):
        there = table_of_export(document(table, version))
        assert there.state == table.states[version - 1]
        assert there.line == tuple(range(2, there.version + 1))
        assert len(there.line) == len(table.history.line_to(table.tips[version - 1]))
        assert not there.disputes


def test_a_long_export_is_applied_in_slices() -> None:
    """Importing 5,000 entries yields to other requests, and costs at least 20 steps an entry."""
    sent = long_export("villefranche", 5_000)
    rests = []
    with at_most(None, lambda: rests.append(1)) as effort:
        assert table_of_export(sent).version == 5_000
    assert effort.steps >= 4_999 * 20
    assert len(rests) > 100


@settings(max_examples=often(150))
@given(data=st.data())
def test_whatever_stands_in_an_export_it_is_refused_or_makes_a_table(data: st.DataObject) -> None:
    """With any value in any member of an entry, the import either names the place or gives a table that can be read."""
    logs = [orjson.loads(path.read_bytes())["log"] for path in (DECIDED_LOG, FOLDER / "fief-1-armies.json")]
    sent = document(table_of_log(data.draw(st.sampled_from(logs), "log")))
    place = data.draw(st.integers(0, len(sent["entries"]) - 1), "entry")
    way = data.draw(st.sampled_from(tuple(ways(sent["entries"][place]))), "member")
    other = st.sampled_from(sent["entries"]).flatmap(lambda each: st.sampled_from([each, *each.values()]))
    forged = put(sent, ("entries", place, *way), data.draw(VALUES | other, "value"))
    try:
        _, entries = schemas.export_of_body(forged)
        table = table_of_export(forged | {"entries": entries})
    except Invalid as error:
        found = error.field_errors
    else:
        assert encode(answers_of(table, 1))
        return
    assert [pointer for pointer, _ in found if not pointer.startswith("/entries/")] == []


# --- by the API --------------------------------------------------------------------------------------------------


def export_of(api: Api, table: OpenTable, query: str = "") -> Any:
    """The export of a table."""
    response = api.get(f"{table.path}/export{query}", key=table.host)
    assert response.status_code == 200, response.json
    return response.json


def import_table(api: Api, sent: Any) -> OpenTable:
    """The table opened by an import."""
    response = api.post(TABLES, sent)
    assert response.status_code == 201, response.json
    made: Any = response.json
    return OpenTable(made["id"], made["keys"]["host"], made["keys"]["seats"], made["keys"]["watch"])


def problem(answer: Any) -> Any:
    """The type of a 422 problem."""
    assert answer.status_code == 422
    return answer.json["type"]


def refusal(api: Api, ledger: Ledger, sent: Any, status: int = 422) -> Any:
    """The pointers and types of an import's errors; checks that nothing is written."""
    before = redis_call(ledger, "DBSIZE")
    response = api.post(TABLES, sent) if not isinstance(sent, bytes) else api.post(TABLES, raw=sent)
    assert response.status_code == status, response.json
    assert redis_call(ledger, "DBSIZE") == before
    errors = (response.json or {}).get("errors", [])
    return [(each["pointer"], each["type"].rpartition("/")[2]) for each in errors]


@pytest.mark.parametrize("name", LONGEST)
def test_a_table_is_exported_imported_disputed_and_exported_again(name: str, api: Api, app: Any) -> None:
    """In each game, an exported table that is imported, disputed and exported again differs only in its marks and the
    dispute; its keys are new.
    """
    use = app.extensions["bastide.referee"]
    opened = open_table(use, name)
    first = OpenTable(opened.table.id, opened.keys.host, opened.keys.seats, opened.keys.watch)
    sent = export_of(api, first)
    there = import_table(api, sent)
    assert {there.host, there.watch, *there.seats.values()}.isdisjoint({first.host, first.watch, *first.seats.values()})
    about = {"about": {"entry": 5}, "question": "May one?"}
    version = len(sent["entries"])
    raised = api.post(f"{there.path}/disputes", about, key=there.host, version=version)
    assert raised.status_code == 201
    said: Any = raised.json
    assert (said["imported"], said["about"]["imported"], said["exported"]) == (False, True, None)
    again = export_of(api, there)
    assert [each.get("imported", False) for each in again["entries"]] == [True] * version + [False]
    assert without_marks(again)["entries"][:-1] == sent["entries"]
    assert again["entries"][-1]["type"] == "disputed"


def test_no_format_has_a_key_or_a_hash(api: Api, ledger: Ledger) -> None:
    """No format of an export has a key, a hash of one or the table's id. The control: the log has the hashes."""
    table = api.open(["r b1c1"], players=[{"colour": "black", "name": "Ada"}, {"colour": "white"}])
    keys = [table.host, table.watch, *table.seats.values()]
    secrets = [*keys, *map(hash_of, keys)]
    stored = b"".join(payload for _, payload in ledger.read(table.id))
    assert [each.encode() in stored for each in secrets] == [False] * 4 + [True] * 4
    for query in ("", "?entry=2", "?format=text", "?format=text&of=sheet", "?format=csv", "?format=svg",
                  "?format=svg&of=sheet"):  # fmt: skip
        text = api.get(f"{table.path}/export{query}", key=table.host).get_data()
        assert text
        assert [each for each in secrets if each.encode() in text] == [], query
    again = import_table(api, export_of(api, table))
    text = api.get(f"{again.path}/export", key=again.host).get_data()
    assert [each for each in [*secrets, table.id] if each.encode() in text] == []


@pytest.mark.parametrize(
    ("form", "media", "begins"),
    [
        ("json", "application/json", b'{"format":1'),
        ("text", "text/plain", b"Villefranche, "),
        ("csv", "text/csv", b"\xef\xbb\xbfPlayer,"),
        ("svg", "image/svg+xml", b"<svg "),
        ("png", "image/png", b"\x89PNG\r\n"),
    ],
)
def test_the_format_is_asked_for_by_name_or_by_accept(form: str, media: str, begins: bytes, api: Api) -> None:
    """`format` and `Accept` select the same bytes; an unknown format is refused."""
    table = api.open(["r b1c1"])
    by_name = api.get(f"{table.path}/export?format={form}", key=table.host)
    by_accept = api.get(f"{table.path}/export", key=table.host, headers={"Accept": media})
    assert by_name.get_data() == by_accept.get_data()
    assert by_name.get_data().startswith(begins)
    assert by_name.mimetype == by_accept.mimetype == media
    assert api.get(f"{table.path}/export", key=table.host, headers={"Accept": "image/webp"}).status_code == 406
    for query in ("format=gif", "format=csv&of=board", "of=board", "format=svg&entry=1", "entry=3", "entry=0",
                  "format=png&of=log", "format=png&entry=1"):  # fmt: skip
        assert api.get(f"{table.path}/export?{query}", key=table.host).status_code == 422, query


def test_an_imported_entry_is_marked_for_good(api: Api) -> None:
    """Imported entries are marked in the log and in later exports; entries played here are not."""
    table = api.open(["r b1c1"])
    assert api.post(f"{table.path}/rolls", {"for": "dice", "dice": 2}, key=table.host, version=2).status_code == 201
    there = import_table(api, export_of(api, table))
    assert api.play(there, "r b9c9", version=3).status_code == 201
    assert api.post(f"{there.path}/rolls", {"for": "dice", "dice": 2}, key=there.host, version=4).status_code == 201
    entries = api.log(there)["entries"]
    assert [each["imported"] for each in entries] == [True] * 3 + [False] * 2
    assert [each["imported"] for each in entries if each["type"] == "rolled"] == [True, False]
    assert [each["imported"] for each in api.log(table)["entries"]] == [False] * 3
    far: Any = api.log(import_table(api, export_of(api, there)))["entries"]
    assert [each["imported"] for each in far] == [True] * 5


def test_a_ruling_of_an_export_is_heard_anew(api: Api) -> None:
    """An imported move gets a new ruling, and keeps the export's ruling beside it if they differ."""
    table = api.open(["r b1c1", {"move": "h e4", "stands": True}])
    sent = export_of(api, table)
    honest = api.log(import_table(api, sent))["entries"][2]
    assert (honest["ruling"], honest["stands"], honest["exported"]) == ("illegal", True, None)
    sent["entries"][2] |= {"ruling": "legal", "stands": False, "findings": [], "rules_version": "1"}
    there = import_table(api, sent)
    heard = api.log(there)["entries"][2]
    assert (heard["ruling"], heard["stands"], heard["findings"]) == ("illegal", True, honest["findings"])
    assert heard["rules_version"] == "2"
    assert heard["exported"] == {"ruling": "legal", "findings": [], "rules_version": "1"}
    about = {"about": {"entry": 3}, "question": "May one?"}
    raised: Any = api.post(f"{there.path}/disputes", about, key=there.host, version=3).json
    assert raised["ruling"]["ruling"] == "illegal"
    assert raised["exported"]["ruling"] == "legal"
    assert without_marks(export_of(api, there))["entries"][:3] == sent["entries"]


def test_an_imported_table_lives_as_one_that_is_opened(api: Api, ledger: Ledger) -> None:
    """An imported table has the lifetimes of a new one, however long ago it was played."""
    sent = export_of(api, api.open(["r b1c1"]))
    for day, each in enumerate(sent["entries"], start=1):
        each["at"] = f"2019-05-0{day}T20:00:00Z"
    response = api.post(TABLES, sent)
    made: Any = response.json
    assert made["opened_at"] == "2019-05-01T20:00:00Z"
    until = datetime.fromisoformat(made["expires_at"])
    assert abs(until - ledger.expires_at(made["id"])) < timedelta(minutes=1)
    used: Any = api.get(f"{TABLES}/{made['id']}", key=made["keys"]["host"]).json
    until = datetime.fromisoformat(used["expires_at"])
    assert abs(until - ledger.expires_at(made["id"])) < timedelta(minutes=1)
    assert until - datetime.now(UTC) > timedelta(days=89)


def test_an_import_repeats_safely(api: Api, ledger: Ledger) -> None:
    """A repeated import gets the same bytes. Its key is refused for another body, and 410 after deletion."""
    sent = export_of(api, api.open(["r b1c1"]))
    first = api.post(TABLES, sent, idempotency_key=SEED)
    made: Any = first.json
    there = OpenTable(made["id"], made["keys"]["host"], made["keys"]["seats"], made["keys"]["watch"])
    assert api.play(there, "r b9c9", version=2).status_code == 201
    again = api.post(TABLES, sent, idempotency_key=SEED)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_data() == first.get_data()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(redis_call(ledger, "KEYS", "{t:*}:log")) == 2
    for other in (sent | {"entries": sent["entries"][:1]}, {"game": "villefranche"}):
        assert problem(api.post(TABLES, other, idempotency_key=SEED)) == "/problems/key-reused"
    assert problem(api.post(TABLES, sent, idempotency_key="short")) == "/problems/key-short"
    assert api.send("DELETE", there.path, key=there.host).status_code == 204
    assert api.post(TABLES, sent, idempotency_key=SEED).status_code == 410


Forge = Callable[[list[Any]], None]


def change(place: int, **members: Any) -> Forge:
    """Change members of an entry."""

    def forge(entries: list[Any]) -> None:
        entries[place] |= members

    return forge


def add(kind: str, **members: Any) -> Forge:
    """Add an entry."""

    def forge(entries: list[Any]) -> None:
        entries.append({"type": kind, "at": entries[0]["at"], "by": "host", **members})

    return forge


def both(*forgeries: Forge) -> Forge:
    """Apply several changes."""

    def forge(entries: list[Any]) -> None:
        for each in forgeries:
            each(entries)

    return forge


DELETION: Final = {"do": "delete", "entry": 2, "moves": [], "misfits": "leave_out"}
DICE: Final = {"for": "dice", "faces": {"ordinary": [1, 2, 3, 4, 5, 6]}, "move": None, "camp": "", "with": "server"}
FINDING: Final = {"rule": "VF-999", "code": "", "ruling": "legal", "values": {}, "evidence": [], "needs": []}
FORGERIES: Final[dict[str, tuple[Forge, str, str]]] = {
    "a move out of turn": (change(2, seat="black"), "/entries/2/seat", "wrong-value"),
    "a move of no player": (change(2, seat="red"), "/entries/2/seat", "wrong-value"),
    "a move of another game": (change(2, move="attack St Paul"), "/entries/2", "wrong-value"),
    "an unknown kind": (add("teleported"), "/entries/3/type", "wrong-value"),
    "a second opening": (lambda entries: entries.append(entries[0]), "/entries/3/type", "wrong-value"),
    "no opening": (lambda entries: entries.pop(0), "/entries/0/type", "wrong-value"),
    "no type": (lambda entries: entries[1].pop("type"), "/entries/1/type", "missing-field"),
    "an unknown member": (change(1, luck=7), "/entries/1/luck", "unknown-field"),
    "keys": (change(0, keys={"a" * 64: "host"}), "/entries/0/keys", "unknown-field"),
    "a mark that is none": (change(1, imported="yes"), "/entries/1/imported", "wrong-type"),
    "another game": (change(0, game="fief"), "/entries/0/game", "wrong-value"),
    "an impossible setup": (change(0, setup={"players": []}), "/entries/0/setup", "wrong-value"),
    "newer rules": (change(1, rules_version="999"), "/entries/1", "wrong-value"),
    "an unknown role": (change(1, by="queen"), "/entries/1/by", "wrong-value"),
    "a time to come": (change(1, at="2999-01-01T00:00:00Z"), "/entries/1/at", "wrong-value"),
    "a time before any": (change(1, at="0001-01-01T00:00:00Z"), "/entries/1/at", "wrong-value"),
    "no time": (change(1, at="yesterday"), "/entries/1", "wrong-value"),
    "a rule of nowhere": (change(1, findings=[FINDING]), "/entries/1/findings/0/rule", "wrong-value"),
    "an impossible position": (
        add("checkpoint", position={"cells": {"a1": [{"piece": "cube", "colour": "white"}] * 9}, "due": "black"}),
        "/entries/3",
        "wrong-value",
    ),
    "an undo to nowhere": (add("rewound", to=9), "/entries/3", "wrong-value"),
    "a die of seven": (
        add("rolled", throws=[{"dice": [["ordinary", 7]]}], **DICE),
        "/entries/3",
        "wrong-value",
    ),
    "a die with a seventh face": (
        add("rolled", throws=[{"dice": [["ordinary", 7]]}], **DICE | {"faces": {"ordinary": [1, 7]}}),
        "/entries/3/faces",
        "wrong-value",
    ),
    "seven dice": (
        add("rolled", throws=[{"dice": [["ordinary", 6]] * 7}], **DICE),
        "/entries/3/throws",
        "wrong-value",
    ),
    "a dispute about nothing": (add("disputed", entry=9, move=None, question="?"), "/entries/3", "wrong-value"),
    "a question that turns": (
        add("disputed", entry=2, move="r b1c1", question="\u202eyes"),
        "/entries/3/question",
        "wrong-value",
    ),
    "a name too long": (add("renamed", names={"black": "N" * 41}), "/entries/3/names/black", "wrong-value"),
    "a name of nothing": (add("renamed", names={"white": " "}), "/entries/3/names/white", "wrong-value"),
    "a name with blanks around it": (add("renamed", names={"black": " Ada"}), "/entries/3/names", "wrong-value"),
    "a dispute settled twice over": (add("settled", dispute=4, remedy="stands"), "/entries/3", "wrong-value"),
    "an amendment without its entries": (
        add("amended", change=DELETION, to=1, line=[3]),
        "/entries/3",
        "wrong-value",
    ),
    "an amendment that goes back to a question": (
        both(
            add("disputed", entry=2, move="r b1c1", question="?"),
            add("amended", change=DELETION | {"entry": 3}, to=4, line=[]),
        ),
        "/entries/4/to",
        "wrong-value",
    ),
}


@pytest.mark.parametrize("forged", FORGERIES)
def test_a_forged_export_is_refused_with_its_place(
    forged: str, api: Api, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """An entry that does not follow from those before is refused with its pointer, and no fault is logged.

    The control: the unchanged export is imported.
    """
    sent = export_of(api, api.open(["r b1c1", "r b9c9"]))
    forge, pointer, kind = FORGERIES[forged]
    import_table(api, sent)
    forge(sent["entries"])
    assert refusal(api, ledger, sent) == [(pointer, kind)]
    assert "fault in" not in caplog.text


@pytest.mark.parametrize(
    ("change", "pointer", "kind"),
    [
        ({"format": 2}, "/format", "wrong-value"),
        ({"format": "1"}, "/format", "wrong-type"),
        ({"format": None}, "/format", "wrong-type"),
        ({"game": "chess"}, "/game", "wrong-value"),
        ({"game": "fief"}, "/entries/0/game", "wrong-value"),
        ({"keys": {}}, "/keys", "unknown-field"),
        ({"entries": []}, "/entries", "missing-field"),
        ({"entries": {}}, "/entries", "wrong-type"),
        ({"entries": [7]}, "/entries/0", "wrong-type"),
        ({"entries": [{}] * 5_001}, "/entries", "wrong-value"),
    ],
    ids=str,
)
def test_what_is_no_export_is_refused(change: Any, pointer: str, kind: str, api: Api, ledger: Ledger) -> None:
    """An export of another format, or with more than 5,000 entries, is refused."""
    sent = export_of(api, api.open(["r b1c1"]))
    assert refusal(api, ledger, sent | change) == [(pointer, kind)]


def test_json_that_no_export_has_is_refused(api: Api, ledger: Ledger) -> None:
    """Exports that are too deep, ambiguous, broken or over 1 MB are refused; any other opening over 256 kB is, too."""
    sent = export_of(api, api.open(["r b1c1"]))
    text = orjson.dumps(sent)
    for raw in (
        orjson.dumps(put(sent, ("entries", 1), [[]])).replace(b"[[]]", b"[" * 60 + b"]" * 60),
        text.replace(b'"format":1', b'"format":1,"format":1'),
        text[:-1],
    ):
        assert refusal(api, ledger, raw, 400) == []
    assert api.post(TABLES, raw=text + b" " * (1_000_000 - len(text))).status_code == 201
    assert refusal(api, ledger, text + b" " * 1_000_000, 413) == []
    assert refusal(api, ledger, orjson.dumps({"game": "villefranche"}) + b" " * 300_000, 413) == []


def test_an_import_is_counted_by_its_bytes_and_is_whole(ledger: Ledger) -> None:
    """An import counts towards the bytes that an address may write; its 5,000 entries are written all or none."""
    use, sent = Referee(ledger), long_export("villefranche", 5_000)
    with write_sizes.count() as filling:
        made = use.import_table(sent["game"], sent["entries"])
    assert filling.bytes > sum(len(payload) for _, payload in ledger.read(made.table.id))
    assert made.table.version == 5_000
    with pytest.raises(Invalid):
        use.import_table(sent["game"], [*sent["entries"][:-1], sent["entries"][0]])
    assert len(redis_call(ledger, "KEYS", "{t:*}:log")) == 1


def test_a_worker_that_knows_no_imports_refuses_the_table(
    api: Api, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that does not know imports refuses the log as `newer-log`. The control: a current one plays there."""
    there = import_table(api, export_of(api, api.open(["r b1c1"])))
    assert api.play(there, "r b9c9", version=2).status_code == 201
    monkeypatch.setattr(codec, "IMPORT", "of tomorrow")
    with pytest.raises(Unreadable, match="'imported'") as error:
        Referee(ledger).table(there.id, there.host)
    assert kind_of(error.value) == "newer-log"


def test_a_table_of_an_entry_is_played_at(api: Api) -> None:
    """An export from an entry opens a table where play goes on from there."""
    table = api.open(["r b1c1", "r b9c9", "h e4"])
    there = import_table(api, export_of(api, table, "?entry=2"))
    assert api.play(there, "r b9c9", version=2).status_code == 201
    assert len(api.log(table)["entries"]) == 4
