"""Worked cases of the rules: read, number, report and add them."""
