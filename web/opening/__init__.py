"""The form that opens a table."""
