"""The panels that show the log and what it did."""
