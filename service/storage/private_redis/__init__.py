"""A Redis of our own for a machine that has none: started, looked after, ended."""
