"""Caches the compiled templates between starts: compiling them is most of a start's work."""

from __future__ import annotations

from contextlib import suppress

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from service import __version__


class TemplateCache(FileSystemBytecodeCache):
    """Jinja's cache in a folder that is this user's alone. If the disk rejects it, each start compiles again."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the compiled template for the same source, if it can be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled template, if the disk accepts it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache() -> TemplateCache | None:
    """The cache in the system's folder for temporary files, or None where no folder there is safe."""
    try:
        return TemplateCache(pattern=f"bastide-{__version__}-%s")
    except (OSError, RuntimeError):
        return None
