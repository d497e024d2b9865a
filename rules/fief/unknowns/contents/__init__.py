"""Fief: the values of unknown facts, the lords who may not have been entered, and a state with these filled in."""
