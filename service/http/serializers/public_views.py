"""Public views as JSON: for the host who makes them, and for their readers."""

from __future__ import annotations

from service.http.serializers.rulings import due, end_json, sheet
from service.i18n.sentences import Words
from service.rulings import judge
from service.schemas import game_form
from service.tables.players import names_of
from service.tables.public_views import PublicView, id_of
from service.tables.scores import totals_of
from service.tables.table import Table
from service.types import JsonObject


def line(table: Table, view: PublicView, key: str) -> JsonObject:
    """Serialize a view for a host, with its id if this host's key made it."""
    entry, secret = view.entry, view.secret(table.id, key)
    return {
        "view": view.number,
        "id": None if secret is None or view.is_revoked else id_of(table.id, secret),
        "label": entry.label,
        "names": entry.names,
        "since": entry.since,
        "made_at": entry.at,
        "revoked": view.is_revoked,
    }


def score_text(table: Table, words: Words) -> str:
    """A line for each player with the points, and one for what is due or what ended the game."""
    totals, due_now = totals_of(table.game, table.state), table.due
    lines = [f"{words.player(seat)} {totals[seat]}" for seat in table.game.seats_of(table.state)]
    lines.append(words.due_text(due_now) if due_now.ended is None else words.end_text(due_now.ended))
    return "".join(f"{line}\n" for line in lines)


def view(table: Table, view: PublicView, words: Words) -> JsonObject:
    """Serialize what a view shows of a table (`shown_table`): the board, the players, the score, and what is due."""
    names, totals = names_of(table.setup), totals_of(table.game, table.state)
    return {
        "game": table.game.id,
        "version": table.version,
        "since": view.entry.since,
        "players": [
            {"player": seat, "name": names.get(seat) or None, "points": totals[seat]}
            for seat in table.game.seats_of(table.state)
        ],
        "position": game_form(table.game, table.game.position(table.state)),
        "due": due(table.due, words),
        "ended": end_json(table.due.ended, words),
        "score": sheet(judge.sheet(table.game, table.state), words),
        "updated_at": table.entries[-1].at,
    }
