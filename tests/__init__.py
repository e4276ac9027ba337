"""Tests, in the folders of what they test.

Tests and their scripts exceed the default limits. So services started by them have only the limits that differ from
the defaults, which are those set by a test.
"""

from hoodwink.service.application.limits import OFF, Bound, Limit
from hoodwink.service.settings import Settings

_bounds, to_environment, _DEFAULTS = Settings.bounds.fget, Settings.to_environment, Settings()  # type: ignore[attr-defined]


def _is_default(settings: Settings, limit: Limit) -> bool:
    return bool(getattr(settings, limit) == getattr(_DEFAULTS, limit))


def _set_bounds(settings: Settings) -> dict[Limit, Bound]:
    return {limit: bound for limit, bound in _bounds(settings).items() if not _is_default(settings, limit)}


def _set_environment(settings: Settings) -> dict[str, str]:
    lifted = {f"HOODWINK_{limit.upper()}": OFF for limit in Limit if _is_default(settings, limit)}
    return to_environment(settings) | lifted


Settings.bounds = property(_set_bounds)  # type: ignore[assignment,method-assign]
Settings.to_environment = _set_environment  # type: ignore[assignment,method-assign]
