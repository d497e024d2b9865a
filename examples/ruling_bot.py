"""A chat bot that rules on moves: it answers each line of the chat that begins with `!rule`.

    !rule villefranche h c8 after r b9c9, r d9e9

The chat here is what you type and what it prints: python ruling_bot.py http://localhost:8000/ [fr]
"""

import re
import sys
from collections.abc import Iterator

from bastide_client import Bastide, Problem

ASKED = re.compile(r"!rule (?P<game>\w+) (?P<move>.+?)(?: after (?P<moves>.+))?\s*")


def answer(bastide: Bastide, line: str) -> Iterator[str]:
    """The bot's answer to a line of the chat; nothing if the line does not ask it."""
    if not (asked := ASKED.fullmatch(line)):
        return
    moves = re.split(r"\s*,\s*", asked["moves"]) if asked["moves"] else []
    try:
        ruling = bastide.rule(asked["game"], asked["move"], {"moves": moves})
    except Problem as problem:
        yield problem.detail
        return
    yield f"{ruling['notation']}: {ruling['ruling']}"
    for finding in ruling["findings"]:
        if finding["ruling"] == ruling["ruling"]:
            yield f"- {finding['text']} ({finding['rule']})"
    if ruling["nearest"]:
        yield f"- {', '.join(ruling['nearest'])}?"


if __name__ == "__main__":
    with Bastide(sys.argv[1], language=(sys.argv[2:] or ["en"])[0]) as referee:
        for typed in sys.stdin:
            print(*answer(referee, typed), sep="\n", flush=True)
