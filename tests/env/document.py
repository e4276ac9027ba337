"""The tables of docs/ENVIRONMENTS.md, written from the code: `python -m tests.env.document`."""

from pathlib import Path

from hoodwink.domain.games import GAMES
from hoodwink.env.encodings import encoding_of

PAGE = Path(__file__).parents[2] / "docs" / "ENVIRONMENTS.md"
BEGIN = "<!-- the tables below are written by `python -m tests.env.document` -->\n"


def tables() -> str:
    """Returns the fields and the actions of every game, with N for the number of seats."""
    return "\n".join(_section(name) for name in GAMES)


def _section(name: str) -> str:
    game = GAMES[name]
    fewest, most = game.seats
    small, large = encoding_of(name, fewest), encoding_of(name, most)
    count = f"{fewest} seats" if fewest == most else f"{fewest} to {most} seats"
    lines = [f"### {game.title}", "", f"`hoodwink/{name}-v0`, {count}: {_sizes(name)}.", ""]
    lines += ["| field | size | contents |", "|---|---|---|"]
    for field, other in zip(small.layout.fields, large.layout.fields, strict=True):
        shape = [_side(side, at_most, fewest) for side, at_most in zip(field.shape, other.shape, strict=True)]
        lines.append(f"| `{field.name}` | {' x '.join(shape)} | {field.meaning} |")
    return "\n".join([*lines, "", f"Actions: {_actions(large.labels)}.", ""])


def _sizes(name: str) -> str:
    fewest, most = (encoding_of(name, seats) for seats in GAMES[name].seats)
    sizes = sorted({fewest.layout.size, most.layout.size}), sorted({len(fewest.labels), len(most.labels)})
    numbers, actions = (" to ".join(f"{size:,}" for size in both) for both in sizes)
    return f"{numbers} numbers, {actions} actions"


def _side(side: int, at_most: int, fewest: int) -> str:
    """Returns a side of a field, relative to the number of seats if it is not always the same."""
    return str(side) if side == at_most else "N" if side == fewest else f"(N - {fewest - side})"


def _actions(labels: tuple[str, ...]) -> str:
    """Returns the labels, of a kind with many numbers only the first and the last one."""
    groups: list[list[int]] = []
    for number, label in enumerate(labels):
        kind = label.split(" ", maxsplit=1)[0]
        if groups and labels[groups[-1][0]].split(" ", maxsplit=1)[0] == kind:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ", ".join(
        f"{first[0]} `{labels[first[0]]}`"
        if len(first) == 1
        else f"{first[0]} `{labels[first[0]]}` … {first[-1]} `{labels[first[-1]]}`"
        for first in groups
    )


def written() -> str:
    """Returns the page with new tables."""
    text, _, _ = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return text + BEGIN + "\n" + tables()


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
