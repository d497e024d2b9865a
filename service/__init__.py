"""The shell around the rules: the log, the use cases, the API and the command."""

__version__ = "0.1.0"
