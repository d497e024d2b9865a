"""The permissions of a visitor on a page of a table: templates read them, and decide nothing."""

from __future__ import annotations

from typing import Final

from rules.kernel import Due, Ruling
from rules.records import dataclass
from service.tables.keys import HOST, Role
from web.browser.language import _
from web.panels.moves.choose import IdlePanel
from web.panels.moves.draft import DraftPanel
from web.panels.moves.verdict import VerdictPanel


@dataclass(frozen=True, slots=True)
class Permissions:
    """The permissions of a page's visitor; without a table, none.

    `play`: place moves on this board. `go_on`: enter the moves that the panel offers by one tap. `place`, `let_stand`:
    enter the move with the ruling; `why_not`: the reason why not from here. `agree`: confirm what only the host may
    settle or amend alone.
    """

    take_part: bool = False
    play: bool = False
    go_on: bool = False
    place: bool = False
    let_stand: bool = False
    why_not: str = ""
    undo: bool = False
    roll: bool = False
    dispute: bool = False
    amend: bool = False
    agree: bool = False
    settle: bool = False
    amend_alone: bool = False
    go_back: bool = False
    set_readings: bool = False
    enter_position: bool = False


NO_PERMISSIONS: Final = Permissions()
"""Without a table."""


def permissions_of(role: Role, due: Due, panel: object, *, placing: bool) -> Permissions:
    """The permissions of a key on a page with this panel. `placing`: the page places chosen moves at the table."""
    host, plays = role.kind == HOST, role.plays
    turn = placing and (host or (role.seat is not None and role.seat == due.seat))
    play = turn or (placing and plays and due.seat is None and due.ended is None)
    place, let_stand, why_not = False, False, ""
    if placing and (verdict := verdict_in(panel)) is not None:
        legal, of_another = verdict.ruling == Ruling.LEGAL.value, _of_another(role, verdict)
        enters = (play or (verdict.out_of_turn and plays)) and not of_another
        place, let_stand = enters and legal, turn and not (of_another or legal or verdict.cannot_stand)
        why_not = "" if enters or due.ended is not None else _why_not(role, of_another=of_another)
    return Permissions(
        take_part=plays,
        play=play,
        go_on=play and isinstance(panel, IdlePanel) and bool(panel.onward),
        place=place,
        let_stand=let_stand,
        why_not=why_not,
        undo=plays,
        roll=plays,
        dispute=plays and placing,
        amend=plays,
        agree=plays and not host,
        settle=host,
        amend_alone=host,
        go_back=host,
        set_readings=host,
        enter_position=host,
    )


def verdict_in(panel: object) -> VerdictPanel | None:
    """The ruling in a panel: its own, or that on an unfinished move."""
    shown = panel.verdict_panel if isinstance(panel, DraftPanel) else panel
    return shown if isinstance(shown, VerdictPanel) else None


def _of_another(role: Role, verdict: VerdictPanel) -> bool:
    """Whether a move out of turn belongs to another player than this phone's."""
    return verdict.whose is not None and role.seat is not None and verdict.whose != role.seat


def _why_not(role: Role, *, of_another: bool) -> str:
    """The reason why this phone cannot enter a move."""
    if not role.plays:
        return _("You only watch. To play, ask the host for a link.")
    return _("This is another player’s move.") if of_another else _("It is not your turn.")
