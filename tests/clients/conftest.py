"""A service, started by its command, for programs that use the client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.service_process import ServiceProcess


class Service:
    """A service that a test can stop, and start again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process = folder, ServiceProcess(folder)
        self.port, self.is_up = self.process.port, True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        self.process.end()
        self.is_up = False

    def start(self) -> None:
        self.process, self.is_up = ServiceProcess(self.folder, PORT=str(self.port)), True


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a store of its own, and with its limits."""
    started = Service(tmp_path_factory.mktemp("client") / "data")
    yield started
    started.process.end()
