"""The panels that choose a move, ask about it and show the ruling."""
