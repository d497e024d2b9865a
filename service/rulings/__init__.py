"""Rulings without a table: judge moves, count scores, and look up rules."""
