"""The panels below the board: for each panel a dataclass, and a function that makes it."""
