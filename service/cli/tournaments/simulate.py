"""`hoodwink tournament simulate`: bots play a whole tournament in one process."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions, RuleViolation
from hoodwink.domain.tournaments.files.trf import Unwritable
from hoodwink.domain.tournaments.life import (
    Advance,
    RankBy,
    Setup,
    Sitting,
    report_file,
    results_file,
    standings_of,
)
from hoodwink.domain.tournaments.life.full_setup import declared
from hoodwink.domain.tournaments.life.setup import (
    DEFAULT_ARENA_MINUTES,
    MAX_ARENA_MINUTES,
    MAX_ENTRANTS,
    MAX_FINISH_MINUTES,
    MAX_ROUNDS,
    MIN_TEAM_SIZE,
    ArenaTimes,
    TeamTerms,
)
from hoodwink.domain.tournaments.standings import Row
from hoodwink.domain.tournaments.terms import MAX_TEAM_SIZE, Compare, DealKind, Format, ScoreBy, Tiebreak
from hoodwink.service.cli.shared.files import reserve, reserve_folder
from hoodwink.service.cli.shared.options import C, chosen_policies, options_of, repetition, table_options
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.tournaments.files import file_options, write_logs
from hoodwink.service.cli.tournaments.tables import crosstable_grid, quality_lines, standings_grids
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants

DEFAULT_TIEBREAKS: Final = {
    Format.SWISS: ("buchholz_cut1", "buchholz", "sonneborn_berger", "wins"),
    Format.ROUND_ROBIN: ("direct", "sonneborn_berger", "wins"),
    Format.LEAGUE: ("wins", "difference"),
    Format.KNOCKOUT: (),
    Format.ARENA: ("wins", "difference"),
}

IN_ORDER: Final = Fraction(9, 10)
"""The share of the pairs of unequal bots that are in the right order once a tournament has told them apart."""

_DAY: Final = "2026/03/01"
"""The date of simulated tournaments: the first day of FIDE's current rules."""


def _float_window(_: click.Context, __: click.Parameter, value: str) -> str:
    if value != "all" and not value.isdecimal():
        raise click.BadParameter("it must be `all` or a number of score groups, at least 0")
    return value


def _setting(name: str, **more: Any) -> Callable[[C], C]:
    """Adds the option for a setting, with its declared values and meaning."""
    kind, meta = declared(name)
    if kind is bool:
        more["is_flag"] = True
    elif kind is int:
        more["type"] = click.IntRange(meta.ge, meta.le)  # type: ignore[arg-type]
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        more["type"] = click.Choice([member.value for member in kind])
    more.setdefault("show_default", True)
    return click.option(f"--{name.replace('_', '-')}", help=meta.description, **more)


@click.command("simulate", short_help="Play a tournament with bots, without Redis.")
@_setting("format", default=Format.SWISS.value)
@click.option(
    "--game",
    default="blindside",
    show_default=True,
    type=click.Choice(sorted(GAMES)),
    help="The game.",
)
@click.option(
    "--entrants",
    default=16,
    show_default=True,
    type=click.IntRange(2, MAX_ENTRANTS),
    help="The number of entrants.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, MAX_ROUNDS),
    help="The number of rounds; a knockout, an arena and a round robin of two determine it themselves. [default: 5, times --deals-per-pairing]",
)
@click.option(
    "--arena-minutes",
    type=click.IntRange(1, MAX_ARENA_MINUTES),
    help=f"How long an arena lasts, if a table takes a second for each event. [default: {DEFAULT_ARENA_MINUTES}]",
)
@_setting("seats", default=2)
@click.option(
    "--bots",
    default="steady,random",
    show_default=True,
    help="The policies of the entrants, assigned in turn.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same tournament.")
