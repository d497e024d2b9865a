"""Draws boards, without knowing any game."""
