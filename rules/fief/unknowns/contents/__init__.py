"""Fief: what an unknown fact can be, who the lords may be who were not entered, and a state with it filled in."""
