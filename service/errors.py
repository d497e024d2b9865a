"""Every exception that Bastide reports to a client, except werkzeug's own.

`service.http.problems` maps each of them to a problem. The error of an unreadable entry is in `service.tables.entries`,
which this module imports; the errors that stop the start are in `service.startup`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from rules.forms import Malformed
from rules.kernel import Finding, Seat
from service.judgements import Judgement
from service.tables.entries import AnyEntry, Unlisted
from service.tables.table import Table
from service.types import AnyGame, Setup, State
from service.validation import MAX_FIELD_ERRORS, FieldError

MAX_MISSING: Final = 100
"""The maximum number of missed entries in a response. The log has the others."""

# --- the request -------------------------------------------------------------------------------------------------


class BadIdempotencyKey(ValueError):
    """The header `Idempotency-Key` is malformed."""


class ShortIdempotencyKey(ValueError):
    """An `Idempotency-Key` from which a table's keys are derived has fewer than 22 characters."""


class BadIfMatch(ValueError):
    """The header `If-Match` contains no entity tags; for example, it is a number without quotes."""


class NotJson(ValueError):
    """The body is not JSON, or an object in it has a member twice (`duplicate_member`).

    `place`: the line and the column, from 1, of the first wrong character, if known.
    """

    def __init__(self, duplicate_member: str | None = None, place: tuple[int, int] | None = None) -> None:
        super().__init__(duplicate_member, place)
        self.duplicate_member = duplicate_member
        self.place = place


class Invalid(ValueError):
    """The JSON does not fit its schema: a field error for each JSON pointer, in the order of the pointers."""

    def __init__(self, field_errors: Sequence[tuple[str, FieldError]]) -> None:
        super().__init__(field_errors)
        self.field_errors = tuple(sorted(field_errors, key=lambda item: item[0])[:MAX_FIELD_ERRORS])

    @classmethod
    def of(cls, error: Malformed, game: str | None = None) -> Invalid:
        """Convert the errors that a game found in a setup, with the service's texts or those of the `game`."""
        return cls([(error.pointer, FieldError(error.code, game, **error.values))])


class RateLimited(Exception):
    """The client sent too many requests; after `seconds`, the service admits the next one.

    `limit` names the limit, as `service.http.limits` lists it.
    """

    def __init__(self, seconds: int, limit: str) -> None:
        super().__init__(seconds, limit)
        self.seconds, self.limit = seconds, limit


class KeepsTooMuch(RateLimited):
    """The address has stored its maximum for now; after `seconds`, it may write again."""


# --- the rules ---------------------------------------------------------------------------------------------------


class NoGame(LookupError):
    """No game of this id."""


class NoRule(LookupError):
    """The game has no rule of this id."""


class NoCase(LookupError):
    """The game has no worked case of this number."""


class Refused(Exception):
    """A move that the rules forbid; with `stands`, one that the table would let stand, but that cannot lie there.

    `index`: its place among the sent moves. `state`: the state before it, with all earlier moves played.
    `setup`: that of the table, if it was refused at a table.
    """

    setup: Setup | None = None

    def __init__(self, index: int, judgement: Judgement, state: State, *, stands: bool = False) -> None:
        super().__init__(index, judgement.notation)
        self.index = index
        self.judgement = judgement
        self.state = state
        self.stands = stands


class Impossible(Exception):
    """The position cannot stand on a table; the exception contains all its problems."""

    def __init__(self, game: AnyGame, setup: Setup, problems: tuple[Finding, ...]) -> None:
        super().__init__(game.id, [problem.rule for problem in problems])
        self.game = game
        self.setup = setup
        self.problems = problems


# --- a table -----------------------------------------------------------------------------------------------------


class NoTable(LookupError):
    """No such table ever existed, or the key does not belong to it."""


class Expired(LookupError):
    """The table is deleted: nobody played within its lifetime, or the host deleted it."""


class Unauthorised(Exception):
    """No key was given."""


class KeyEnded(Exception):
    """The key no longer opens the table: its host revoked it, or it has expired."""


