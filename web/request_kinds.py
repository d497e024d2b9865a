"""Tells for each page which limit of `service.limits.rate_limits` counts its requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Request

from service.limits.rate_limits import Kind

PAGES: Final[Mapping[str, Kind]] = {
    "web.static": Kind.FREE,
    "web.script": Kind.FREE,
    "web.inks": Kind.FREE,
    "web.manifest": Kind.FREE,
    "web.offline": Kind.FREE,
    "web.worker": Kind.FREE,
    "web.ahead": Kind.LOOK,
    "web.portrait": Kind.FREE,
    "web.home": Kind.READ,
    # Filling in the form. What opens a table, or joins one, is counted by its view, which keeps what was typed.
    "web.open_table": Kind.ASK,
    "web.keep_tables": Kind.ASK,
    "web.join_table": Kind.LOOK,
    "web.join": Kind.LOOK,
    "web.again": Kind.LOOK,
    "web.share_table": Kind.LOOK,
    "web.make_view": Kind.MOVE,
    "web.revoke_view": Kind.MOVE,
    "web.no_form_of_views": Kind.READ,
    "public.board": Kind.LOOK,
    "public.drawing": Kind.LOOK,
    "web.board": Kind.LOOK,
    "web.score": Kind.LOOK,
    "web.log": Kind.LOOK,
    "web.old_log": Kind.LOOK,
    "web.old_replay": Kind.LOOK,
    "web.sheet": Kind.LOOK,
    "web.sheet_text": Kind.LOOK,
    "web.log_text": Kind.LOOK,
    "web.sheet_csv": Kind.LOOK,
    "web.sheet_json": Kind.LOOK,
    "web.sheet_picture": Kind.LOOK,
    "web.board_picture": Kind.LOOK,
    "web.turns": Kind.LOOK,
    "web.set_signals": Kind.LOOK,
    "web.play": Kind.MOVE,
    "web.play_on": Kind.CREATE,
    "web.rewind": Kind.MOVE,
    "web.readings": Kind.LOOK,
    "web.set_readings": Kind.MOVE,
    "web.amend": Kind.LOOK,
    "web.preview": Kind.LOOK,
    "web.save_amendment": Kind.MOVE,
    "web.here": Kind.ASK,
    "web.enter_here": Kind.MOVE,
    "web.roll": Kind.MOVE,
    "web.dispute": Kind.LOOK,
    "web.raise_dispute": Kind.LOOK,
    "web.open_dispute": Kind.MOVE,
    "web.settle_dispute": Kind.MOVE,
    "web.confirm_remedy": Kind.MOVE,
    "web.groups_here": Kind.READ,
    "web.export_played": Kind.READ,
    "web.keep_played": Kind.MOVE,
    "web.no_form_of_results": Kind.READ,
    "web.found_group": Kind.LOOK,
    "web.group": Kind.LOOK,
    "web.join_group": Kind.LOOK,
    "web.enter_group": Kind.LOOK,
    "web.share_group": Kind.LOOK,
    "web.export_group": Kind.LOOK,
    "web.import_results": Kind.MOVE,
    "web.take_out": Kind.MOVE,
    "web.put_back": Kind.MOVE,
    "web.clearing_group": Kind.LOOK,
    "web.clear_group": Kind.MOVE,
    "web.leaving_group": Kind.LOOK,
    "web.leave_group": Kind.LOOK,
    "web.no_form_of_group": Kind.READ,
    "web.write_result": Kind.LOOK,
    "web.add_result": Kind.MOVE,
    "web.result": Kind.LOOK,
    "web.keep_result": Kind.MOVE,
    "web.no_form": Kind.READ,
    "web.nothing_to_see": Kind.READ,
    "web.count": Kind.ASK,
    "web.ask": Kind.ASK,
    "web.ask_move": Kind.ASK,
    "web.what_if": Kind.LOOK,
    "web.then": Kind.LOOK,
    "web.ask_case": Kind.ASK,
    "web.table_case": Kind.LOOK,
    "web.rule_games": Kind.READ,
    "web.rule_list": Kind.ASK,
    "web.rule": Kind.READ,
    "web.case_book": Kind.READ,
    "web.case": Kind.ASK,
    "web.case_board": Kind.ASK,
}
"""Endpoint -> what asking for it is."""


def kind_of(incoming: Request) -> Kind:
    """The kind of a request for a page."""
    kind = PAGES[incoming.endpoint or ""]
    return Kind.POLL if kind is Kind.LOOK and "since" in incoming.args else kind
