"""What a worker has while it runs: the budget of a request, caches, what is made at first use, its end."""
