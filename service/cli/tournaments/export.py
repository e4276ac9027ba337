"""Writes the files of a tournament on a running service: its results, its report and its logs."""

from pathlib import Path

import click

from hoodwink.domain.tables.proving.log import export_log, people_in_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.files.trf import Unwritable
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.service.application.reading.tournament_report import stored_report
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.tournaments.files import write_logs


def write_files(tournament: str, *, out: Path | None, trf: Path | None, json_: Path | None) -> None:
    """Writes the files that are asked for.

    Raises:
        ClickException: the state of the tournament does not allow it yet.
    """
    with connected_service() as service:
        loaded = service.tournaments.load(tournament)
        state = loaded.state
        if (trf or json_) and state.terms is None:
            raise click.ClickException("The tournament has not started, so it has no results yet.")
        if json_ is not None:
            names = service.players.names(life.people_in(state))
            json_.write_bytes(life.results_file(state, names, service.administration.texts(state.teams)))
            say(f"The results are in {json_}; show them with: hoodwink tournament show {json_}")
        if trf is not None:
            _write_report(service, loaded, trf)
        if out is not None:
            _write_logs(service, state, out)


def _write_report(service: Service, loaded: LoadedTournament, file: Path) -> None:
    try:
        names = service.players.names(life.people_in(loaded.state))
        file.write_bytes(stored_report(service.tournaments, loaded, names))
    except Unwritable as error:
        raise click.ClickException(str(error)) from None
    say(f"The report is in {file}; show it with: hoodwink tournament show {file}")


def _write_logs(service: Service, state: Tournament, out: Path) -> None:
    # Checked here, because no check of the API applies: the seed would show the cards of tables in play.
    if not state.is_seed_revealed:
        raise click.ClickException(
            "The seed of the tournament is not revealed yet. The logs can be exported after the end, once no table is in play."
        )
    entries = service.tournaments.entries(state.id)
    # One list for all logs: the people at the tables are entrants of the tournament.
    names = service.players.names(people_in_log(entries))
    logs = {"tournament": export_tournament_log(state.id, entries, names)}
    for round_ in state.rounds:
        for match in round_.matches:
            for deal in match.deals:
                if deal.is_opened:  # the others have no stream
                    logs[deal.table] = export_log(deal.table, service.tables.entries(deal.table), names)
    write_logs(out, logs)
    file = out / "tournament.ndjson"
    say(f"{len(logs)} logs are in {out}; check them with: hoodwink verify {file} --tables {out}")