class NoSuchKey(LookupError):
    """The table has no key of this number, or no such role."""


class OwnKey(Exception):
    """A key cannot revoke itself, so that a host who revokes a host's key still has one."""


class KeyRenewed(Exception):
    """One of the keys that a repeated opening would return has been revoked since."""


class NoCode(LookupError):
    """There is no such join code."""


class CodeEnded(Exception):
    """The join code was used or has expired, or the key of the host who made it has ended."""


class Forbidden(Exception):
    """The key does not allow this.

    `reason` is one of these:

    - ``watch``: the key only watches.
    - ``host``: only the host's key allows it.
    - ``seats``: only a seat's key allows it.
    - ``seat``: it is the turn of `seat`.
    - ``moves``: another seat made some of the moves to undo or redo.
    - ``names``: a seat's key may only rename its own player.
    - ``over``: the game is over.
    - ``nobody``: it is nobody's turn, and only the host may let a move stand then.
    """

    def __init__(self, table: Table, reason: str, seat: Seat | None = None) -> None:
        super().__init__(table.id, reason, seat)
        self.table = table
        self.reason = reason
        self.seat = seat


class Stale(Exception):
    """The table is not at the version that the request names.

    `missing` are the first entries since that version, one more than `MAX_MISSING` at most.
    """

    def __init__(self, table: Table, version: int) -> None:
        super().__init__(table.id, version, table.version)
        self.table = table
        self.version = version
        since = map(table.entries.__getitem__, range(version, table.version) if version > 0 else ())
        listed = (entry for entry in since if not isinstance(entry, Unlisted))
        self.missing: tuple[AnyEntry, ...] = tuple(islice(listed, MAX_MISSING + 1))


class Unreachable(Exception):
    """A rewind cannot reach this version: other moves have been played since, or the table never had it."""

    def __init__(self, table: Table, to: int) -> None:
        super().__init__(table.id, to)
        self.table = table
        self.to = to


class NoDispute(LookupError):
    """The table has no dispute of this number."""


class AlreadyDisputed(Exception):
    """The entry or move is in dispute already: `dispute` is the number of that dispute."""

    def __init__(self, table: Table, dispute: int) -> None:
        super().__init__(table.id, dispute)
        self.table = table
        self.dispute = dispute


class AlreadySettled(Exception):
    """The dispute is settled."""


class NoRemedy(Exception):
    """The dispute does not offer this remedy now; `remedies` are those that it offers."""

    def __init__(self, table: Table, remedies: Sequence[str]) -> None:
        super().__init__(table.id, remedies)
        self.table = table
        self.remedies = tuple(remedies)


class Full(Exception):
    """The log has reached the maximum entries or bytes of a table.

    `reason`: ``table``; ``host`` if the rest is reserved for the host. ``seat``, if a seat has its maximum of entries
    other than moves. ``views`` or ``keys``, if the table has the maximum of public views or keys.
    """

    def __init__(self, table_id: str, reason: str = "table") -> None:
        super().__init__(table_id, reason)
        self.reason = reason


class NoView(LookupError):
    """There is no public view of this id, or of this number at the table."""


class ViewEnded(LookupError):
    """The host revoked this public view."""


class NoGroup(LookupError):
    """The group does not exist (any more), or the key is not its key."""


class GroupFull(Exception):
    """The group's log has reached its maximum entries or bytes."""


class KeyReused(Exception):
    """Another request has used this idempotency key."""


# --- the store ---------------------------------------------------------------------------------------------------


class Conflict(Exception):
    """The log has other entries since the expected version; `version` is its version now."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class StoreFull(Exception):
    """The store is nearly full, so it opens no new table and no new group."""


class Ending(Exception):
    """This process is shutting down; another one will answer."""


class StoreAway(Exception):
    """The store did not answer, or not in time, or cannot write.

    Whether Redis carried out an append is then unknown: retry with the same key.
    """


class StoreForbids(StoreAway):
    """The store answers, but its user has no permission for this command."""
