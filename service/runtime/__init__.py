"""The parts of a running worker: the budget of a request, caches, values made at first use, its shutdown."""
