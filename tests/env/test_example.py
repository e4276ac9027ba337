"""The example in docs/ENVIRONMENTS.md trains a policy that wins."""

import re

import pytest

from tests.env import document

(SOURCE,) = re.findall(
    r"^```python\n(.*?)^```", document.PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
)
STEPS, ENOUGH = "range(20)", "range(12)"
"""The training steps in the document, and the first ones, after which the policy wins almost as often."""


@pytest.mark.parametrize("steps", [ENOUGH, pytest.param(STEPS, marks=pytest.mark.campaign)])
def test_the_example_learns_to_win(capsys, steps):
    assert SOURCE.count(STEPS) == 1
    exec(compile(SOURCE.replace(STEPS, steps), "example.py", "exec"), {})

    before, after = map(float, re.findall(r"-?\d\.\d\d", capsys.readouterr().out))
    assert after > before + 0.5
    assert after > 0.8
