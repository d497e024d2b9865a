"""JSON -> domain: what may come in, read strictly, with everything that is wrong named by a JSON pointer.

The schemas are derived from the annotations of the rules' own dataclasses (`rules.kernel.Game`); a game says nothing
of JSON. Unknown fields are refused everywhere, integers are integers, and every free text is the same one field.
Complaints are codes and values; `service.texts` has their sentences. The way out is `plain` and `service.answers`.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, Literal

import marshmallow
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import fields, post_load

import rules
from rules.kernel import Between, Malformed, Pattern, Reading
from service.complaints import Complaint, Invalid
from service.rulings import AnyGame, Try

MOST_TEXT: Final = 40
MOST_MOVES: Final = 5_000
MOST_DIGITS: Final = 12
MOST_WAIT: Final = 25
MOST_PAGE: Final = 500
CONTROLS: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories that no name has: controls, surrogates, private and unassigned, breaks of lines."""
TURNING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of the text around them."""


# --- fields ------------------------------------------------------------------------------------------------------


def _refused(code: str, game: str | None = None, **values: Any) -> marshmallow.ValidationError:
    return marshmallow.ValidationError(Complaint(code, game, **values))


class _Strict:
    """What all fields share: complaints instead of English."""

    wrong_type: str

    def make_error(self, key: str, **_: Any) -> marshmallow.ValidationError:
        """Marshmallow's own errors: a value that is missing, or null."""
        return _refused("missing") if key == "required" else _refused(self.wrong_type)


class Text(_Strict, fields.String):
    """Free text: a name. Composed (NFC), trimmed, 1 to 40 characters, none of them a control."""

    wrong_type = "not_text"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata={"minLength": 1, "maxLength": MOST_TEXT}, **kwargs)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise _refused("not_text")
        if len(value) > MOST_TEXT * 4:
            raise _refused("too_long", most=MOST_TEXT)
        text = unicodedata.normalize("NFC", value).strip()
        if TURNING.search(text) or not CONTROLS.isdisjoint(map(unicodedata.category, text)):
            raise _refused("control_character")
        if not text:
            raise _refused("empty")
        if len(text) > MOST_TEXT:
            raise _refused("too_long", most=MOST_TEXT)
        return text


class Word(_Strict, fields.String):
    """Text of one form, such as the name of a cell."""

    wrong_type = "not_text"

    def __init__(self, pattern: Pattern, game: str | None, **kwargs: Any) -> None:
        super().__init__(metadata={"pattern": f"^(?:{pattern.regex})$", "examples": [pattern.example]}, **kwargs)
        self.pattern = pattern
        self.matches = re.compile(pattern.regex).fullmatch
        self.game = game

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise _refused("not_text")
        if self.matches(value):
            return value
        if self.pattern.code:
            raise _refused(self.pattern.code, self.game, text=value[:MOST_TEXT])
        raise _refused("pattern", example=self.pattern.example)


class Whole(_Strict, fields.Integer):
    """A whole number, never text or a truth value, within bounds if any."""

    wrong_type = "not_integer"

    def __init__(self, between: Between | None = None, **kwargs: Any) -> None:
        bounds = {"minimum": between.least, "maximum": between.most} if between else {}
        super().__init__(strict=True, metadata=bounds, **kwargs)
        self.between = between

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if type(value) is not int:
            raise _refused("not_integer")
        if self.between and not self.between.least <= value <= self.between.most:
            raise _refused("out_of_range", least=self.between.least, most=self.between.most)
        return value


class Digits(Whole):
    """A whole number in a query, where everything is text."""

    def _deserialize(self, value: Any, *rest: Any, **options: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < MOST_DIGITS):
            raise _refused("not_integer")
        return super()._deserialize(int(value), *rest, **options)


class Flag(_Strict, fields.Boolean):
    """True or false, and nothing that is taken for it."""

    wrong_type = "not_boolean"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise _refused("not_boolean")
        return value


