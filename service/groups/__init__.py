"""The results of those who play together, and their statistics."""
