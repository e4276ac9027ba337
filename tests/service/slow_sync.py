"""A slowly syncing disk for every process started with a preloaded library (Linux)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.processes import await_true

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_while_slow(void) {
    const char *slow = getenv("SLOW_SYNC"), *begun = getenv("SLOW_SYNC_BEGUN");
    if (!slow || !begun || access(slow, F_OK)) return;
    close(open(begun, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 2000 && !access(slow, F_OK); i++) usleep(10000);
}

static int (*found(const char *name))(int) { return (int (*)(int))dlsym(RTLD_NEXT, name); }

int fsync(int file) { wait_while_slow(); return found("fsync")(file); }
int fdatasync(int file) { wait_while_slow(); return found("fdatasync")(file); }
"""


class SlowSync:
    """Makes syncs wait from `begin` to `end`, up to twenty seconds."""

    def __init__(self, folder: Path) -> None:
        """Compiles the library to preload; skips the test without Linux or a C compiler."""
        compiler = shutil.which("cc")
        if sys.platform != "linux" or not compiler:
            pytest.skip("SLOW SYNCS NOT TESTED: they need Linux and a C compiler (cc)")
        self._slow, self._begun, library = folder / "slow", folder / "begun", folder / "slow_sync.so"
        source = folder / "slow_sync.c"
        source.write_text(_SOURCE)
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.environment = {
            "LD_PRELOAD": str(library),
            "SLOW_SYNC": str(self._slow),
            "SLOW_SYNC_BEGUN": str(self._begun),
        }

    def begin(self) -> None:
        self._begun.unlink(missing_ok=True)
        self._slow.touch()

    def await_sync(self) -> None:
        """Waits until a sync is waiting."""
        await_true(self._begun.exists)

    def end(self) -> None:
        self._slow.unlink(missing_ok=True)
