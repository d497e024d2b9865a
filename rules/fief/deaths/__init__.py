"""Fief: murders, deaths and heirs (`FI-90` to `FI-94`).

In order: `murders` (`FI-90`), `dying` (`FI-91`), `heirs` (`FI-92` to `FI-94`).
"""
