"""Limits on the requests and the work of each address."""
