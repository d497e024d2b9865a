"""How moves are made answer by answer, game by game: what the boards' methods of `Drafting` rest on."""
