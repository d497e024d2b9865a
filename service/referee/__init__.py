"""The use cases, and all that writes into a log."""
