"""The board editor: players enter a position by taps, to ask for a ruling, to count it, or to continue from it."""
