"""Chooses the rating model: `python -m tests.seasons [--players N] [--tables N] [--seeds N] [--keep FILE]`.

Plays seasons of all games, runs each through every model of openskill with many parameters, and prints how well the
models predicted the tables, as Markdown. The seasons of the last seed are held out: they show whether the choice holds.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean

import msgspec

from hoodwink.domain.games import GAMES
from tests.seasons.models import GAMMAS, MODELS, SIGMA, Parameters, Prediction, hindsight, predicted
from tests.seasons.play import Season, played
from tests.seasons.raters import Earlier, Shipped, predicted_by

BETAS = (0.375, 0.5, 0.75, 1.0, 1.5, 2.25)
TAUS = (0.01, 0.02, 0.04)


def main() -> None:
    """Plays the seasons, chooses parameters and prints the tables of figures."""
    parser = argparse.ArgumentParser(description="Choose the rating model by simulated seasons.")
    parser.add_argument("--players", type=int, default=24)
    parser.add_argument("--tables", type=int, default=2_000, help="tables per season")
    parser.add_argument("--seeds", type=int, default=3, help="seasons per game; the last one is held out")
    parser.add_argument("--keep", type=Path, help="read the seasons from this file, or write them there")
    given = parser.parse_args()
    seasons = _seasons(given.players, given.tables, given.seeds, given.keep)
    choosing, held_out = seasons[:-1], seasons[-1]
    flat = [season for of_seed in choosing for season in of_seed]
    best = [_best(model, flat) for model in MODELS]
    _print_models("The best parameters of each model on the seasons that chose them", best, flat)
    _print_models("The same parameters on the held-out seasons", best, held_out)
    defaults = [Parameters(model) for model in MODELS]
    _print_models("openskill's own parameters on the held-out seasons", defaults, held_out)
    every = [*flat, *held_out]
    raters = [
        (name, [predicted_by(rater(), season) for season in every])
        for name, rater in (("before", Earlier), ("in use", Shipped))
    ]
    _print_grid("The ratings in use, and those before tables were weighted, on all seasons", raters, every)


def _seasons(players: int, tables: int, seeds: int, keep: Path | None) -> list[list[Season]]:
    if keep is not None and keep.exists():
        return msgspec.json.decode(keep.read_bytes(), type=list[list[Season]])
    seasons = [[_reported(game, players, tables, seed) for game in GAMES] for seed in range(1, seeds + 1)]
    if keep is not None:
        keep.write_bytes(msgspec.json.encode(seasons))
    return seasons


def _reported(game: str, players: int, tables: int, seed: int) -> Season:
    print(f"playing {tables} tables of {game}, seed {seed}", file=sys.stderr)
    return played(game, players=players, tables=tables, seed=seed)


def _grid(model: str) -> Iterator[Parameters]:
    for beta, tau, gamma in product(BETAS, TAUS, GAMMAS):
        yield Parameters(model, beta * SIGMA, tau * SIGMA, gamma)


def _best(model: str, seasons: Sequence[Season]) -> Parameters:
    """Returns the parameters with the least loss; the beginning of a season counts as much as the whole."""
    print(f"trying {model}", file=sys.stderr)
    return min(
        _grid(model), key=lambda parameters: _cost([predicted(season, parameters) for season in seasons])
    )


def _cost(results: Sequence[Prediction]) -> float:
    return fmean(result.loss + result.early_loss for result in results)


def _print_models(title: str, candidates: Sequence[Parameters], seasons: Sequence[Season]) -> None:
    rows = [
        (str(parameters), [predicted(season, parameters) for season in seasons]) for parameters in candidates
    ]
    _print_grid(title, sorted(rows, key=lambda row: _cost(row[1])), seasons)


def _print_grid(
    title: str, rows: Sequence[tuple[str, Sequence[Prediction]]], seasons: Sequence[Season]
) -> None:
    games = list(dict.fromkeys(season.game for season in seasons))
    print(f"\n{title}\n")
    _print_row("model", "loss", "first 150", *games, "in order", "sigma")
    _print_row("---", *["---:"] * (4 + len(games)))
    for name, results in rows:
        by_game = [
            fmean(result.loss for season, result in zip(seasons, results, strict=True) if season.game == game)
            for game in games
        ]
        _print_row(
            name,
            *(
                f"{loss:.4f}"
                for loss in (
                    fmean(result.loss for result in results),
                    fmean(result.early_loss for result in results),
                )
            ),
            *(f"{loss:.4f}" for loss in by_game),
            f"{fmean(result.order for result in results):.1%}",
            f"{fmean(result.sigma for result in results) / SIGMA:.2f}",
        )
    floors = [fmean(hindsight(season) for season in seasons if season.game == game) for game in games]
    _print_row("hindsight", f"{fmean(floors):.4f}", "", *(f"{floor:.4f}" for floor in floors), "", "")


def _print_row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
