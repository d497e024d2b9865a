"""The inks of Architekton: landscapes and their drawings."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import Ink, ink, writing

INKS: Mapping[str, Ink] = {
    "earth": ink("#d9a066", "#4b3a22", 2, dark="#a06f3d", dark_edge="#15120c"),
    "meadow": ink("#b7d36a", "#4b3a22", 2, dark="#7f983d", dark_edge="#15120c"),
    "water": ink("#8fc1e3", "#4b3a22", 2, dark="#4f86ab", dark_edge="#15120c"),
    "forest": ink("#6fa36a", "#4b3a22", 2, dark="#47744a", dark_edge="#15120c"),
    "plot": ink("#efe6d2", "#4b3a22", 3, dark="#b9ad92", dark_edge="#15120c"),
    "motif": ink("none", "#1d1a14", 2, dark="#0b0a07"),
    "motif-full": ink("#1d1a14", dark="#0b0a07"),
    "letter": writing("#1d1a14", dark="#0b0a07"),
}
