"""Tournaments for the page's tests, and readers of their pages."""

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from tests.pace import AT_ONCE
from tests.service.processes import await_true
from tests.service.web.guests import Guest, guest

DESK: Final = re.compile("^Organiser.s desk$")
"""The heading of the organiser's desk."""

_IS_IDLE: Final = "() => !document.querySelector('main > *')?.busy"

CUP: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "name": "The Cup",
        "game": "blindside",
        "format": "swiss",
        "seats": 2,
        "sittings": [{"rounds": 3}],
        "options": {"rounds": 1},
        "advance": "automatic",
        "tiebreaks": ["buchholz", "wins"],
        **AT_ONCE,
    }
)


class Held:
    """A tournament opened by an organiser without a browser."""

    def __init__(self, served: str, *, bots: int = 0, **changes: Any) -> None:
        self.organiser = guest(served, "Olga")
        self.id = self.organiser.post("/v1/tournaments", {**CUP, **changes})["tournament"]["id"]
        self.path = f"/v1/tournaments/{self.id}"
        self.order("/registration")
        for _ in range(bots):
            self.order("/entrants", {"policy": "steady"})

    @property
    def view(self) -> Any:
        return self.organiser.get(self.path)["tournament"]

    @property
    def standings(self) -> Any:
        return self.organiser.get(f"{self.path}/standings")["rows"]

    def boards(self, number: int = 1) -> list[list[int]]:
        """Waits until a round is paired; returns the starting ranks at each of its boards in seat order."""
        await_true(lambda: len(self.view["rounds"]) >= number)
        return [board["tables"][0]["seats"] for board in self.view["rounds"][number - 1]["boards"]]

    def order(self, path: str, body: Any = None) -> Any:
        return self.organiser.post(self.path + path, body)

    def played(self) -> "Held":
        """Starts the tournament and waits for its end."""
        self.order("/start")
        await_true(lambda: self.view["phase"] == "finished" and self.view["server_seed"])
        return self


def player_of(page: Any, served: str) -> Guest:
    """Returns the player registered by a browser."""
    kept = page.evaluate("JSON.parse(localStorage.getItem('hoodwink.player'))")
    return Guest(served, kept["id"], kept["name"], kept["token"])


def press(page: Any, name: str) -> None:
    """Presses a button of a page or of a part of it.

    The page ignores commands while one is under way, even if it already shows the effect, which the stream may bring
    before the answer.
    """
    getattr(page, "page", page).wait_for_function(_IS_IDLE)
    page.get_by_role("button", name=name, exact=True).click()


def unfold(page: Any, summary: str) -> None:
    page.locator("summary", has_text=summary).first.click()


def called(names: Mapping[int, str]) -> dict[int, str]:
    """Returns how the page names entrants, by their numbers: those with the same name have their numbers, too."""
    taken = Counter(names.values())
    return {number: name if taken[name] == 1 else f"{name} ({number})" for number, name in names.items()}


def rows_of(page: Any) -> list[list[str]]:
    """Returns the cells of the standings: place, name, score and tie-breaks."""
    rows = page.locator("table.standings tbody tr").all()
    return [[cell.inner_text().strip() for cell in row.locator("th, td").all()] for row in rows]


def shown_as(value: str | None, column: list[str | None]) -> str:
    """Returns an exact number as shown in a column of such numbers."""
    if value is None:
        return "\N{EN DASH}"
    unders = [Fraction(other).denominator for other in column if other is not None]
    places = 0 if max(unders) == 1 else 1 if max(unders) == 2 else 3
    return f"{float(Fraction(value)):.{places}f}".replace("-", "\N{MINUS SIGN}")


def expected_rows(standings: Any) -> list[list[str]]:
    tiebreaks = list(standings[0]["tiebreaks"])
    scores = [row["score"] for row in standings]
    names = called({row["entrant"]: row["name"] for row in standings})
    columns = {name: [row["tiebreaks"][name] for row in standings] for name in tiebreaks}
    return [
        [
            str(row["rank"]),
            "\n".join(filter(None, (names[row["entrant"]], remarks_on(row["marks"])))),
            shown_as(row["score"], scores),
            *(shown_as(row["tiebreaks"][name], columns[name]) for name in tiebreaks),
        ]
        for row in standings
    ]


def remarks_on(marks: Any) -> str:
    """Returns the remarks on an entrant, in the words of the page."""
    said = ["organiser"] if marks["is_organiser"] else []
    for name, remark in (
        ("assigned_byes", "bye from the organiser"),
        ("by_bot", "a bot took most of the turns"),
        ("ruled", "ruling"),
    ):
        *others, last = map(str, marks[name] or [""])
        rounds = f"rounds {', '.join(others)} and {last}" if others else f"round {last}"
        said += [f"{remark} in {rounds}"] if marks[name] else []
    return ", ".join(said)


def await_complete(anybody: Guest, tournament: str, number: int) -> None:
    def is_complete() -> bool:
        rounds = anybody.get(f"/v1/tournaments/{tournament}")["tournament"]["rounds"]
        return [round_["status"] for round_ in rounds[:number]] == ["complete"] * number

    await_true(is_complete)


def results_of(view: Any) -> dict[tuple[int, int], tuple[str, int | None]]:
    """Returns each entrant's mark and opponent in each round of two-seat tables, from the places alone."""
    results: dict[tuple[int, int], tuple[str, int | None]] = {}
    for round_ in view["rounds"]:
        for board in round_["boards"]:
            deal = board["tables"][0]
            (one, other), places = deal["seats"], deal["report"]["places"]
            draw = places[0] == places[1]
            for entrant, opponent, place in ((one, other, places[0]), (other, one, places[1])):
                results[round_["round"], entrant] = ("½" if draw else "1" if place == 1 else "0", opponent)
        for unplayed in round_["unplayed"]:
            results[round_["round"], unplayed["entrant"]] = (unplayed["score"], None)
    return results
