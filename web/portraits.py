"""The pictures of the games in lists: each is the board of a worked case, drawn in advance.

`make portraits` (or ``python -m web.portraits``) draws them again after a change to a board or to such a case.
"""

from __future__ import annotations

import rules
from rules.caches import cache
from service.cases import numbering, worked_cases
from service.i18n.languages import DEFAULT_LANGUAGE
from web.board_image import picture
from web.game_pages import AnyPages
from web.games import all_pages


@cache()
def portrait(game: str) -> bytes | None:
    """A game's picture, as an SVG document; None for a game without one."""
    pages = all_pages().get(game)
    return pages.portrait.path.read_bytes() if pages and pages.portrait else None


def portrait_svg(game: str, pages: AnyPages) -> bytes | None:
    """The picture that the case yields today. Raises `StopIteration` where there is no such case."""
    if pages.portrait is None:
        return None
    book = rules.load(game, "cases")
    case = next(each for each in book["case"] if numbering.name(each) == pages.portrait.case)
    svg = picture(game, worked_cases.stage(rules.GAMES[game], case, book), DEFAULT_LANGUAGE)
    return f"{svg}\n".encode()


if __name__ == "__main__":
    for name, pages in all_pages().items():
        if pages.portrait:
            pages.portrait.path.write_bytes(portrait_svg(name, pages) or b"")