class Choice(_Strict, fields.Raw):
    """One of a few texts or numbers."""

    wrong_type = "not_text"

    def __init__(self, values: Sequence[Any], **kwargs: Any) -> None:
        kind = "integer" if isinstance(values[0], int) else "string"
        may_lack = [None] if kwargs.get("allow_none") else []
        super().__init__(metadata={"type": kind, "enum": [*values, *may_lack]}, **kwargs)
        self.values = tuple(values)
        self.wrong_type = "not_integer" if kind == "integer" else "not_text"

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if type(value) is not type(self.values[0]):
            raise _refused(self.wrong_type)
        if value not in self.values:
            raise _refused("not_one_of", values=self.values)
        return value


class Many(_Strict, fields.List[Any]):
    """A list, of one length where given; read as a tuple."""

    wrong_type = "not_list"

    def __init__(self, inner: fields.Field[Any], length: int | None = None, most: int | None = None, **kw: Any) -> None:
        bounds = {"minItems": length, "maxItems": length or most}
        super().__init__(inner, metadata={name: n for name, n in bounds.items() if n}, **kw)
        self.length, self.most = length, most

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise _refused("not_list")
        if self.length is not None and len(value) != self.length:
            raise _refused("wrong_length", n=self.length)
        if self.most is not None and len(value) > self.most:
            raise _refused("too_many", most=self.most)
        return tuple(super()._deserialize(value, attr, data, **kwargs))


class Lookup(_Strict, fields.Dict):
    """An object whose members are named by the client, such as cells."""

    wrong_type = "not_object"

    def __init__(self, names: fields.Field[Any], values: fields.Field[Any], **kwargs: Any) -> None:
        super().__init__(keys=names, values=values, **kwargs)
        self.names, self.members = names, values

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise _refused("not_object")
        errors: dict[str, Any] = {}
        read: dict[Any, Any] = {}
        for name, item in value.items():
            try:
                read[self.names.deserialize(name)] = self.members.deserialize(item)
            except marshmallow.ValidationError as error:
                errors[name] = error.messages
        if errors:
            raise marshmallow.ValidationError(errors)
        return read


class Readings(_Strict, fields.Dict):
    """The readings a table chose, completed by the defaults, so that a default may change without changing a table."""

    wrong_type = "not_object"

    def __init__(self, readings: tuple[Reading, ...], **kwargs: Any) -> None:
        values = {reading.key: {"type": "string", "enum": list(reading.values)} for reading in readings}
        super().__init__(metadata={"properties": values, "additionalProperties": False}, **kwargs)
        self.readings = readings

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise _refused("not_object")
        known = {reading.key: reading for reading in self.readings}
        errors: dict[str, Any] = {}
        for key, chosen in value.items():
            if key not in known:
                errors[key] = [Complaint("unknown_reading", values=tuple(known))]
            elif not isinstance(chosen, str):
                errors[key] = [Complaint("not_text")]
            elif chosen not in known[key].values:
                errors[key] = [Complaint("unknown_reading_value", values=known[key].values)]
        if errors:
            raise marshmallow.ValidationError(errors)
        return {reading.key: value.get(reading.key, reading.default) for reading in self.readings}


class Body(marshmallow.Schema):
    """The schema of the body of a request."""

    error_messages: ClassVar[dict[str, str]] = {  # type: ignore[misc]  # a message of ours is a string too
        "unknown": Complaint("unknown_field"),
        "type": Complaint("not_object"),
    }

    class Meta:
        """No field that is not known."""

        unknown = marshmallow.RAISE


class Form(Body):
    """The schema of a dataclass. `check` is called with what was read, for what no annotation can say."""

    form: ClassVar[type]
    game: ClassVar[str | None] = None
    check: ClassVar[Any] = None

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        """Make the dataclass of what was read."""
        data.pop("kind", None)
        with _own_words(self.game):
            made = self.form(**data)
            if self.check is not None:
                self.check(made)
            return made


