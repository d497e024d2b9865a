"""Fields for the players' draws before a game of Fief (`FI-1`): the lords' portraits and the map, to tap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.fief.data import COLOURS, Land
from rules.records import dataclass
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.form_fields import Card, Field, Gallery
from web.games.fief import pieces, scenery
from web.games.fief.geography import SIDE, Point, box, corner
from web.games.fief.icons import portrait_of


@dataclass(frozen=True, slots=True)
class OpeningDraw:
    """The fields of each player's lord and village, in the same order, and their choices.

    `land`: the map; None while it cannot be drawn.
    """

    lords: tuple[Field, ...]
    villages: tuple[Field, ...]
    women: frozenset[str]
    land: Land | None
    words: Words

    def missing_part(self, what: str) -> str:
        """The number of players whose draw is missing, in words."""
        missing = sum(not field.value for field in (self.lords if what == "lord" else self.villages))
        return self.words.say("opening", f"{what}s_needed", {"n": missing}) if missing else ""

    def prompt(self, what: str) -> str:
        """The request to the next player without a draw."""
        for field in self.lords if what == "lord" else self.villages:
            if not field.value:
                return self.words.say("opening", f"{what}_of", {"player": field.label}, replace_codes=False)
        return self.words.say("opening", "all_drawn")

    def portraits(self) -> tuple[Gallery, ...]:
        """The men and the women."""
        whose = _fields_by_choice(self.lords)
        cards: dict[str, list[Card]] = {"men": [], "women": []}
        for name in (choice.value for choice in self.lords[0].choices if choice.value):
            card, woman = _card("lord", name, whose), name in self.women
            picture = portrait_of(card.seat, name, woman=woman)
            cards["women" if woman else "men"].append(replace(card, picture=picture))
        text = self.words.text["opening"]
        return tuple(Gallery(text[sex], tuple(found)) for sex, found in cards.items() if found)

    def map(self) -> tuple[Gallery, ...]:
        """The map of the villages, with a flag and a lord where somebody begins."""
        if self.land is None:
            return ()
        points, whose = scenery.points_of(self.land), _fields_by_choice(self.villages)
        cards = (
            replace(_card("village", name, whose), at=(*corner(point), SIDE, SIDE)) for name, point in points.items()
        )
        drawing = (*scenery.ground(self.land), *self._pieces_on_map(points))
        return (Gallery(self.words.text["opening"]["map"], tuple(cards), box(points), drawing),)

    def _pieces_on_map(self, points: Mapping[str, Point]) -> Iterator[Shape]:
        """The pieces on the map after the answers so far."""
        for point in points.values():
            yield from pieces.building("village", *corner(point))
        for lord, village in zip(self.lords, self.villages, strict=True):
            if village.seat not in COLOURS or village.value not in points:
                continue
            x, y = corner(points[village.value])
            yield from pieces.flag(village.seat, scenery.letter(village.seat, self.words), x, y)
            if lord.value:
                marks = frozenset({"woman"} if lord.value in self.women else ())
                yield from pieces.lord(village.seat, lord.value[:1], marks, *scenery.first_place(x, y))


def _card(what: str, name: str, whose: Mapping[str, Field]) -> Card:
    """A lord or a village, and its player."""
    field = whose.get(name)
    return Card(what, name, name, field.seat, field.label) if field else Card(what, name, name)


def _fields_by_choice(fields: tuple[Field, ...]) -> Mapping[str, Field]:
    """Drawn lord or village -> the field of its player."""
    return {field.value: field for field in fields if field.value}
