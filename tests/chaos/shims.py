"""Small libraries between a program and the system: a slow disk, a full one, a clock that jumps.

`LD_PRELOAD` loads one when the program starts. They need a C compiler and Linux.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

SLOW_DISK: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* Flushing takes so many microseconds more. */
int fdatasync(int file) {
    int (*real)(int) = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
    usleep(atoi(getenv("SLOW_DISK")));
    return real(file);
}
"""
FULL_DISK: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* While there is such a file, no file takes anything more. */
ssize_t write(int file, const void *bytes, size_t size) {
    ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t)) dlsym(RTLD_NEXT, "write");
    struct stat found;
    if (access(getenv("FULL_DISK"), F_OK) == 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
        errno = ENOSPC;
        return -1;
    }
    return real(file, bytes, size);
}
"""
JUMPING_CLOCK: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>

/* The time of day is an hour ahead, right, and an hour behind, for so many looks each. */
static int moved(void) {
    static unsigned looks;
    static const int hours[] = {3600, 0, -3600};
    return hours[looks++ / 50 % 3];
}

int gettimeofday(struct timeval *now, void *zone) {
    int (*real)(struct timeval *, void *) = (int (*)(struct timeval *, void *)) dlsym(RTLD_NEXT, "gettimeofday");
    int failed = real(now, zone);
    now->tv_sec += moved();
    return failed;
}
"""


class NoCompiler(Exception):
    """There is no C compiler on this machine."""


def shim(source: str, folder: Path) -> dict[str, str]:
    """Compile a shim in a folder; returns the environment that loads it. Raises `NoCompiler`."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise NoCompiler("cc makes the library that stands between Redis and the system, and is not on this machine")
    made = folder / "shim.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(made), "-x", "c", "-"]
    subprocess.run(command, input=source, text=True, check=True)
    return {"LD_PRELOAD": str(made)}
