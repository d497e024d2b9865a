"""Worked cases of the rules: read, numbered, reported, added."""
