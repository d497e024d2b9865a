"""The parts of a running worker: the budget of a request, caches, areas of addresses, first use, shutdown."""
