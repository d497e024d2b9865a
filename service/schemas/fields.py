"""Strict fields of JSON: they convert nothing, and report an error as a code with values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Final, TypeAlias, TypedDict, Unpack

import marshmallow
from marshmallow import fields

from rules.forms import Between, Pattern, Reading
from rules.kernel import Value
from rules.steps import require
from service.tables.stored_values import Foreign, moment
from service.validation import MAX_FIELD_ERRORS, FieldError

MAX_TEXT: Final = 40
MAX_WORDS: Final = 300
"""The most characters of a text about a dispute."""
MAX_WORD: Final = 1_000
"""The most characters of a `Word`, composed or not; a valid one has fewer."""
MAX_DIGITS: Final = 12
CONTROLS: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories that names must not have: controls, surrogates, private, unassigned, and line breaks."""
TURNING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of the text around them."""
NUMBERS: Final = "(-?[0-9]{1,16}),(-?[0-9]{1,16})"
TWO_NUMBERS: Final = rf"{NUMBERS}|\({NUMBERS}\)|\[{NUMBERS}\]"
"""A cell of two numbers as text, in the form of a notation or of a response."""
INVISIBLE_CATEGORIES: Final = frozenset({"Cf", "Mn", "Me", "Mc", "Zs"})
"""Unicode's categories that are invisible by themselves: formats, combining marks, blanks."""
BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159")
"""Invisible letters and symbols: the fillers of Hangul, Braille without a dot, a place for an object, blank
hieroglyphs, and a note without a head. With `INVISIBLE_CATEGORIES` and `CONTROLS` these include all that Unicode lets
programs ignore (Default_Ignorable_Code_Point), and more."""

AnyField: TypeAlias = "fields.Field[Any]"
Attr: TypeAlias = "str | None"
Data: TypeAlias = "Mapping[str, object] | None"
Partial: TypeAlias = "bool | Sequence[str] | Set[str] | None"
"""A member's name, its object, and the members that may be missing, as marshmallow passes them."""
Messages: TypeAlias = "str | Sequence[Messages] | Mapping[str, Messages] | Mapping[int | str, Messages]"
"""Errors, nested like the value."""


class Options(TypedDict, total=False):
    """The options of every field."""

    required: bool
    allow_none: bool
    load_default: object
    data_key: str


def validation_error(code: str, game: str | None = None, **values: Value) -> marshmallow.ValidationError:
    """A field error as the error that marshmallow collects."""
    return marshmallow.ValidationError(FieldError(code, game, **values))


def is_legible(text: str) -> bool:
    """Whether a text contains a visible character."""
    return any(each not in BLANK and unicodedata.category(each) not in INVISIBLE_CATEGORIES for each in text)


class Strict:
    """The base of all fields: errors are codes instead of English."""

    wrong_type: str

    def make_error(self, key: str, **_: object) -> marshmallow.ValidationError:
        """The error for a missing value or null, which marshmallow reports itself."""
        return validation_error("missing") if key == "required" else validation_error(self.wrong_type)


class Text(Strict, fields.String):
    """Free text: a name, or a line of words. Composed (NFC), trimmed, 1 to `most` characters, without controls, and
    with a visible one.
    """

    wrong_type = "not_text"

    def __init__(self, most: int = MAX_TEXT, **kwargs: Unpack[Options]) -> None:
        super().__init__(metadata={"minLength": 1, "maxLength": most}, **kwargs)
        self.most = most

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str):
            raise validation_error("not_text")
        if len(value) > self.most * 4:
            raise validation_error("too_long", most=self.most)
        text = unicodedata.normalize("NFC", value).strip()
        if TURNING.search(text) or not CONTROLS.isdisjoint(map(unicodedata.category, text)):
            raise validation_error("control_character")
        if not is_legible(text):
            raise validation_error("empty")
        if len(text) > self.most:
            raise validation_error("too_long", most=self.most)
        return text


class Timestamp(Strict, fields.Raw):
    """A time with its time zone."""

    wrong_type = "not_time"

    def _deserialize(self, value: object, *_: object, **__: object) -> datetime:
        try:
            return moment(value)
        except Foreign:
            raise validation_error("not_time") from None


