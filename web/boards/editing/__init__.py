"""How a position is entered by taps, game by game: what the boards' methods of `Editing` rest on."""
