"""Fief: the unknown facts that rules and sentences look at."""
