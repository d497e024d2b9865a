"""Fief: what rules and sentences look at of what is unknown."""
