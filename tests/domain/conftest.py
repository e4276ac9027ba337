"""Assertions in the shared laws explain themselves as those in tests do."""

import pytest

pytest.register_assert_rewrite("tests.domain.laws.laws")
