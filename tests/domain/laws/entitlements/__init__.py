"""The cards that each viewer may see: a module per game, named after it."""

from importlib import import_module
from pkgutil import iter_modules

from tests.domain.laws.entitlement import Entitlement

ENTITLEMENTS: dict[str, Entitlement] = {
    module.name: import_module(f"{__name__}.{module.name}").ENTITLEMENT for module in iter_modules(__path__)
}
