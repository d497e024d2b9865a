"""The command `bastide`."""

from service.cli.commands import main

__all__ = ["main"]
