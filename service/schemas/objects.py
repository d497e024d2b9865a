"""The objects of JSON: the body of a request, a dataclass of the rules, and an object inside another."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, ClassVar, Final

import marshmallow
from marshmallow import fields, post_load

from rules.forms import PLAYER, Malformed
from service.schemas.fields import MAX_TEXT, Attr, Data, Messages, Partial, Strict, validation_error
from service.validation import MAX_FIELD_ERRORS, FieldError

NAMED_GAME: Final = "named_game"
"""The field of an object's member ``game``, which only names its game."""


class Body(marshmallow.Schema):
    """The schema of the body of a request."""

    error_messages: ClassVar[dict[str, str]] = {  # type: ignore[misc]  # a message of ours is a string too
        "unknown": FieldError("unknown_field"),
        "type": FieldError("not_object"),
    }

    class Meta:
        """Refuse unknown fields."""

        unknown = marshmallow.RAISE

    def load(self, data: Any, **options: Any) -> Any:
        """Parse an object; checks no more unknown fields than it reports."""
        if isinstance(data, dict) and len(data) > len(self.fields) + MAX_FIELD_ERRORS:
            unknown = islice((name for name in data if name not in self.fields), MAX_FIELD_ERRORS)
            data = {name: data[name] for name in (*unknown, *self.fields) if name in data}
        return super().load(data, **options)


class DataclassSchema(Body):
    """The schema of a dataclass. `check` gets the parsed instance, for conditions that no annotation can express."""

    form: ClassVar[type]
    game: ClassVar[str | None] = None
    check: ClassVar[Callable[..., object] | None] = None
    player_member: ClassVar[tuple[str, bool] | None] = None
    """The older name of the member ``player``, until 0.2.0, and whether one of the two is required."""

    @post_load
    def build(self, data: dict[str, object], **_: object) -> object:
        """Make the dataclass from the parsed members."""
        data.pop("kind", None)
        data.pop(NAMED_GAME, None)
        if self.player_member is not None:
            _unite_player(data, *self.player_member)
        with convert_malformed(self.game):
            instance = self.form(**data)
            check = type(self).check
            if check is not None:
                check(instance)
            return instance


def _unite_player(data: dict[str, object], old_name: str, is_required: bool) -> None:
    """Merge the two members that name the player into the older one."""
    if PLAYER in data:
        player = data.pop(PLAYER)
        if data.setdefault(old_name, player) != player:
            raise marshmallow.ValidationError({PLAYER: [FieldError("two_players", values=(old_name,))]})
    elif is_required and old_name not in data:
        raise marshmallow.ValidationError({PLAYER: [FieldError("missing")]})


class convert_malformed:  # noqa: N801  # used like a function
    """Convert a game's `Malformed` to a field error at its pointer; `whole`: for a text, which has no pointers."""

    def __init__(self, game: str | None, *, whole: bool = False) -> None:
        self.game = game
        self.whole = whole

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Malformed):
            values = {name: v[:MAX_TEXT] if isinstance(v, str) else v for name, v in error.values.items()}
            messages: list[Messages] | dict[int | str, Messages] = [FieldError(error.code, self.game, **values)]
            for step in () if self.whole else reversed(error.pointer.split("/")[1:]):
                messages = {int(step) if step.isdigit() else step: messages}
            raise marshmallow.ValidationError(messages) from None


class ObjectField(Strict, fields.Nested):
    """An object within an object."""

    wrong_type = "not_object"

    def _deserialize(self, value: object, attr: Attr, data: Data, partial: Partial = None, **_: object) -> object:
        if not isinstance(value, dict):
            raise validation_error("not_object")
        return super()._deserialize(value, attr, data, partial)
