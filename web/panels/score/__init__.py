"""The panels of the score, the sheet and the results."""
