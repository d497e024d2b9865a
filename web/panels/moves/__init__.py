"""The panels on which a move is chosen, asked about and ruled on."""
