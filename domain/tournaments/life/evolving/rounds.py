"""Applies the events of rounds to the state of a tournament: pairing, tables, results."""

from collections.abc import Callable, Iterable
from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.kernel import replace_at
from hoodwink.domain.tournaments.crosstable import Unplayed, Why
from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.facts import byes_of, table_id
from hoodwink.domain.tournaments.life.presence import bye_score
from hoodwink.domain.tournaments.life.state import Deal, Match, PairedRound, Report, Ruling, Tournament


def after_round(tournament: Tournament, event: events.RoundEvent) -> Tournament:
    """Returns the tournament after an event of a round, without checking the event."""
    match event:
        case events.RoundOpened():
            rounds = (*tournament.rounds, _paired(tournament, event))
            return replace(tournament, rounds=rounds, call=None, dropped=None)
        case events.PairingChanged():
            return _with_round(tournament, event.round, lambda round_: _repaired(tournament, round_, event))
        case events.PairingDropped():
            return replace(tournament, rounds=tournament.rounds[:-1], dropped=tournament.rounds[-1])
        case events.RoundStarted():
            return _with_round(tournament, event.round, lambda round_: _started(tournament, round_))
        case events.TablesOpened():
            return _with_opened(tournament, event.tables)
        case events.DealAdded():
            table = table_id(tournament.id, round_=event.round, board=event.board, deal=event.deal)
            deal = _with_table(Deal(seats=event.seats, absent=event.absent), table)
            return _with_match(tournament, event, lambda match_: replace(match_, deals=(*match_.deals, deal)))
        case events.TableSealed():
            return _with_match(tournament, event, lambda match_: _sealed(match_, event.head))
        case events.DealReleased():
            return _with_round(tournament, event.round, lambda round_: replace(round_, is_released=True))
        case events.TableReported() | events.TableVoided() | events.TableStopped():
            return _after_table(tournament, event)
        case events.VoidScored():
            return _with_match(tournament, event, lambda match_: replace(match_, void_score=event.score))
        case events.ResultRuled() | events.RulingReversed():
            return _with_match(tournament, event, lambda match_: _ruled(match_, event))
        case events.SeatGivenUp():
            return replace(tournament, given_up=(*tournament.given_up, (event.table, event.entrant)))
        case events.RoundCompleted():
            return _with_round(tournament, event.round, lambda round_: replace(round_, is_complete=True))
        case _:
            assert_never(event)


def _with_round(
    tournament: Tournament, number: int, change: Callable[[PairedRound], PairedRound]
) -> Tournament:
    changed = change(tournament.rounds[number - 1])
    return replace(tournament, rounds=replace_at(tournament.rounds, number - 1, changed))


def _with_match(
    tournament: Tournament,
    event: events.DealAdded
    | events.TableSealed
    | events.TableReported
    | events.TableVoided
    | events.VoidScored
    | events.TableStopped
    | events.ResultRuled
    | events.RulingReversed,
    change: Callable[[Match], Match],
) -> Tournament:
    def change_round(round_: PairedRound) -> PairedRound:
        changed = change(round_.matches[event.board - 1])
        return replace(round_, matches=replace_at(round_.matches, event.board - 1, changed))

    return _with_round(tournament, event.round, change_round)


def _sealed(match_: Match, head: str) -> Match:
    (deal,) = match_.deals
    return replace(match_, deals=(replace(deal, seal=head),))


def _after_table(
    tournament: Tournament, event: events.TableReported | events.TableVoided | events.TableStopped
) -> Tournament:
    def change(match_: Match) -> Match:
        changed = _decided(match_.deals[event.deal - 1], event)
        return replace(match_, deals=replace_at(match_.deals, event.deal - 1, changed))

    return _with_match(tournament, event, change)


def _decided(deal: Deal, event: events.TableReported | events.TableVoided | events.TableStopped) -> Deal:
    match event:
        case events.TableReported():
            # A table may end so early that its report comes before the confirmation that it was opened.
            return replace(deal, report=_report(event), is_opened=True)
        case events.TableVoided():
            return replace(deal, is_void=True)
        case events.TableStopped():
            return replace(deal, is_stopped=True)
        case _:
            assert_never(event)


