"""Sentences in the languages of the readers, made of the facts of the rules."""
