"""The schemas of a game's moves, setups and positions, derived from the annotations of the rules' own dataclasses."""

from __future__ import annotations

import dataclasses
import types
import typing
import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Final, Literal, Unpack

import marshmallow
from marshmallow import fields

import rules
from rules.caches import cache
from rules.forms import PLAYER, Between, Most, NumberedCell, OrUnknown, Pattern, on_table
from rules.game import Game
from rules.kernel import M, Ruling, S
from rules.steps import spend
from service.judgements import AttemptedMove
from service.runtime.budget import (
    LISTED_MOVE_STEPS,
    LOGGED_MOVE_STEPS,
    READ_OBJECT_STEPS,
    READ_STEPS,
)
from service.schemas.fields import (
    MAX_WORDS,
    AnyField,
    Attr,
    CellField,
    Data,
    Digits,
    Enumeration,
    Flag,
    Lookup,
    Many,
    MaybeUnknown,
    Options,
    Readings,
    Strict,
    Text,
    Whole,
    Word,
    allow_unknown,
    validation_error,
)
from service.schemas.objects import NAMED_GAME, Body, DataclassSchema, ObjectField, convert_malformed
from service.tables.decisions import REMEDIES
from service.tables.entries import BATTLE, DICE, LEAVE_OUT, MAX_DICE, MISFIT_POLICIES
from service.types import AnyGame, Move
from service.validation import FieldError

BY_DIE: Final = "die"
"""The value of ``begins`` that lets a die choose the starting player."""
MAX_MOVES: Final = 5_000
MAX_RULES: Final = 100
"""The most rules in a case file."""
MAX_LISTED: Final = 5_000
"""The most legal moves of a page, …"""
DEFAULT_LISTED: Final = 1_000
"""… and the default: in most games that is every move."""
MAX_NOTATION: Final = 8_000
"""Characters of a move's notation; an election with all possible lords as candidates and voters has fewer."""
ABSENT: Final[Options] = {"load_default": None, "allow_none": False}
"""The options of a member that may be left out, but not null."""


def _flag() -> AnyField:
    return Flag(load_default=False)


def _number(**options: Unpack[Options]) -> AnyField:
    """The number of an entry, or a version."""
    return Whole(Between(1, 2**31 - 1), **options)