class _own_words:  # noqa: N801  # used like a function
    """A game's `Malformed` becomes a complaint at its pointer."""

    def __init__(self, game: str | None) -> None:
        self.game = game

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Malformed):
            values = {name: v[:MOST_TEXT] if isinstance(v, str) else v for name, v in error.values.items()}
            messages: Any = [Complaint(error.code, self.game, **values)]
            for step in reversed(error.pointer.split("/")[1:]):
                messages = {int(step) if step.isdigit() else step: messages}
            raise marshmallow.ValidationError(messages) from None


class Nested(_Strict, fields.Nested):
    """An object within an object."""

    wrong_type = "not_object"

    def _deserialize(self, value: Any, attr: Any, data: Any, partial: Any = None, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise _refused("not_object")
        return super()._deserialize(value, attr, data, partial, **kwargs)


# --- schemas from annotations ------------------------------------------------------------------------------------


class MoveField(_Strict, fields.Raw):
    """A move: an object with its kind, or its notation."""

    wrong_type = "not_move"

    def __init__(self, wire: Wire, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.wire = wire

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return self.wire.read_move(value)


class TryField(MoveField):
    """A move in a list: as above, or `{"move": …, "stands": true}`."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Try:
        if isinstance(value, dict) and "move" in value and "kind" not in value:
            marked: Try = self.wire.marked.load(value)
            return marked
        return Try(self.wire.read_move(value))


class Wire:
    """How one game's setups, moves and positions are read. Made once a game by `of`."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.kinds = {kind: self.schema(form, kind=kind) for kind, form in game.kinds.items()}
        self.setup = self.schema(game.setup_form, check=staticmethod(game.setup))
        self.position = self.schema(game.position_form)
        marks = {"move": MoveField(self, required=True), "stands": Flag(load_default=False)}
        self.marked: Form = type("Marked", (Form,), {**marks, "form": Try})()
        moves: Any = Many(TryField(self), most=MOST_MOVES, load_default=())
        setup = Nested(self.setup, load_default=lambda: self.setup.load({}))
        start = {"setup": setup, "moves": moves, "position": Nested(self.position, load_default=None, allow_none=False)}
        one = {"move": MoveField(self, required=True)}
        absent = {"load_default": None, "allow_none": False}
        filters = {"kind": Choice(tuple(game.kinds), **absent), "at": self.cell_field(**absent)}
        self.rulings, self.legal_moves, self.start = _body(**start, **one), _body(**start, **filters), _body(**start)
        self.opening = _body(game=Choice((game.id,), required=True), setup=setup, moves=moves)
        self.playing = _body(move=MoveField(self, **absent), moves=moves, stands=Flag(load_default=False))
        self.filters = _body(**filters)

    def schema(self, form: type, kind: str | None = None, **options: Any) -> Form:
        """The schema of a dataclass, by its annotations."""
        hints = typing.get_type_hints(form, include_extras=True)
        members: dict[str, Any] = {"form": form, "game": self.game.id, **options}
        if kind is not None:
            members["kind"] = Choice((kind,), required=True)
        for member in dataclasses.fields(form):
            if not member.init:  # the form works it out for itself
                continue
            members[member.name] = self.member(form, member, hints[member.name])
        made: Form = type(form.__name__, (Form,), members)()
        return made

    def member(self, form: type, member: dataclasses.Field[Any], hint: Any) -> fields.Field[Any]:
        """The field of one member; the readings of a setup know the game's own."""
        options: dict[str, Any] = {"required": True}
        if member.default is not dataclasses.MISSING:
            options = {"load_default": member.default}
        elif member.default_factory is not dataclasses.MISSING:
            options = {"load_default": member.default_factory}
        if form is self.game.setup_form and member.name == "readings":
            defaults = {reading.key: reading.default for reading in self.game.readings}
            return Readings(self.game.readings, load_default=lambda: dict(defaults))
        return self.field(hint, **options)

    def field(self, hint: Any, **options: Any) -> fields.Field[Any]:
        """The field of an annotation."""
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
            return self.field(next(a for a in arguments if a is not type(None)), allow_none=True, **options)
        if origin is typing.Annotated:
            return self._constrained(arguments, **options)
        if origin is Literal:
            return Choice(arguments, **options)
        if origin is tuple:
            return self._list(arguments, **options)
        if origin is not None and issubclass(origin, Mapping):
            return Lookup(self.field(arguments[0]), self.field(arguments[1]), **options)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return Nested(self.schema(hint), **options)
        plain: dict[Any, Callable[..., fields.Field[Any]]] = {str: Text, int: Whole, bool: Flag}
        if hint not in plain:
            raise TypeError(f"{self.game.id}: no JSON for {hint!r}")
        return plain[hint](**options)

    def _constrained(self, arguments: tuple[Any, ...], **options: Any) -> fields.Field[Any]:
        base, *marks = arguments
        for mark in marks:
            if isinstance(mark, Pattern) and base is str:
                return Word(mark, self.game.id, **options)
            if isinstance(mark, Between) and base is int:
                return Whole(mark, **options)
        return self.field(base, **options)

    def _list(self, arguments: tuple[Any, ...], **options: Any) -> fields.Field[Any]:
        if arguments[-1] is Ellipsis:
            return Many(self.field(arguments[0]), **options)
        if len(set(arguments)) > 1:
            raise TypeError(f"{self.game.id}: a tuple of several types has no JSON: {arguments!r}")
        return Many(self.field(arguments[0]), length=len(arguments), **options)

    def cell_field(self, **options: Any) -> fields.Field[Any]:
        """The field of a cell: that of the first move that has a ``cell``, or one of its ``cells``."""
        for form in self.game.kinds.values():
            hints = typing.get_type_hints(form, include_extras=True)
            if "cell" in hints:
                return self.field(hints["cell"], **options)
            if "cells" in hints:
                return self.field(typing.get_args(hints["cells"])[0], **options)
        raise TypeError(f"{self.game.id}: no move has a cell")

    def read_move(self, value: Any) -> Any:
        """A move of its object or its notation. Raises marshmallow's `ValidationError`, for fields."""
        if isinstance(value, str):
            with _own_words(self.game.id):
                return self.game.read(value)
        if not isinstance(value, dict):
            raise _refused("not_move")
        kind = value.get("kind")
        if kind is None:
            raise marshmallow.ValidationError({"kind": [Complaint("missing")]})
        if not isinstance(kind, str):
            raise marshmallow.ValidationError({"kind": [Complaint("not_text")]})
        if kind not in self.kinds:
            raise marshmallow.ValidationError({"kind": [Complaint("foreign_kind", values=tuple(self.kinds))]})
        return self.kinds[kind].load(value)


def _body(**members: Any) -> Body:
    made: Body = type("Body", (Body,), members)()
    return made


@cache
def _of(game_id: str) -> Wire:
    return Wire(rules.GAMES[game_id])


def of(game: AnyGame) -> Wire:
    """The wire of a game."""
    return _of(game.id)


# --- reading -----------------------------------------------------------------------------------------------------


def load(schema: marshmallow.Schema, value: Any) -> Any:
    """Read a value by a schema. Raises `Invalid`."""
    try:
        return schema.load(value)
    except marshmallow.ValidationError as error:
        raise Invalid(tuple(_pointed(error.messages))) from None


def _pointed(messages: Any, pointer: str = "") -> Iterator[tuple[str, Complaint]]:
    """Every complaint in marshmallow's nested messages, with its JSON pointer."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _pointed(inner, pointer + step)
    elif isinstance(messages, Complaint):
        yield pointer, messages
    else:
        for message in messages:
            yield from _pointed(message, pointer)


def filters(game: AnyGame, query: Mapping[str, str]) -> Any:
    """The filters of a list of moves out of a query, where a cell of two numbers is written ``1,-2``."""
    wire = of(game)
    asked: dict[str, Any] = dict(query)
    at = asked.get("at")
    if at is not None and isinstance(wire.cell_field(), Many):
        asked["at"] = [int(part) if re.fullmatch("-?[0-9]{1,9}", part) else part for part in at.split(",")]
    return load(wire.filters, asked)


def game_named(value: Any) -> AnyGame:
    """The game that the body of a new table names. Raises `Invalid`."""
    if not isinstance(value, dict):
        raise Invalid([("", Complaint("not_object"))])
    name = value.get("game")
    if not isinstance(name, str):
        raise Invalid([("/game", Complaint("missing" if "game" not in value else "not_text"))])
    if name not in rules.GAMES:
        raise Invalid([("/game", Complaint("unknown_game", values=tuple(rules.GAMES)))])
    return rules.GAMES[name]


def tries(asked: Mapping[str, Any]) -> tuple[Try, ...]:
    """The moves of a body that may give one `move` or several `moves`. Raises `Invalid`."""
    move, moves, stands = asked["move"], asked["moves"], asked["stands"]
    if move is not None:
        if moves:
            raise Invalid([("/moves", Complaint("either_move"))])
        return (Try(move, stands),)
    if not moves:
        raise Invalid([("/move", Complaint("no_move"))])
    return tuple(Try(each.move, each.stands or stands) for each in moves)


def start(asked: Mapping[str, Any]) -> tuple[Any, tuple[Try, ...], Any]:
    """The setup, and the moves or the position, of a body. Raises `Invalid`."""
    if asked["moves"] and asked["position"] is not None:
        raise Invalid([("/position", Complaint("either_start"))])
    return asked["setup"], asked["moves"], asked["position"]


def stored_setup(game: AnyGame, value: Mapping[str, Any]) -> Any:
    """A setup out of the log."""
    return of(game).setup.load(value)


REWINDING: Final = _body(to=Whole(Between(1, 2**31 - 1), required=True))
"""The body of a rewind."""
WAITING: Final = _body(wait=Digits(Between(0, MOST_WAIT), load_default=0))
"""The query of a table: the seconds to wait for something new."""
PAGING: Final = _body(
    after=Digits(Between(0, 2**31 - 1), load_default=0), limit=Digits(Between(1, MOST_PAGE), load_default=100)
)
"""The query of a log: entries after a number, at most so many."""
NOTHING: Final = _body()
"""The query of what takes none."""


def default_setup(game: AnyGame) -> dict[str, Any] | None:
    """The setup of a table that says nothing, or None where a game needs to be told something."""
    try:
        setup: dict[str, Any] = plain(load(of(game).setup, {}))
    except Invalid:
        return None
    return setup


# --- writing -----------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A setup, a move or a position as JSON; members that are null are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = {member.name: getattr(value, member.name) for member in dataclasses.fields(value) if member.init}
        kind = getattr(value, "kind", None)
        head = {"kind": kind} if kind is not None and "kind" not in members else {}
        return head | {name: plain(member) for name, member in members.items() if member is not None}
    if isinstance(value, Mapping):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


# --- as JSON Schema ----------------------------------------------------------------------------------------------


@cache
def json_schemas(game_id: str) -> Mapping[str, Any]:
    """The JSON Schemas of a game's forms: ``setup``, ``position``, and ``move.<kind>``; each whole in itself."""
    wire = _of(game_id)
    plugin: Any = MarshmallowPlugin(schema_name_resolver=_no_name)
    APISpec("", "", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(_names_of_members)
    forms = {"setup": wire.setup, "position": wire.position}
    forms |= {f"move.{kind}": schema for kind, schema in wire.kinds.items()}
    return {name: plugin.converter.schema2jsonschema(schema) for name, schema in forms.items()}


def _no_name(_schema: Any) -> Any:
    """A schema within another is written out in its place."""
    return None


def _names_of_members(converter: Any, field: fields.Field[Any], **_: Any) -> dict[str, Any]:
    """What apispec leaves out: how the members of an object that the client names may be called."""
    return {"propertyNames": converter.field2property(field.names)} if isinstance(field, Lookup) else {}
