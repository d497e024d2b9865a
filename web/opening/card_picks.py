"""Fields for draws at the table: a card, a place or a tile that the player taps in the opening form."""

from __future__ import annotations

from typing import Final

from web.form_fields import Values
from web.opening.form import form_of

PICK: Final = "pick"
"""The button of a card: its value is the word of the fields and the choice, with a blank between them."""


def apply_pick(values: Values) -> Values:
    """The values after a tap on a card: it goes to the next player without one, or back."""
    what, _blank, value = values.get(PICK, "").partition(" ")
    form = form_of(values)
    if list_field := next((field for field in form.fields if (field.name, field.control) == (what, "picked")), None):
        left = [each for place, each in enumerate(list_field.value.split()) if str(place) != value]
        return {**values, **form.values, what: " ".join(left)}
    fields = [field for field in form.fields if field.is_drawn and field.distinct_group == what]
    if holder := next((field for field in fields if value and field.value == value), None):
        return {**values, holder.name: ""}
    following = next((field for field in fields if not field.value), None)
    if following is None or value not in (choice.value for choice in following.choices):
        return values
    return {**values, following.name: value}
