"""Dice that the server rolls: past rolls in words, and the rolls that a question offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from babel.lists import format_list
from flask_babel import ngettext  # type: ignore[import-untyped]

from rules.kernel import ORDINARY
from rules.records import dataclass
from service.i18n.sentences import Words
from service.referee.roll_dice import rolls_here
from service.tables.entries import BATTLE, BEGINS, Die, Rolled, Throw
from service.tables.keys import HOST
from service.tables.table import Table
from web.browser.address import BETWEEN, TableAddress
from web.browser.language import _
from web.game_pages import SUM, AnyRoll
from web.panels.context import Context, TableContext
from web.panels.sentences import join_clauses, new_key, values_of


@dataclass(frozen=True, slots=True)
class RollForm:
    """A button that rolls a camp's dice: its label, the form's values, and the answers to return with."""

    id: str
    question_id: str
    notation: str
    camp: str
    codes: str
    key: str


# --- in words ----------------------------------------------------------------------------------------------------


def roll_phrase(words: Words, table: Table, entry: Rolled) -> str:
    """A roll in words: its purpose, its dice and their numbers. The source of an imported roll is unknown."""
    if entry.purpose == BEGINS:
        return _first_player_text(words, table, entry)
    (throw,) = entry.throws
    parts = {"shown": dice_text(words, throw), "dice": _dice(words, throw.dice)}
    if entry.purpose == BATTLE:
        values = values_of(table.game.read(entry.notation or ""))
        what = words.say("board", f"rolled_{entry.camp}", values)
        if table.is_imported(entry.number):
            return _("Rolled elsewhere, for %(what)s: %(shown)s (%(dice)s)", what=what, **parts)
        return _("Rolled here, for %(what)s: %(shown)s (%(dice)s, by this server’s random numbers)", what=what, **parts)
    if table.is_imported(entry.number):
        return _("Rolled elsewhere: %(shown)s (%(dice)s)", **parts)
    if entry.by == HOST:
        return _("Rolled here: %(shown)s (%(dice)s, by this server’s random numbers)", **parts)
    who = words.player(entry.by)
    return _("%(who)s rolled here: %(shown)s (%(dice)s, by this server’s random numbers)", who=who, **parts)


def dice_text(words: Words, throw: Throw) -> str:
    """The numbers on the dice in order, and the sum of several dice."""
    each = format_list([str(die.shows) for die in throw.dice], locale=words.language)
    return each if len(throw.dice) == 1 else _("%(shown)s, together %(sum)s", shown=each, sum=throw.total)


def _first_player_text(words: Words, table: Table, entry: Rolled) -> str:
    """The throws for the first player, round by round, and who begins."""
    rounds = [
        ", ".join(f"{words.player(throw.seat or '')} {throw.total}" for throw in throws) for throws in entry.rounds
    ]
    text = rounds[0] + "".join(_("; a tie, so they rolled again: %(shown)s", shown=again) for again in rounds[1:])
    who = words.player(entry.begins or "")
    if table.is_imported(entry.number):
        return _("Rolled elsewhere for who begins: %(shown)s. %(who)s begins (one die each)", shown=text, who=who)
    return _(
        "Rolled here for who begins: %(shown)s. %(who)s begins (one die each, by this server)",
        shown=text,
        who=who,
    )


def _dice(words: Words, dice: Iterable[Die]) -> str:
    """The number of dice of each kind."""
    kinds = Counter(die.kind for die in dice)
    return format_list([_kind(words, kind, n) for kind, n in kinds.items()], locale=words.language)


def _kind(words: Words, kind: str, n: int) -> str:
    if kind == ORDINARY:
        return str(ngettext("%(num)s ordinary die", "%(num)s ordinary dice", n))
    return words.say("board", f"die_{kind}", {"n": n})


# --- what a question offers ---------------------------------------------------------------------------------------


def roll_form(context: Context, number: str, roll: AnyRoll | None) -> RollForm | None:
    """The button that rolls for a question, on the current board of a table."""
    if roll is None or not _is_live_board(context):
        return None
    notation, codes = context.game.write(roll.move), BETWEEN.join(roll.codes)
    return RollForm(f"{number}-roll", number, notation, roll.camp, codes, new_key())


def earlier_rolls_text(context: Context, roll: AnyRoll | None) -> str:
    """The earlier rolls for the same question on the same board, in words."""
    if roll is None or not isinstance(context, TableContext) or not _is_live_board(context):
        return ""
    purpose = context.game.write(roll.move), roll.camp
    rolls = [entry for entry in rolls_here(context.table) if not context.table.is_imported(entry.number)]
    throws = [entry.throws[0] for entry in rolls if (entry.notation, entry.camp) == purpose]
    text = join_clauses(dice_text(context.words, throw) for throw in throws)
    return _("Rolled here: %(shown)s", shown=text) if throws else ""


def _is_live_board(context: Context) -> bool:
    return (
        isinstance(context, TableContext)
        and isinstance(context.address, TableAddress)
        and context.address.section == "board"
    )


def with_sum(so: tuple[str, ...] | None, total: int | None) -> tuple[str, ...] | None:
    """Answers of a draft with the rolled sum in place; without that answer if there is no roll."""
    if total is None:
        return tuple(answer for answer in so or () if SUM not in answer) or None
    return tuple(answer.replace(SUM, str(total)) for answer in so or ()) or None
