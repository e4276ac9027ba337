"""The faults: each replaces a piece of text that occurs exactly once in the tree."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.jsonl"

_PACKAGES: Final = ("domain", "service", "workers")
_KINDS: Final = frozenset({".py", ".js", ".css", ".lua"})


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault in the code.

    Attributes:
        area: the kind of fault, such as `leak`, `domain` or `page`; the report counts by it.
        effect: the visible effect.
        old: the text that is replaced; it occurs once in the code.
        new: the text that replaces it.
        reason: why `make test` does not notice it, if it need not.
    """

    id: str
    area: str
    effect: str
    old: str
    new: str
    reason: str = ""


class DoesNotApply(ValueError):
    """Raised for a fault whose old text does not occur exactly once in the code."""


class Code:
    """The text of all files that can contain faults."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def texts(self) -> Mapping[Path, str]:
        """The texts by path relative to the tree, without vendored files."""
        files = chain.from_iterable((self.root / package).rglob("*.*") for package in _PACKAGES)
        return {
            file.relative_to(self.root): file.read_text(encoding="utf-8")
            for file in sorted(files)
            if file.suffix in _KINDS and "vendor" not in file.parts
        }

    @cached_property
    def whole(self) -> str:
        """All texts, one after the other."""
        return "\n".join(self.texts.values())

    def is_unique(self, text: str) -> bool:
        """Returns whether the text occurs exactly once."""
        first = self.whole.find(text)
        return first >= 0 and self.whole.find(text, first + 1) < 0

    def locate(self, fault: Fault) -> Path:
        """Returns the file that contains the fault; raises `DoesNotApply`."""
        if fault.old == fault.new or not self.is_unique(fault.old):
            raise DoesNotApply(f"{fault.id}: occurs {self.whole.count(fault.old)} times: {fault.old!r}")
        return next(path for path, text in self.texts.items() if fault.old in text)

    def stale(self, faults: Iterable[Fault]) -> Iterator[str]:
        """Yields a line for each fault that no longer applies."""
        for fault in faults:
            try:
                self.locate(fault)
            except DoesNotApply as error:
                yield str(error)


def load_faults(*names: str) -> list[Fault]:
    """Returns the faults of these files, by default all: those planted by hand, then the mutants."""
    faults = []
    for name in names or ("planted.toml", "planted_leaks.toml", "planted_page.toml", "mutants.toml"):
        for area, entries in tomllib.loads((HERE / name).read_text(encoding="utf-8")).items():
            faults += [Fault(area=area, **entry) for entry in entries]
    return faults


def load_results() -> dict[str, dict[str, Any]]:
    """Returns the recorded results by fault."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    return {result["fault"]: result for result in map(json.loads, lines)}


def toml_of(faults: Iterable[Fault]) -> str:
    """Returns the entries of a file of faults. JSON strings are valid in TOML."""
    return "\n".join(
        f"[[{fault.area}]]\n"
        + "".join(
            f"{key} = {json.dumps(getattr(fault, key), ensure_ascii=False)}\n"
            for key in ("id", "effect", "old", "new")
        )
        for fault in faults
    )
