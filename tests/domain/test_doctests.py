"""The examples in docstrings of the domain."""

import pytest

from tests.doctests import check_examples, modules_with_examples


@pytest.mark.parametrize("module", modules_with_examples("hoodwink/domain"))
def test_examples_hold(module):
    check_examples(module)
