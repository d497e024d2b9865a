"""The pages on which a position is entered and counted, without a log: every tap is a link, and all of it is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from flask import request, url_for

import rules
from rules.kernel import Seat
from service import texts
from service.datatypes import AnyGame
from service.texts import Words
from web import counting, scores
from web.boards import Count, Editing, Picks, Shape, Spot, Symbol
from web.counting import Counted, Packer, Trail, Unread
from web.frame import Answer, failed, page, part_wanted, web
from web.language import _, language
from web.look import Look
from web.phrases import Reason, lit_finding, reasons
from web.scene import Light, Pan, Scene, around, middle, scene
from web.view import zoom_pans, zoomed


class Glance(Look):
    """One view of a count. Its addresses are relative: what was entered is in the path, which they keep."""

    __slots__ = ()

    def url(self, **changes: Any) -> str:
        """The address of this view with some parameters changed."""
        view = replace(self, **changes)
        names = [member.name for member in fields(view) if member.name not in ("table", "page")]
        return "?" + urlencode({name: value for name in names if (value := getattr(view, name)) is not None})


@dataclass(frozen=True, slots=True)
class Way:
    """A pick with its address."""

    label: str
    icon: tuple[Shape, ...]
    href: str
    chosen: bool
    step: bool
    """It changes what is counted."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Picks that belong together. Those that are seldom wanted are seen when they are `open`."""

    title: str
    ways: tuple[Way, ...]
    seldom: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Total:
    """A player's points."""

    seat: Seat
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class CountView:
    """Everything that the page shows. `panel` is the score sheet; `undo`, `clear` are addresses."""

    look: Look
    game: AnyGame
    words: Words
    scene: Scene
    symbols: tuple[Symbol, ...]
    zoom_href: str
    pans: tuple[Pan, ...]
    spot: Spot | None
    nudge: tuple[Pan, ...]
    groups: tuple[Ways, ...]
    problems: tuple[Reason, ...]
    panel: scores.Score
    totals: tuple[Total, ...]
    undo: str | None
    clear: str | None
    link: str
    past: None = None


# --- the views ---------------------------------------------------------------------------------------------------


@web.get("/count/<game_id>", defaults={"text": ""})
@web.get("/count/<game_id>/<text>")
def count(game_id: str, text: str) -> Answer:
    """What was entered, what can be made of the chosen cell, and the score."""
    game = rules.GAMES.get(game_id)
    drawing = counting.drawing_of(game) if game else None
    if game is None or drawing is None:
        return failed(_("There is no such game to count here."), 404)
    try:
        seen = _seen(game, drawing, text)
    except Unread as error:
        return failed(_unread(error, game), 422)
    part = part_wanted()
    return page("count_part" if part else "count", view=seen, part=part)


def _unread(error: Unread, game: AnyGame) -> str:
    name = texts.words(language(), game.id).text["name"]
    said = error.words(language(), game)
    return " ".join([_("This address holds no position of %(game)s that can be counted.", game=name), said]).strip()


def _seen(game: AnyGame, drawing: Editing, text: str) -> CountView:
    trail = Trail.of(text)
    made = counting.counted(game, drawing, counting.count_of(game, drawing, trail), language())
    look = Glance.of(text, "count", request.args)
    words = texts.words(language(), game.id)
    board, sheet = made.board, made.sheet
    names = {seat: words.name(seat) for seat in sheet.totals}
    spot, groups = _place(drawing, made, look)
    links = _Links(game, drawing, trail, made.count, look)
    zoom = zoomed(look, board)
    return CountView(
        look=look,
        game=game,
        words=words,
        scene=scene(board, _light(made, look, spot), zoom, lambda spot: look.url(at=spot.key, kind=None, show=None)),
        symbols=drawing.symbols(),
        zoom_href=look.url(zoom=None if zoom else (look.at or middle(board).key)),
        pans=() if spot else zoom_pans(look, board, zoom),
        spot=spot,
        nudge=around(board, spot, lambda other: look.url(at=other.key, kind=None, show=None)) if spot else (),
        groups=tuple(links.group(picks, number) for number, picks in enumerate(groups, 1)),
        problems=reasons(words, made.problems, look),
        panel=scores.score(words, sheet, names, look),
        totals=tuple(Total(seat, names[seat], points) for seat, points in sheet.totals.items()),
        undo=links.undo(),
        clear=links.clear(),
        link=request.host_url.rstrip("/") + links.to(trail.alone().text()),
    )


def _place(drawing: Editing, made: Counted, look: Look) -> tuple[Spot | None, Sequence[Picks]]:
    """The chosen cell, if one is, and what can be made of it; else of what lies beside the board."""
    spot = made.board.spot(look.at)
    if spot is not None:
        return spot, drawing.picks(made.count, spot.cell, language())
    elsewhere = drawing.picks(made.count, look.at, language()) if look.at else ()
    return None, elsewhere or drawing.picks(made.count, None, language())


def _light(made: Counted, look: Look, spot: Spot | None) -> Light:
    """The chosen cell; the cells of the number, or of the problem, that was asked about: else of the first problem."""
    rule, seat = scores.split_show(look.show)
    facts = [fact for line in made.sheet.lines.get(seat, ()) if line.rule == rule for fact in line.evidence]
    problem = None if seat else lit_finding(made.problems, look.show)
    if problem is not None:
        facts = list(problem.facts.evidence)
    chosen = frozenset({spot.cell}) if spot else frozenset()
    return Light(chosen, facts=facts, seats=tuple(made.sheet.totals))


class _Links:
    """The addresses that taps lead to."""

    def __init__(self, game: AnyGame, drawing: Editing, trail: Trail, count: Count, look: Look) -> None:
        self.game, self.drawing, self.trail, self.count, self.look = game, drawing, trail, count, look
        self.packer = Packer(trail.steps or (counting.step_of(drawing.blank()),))

    def to(self, text: str, **look: str | None) -> str:
        """The address of a text, with the same view or another."""
        given: dict[str, Any] = {name: at for name, at in {"text": text, **look}.items() if at}
        return url_for("web.count", game_id=self.game.id, **given)

    def step(self, count: Count, at: str | None, kind: str | None = None) -> str:
        """The address once this is entered; `at`: the place that is asked about then, `kind`: the open group."""
        return self.to(self.packer.text(counting.step_of(count)), at=at, kind=kind, zoom=self.look.zoom)

    def group(self, picks: Picks, number: int) -> Ways:
        """Picks with their addresses. One that changes nothing is no step."""
        kind = str(number) if picks.seldom else None
        ways = []
        for pick in picks.picks:
            at, step = pick.at or self.look.at, pick.count != self.count
            href = self.step(pick.count, at, kind) if step else self.look.url(at=at, kind=kind, show=None)
            ways.append(Way(pick.label or _("nothing"), pick.icon, href, pick.chosen, step))
        return Ways(picks.title, tuple(ways), picks.seldom, kind is not None and kind == self.look.kind)

    def undo(self) -> str | None:
        """The address without the last tap."""
        before = self.trail.before()
        return self.to(before.text(), at=self.look.at, zoom=self.look.zoom) if before else None

    def clear(self) -> str | None:
        """The address with nothing on the table, where there is anything; that can be undone like any tap."""
        nothing = replace(self.count, position=self.drawing.blank().position)
        return self.step(nothing, None) if nothing != self.count else None
