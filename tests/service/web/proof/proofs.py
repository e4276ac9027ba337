"""Logs, and the page's reports on them."""

from pathlib import Path

from tests.domain.tables.forger import changed, version_of

GOLDEN = Path(__file__).parents[3] / "golden"


def golden(name):
    return (GOLDEN / f"{name}.log").read_bytes()


def lines_of(log):
    return log.decode().splitlines(keepends=True)


def forged(name, kind, change, number=1):
    """Returns a golden log with one changed event and new seals, and the line of the event."""
    log = golden(name)
    version = version_of(log, kind, number)
    return changed(log, version, change), version + 1


def report_on(tab, log, **given):
    return tab.call("proof/verify.js", "verify", log if isinstance(log, str) else log.decode(), given)


def failures(report):
    return [check["id"] for check in report["checks"] if check["passed"] is False]


def assert_found(report, names, line):
    """Asserts that exactly these checks fail, and that this is the first wrong line."""
    assert not report["passed"]
    assert failures(report) == names
    assert report["fault"]["line"] == line
    assert report["fault"]["text"]
    for check in report["checks"]:
        assert check["explanation"].endswith(".")
