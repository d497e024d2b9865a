"""The log of a table as a model: entries, how they are stored, and what they add up to."""
