"""Groups of players: their results and statistics."""
