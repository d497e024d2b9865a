"""Fief: all facts that a ruling can depend on, and the fillings that stand for all others."""
