"""The log of a table as a model: its entries, how they are stored, and the table that they make."""
