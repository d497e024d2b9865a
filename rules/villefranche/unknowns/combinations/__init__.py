"""Villefranche: what a placement sees as numbers that add up, and all fillings by sorts of these."""
