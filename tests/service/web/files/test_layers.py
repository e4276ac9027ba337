"""The page's folders import each other in one direction (see ARCHITECTURE.md), without cycles."""

import pytest

from hoodwink.service.web.modules import imports_of, resolved
from tests.service.web.weight import sources

MAY_IMPORT = {
    "vendor": set[str](),
    "proof": set[str](),
    "text": {"vendor"},
    "kit": {"vendor", "proof"},
    "plots": {"vendor", "kit"},
    "cards": {"vendor", "kit"},
    "rules": {"vendor", "kit", "text"},
    "docs": {"vendor", "kit", "text"},
    "table": {"vendor", "kit", "cards", "plots", "rules", "text"},
    "shell": {"vendor", "kit"},
    "home": {"vendor", "kit", "shell", "table", "text"},
    "players": {"vendor", "kit", "plots", "shell"},
    "tournaments": {"vendor", "kit", "shell", "text", "proof"},
    "replay": {"vendor", "kit", "cards", "plots", "table", "text", "proof"},
}


def edges():
    """Returns the static and dynamic imports of each module."""
    found = {}
    for module, source in sources().items():
        late = [part.split("'")[1] for part in source.split("import(")[1:] if part.startswith("'")]
        found[module] = [resolved(module, path) for path in (*imports_of(source), *late)]
    return found


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_imports_only_lower_layers(folder):
    above = {
        f"{module} imports {path}"
        for module, paths in edges().items()
        if module.startswith(f"{folder}/")
        for path in paths
        if path.partition("/")[0] not in MAY_IMPORT[folder] | {folder}
    }

    assert not above


def test_every_module_is_in_one_of_the_folders():
    assert {module.partition("/")[0] for module in sources() if "/" in module} == {*MAY_IMPORT}


def test_there_are_no_import_cycles():
    imported = edges()
    leaving = dict(imported)
    while free := [module for module, paths in leaving.items() if not {*paths} & {*leaving}]:
        for module in free:
            del leaving[module]

    assert not leaving
