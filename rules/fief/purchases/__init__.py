"""Fief, phase 5: the rules of purchases and gifts, a module for each thing on sale (`FI-50` to `FI-57`)."""
