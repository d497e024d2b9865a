"""What a move changes beyond what it says: who dies, who controls what, and who has which title then."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fief.data import RANKS
from rules.fief.lords import city_of, queen
from rules.fief.state import State
from rules.fief.style import style
from service.texts import Words


def told(before: State, after: State, words: Words) -> Iterator[str]:
    """Each change in a sentence; lords are called as they were called before."""

    def say(code: str, **values: object) -> str:
        return words.say("board", f"change_{code}", values)

    for name in sorted(set(before.lords) - set(after.lords), key=before.land.order.__getitem__):
        yield say("dies", lord=style(before, name))
    for village in before.land.villages:
        owner, built = after.control.get(village), before.buildings.get(village)
        if owner != before.control.get(village) and owner is not None:
            yield say("control", village=village, colour=owner)
        if built == "castle" and village not in after.buildings:
            yield say("destroyed", village=village)
    for fief in before.land.fiefs:
        code, values = _title(before, after, fief)
        if code:
            title = words.say(
                "board", f"title_{RANKS[before.land.rank(fief)]}", {"village": city_of(after, fief) or fief}
            )
            yield say(code, title=title, **values)
    for code, was, now in _crown(before, after):
        if now is not None and now != was:
            yield say(code, lord=now)


def _title(before: State, after: State, fief: str) -> tuple[str, dict[str, str]]:
    """What becomes of a fief's title."""
    was, now = before.titles.get(fief), after.titles.get(fief)
    if now is not None:
        return ("title", {"lord": style(before, now)}) if now != was else ("", {})
    if was is None:
        return "", {}
    waits = any(fief in estate.fiefs for estate in after.estates)
    captured = after.captured is not None and after.captured.fief == fief
    return "title_asked" if waits or captured else "title_fallen", {}


def _crown(before: State, after: State) -> Iterator[tuple[str, str | None, str | None]]:
    """The offices of the crown, with who held each and who holds it."""
    yield "king", before.king, after.king
    yield "regent", before.regent, after.regent
    if after.king is not None:
        yield "queen", queen(before), queen(after)