def _ruled(match_: Match, event: events.ResultRuled | events.RulingReversed) -> Match:
    if isinstance(event, events.ResultRuled):
        return replace(match_, ruling=_ruling(event), rulings=match_.rulings + 1)
    return replace(match_, ruling=None, is_ruling_reversed=True)


def _paired(tournament: Tournament, event: events.RoundOpened) -> PairedRound:
    byes = [unplayed.entrant for unplayed in event.unplayed if unplayed.why is Why.PAIRING_BYE]
    return PairedRound(
        number=event.round,
        sitting=event.sitting,
        matches=_matches(event.tables, event.absent),
        unplayed=event.unplayed,
        absent=event.absent,
        objective=event.objective,
        bracket=event.bracket,
        seeds=tuple([entrant.seed for entrant in tournament.entrants]),
        early=event.early,
        reason=event.reason,
        proposed_tables=event.tables,
        proposed_byes=tuple(byes),
        opened_at=tournament.version + 1,
    )


def _matches(tables: Iterable[events.Seats], absent: tuple[int, ...]) -> tuple[Match, ...]:
    return tuple(
        [
            Match(
                number=board,
                deals=(Deal(seats=seats, absent=tuple([number for number in absent if number in seats])),),
            )
            for board, seats in enumerate(tables, start=1)
        ]
    )


def _repaired(tournament: Tournament, round_: PairedRound, event: events.PairingChanged) -> PairedRound:
    before = byes_of(round_)
    others = [unplayed for unplayed in round_.unplayed if unplayed.entrant not in before]
    score = bye_score(tournament)
    byes = [Unplayed(entrant=number, why=Why.PAIRING_BYE, score=score) for number in event.byes]
    return replace(
        round_,
        matches=_matches(event.tables, round_.absent),
        unplayed=tuple(sorted((*others, *byes), key=lambda unplayed: unplayed.entrant)),
        changed_at=tournament.version + 1,
    )


def _started(tournament: Tournament, round_: PairedRound) -> PairedRound:
    matches = [
        replace(
            match_,
            deals=(
                _with_table(
                    match_.deals[0], table_id(tournament.id, round_=round_.number, board=match_.number)
                ),
            ),
        )
        for match_ in round_.matches
    ]
    return replace(round_, matches=tuple(matches), is_started=True)


def _with_table(deal: Deal, table: str) -> Deal:
    """Returns the deal with its table, unless at most one entrant is present and no table is needed (T-6)."""
    return deal if len(deal.present) < 2 else replace(deal, table=table)


def _with_opened(tournament: Tournament, tables: tuple[str, ...]) -> Tournament:
    return _with_deals(
        tournament, lambda deal: replace(deal, is_opened=True) if deal.table in tables else deal
    )


def with_stopped_tables(tournament: Tournament) -> Tournament:
    """Returns the tournament after the service has decided to end all tables in play (T-47)."""
    return _with_deals(tournament, lambda deal: deal if deal.is_decided else replace(deal, is_stopped=True))


def _with_deals(tournament: Tournament, change: Callable[[Deal], Deal]) -> Tournament:
    """Returns the tournament after a change of deals in rounds that are not complete."""
    rounds = tuple(
        [
            round_
            if round_.is_complete
            else replace(
                round_,
                matches=tuple(
                    [
                        replace(match_, deals=tuple([change(deal) for deal in match_.deals]))
                        for match_ in round_.matches
                    ]
                ),
            )
            for round_ in tournament.rounds
        ]
    )
    return replace(tournament, rounds=rounds)


def _report(event: events.TableReported) -> Report:
    return Report(**{name: getattr(event, name) for name in Report.__struct_fields__})


def _ruling(event: events.ResultRuled) -> Ruling:
    return Ruling(**{name: getattr(event, name) for name in Ruling.__struct_fields__})
