"""Fief: the rules of murders, deaths and heirs (`FI-90` to `FI-94`)."""