class MoveField(Strict, fields.Raw):
    """A move: an object with its kind, or its notation."""

    wrong_type = "not_move"

    def __init__(self, wire: Wire, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.wire = wire

    def _deserialize(self, value: object, *_: object, **__: object) -> object:
        return self.wire.read_move(value)


class AttemptedMoveField(MoveField):
    """A move in a list: an object or a notation, or `{"move": …, "stands": true}`."""

    def _deserialize(self, value: object, *_: object, **__: object) -> AttemptedMove:
        if isinstance(value, dict) and "move" in value and "kind" not in value:
            spend(READ_OBJECT_STEPS)
            marked: AttemptedMove = self.wire.attempted_move.load(value)
            return marked
        return AttemptedMove(self.wire.read_move(value))


class NotationField(MoveField):
    """A move by its notation, as in a list of moves."""

    wrong_type = "not_text"

    def _deserialize(self, value: object, *_: object, **__: object) -> Move:
        if not isinstance(value, str):
            raise validation_error("not_text")
        return self.wire.read_move(value)


class SetupField(ObjectField):
    """A setup; with a position, only the members that the position needs."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire.setup, load_default=lambda: wire.setup.load({}))
        self.beside_position = ObjectField(wire.setup_of_position)

    def deserialize(self, value: object, attr: Attr = None, data: Data = None, **kwargs: object) -> object:
        """Parse the setup, with regard to the other members of the body."""
        if not isinstance(data, dict) or data.get("position") is None:
            return super().deserialize(value, attr, data, **kwargs)
        return self.beside_position.deserialize({} if value is marshmallow.missing else value, attr, data, **kwargs)


class PositionField(ObjectField):
    """A position, which may have unknown cells."""

    def deserialize(self, value: object, attr: Attr = None, data: Data = None, **kwargs: object) -> object:
        """Parse the position."""
        with allow_unknown():
            return super().deserialize(value, attr, data, **kwargs)


class Wire:
    """The parsers of one game's setups, moves and positions. `of` makes them once for each game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.kinds = {kind: self.schema(form, kind=kind) for kind, form in game.kinds.items()}
        self.setup = self.schema(game.setup_form, names_game=True, check=staticmethod(game.setup))
        self.setup_of_position = (
            self.setup
            if game.setup_for_position is None
            else self.schema(game.setup_form, names_game=True, check=staticmethod(game.setup_for_position))
        )
        self.position = self.schema(game.position_form, names_game=True)
        self.on_table = self.schema(game.position_form, needed=on_table(game.position_form), names_game=True)
        self.setup_in_part = self.schema(game.setup_form)
        marks = {"move": MoveField(self, required=True), "stands": _flag()}
        self.attempted_move: DataclassSchema = type("Marked", (DataclassSchema,), {**marks, "form": AttemptedMove})()
        self._add_question_bodies()
        self._add_table_bodies()
        self._add_dispute_bodies()

    def _add_question_bodies(self) -> None:
        """Add the bodies of questions without a table."""
        start, move, limit = self._start_members(), MoveField(self, required=True), Between(1, MAX_LISTED)
        filters: dict[str, AnyField] = {
            "kind": Enumeration(tuple(self.game.kinds), **ABSENT),
            "at": self.cell_field(**ABSENT),
            "after": NotationField(self, **ABSENT),
        }
        self.filters = body_of(**filters, limit=Digits(limit, load_default=DEFAULT_LISTED))
        self.start_body = body_of(**start)
        self.ruling_body = body_of(**start, move=move, explain=_flag(), case_file=_flag())
        self.legal_moves_body = body_of(**start, **filters, limit=Whole(limit, load_default=DEFAULT_LISTED))
        expected_ruling = body_of(
            ruling=Enumeration([each.value for each in Ruling], required=True),
            rules=Many(Text(), most=MAX_RULES, load_default=()),
        )
        self.case_file_body = body_of(
            **start,
            move=move,
            readings=Readings(self.game.readings, with_defaults=False, load_default=dict),
            rules_version=Text(load_default=""),
            expected=ObjectField(expected_ruling, **ABSENT),
            said=ObjectField(expected_ruling, **ABSENT),
            note=Text(MAX_WORDS, load_default=""),
        )

    def _start_members(self) -> dict[str, AnyField]:
        """The members that define a state: a setup and moves, or a position."""
        return {
            "setup": SetupField(self),
            "moves": self._moves(LISTED_MOVE_STEPS, load_default=()),
            "position": PositionField(self.position, load_default=None, allow_none=False),
            "anyway": _flag(),
        }

    def _add_table_bodies(self) -> None:
        """Add the bodies of questions and changes at a table."""
        game, move = self.game, MoveField(self, **ABSENT)
        self.table_ruling_body = body_of(
            move=MoveField(self, required=True), version=_number(**ABSENT), explain=_flag()
        )
        self.opening_body = body_of(
            game=Enumeration((game.id,), required=True),
            setup=ObjectField(self.setup, load_default=lambda: self.setup.load({})),
            moves=self._moves(LOGGED_MOVE_STEPS, load_default=()),
            begins=Enumeration((BY_DIE,), **ABSENT),
        )
        of_dice: dict[str, AnyField] = {
            "for": Enumeration((BATTLE, DICE), required=True),
            "dice": Whole(Between(1, MAX_DICE), **ABSENT),
            "die": Enumeration(tuple(game.dice), **ABSENT),
        }
        self.roll_body = body_of(**of_dice, move=move, camp=Text(**ABSENT))
        played_moves = self._moves(LOGGED_MOVE_STEPS, load_default=())
        self.moves_body = body_of(move=move, moves=played_moves, stands=_flag(), last_only=_flag())
        self.position_body = body_of(position=ObjectField(self.on_table, required=True), dry_run=_flag())
        self.readings_body = body_of(readings=Readings(game.readings, with_defaults=False, required=True))

    def _add_dispute_bodies(self) -> None:
        """Add the bodies of disputes, settlements and amendments."""
        about = body_of(entry=_number(**ABSENT), move=MoveField(self, **ABSENT))
        self.dispute_body = body_of(about=ObjectField(about, required=True), question=Text(MAX_WORDS, required=True))
        self.settlement_body = body_of(
            remedy=Enumeration(REMEDIES, required=True),
            text=Text(MAX_WORDS, load_default=""),
            position=ObjectField(self.position, **ABSENT),
        )
        entry, late_moves = _number(required=True), self._moves(LOGGED_MOVE_STEPS, required=True)
        self.amendment_body = body_of(
            replace=ObjectField(body_of(entry=entry, move=AttemptedMoveField(self, required=True)), **ABSENT),
            insert=ObjectField(body_of(after=entry, moves=late_moves), **ABSENT),
            delete=ObjectField(body_of(entry=entry), **ABSENT),
            misfits=Enumeration(MISFIT_POLICIES, load_default=LEAVE_OUT),
            dry_run=_flag(),
        )

    def _moves(self, least: int, **options: Unpack[Options]) -> AnyField:
        """A list of moves, each of which takes at least `least` steps."""
        return Many(AttemptedMoveField(self), most=MAX_MOVES, least=least, **options)

    def schema(
        self,
        form: type,
        kind: str | None = None,
        needed: Collection[str] = (),
        *,
        names_game: bool = False,
        **options: object,
    ) -> DataclassSchema:
        """The schema of a dataclass, by its annotations; `needed` members are required in spite of a default.

        `names_game`: it may name its game, as responses do (`game_form`).
        """
        hints = typing.get_type_hints(form, include_extras=True)
        members: dict[str, object] = {"form": form, "game": self.game.id, **options}
        if kind is not None:
            members["kind"] = Enumeration((kind,), required=True)
        if names_game:
            members[NAMED_GAME] = Enumeration((self.game.id,), data_key="game")
        for member in dataclasses.fields(form):
            if not member.init:  # the form computes it itself
                continue
            if PLAYER in member.metadata:
                members |= self._player_members(member, hints[member.name])
            elif member.name in needed:
                members[member.name] = self.field(hints[member.name], required=True)
            else:
                members[member.name] = self.member(form, member, hints[member.name])
        instance: DataclassSchema = type(form.__name__, (DataclassSchema,), members)()
        return instance

    def _player_members(self, member: dataclasses.Field[object], hint: object) -> dict[str, object]:
        """The member for a player, under its name and under an older one; the form has its default."""
        old = self.field(hint)
        old.metadata = {**old.metadata, "deprecated": True}
        is_required = member.default is dataclasses.MISSING
        return {PLAYER: self.field(hint), member.name: old, "player_member": (member.name, is_required)}

    def member(self, form: type, member: dataclasses.Field[object], hint: object) -> AnyField:
        """The field of one member; the readings of a setup are those of the game."""
        options: Options = {"required": True}
        if member.default is not dataclasses.MISSING:
            options = {"load_default": member.default}
        elif member.default_factory is not dataclasses.MISSING:
            options = {"load_default": member.default_factory}
        if form is self.game.setup_form and member.name == "readings":
            defaults = {reading.key: reading.default for reading in self.game.readings}
            return Readings(self.game.readings, load_default=lambda: dict(defaults))
        return self.field(hint, **options)

    def field(self, hint: object, **options: Unpack[Options]) -> AnyField:
        """The field of an annotation."""
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
            nullable: Options = {**options, "allow_none": True}
            return self.field(next(a for a in arguments if a is not type(None)), **nullable)
        if origin is typing.Annotated:
            return self._constrained_field(arguments, **options)
        if origin is Literal:
            # `typing` treats literals of the same values as one, in the order of the first one.
            return Enumeration(sorted(arguments), **options)
        if origin is tuple:
            return self._list(arguments, **options)
        if origin is not None and issubclass(origin, Mapping):
            return self._lookup(arguments, **options)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return ObjectField(self.schema(hint), **options)
        plain: dict[object, Callable[..., AnyField]] = {str: Text, int: Whole, bool: Flag}
        if hint not in plain:
            raise TypeError(f"{self.game.id}: no JSON for {hint!r}")
        return plain[hint](**options)

    def _constrained_field(self, arguments: tuple[object, ...], **options: Unpack[Options]) -> AnyField:
        base, *marks = arguments
        open_ = next((mark for mark in marks if isinstance(mark, OrUnknown)), None)
        if open_ is not None:
            rest = [mark for mark in marks if mark is not open_]
            inner = self._constrained_field((base, *rest)) if rest else self.field(base)
            return MaybeUnknown(inner, open_.word, **options)
        for mark in marks:
            if isinstance(mark, NumberedCell):
                return CellField(self.field(base), **options)
            if isinstance(mark, Pattern) and base is str:
                return Word(mark, self.game.id, **options)
            if isinstance(mark, Between) and base is int:
                return Whole(mark, **options)
            if isinstance(mark, Most):
                make = self._list if typing.get_origin(base) is tuple else self._lookup
                return make(typing.get_args(base), mark.n, **options)
        return self.field(base, **options)

    def _lookup(self, arguments: tuple[object, ...], most: int | None = None, **options: Unpack[Options]) -> AnyField:
        return Lookup(self.field(arguments[0]), self.field(arguments[1]), most, **options)

    def _list(self, arguments: tuple[object, ...], most: int | None = None, **options: Unpack[Options]) -> AnyField:
        if arguments[-1] is Ellipsis:
            return Many(self.field(arguments[0]), most=most, **options)
        if len(set(arguments)) > 1:
            raise TypeError(f"{self.game.id}: a tuple of several types has no JSON: {arguments!r}")
        return Many(self.field(arguments[0]), length=len(arguments), **options)

    def cell_field(self, **options: Unpack[Options]) -> AnyField:
        """The field of a cell: as in the first move that has a ``cell``, ``cells``, or the name of a cell."""
        for form in self.game.kinds.values():
            hints = typing.get_type_hints(form, include_extras=True)
            if "cell" in hints:
                return self.field(hints["cell"], **options)
            if "cells" in hints:
                return self.field(typing.get_args(hints["cells"])[0], **options)
            for hint in hints.values():
                marks = getattr(hint, "__metadata__", ())
                if any(isinstance(mark, Pattern) and mark.code == "cell" for mark in marks):
                    return self.field(hint, **options)
        raise TypeError(f"{self.game.id}: no move has a cell")

    def read_move(self, value: object) -> Move:
        """A move from its object or its notation. Raises marshmallow's `ValidationError`, for fields."""
        spend(READ_STEPS if isinstance(value, str) else READ_OBJECT_STEPS)
        if isinstance(value, str):
            if len(value) > MAX_NOTATION:
                raise validation_error("long_notation", most=MAX_NOTATION)
            with convert_malformed(self.game.id, whole=True):
                return self.game.read(unicodedata.normalize("NFC", value))
        if not isinstance(value, dict):
            raise validation_error("not_move")
        kind = value.get("kind")
        if kind is None:
            raise marshmallow.ValidationError({"kind": [FieldError("missing")]})
        if not isinstance(kind, str):
            raise marshmallow.ValidationError({"kind": [FieldError("not_text")]})
        if kind not in self.kinds:
            raise marshmallow.ValidationError({"kind": [FieldError("foreign_kind", values=tuple(self.kinds))]})
        move: Move = self.kinds[kind].load(value)
        return move


def body_of(**members: AnyField) -> Body:
    """The schema of a body with these members."""
    instance: Body = type("Body", (Body,), members)()
    return instance


@cache()
def wire_by_id(game_id: str) -> Wire:
    """The wire of the game with an id."""
    return Wire(rules.GAMES[game_id])


def of(game: Game[S, M]) -> Wire:
    """The wire of a game."""
    return wire_by_id(game.id)
