"""Inks: the fill and stroke of shapes by day, by night, and under the system's forced colours.

A game defines its own inks as data (`GamePages.inks`); this module has the inks of several games and of the players'
seats. The style sheet of the pages and the colours of a stand-alone picture are both made from them, so each ink is
defined once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from rules.kernel import NOTHING, Seat
from rules.old_names import accept_old_arguments, accept_old_members, old_attributes
from rules.records import dataclass

Style: TypeAlias = Mapping[str, str]
"""Property of SVG -> value."""
ROUND: Final[Style] = {"stroke-linejoin": "round"}
ROUND_ENDS: Final[Style] = {"stroke-linecap": "round"}


@accept_old_members(
    forced="forced_colours",
)
@dataclass(frozen=True, slots=True)
class Ink:
    """How a shape is drawn. `dark` and `forced_colours` are what changes by night and under forced colours, `icon` what
    changes by night in an icon, which has no board around it.
    """

    light: Style
    dark: Style = field(default_factory=dict)
    forced_colours: Style = field(default_factory=dict)
    icon: Style = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatColours:
    """A seat's colour: of its token, of the edge, and of what is written on it. `halo`: it is hard to see by night."""

    fill: str
    edge: str
    letter: str
    halo: bool = False


@accept_old_arguments(forced="forced_colours")
def ink(
    fill: str = "none",
    stroke: str = "",
    width: float = 0,
    *,
    dark: str = "",
    dark_edge: str = "",
    forced_colours: Style | None = None,
    style: Style = NOTHING,
) -> Ink:
    """An ink by its fill and its stroke, `width` units wide.

    By night the fill is `dark` and the stroke `dark_edge`; a mere line is `dark`. Under forced colours an area is empty
    with an edge, a line or a mark is drawn, unless `forced_colours` says something else.
    """
    light = {"fill": fill, **({"stroke": stroke, "stroke-width": f"{width:g}"} if stroke else {}), **style}
    night = {"stroke": dark} if fill == "none" else {"fill": dark, "stroke": dark_edge}
    by_night = {name: colour for name, colour in night.items() if colour}
    return Ink(light, by_night, _forced_style(fill, stroke) if forced_colours is None else forced_colours)


def _forced_style(fill: str, stroke: str) -> Style:
    if fill == "none":
        return {"stroke": "CanvasText"}
    return {"fill": "Canvas", "stroke": "CanvasText"} if stroke else {"fill": "CanvasText"}


def surface(fill: str, dark: str = "") -> Ink:
    """The ink of a ground on which pieces stand."""
    return ink(fill, dark=dark, forced_colours={"fill": "Canvas", "stroke": "CanvasText", "stroke-width": "1"})


def faint(stroke: str, width: float, *, dark: str = "", style: Style = NOTHING) -> Ink:
    """The ink of a line in the background."""
    return ink("none", stroke, width, dark=dark, forced_colours={"stroke": "GrayText"}, style=style)


@accept_old_arguments(forced="forced_colours")
def text_ink(fill: str, weight: int = 600, *, dark: str = "", forced_colours: Style | None = None) -> Ink:
    """The ink of words and letters."""
    style = {"font-weight": str(weight), "font-family": "system-ui, sans-serif"}
    return ink(fill, dark=dark, forced_colours=forced_colours, style=style)


# --- the inks of several games -----------------------------------------------------------------------------------

GRASS: Final = ("#b3c794", "#61754f")
PAVING: Final = ("#a79e8e", "#59544b")
"""Grounds of boards, by day and by night."""
LABEL: Final = "#2f2b22"
LABEL_BY_NIGHT: Final = "#fbf6ea"
REVERSED_STYLE: Final[Style] = {"fill": "CanvasText", "stroke": "Canvas"}

SEATS: Final[Mapping[Seat, SeatColours]] = {
    "black": SeatColours("#20242a", "#000", "#fff", halo=True),
    "white": SeatColours("#fffdf6", "#574a33", "#231a00"),
    "dark": SeatColours("#20242a", "#000", "#fff", halo=True),
    "light": SeatColours("#fffdf6", "#574a33", "#231a00"),
    "blue": SeatColours("#1f5fbf", "#0b1f40", "#fff"),
    "yellow": SeatColours("#ffd23c", "#5c4600", "#231a00"),
    "green": SeatColours("#1d8648", "#062e16", "#fff"),
    "red": SeatColours("#c8232c", "#430609", "#fff"),
}


def dark_face(fill: str, dark: str, icon: str = "") -> Ink:
    """A face of a piece of dark material; in an icon on a dark page its edge is light."""
    face = ink(fill, "#0b0d10", 4, dark=dark, dark_edge="#07080a", forced_colours=REVERSED_STYLE, style=ROUND)
    return replace(face, icon={"stroke": "#a3acb8", **({"fill": icon} if icon else {})})


