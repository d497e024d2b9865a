"""The use cases, and every module that plans or writes entries of a log."""
