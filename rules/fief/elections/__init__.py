"""Fief, phases 2 to 4: the rules of electing bishops, pope and king (`FI-20` to `FI-42`)."""
