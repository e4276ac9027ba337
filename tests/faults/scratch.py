"""A copy of the committed tree to try faults in, with its own environment for child processes."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.faults.collection import ROOT, Code, Fault

FOLDER: Final = ROOT / "build" / "faults"
TREE: Final = FOLDER / "tree"
PYTHON: Final = TREE / ".venv" / "bin" / "python"


def prepare() -> Code:
    """Returns the code of the copy. It is made once from HEAD and kept; delete `build/faults` to make a new one."""
    if not PYTHON.exists():
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(TREE)], check=True)
        _make_environment()
    fcntl.flock(os.open(FOLDER, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)  # until this process ends
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(1)
    )  # removes the fault from the copy and ends processes running there
    subprocess.run(["git", "checkout", "--quiet", "--", "."], cwd=TREE, check=True)
    return Code(TREE)


def _make_environment() -> None:
    """Makes an environment with our packages where this project is the copy instead of the original tree."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(TREE / ".venv")], check=True)
    packages = sysconfig.get_path("purelib")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path = TREE / ".venv" / "lib" / version / "site-packages" / "copy.pth"
    path.write_text(f"{TREE}\n{TREE / 'clients' / 'python'}\n{packages}\n", encoding="utf-8")
    for script in Path(sysconfig.get_path("scripts")).iterdir():
        if script.is_file() and (text := script.read_bytes()).startswith(b"#!") and b"python" in text[:300]:
            copy = PYTHON.parent / script.name
            copy.write_bytes(f"#!{PYTHON}\n".encode() + text.split(b"\n", 1)[1])
            copy.chmod(0o755)


@contextmanager
def planted(code: Code, fault: Fault) -> Iterator[None]:
    """Plants a fault in the copy during the block."""
    path = code.locate(fault)
    file, text = code.root / path, code.texts[path]
    try:
        _write(file, text.replace(fault.old, fault.new))
        yield
    finally:
        _write(file, text)


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    # Python treats a compiled file as current if the source has the same size and second of modification.
    for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
        compiled.unlink()
