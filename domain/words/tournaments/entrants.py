"""Sentences for entrants and officials."""

from typing import Final

from hoodwink.domain.phrases import counted
from hoodwink.domain.tables.actor import entrant_of, is_organiser
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.tournaments.cast import Cast, Sentences


def _entered(event: at_tournaments.Entered, cast: Cast, by: str) -> str:
    name = cast.of(event.entrant)
    late = f" as number {event.number}, from round {event.from_round} on" if event.number else ""
    seed = " and committed to a seed" if event.seed_commitment else ""
    done = f"{name} entered" if event.policy is None else f"{cast.organiser(by)} entered {name}"
    return f"{done}{late}{seed}."


def _invitation(_event: at_tournaments.InvitationReplaced, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} replaced the invitation code."


def _requested(event: at_tournaments.EntryRequested, cast: Cast, _by: str) -> str:
    seed = " and committed to a seed" if event.seed_commitment else ""
    return f"{cast.of(event.entrant)} asked to enter{seed}."


def _accepted(event: at_tournaments.EntryAccepted, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} accepted {cast.of(event.entrant)}."


def _declined(event: at_tournaments.EntryDeclined, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} declined {cast.of(event.entrant)}."


def _offered(event: at_tournaments.EntriesOffered, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} offered an entry to {counted(len(event.players), 'player')}."


def _offers_withdrawn(event: at_tournaments.OffersWithdrawn, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} took back {counted(len(event.players), 'offer')} of an entry."


def _offer_declined(_event: at_tournaments.OfferDeclined, _cast: Cast, _by: str) -> str:
    # Without a name: nobody chooses to be offered anything (T-28).
    return "A player declined the offer of an entry."


def _request_withdrawn(event: at_tournaments.RequestWithdrawn, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} no longer asks to enter."


def _withdrew(event: at_tournaments.EntrantWithdrew, cast: Cast, by: str) -> str:
    who = cast.of(event.entrant)
    return f"{cast.organiser(by)} withdrew {who}." if is_organiser(by) else f"{who} withdrew."


def _marked_absent(event: at_tournaments.MarkedAbsent, cast: Cast, _by: str) -> str:
    who = cast.of(event.entrant)
    return f"{cast.official(event.official)} marked {who} as absent from sitting {event.sitting}{because(event.reason)}"


def _withdrawn(event: at_tournaments.EntrantWithdrawn, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} withdrew {cast.of(event.entrant)}{because(event.reason)}"


def _arbiter_named(event: at_tournaments.ArbiterNamed, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} made {cast.name_of_official(event.player)} an arbiter."


def _arbiter_removed(event: at_tournaments.ArbiterRemoved, cast: Cast, by: str) -> str:
    who = cast.name_of_official(event.player)
    return f"{who} is no longer an arbiter{_by_decision(cast, by)}."


def _by_decision(cast: Cast, by: str) -> str:
    """Returns who removed an official, and an empty string for one who resigned."""
    return f", by decision of t{cast.organiser(by)[1:]}" if is_organiser(by) else ""


def _co_organiser_named(event: at_tournaments.CoOrganiserNamed, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} made {cast.name_of_official(event.player)} a co-organiser."


def _co_organiser_removed(event: at_tournaments.CoOrganiserRemoved, cast: Cast, by: str) -> str:
    who = cast.name_of_official(event.player)
    return f"{who} is no longer a co-organiser{_by_decision(cast, by)}."


def _described(event: at_tournaments.Described, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} {'changed' if event.text else 'removed'} the description."


def _announced(event: at_tournaments.Announced, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} made an announcement."


def _team(event: at_tournaments.TeamChosen, cast: Cast, by: str) -> str:
    who, team = cast.of(event.entrant), f"team {event.team}"
    if event.name:
        return (
            f"{cast.organiser(by)} founded {team} for {who}."
            if is_organiser(by)
            else f"{who} founded {team}."
        )
    if is_organiser(by):
        return f"{cast.organiser(by)} {f'put {who} into {team}' if event.team else f'took {who} out of their team'}."
    return f"{who} {f'joined {team}' if event.team else 'left their team'}."