@click.option(
    "--absences",
    is_flag=True,
    help="Let some entrants come late, miss rounds, withdraw, request byes or not appear.",
)
@table_options
@click.option(
    "--tiebreaks",
    help="The tie-breaks in order, such as buchholz,wins; by default those that suit the format.",
)
@_setting("score_by", default=ScoreBy.PLACE.value)
@_setting("deal", default=DealKind.INDEPENDENT.value)
@_setting(
    "compare",
    show_default=Compare.MATCHPOINTS.value,
    type=click.Choice([each.value for each in Compare]),
)
@_setting("deals_per_pairing", default=1)
@_setting("float_window", default="2", callback=_float_window)
@_setting("fill_with_bots")
@_setting("team_size", type=click.IntRange(MIN_TEAM_SIZE, MAX_TEAM_SIZE))
@_setting("team_counting", type=click.IntRange(1, MAX_TEAM_SIZE))
@file_options
@click.option(
    "--logs",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the logs of the tournament and its tables to this folder.",
)
def simulate(**asked: Any) -> None:
    """Play a whole tournament in this process, without Redis.

    Prints the cross-table, the standings with their tie-breaks, the quality of the pairings, and the command that
    plays the same tournament again.
    """
    out = Console()
    # Checked here, because the report is written only after the last round.
    is_reportable = asked["format"] in {Format.SWISS.value, Format.LEAGUE.value} and asked["seats"] == 2
    if asked["trf"] is not None and not is_reportable:
        raise click.BadParameter(
            "a report can only be written for a Swiss tournament or a league at tables of two",
            param_hint="--trf",
        )
    simulation = _simulation(asked)
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with reserve(asked["json_"]), reserve(asked["trf"]), reserve_folder(asked["logs"]):
            # On stderr, so that the tables on stdout can be piped.
            with Progress(*columns, console=Console(stderr=True)) as progress:
                # How many waves an arena has depends on its tables.
                total = None if simulation.tournament.arena else simulation.crosstable.terms.rounds
                task = progress.add_task("rounds", total=total)
                simulation.play(lambda _: progress.advance(task))
            _write(simulation, asked)
    except Unwritable as error:
        raise click.ClickException(str(error)) from None
    rows = standings_of(simulation.tournament).rows
    if simulation.tournament.arena is None:  # its waves are too many for a table
        out.print(crosstable_grid(simulation.crosstable, rows))
    out.print(standings_grids(simulation.crosstable, rows))
    for line in quality_lines(simulation.crosstable):
        say(line)
    policies = chosen_policies(asked["bots"])
    if len(set(policies)) > 1:
        say(_order_line(simulation, policies))
    again = repetition(asked, without={"trf", "json_", "logs"})
    say(f"Play it again: {again}")


def _order_line(simulation: TournamentSimulation, policies: Sequence[str]) -> str:
    """Returns the round after which the standings had most pairs of unequal bots in the right order."""
    tournament = simulation.tournament
    # `--bots` names the strongest first.
    strengths = [policies.index(simulation.policy_of(number)) for number in simulation.crosstable.numbers()]
    rounds = range(1, len(tournament.rounds) + 1)
    shares = [_share_in_order(standings_of(tournament, after=number).rows, strengths) for number in rounds]
    reached = next((number for number, share in enumerate(shares, 1) if share >= IN_ORDER), None)
    when = f"first after round {reached}" if reached else "after no round"
    return (
        f"Order: {float(shares[-1]):.0%} of the pairs of unequal bots are in the order of --bots; {float(IN_ORDER):.0%} were "
        f"{when}."
    )


def _share_in_order(rows: Sequence[Row], strengths: Sequence[int]) -> Fraction:
    """Returns the share of the pairs of unequal bots in which the stronger is ahead; a shared rank counts half."""
    placed = [(strengths[row.entrant - 1], row.rank) for row in rows if row.rank is not None]
    right = [
        Fraction(1) if better < worse else Fraction(better == worse, 2)
        for (strong, better), (weak, worse) in permutations(placed, 2)
        if strong < weak
    ]
    return sum(right, Fraction()) / len(right) if right else Fraction(1)


def _simulation(asked: dict[str, Any]) -> TournamentSimulation:
    policies = chosen_policies(asked["bots"])
    setup = _setup(asked)
    chance = Random(f"entrants:{asked['seed']}")  # noqa: S311 - repeatable on purpose
    latest = setup.late_until if asked["absences"] else 1
    plans = plan_entrants(policies, asked["entrants"], latest=latest, chance=chance)
    try:
        return TournamentSimulation(
            setup=setup,
            entrants=plans,
            seed=asked["seed"],
            has_absences=asked["absences"],
            compare=_compare(asked),
            deals_per_pairing=asked["deals_per_pairing"],
            arena=_arena(asked),
            teams=_teams(asked),
        )
    except (RuleViolation, InvalidOptions) as error:
        raise click.ClickException(error.detail) from None


def _compare(asked: dict[str, Any]) -> Compare | None:
    is_duplicate = asked["deal"] == DealKind.SAME
    if asked["compare"] is not None and not is_duplicate:
        raise click.BadParameter("it is for `--deal same`", param_hint="--compare")
    return Compare(asked["compare"] or Compare.MATCHPOINTS) if is_duplicate else None