class Word(Strict, fields.String):
    """Text with a fixed form, such as the name of a cell. Composed (NFC)."""

    wrong_type = "not_text"

    def __init__(self, pattern: Pattern, game: str | None, **kwargs: Unpack[Options]) -> None:
        super().__init__(metadata={"pattern": f"^(?:{pattern.regex})$", "examples": [pattern.example]}, **kwargs)
        self.pattern = pattern
        self.matches = re.compile(pattern.regex).fullmatch
        self.game = game

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str):
            raise validation_error("not_text")
        text = unicodedata.normalize("NFC", value[:MAX_WORD])
        if len(value) <= MAX_WORD and self.matches(text):
            return text
        if self.pattern.code:
            raise validation_error(self.pattern.code, self.game, text=value[:MAX_TEXT])
        raise validation_error("pattern", example=self.pattern.example)


class Whole(Strict, fields.Integer):
    """A whole number, never text or a boolean, within bounds if any."""

    wrong_type = "not_integer"

    def __init__(self, between: Between | None = None, **kwargs: Unpack[Options]) -> None:
        bounds = {"minimum": between.least, "maximum": between.most} if between else {}
        super().__init__(strict=True, metadata=bounds, **kwargs)
        self.between = between

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if type(value) is not int:
            raise validation_error("not_integer")
        if self.between and not self.between.least <= value <= self.between.most:
            raise validation_error("out_of_range", least=self.between.least, most=self.between.most)
        return value


class Digits(Whole):
    """A whole number in a query, where everything is text."""

    def _deserialize(self, value: object, *rest: object, **options: object) -> int:
        text = value if isinstance(value, str) else ""
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < MAX_DIGITS):
            raise validation_error("not_integer")
        return super()._deserialize(int(text), *rest, **options)


class Flag(Strict, fields.Boolean):
    """A boolean; no other value counts as one."""

    wrong_type = "not_boolean"

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if not isinstance(value, bool):
            raise validation_error("not_boolean")
        return value


class AnyObject(Strict, fields.Raw):
    """An object with any members."""

    wrong_type = "not_object"

    def _deserialize(self, value: object, *_: object, **__: object) -> object:
        if not isinstance(value, dict):
            raise validation_error("not_object")
        return value


class Enumeration(Strict, fields.Raw):
    """One of a few texts or numbers."""

    wrong_type = "not_text"

    def __init__(self, values: Sequence[str | int], **kwargs: Unpack[Options]) -> None:
        kind = "integer" if isinstance(values[0], int) else "string"
        allowed = [*values, None] if kwargs.get("allow_none") else list(values)
        super().__init__(metadata={"type": kind, "enum": allowed}, **kwargs)
        self.values = tuple(values)
        self.wrong_type = "not_integer" if kind == "integer" else "not_text"

    def _deserialize(self, value: object, *_: object, **__: object) -> object:
        if type(value) is not type(self.values[0]):
            raise validation_error(self.wrong_type)
        if value not in self.values:
            raise validation_error("not_one_of", values=self.values)
        return value


_unknown_allowed: ContextVar[bool] = ContextVar("partial", default=False)


@contextmanager
def allow_unknown() -> Iterator[None]:
    """A context in which a parsed position may have unknown cells."""
    token = _unknown_allowed.set(True)
    try:
        yield
    finally:
        _unknown_allowed.reset(token)


