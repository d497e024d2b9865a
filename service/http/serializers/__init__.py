"""Domain to the JSON of an answer, with the words of a language."""