def _teams(asked: dict[str, Any]) -> TeamTerms | None:
    size, counting = asked["team_size"], asked["team_counting"]
    if counting is not None and size is None:
        raise click.BadParameter("it is for tournaments with `--team-size`", param_hint="--team-counting")
    return None if size is None else TeamTerms(size, counting or size)


def _arena(asked: dict[str, Any]) -> ArenaTimes | None:
    is_arena = asked["format"] == Format.ARENA
    if asked["arena_minutes"] is not None and not is_arena:
        raise click.BadParameter("it is for `--format arena`", param_hint="--arena-minutes")
    if is_arena and asked["absences"]:
        raise click.BadParameter("it is not for arenas, where absences are pauses", param_hint="--absences")
    # Every simulated table ends, so there is time enough for those that are in play at the bell.
    minutes = asked["arena_minutes"] or DEFAULT_ARENA_MINUTES
    return ArenaTimes(minutes, MAX_FINISH_MINUTES) if is_arena else None


def _setup(asked: dict[str, Any]) -> Setup:
    format_ = Format(asked["format"])
    is_arena = format_ is Format.ARENA
    is_scheduled = format_ is Format.ROUND_ROBIN and asked["seats"] == 2
    has_fixed_rounds = format_ in {Format.KNOCKOUT, Format.ARENA} or is_scheduled
    if has_fixed_rounds and asked["rounds"] is not None:
        raise click.BadParameter(
            "leave it out: the number of rounds follows from the entrants, or the time of an arena",
            param_hint="--rounds",
        )
    deals = asked["deals_per_pairing"]
    if deals > 1 and asked["deal"] != DealKind.SAME:
        raise click.BadParameter("it is for `--deal same`", param_hint="--deals-per-pairing")
    rounds = asked["rounds"] or 5 * deals
    # One sitting per pairing, because absences are per sitting.
    pairings, rest = divmod(rounds, deals)
    held = (*(Sitting(rounds=deals),) * pairings, *(Sitting(rounds=rest),) * min(rest, 1))
    sittings = (Sitting(),) if has_fixed_rounds else held
    has_byes = format_ in {Format.SWISS, Format.LEAGUE}
    names = asked["tiebreaks"].split(",") if asked["tiebreaks"] else DEFAULT_TIEBREAKS[format_]
    if unknown := set(names) - set(Tiebreak):
        raise click.BadParameter(
            f"there is no tie-break {min(unknown)}; choose from {', '.join(Tiebreak)}",
            param_hint="--tiebreaks",
        )
    window, is_duplicate = asked["float_window"], asked["deal"] == DealKind.SAME
    if is_duplicate and asked["trf"]:
        raise click.BadParameter(
            "a report has only wins, draws and losses, and no place for comparisons", param_hint="--trf"
        )
    return Setup(
        name="Simulated tournament",
        format=format_,
        game=asked["game"],
        seats=asked["seats"],
        sittings=sittings,
        options=options_of(GAMES[asked["game"]], asked["raw_options"]),
        score_by=ScoreBy(asked["score_by"]),
        late_until=max(1, rounds - 2) if asked["absences"] and has_byes else 0,
        float_window=window if window == "all" else int(window),
        tiebreaks=tuple(Tiebreak(name) for name in names),
        advance=Advance.AUTOMATIC if is_arena else Advance.MANUAL,
        rank_by=RankBy.ORGANISER,
        fill_with_bots=asked["fill_with_bots"],
        # Rules of D-1 and T-40. The clock of a simulation never runs out.
        turn_seconds=60 if is_duplicate or is_arena else 0,
        bye_score=Fraction(1, 2) if is_duplicate else Fraction(1),
    )


def _write(simulation: TournamentSimulation, asked: dict[str, Any]) -> None:
    if asked["json_"] is not None:
        asked["json_"].write_bytes(results_file(simulation.tournament, simulation.names))
    if asked["trf"] is not None:
        asked["trf"].write_bytes(_report(simulation))
    if asked["logs"] is not None:
        write_logs(asked["logs"], {"tournament": simulation.log(), **simulation.logs})


def _report(simulation: TournamentSimulation) -> bytes:
    return report_file(simulation.tournament, simulation.names, days=(_DAY, _DAY)).encode()