def light_face(fill: str, dark: str) -> Ink:
    """A face of a piece of light material."""
    return ink(fill, "#574a33", 4, dark=dark, dark_edge="#3a301d", style=ROUND)


SHARED_INKS: Final[Mapping[str, Ink]] = {
    "label": text_ink(LABEL, dark=LABEL_BY_NIGHT),
    "line": faint("#4b4a3747", 2, dark="#00000047"),
    "free": ink("none", LABEL, 3, dark=LABEL_BY_NIGHT, style={"stroke-opacity": ".45", "stroke-dasharray": "9 7"}),
    "table": surface("#e9e4d6", "#37342c"),
    "chip": ink("#e8c35a", "#4b3a22", 4),
    "building": ink("#f4e6c8", "#3c2408", 4, style=ROUND),
    "building-mark": ink("#6b3a1a"),
    "dark-top": dark_face("#5a616b", "#4a505a", icon="#565d68"),
    "dark-front": dark_face("#2b3038", "#1f232a"),
    "dark-mark": ink("#f3c74f", dark="#ffc94a", forced_colours={"fill": "Canvas"}),
    "light-top": light_face("#fffdf6", "#f7f1e2"),
    "light-front": light_face("#eadfc7", "#d3c5a4"),
    "light-mark": ink("#7d5730", dark="#6d4a26"),
}


def in_colours(seats: Mapping[Seat, SeatColours]) -> dict[str, Ink]:
    """The inks of what is in a player's colour, with a letter on it."""
    return {
        **{f"piece-{seat}": ink(colours.fill, colours.edge, 3) for seat, colours in seats.items()},
        **{f"piece-letter-{seat}": text_ink(colours.letter, 700) for seat, colours in seats.items()},
    }


# --- the style sheet ---------------------------------------------------------------------------------------------


LONE_ICON: Final = ".piece"
"""An icon that stands on the page itself."""


def merge_inks(inks: Iterable[Mapping[str, Ink]], seats: Mapping[Seat, SeatColours] = SEATS) -> dict[str, Ink]:
    """The shared inks, those of seats and of games. Raises `ValueError` if two games define an ink differently."""
    found = {**SHARED_INKS, **in_colours(seats)}
    for own in inks:
        for name, one in own.items():
            if found.setdefault(name, one) != one:
                raise ValueError(f"the ink {name!r} is there twice")
    return found


def stylesheet(inks: Mapping[str, Ink], seats: Mapping[Seat, SeatColours]) -> str:
    """The ground around boards, the inks and the seats' colours as CSS."""
    by_day, by_night = (_rule(":root", {"--paving": ground}) for ground in PAVING)
    by_night += _rules({name: _by_night(name, one) for name, one in inks.items()})
    lone = {_property(name, part): value for name, one in inks.items() for part, value in one.icon.items()}
    by_night += _rule(LONE_ICON, lone)
    forced = _rules({name: one.forced_colours for name, one in inks.items()})
    return "".join(
        (
            by_day,
            _rules({name: one.light for name, one in inks.items()}),
            "".join(part for seat, colours in seats.items() for part in _seat(seat, colours)),
            f"@media (prefers-color-scheme: dark) {{\n{by_night}}}\n",
            f"@media (forced-colors: active) {{\n{forced}}}\n",
        )
    )


def _by_night(name: str, one: Ink) -> Style:
    """The changes by night. Only custom properties reach a shape drawn by reference; selectors for its place do not."""
    changed = {part: f"var({_property(name, part)}, {one.dark.get(part, one.light[part])})" for part in one.icon}
    return {**one.dark, **changed}


def _property(name: str, part: str) -> str:
    return f"--{name}-{part}"


def _rules(styles: Mapping[str, Style]) -> str:
    """The rules of inks; equal inks share one. No shape has two inks, so the order of rules does not matter."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, style in styles.items():
        alike.setdefault(tuple(style.items()), []).append(f".{name}")
    return "".join(_rule(", ".join(names), dict(look)) for look, names in alike.items())


def _rule(selector: str, style: Style) -> str:
    return f"{selector} {{ {' '.join(f'{name}: {value};' for name, value in style.items())} }}\n" if style else ""


def _seat(seat: Seat, colours: SeatColours) -> Iterator[str]:
    """The token of a player, and the badge of a number that is counted for them."""
    token = {"background": colours.fill, "border-color": colours.edge}
    yield _rule(f".seat-{seat}.token", {**token, **({"box-shadow": "0 0 0 1px #ffffffa8"} if colours.halo else {})})
    yield _rule(f".badge.seat-{seat} rect", {"fill": colours.fill, "stroke": colours.letter})
    yield _rule(f".badge.seat-{seat} text", {"fill": colours.letter})


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        REVERSED="REVERSED_STYLE",
        writing="text_ink",
    )
