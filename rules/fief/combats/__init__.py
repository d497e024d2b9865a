"""Fief, phase 7: the rules of combats, a module for each step (`FI-70` to `FI-77`)."""
