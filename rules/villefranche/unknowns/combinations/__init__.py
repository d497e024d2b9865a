"""Villefranche: the view of a placement as numbers that add up, and all fillings by sorts of these."""
