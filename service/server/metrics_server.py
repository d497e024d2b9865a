"""Serves the metrics of all workers on an address of their own, `BASTIDE_METRICS`, and never on the public port.

A child of gunicorn's master answers, so that a busy worker delays no metrics. Each start has its own folder, and so
counts from 0. When the master ends, the child's standard input closes; the child then removes the folder and ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile

from service.addresses import Address, host_in_url
from service.config import bind_error
from service.startup import METRICS_VARIABLE, BadSetting


class MetricsServer:
    """The child, for the master."""

    def __init__(self, host: Address, port: int) -> None:
        self._host, self._port = host, port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the metrics."""
        return f"http://{host_in_url(self._host)}:{self._port}/metrics"

    def prepare(self) -> None:
        """Make the folder, before anything is counted. Raises `BadSetting` if the address cannot be used."""
        if reason := bind_error(self._host, self._port):
            value = f"{host_in_url(self._host)}:{self._port}"
            wanted = f"an address of this machine with a port that is free ({reason})"
            raise BadSetting("BASTIDE_METRICS", value, wanted)
        os.environ[METRICS_VARIABLE] = tempfile.mkdtemp(prefix="bastide-metrics-")

    def has_ended(self) -> bool:
        """Whether the child has ended."""
        return self._process is None or self._process.poll() is not None

    def replace(self) -> None:
        """Start the child."""
        command = [sys.executable, "-P", "-m", __name__, str(self._host), str(self._port)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE)  # noqa: S603  # our own

    @staticmethod
    def forget(worker: int) -> None:
        """Drop the gauges of a worker that has ended. Its counters stay."""
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415  # not before sockets are patched

        mark_process_dead(worker)  # type: ignore[no-untyped-call]  # it has no types

    def end(self) -> None:
        """End the child."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()


def main(host: str, port: int) -> None:
    """Serve until standard input ends."""
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415  # only the child needs it
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415  # see above

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    start_http_server(port, host, registry)
    sys.stdin.buffer.read()
    shutil.rmtree(os.environ[METRICS_VARIABLE], ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