class MaybeUnknown(Strict, fields.Raw):
    """A value, or a word that marks it as unknown, within `allow_unknown`."""

    def __init__(self, inner: AnyField, word: str, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.inner, self.word = inner, word
        self.wrong_type = getattr(inner, "wrong_type", "not_text")

    def _deserialize(self, value: object, *_: object, **__: object) -> object:
        if value != self.word:
            return self.inner.deserialize(value)
        if not _unknown_allowed.get():
            raise validation_error("unknown_here", values=(self.word,))
        return value

    def _serialize(self, value: object, *rest: Any, **options: Any) -> object:
        """Serialize a default for the schema, as the inner field does."""
        return self.inner._serialize(value, *rest, **options)  # noqa: SLF001  # a field has no public method for a single value


def few_errors(errors: Sized) -> bool:
    """Whether the parser should continue: it reports only the first errors."""
    return len(errors) < MAX_FIELD_ERRORS


class Many(Strict, fields.List[object]):
    """A list of one length, or of at most `most` items; parsed into a tuple, up to the most errors of a response.

    Each item takes at least `least` steps to parse and process. If the budget has fewer left for the list, it is not
    parsed at all: this raises `TooMuch`.
    """

    wrong_type = "not_list"

    def __init__(
        self,
        inner: AnyField,
        length: int | None = None,
        most: int | None = None,
        least: int = 0,
        **kwargs: Unpack[Options],
    ) -> None:
        bounds = {"minItems": length, "maxItems": length or most}
        super().__init__(inner, metadata={name: n for name, n in bounds.items() if n}, **kwargs)
        self.length, self.most, self.least = length, most, least

    def _deserialize(self, value: object, *_: object, **__: object) -> Any:
        if not isinstance(value, list):
            raise validation_error("not_list")
        if self.length is not None and len(value) != self.length:
            raise validation_error("wrong_length", n=self.length)
        if self.most is not None and len(value) > self.most:
            raise validation_error("too_many", most=self.most)
        require(self.least * len(value))
        read: list[object] = []
        errors: dict[int | str, Messages] = {}
        for number, item in enumerate(value):
            try:
                read.append(self.inner.deserialize(item))
            except marshmallow.ValidationError as error:
                errors[number] = error.messages
                if not few_errors(errors):
                    break
        if errors:
            raise marshmallow.ValidationError(errors)
        return tuple(read)


class CellField(Strict, fields.Raw):
    """A cell of two numbers: a list, as in responses, or text, bare or in brackets."""

    wrong_type = "not_list"

    def __init__(self, inner: AnyField, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.inner = inner

    def _deserialize(self, value: object, *_: object, **__: object) -> object:
        match = re.fullmatch(TWO_NUMBERS, value) if isinstance(value, str) else None
        return self.inner.deserialize([int(each) for each in match.groups() if each] if match else value)


class Lookup(Strict, fields.Dict):
    """An object whose members the client names, such as cells; at most as many as there are names, or `most`."""

    wrong_type = "not_object"

    def __init__(self, names: AnyField, values: AnyField, most: int | None = None, **kwargs: Unpack[Options]) -> None:
        self.most = len(names.values) if isinstance(names, Enumeration) else most
        super().__init__(
            keys=names, values=values, metadata={"maxProperties": self.most} if self.most else {}, **kwargs
        )
        self.names, self.members = names, values

    def _deserialize(self, value: object, *_: object, **__: object) -> dict[object, object]:
        if not isinstance(value, dict):
            raise validation_error("not_object")
        if self.most is not None and len(value) > self.most:
            raise validation_error("too_many", most=self.most)
        errors: dict[str, Messages] = {}
        read: dict[object, object] = {}
        for name, item in value.items():
            try:
                read[self.names.deserialize(name)] = self.members.deserialize(item)
            except marshmallow.ValidationError as error:
                errors[name] = error.messages
                if not few_errors(errors):
                    break
        if errors:
            raise marshmallow.ValidationError(errors)
        return read


class Readings(Strict, fields.Dict):
    """The readings a table chose, completed by the defaults, so that a default may change without changing a table.

    A change of readings is parsed without `with_defaults`.
    """

    wrong_type = "not_object"

    def __init__(self, readings: tuple[Reading, ...], *, with_defaults: bool = True, **kwargs: Unpack[Options]) -> None:
        values = {reading.key: {"type": "string", "enum": list(reading.values)} for reading in readings}
        super().__init__(metadata={"properties": values, "additionalProperties": False}, **kwargs)
        self.readings, self.with_defaults = readings, with_defaults

    def _deserialize(self, value: object, *_: object, **__: object) -> dict[str, str]:
        if not isinstance(value, dict):
            raise validation_error("not_object")
        reading_by_key = {reading.key: reading for reading in self.readings}
        errors: dict[str, Messages] = {}
        for key, chosen in value.items():
            if key not in reading_by_key:
                errors[key] = [FieldError("unknown_reading", values=tuple(reading_by_key))]
            elif not isinstance(chosen, str):
                errors[key] = [FieldError("not_text")]
            elif chosen not in reading_by_key[key].values:
                errors[key] = [FieldError("unknown_reading_value", values=reading_by_key[key].values)]
            if not few_errors(errors):
                break
        if errors:
            raise marshmallow.ValidationError(errors)
        wanted_keys = reading_by_key if self.with_defaults else value
        return {key: value.get(key, reading.default) for key, reading in reading_by_key.items() if key in wanted_keys}
