"""Prepares the content of each page for its template."""
