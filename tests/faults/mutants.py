"""Random mutants of random functions: each changes one expression or statement, and the file still compiles."""

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.faults.collection import Code, Fault

_SHARES: Final = (
    ("domain/games", 16),
    ("domain/tables", 14),
    ("domain/tournaments", 22),
    ("domain", 12),
    ("service/application", 24),
    ("service/adapters", 20),
    ("service/http", 24),
    ("service/supervisor", 4),
    ("service/cli", 4),
    ("workers", 10),
)
"""The number of mutants of each part, out of 150; a part is drawn from all files below it."""

_UNTOLD: Final = ("log.", "_log.", "__repr__", "assert ", "TYPE_CHECKING", "metrics", "sleep")
"""Lines that tests should not depend on."""

_OTHERS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def draw_mutants(code: Code, count: int, chance: Random) -> Iterator[Fault]:
    """Yields mutants, spread over the parts of the code by their shares."""
    parts = [part for part, share in _SHARES for _ in range(share)]
    chance.shuffle(parts)
    taken: set[tuple[Path, str]] = set()
    for number in range(count):
        files = [
            path for path in code.texts if path.suffix == ".py" and str(path).startswith(parts[number % 150])
        ]
        while True:
            path = chance.choice(files)
            mutant = _mutant(code, path, chance)
            if mutant and (key := (path, mutant[1])) not in taken:
                break
        taken.add(key)
        effect, old, new = mutant
        area = path.parts[1] if path.parts[0] == "service" else path.parts[0]
        yield Fault(id=f"mutant-{number:03}", area=area, effect=effect, old=old, new=new)


def _mutant(code: Code, path: Path, chance: Random) -> tuple[str, str, str] | None:
    """Returns a change in a random function of the file, with the old and new text."""
    text = code.texts[path]
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    if not functions:
        return None
    function = chance.choice(functions)
    changes = [change for node in ast.walk(function) for change in _changes(node)]
    if not changes:
        return None
    node, what, replacement = chance.choice(changes)
    lines = text.splitlines(keepends=True)
    line = lines[node.lineno - 1]
    if (
        replacement == ast.unparse(node)
        or node.lineno != node.end_lineno
        or not line.isascii()
        or any(word in line for word in _UNTOLD)
    ):
        return None
    changed = line[: node.col_offset] + replacement + line[node.end_col_offset :]
    try:
        compile("".join([*lines[: node.lineno - 1], changed, *lines[node.lineno :]]), str(path), "exec")
    except SyntaxError:
        return None
    around = _unique(code, lines, node.lineno - 1)
    return around and (
        f"{what} in `{function.name}`",
        around[0] + line.strip() + around[1],
        around[0] + changed.strip() + around[1],
    )


def _unique(code: Code, lines: list[str], at: int) -> tuple[str, str] | None:
    """Returns the least text before and after a line with which it occurs only once."""
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    for before, after in ((0, 0), (1, 0), (0, 1), (2, 1), (4, 3)):
        start = "".join(lines[max(0, at - before) : at]) + (indent if before else "")
        end = "\n" * bool(after) + "".join(lines[at + 1 : at + 1 + after]).rstrip("\n")
        if code.is_unique(start + lines[at].strip() + end):
            return start, end
    return None


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Yields possible changes at a node: the piece, a description and the replacement."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _OTHERS:
            other = ast.Compare(node.left, [_OTHERS[type(operator)]()], node.comparators)
            yield node, "a comparison is the other way round", f"({ast.unparse(other)})"
        case ast.If(test=test):
            yield test, "a condition is the other way round", f"not ({ast.unparse(test)})"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield node, "a statement is missing", "pass"
        case ast.Raise():
            yield node, "nothing is raised", "pass"
        case ast.Constant(value=bool() as value):
            yield node, "a constant is another one", str(not value)
        case ast.Constant(value=int() as value):
            yield node, "a constant is another one", str(value + 1)
        case ast.BoolOp(op=operator, values=values):
            swapped = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield node, "`and` and `or` are exchanged", f"({ast.unparse(ast.BoolOp(swapped, values))})"
        case ast.Return(value=ast.expr()):
            yield node, "it returns nothing", "return None"