def _team_code(event: at_tournaments.TeamCodeReplaced, cast: Cast, by: str) -> str:
    mate = entrant_of(by)
    who = cast.organiser(by) if mate is None else cast.of(mate)
    return f"{who} replaced the code of team {event.team}."


def _expelled(event: at_tournaments.EntrantExpelled, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} expelled {cast.of(event.entrant)}{because(event.reason)}"


def _ordered(event: at_tournaments.EntrantsOrdered, cast: Cast, by: str) -> str:
    first = f": {cast.all_of(event.entrants)} come first" if event.entrants else ": that of arrival"
    return f"{cast.organiser(by)} set the order of the starting ranks{first}."


def _check_in_opened(event: at_tournaments.CheckInOpened, _cast: Cast, _by: str) -> str:
    return f"Check-in for sitting {event.sitting} opened."


def _checked_in(event: at_tournaments.CheckedIn, cast: Cast, _by: str) -> str:
    seed = " and committed to a new seed" if event.seed_commitment else ""
    return f"{cast.of(event.entrant)} checked in for sitting {event.sitting}{seed}."


def _absent(event: at_tournaments.SaidAbsent, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} will miss sitting {event.sitting}."


def _called(event: at_tournaments.SeedsCalled, cast: Cast, by: str) -> str:
    who = cast.all_of(event.entrants)
    early = (
        f" {cast.organiser(by)} goes on although tables are unfinished: {event.reason}" if event.early else ""
    )
    return (
        f"Round {event.round} is next. These entrants have ten seconds to reveal their seeds: {who}.{early}"
    )


def _seed_revealed(event: at_tournaments.EntrantSeedRevealed, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} revealed the seed they had committed to."


def _seeds_missed(event: at_tournaments.EntrantSeedsMissed, cast: Cast, _by: str) -> str:
    return f"{cast.all_of(event.entrants)} did not reveal a seed in time; it counts as empty."


def _bye_requested(event: at_tournaments.ByeRequested, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} asked for a bye in round {event.round}."


def _bye_assigned(event: at_tournaments.ByeAssigned, cast: Cast, by: str) -> str:
    bye = f"a bye in round {event.round} that scores {event.score}"
    return f"{cast.organiser(by)} gave {cast.of(event.entrant)} {bye}{because(event.reason)}"


SENTENCES: Final[Sentences] = {
    at_tournaments.InvitationReplaced: _invitation,
    at_tournaments.EntryRequested: _requested,
    at_tournaments.EntryAccepted: _accepted,
    at_tournaments.EntryDeclined: _declined,
    at_tournaments.RequestWithdrawn: _request_withdrawn,
    at_tournaments.EntriesOffered: _offered,
    at_tournaments.OffersWithdrawn: _offers_withdrawn,
    at_tournaments.OfferDeclined: _offer_declined,
    at_tournaments.Entered: _entered,
    at_tournaments.EntrantWithdrew: _withdrew,
    at_tournaments.TeamChosen: _team,
    at_tournaments.TeamCodeReplaced: _team_code,
    at_tournaments.EntrantExpelled: _expelled,
    at_tournaments.EntrantsOrdered: _ordered,
    at_tournaments.CheckInOpened: _check_in_opened,
    at_tournaments.CheckedIn: _checked_in,
    at_tournaments.SaidAbsent: _absent,
    at_tournaments.ArbiterNamed: _arbiter_named,
    at_tournaments.ArbiterRemoved: _arbiter_removed,
    at_tournaments.CoOrganiserNamed: _co_organiser_named,
    at_tournaments.CoOrganiserRemoved: _co_organiser_removed,
    at_tournaments.Described: _described,
    at_tournaments.Announced: _announced,
    at_tournaments.MarkedAbsent: _marked_absent,
    at_tournaments.EntrantWithdrawn: _withdrawn,
    at_tournaments.SeedsCalled: _called,
    at_tournaments.EntrantSeedRevealed: _seed_revealed,
    at_tournaments.EntrantSeedsMissed: _seeds_missed,
    at_tournaments.ByeRequested: _bye_requested,
    at_tournaments.ByeAssigned: _bye_assigned,
}
