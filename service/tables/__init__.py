"""The log of a table as a model: its entries, their stored form, and the resulting table."""
