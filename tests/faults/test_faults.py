"""The collection applies to the current code, and its tool detects noticed faults."""

from pathlib import Path

from tests.faults.collection import ROOT, Code, Fault, load_faults, load_results


def test_every_fault_applies_once():
    """If a fault no longer applies, edit its `old` and `new`."""
    assert not list(Code(ROOT).stale(load_faults()))


def test_ids_of_faults_are_unique():
    ids = [fault.id for fault in load_faults()]
    assert len(ids) == len(set(ids))


def test_every_fault_was_noticed_or_says_why_not():
    """After you have added a fault, try it: `python -m tests.faults run --only ID --tests PATH`."""
    noticed = {name for name, result in load_results().items() if result["verdict"] == "noticed"}
    assert not [fault.id for fault in load_faults() if fault.id not in noticed and not fault.reason]


def test_a_fault_is_located_by_its_text(tmp_path):
    (tmp_path / "domain" / "deep").mkdir(parents=True)
    (tmp_path / "domain" / "deep" / "file.py").write_text("a = 1\nb = 2\n")
    code = Code(tmp_path)
    fault = Fault(id="x", area="domain", effect="", old="b = 2", new="b = 3")
    assert code.locate(fault) == Path("domain/deep/file.py")
    twice = Fault(id="y", area="domain", effect="", old=" = ", new=" == ")
    assert len(list(code.stale([fault, twice]))) == 1
