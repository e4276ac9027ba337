"""Provokes the refusals of tournaments."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.series import SeriesCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding import bounds as decide_bounds
from hoodwink.domain.tournaments.life.deciding import contact as decide_contact
from hoodwink.domain.tournaments.life.deciding import entry as decide_entry
from hoodwink.domain.tournaments.life.deciding import offers as decide_offers
from hoodwink.domain.tournaments.life.deciding import officials as decide_officials
from hoodwink.domain.tournaments.life.deciding import phases as decide_phases
from hoodwink.domain.tournaments.life.deciding import rulings as decide_rulings
from hoodwink.domain.tournaments.life.deciding import substitutions as decide_substitutions
from hoodwink.domain.tournaments.life.deciding import teams as decide_teams
from hoodwink.domain.tournaments.life.events import (
    ByeAssigned,
    EntrantsOrdered,
    PairingChanged,
    SittingRescheduled,
    TiebreaksChanged,
    TournamentPaused,
    VoidScored,
)
from hoodwink.domain.tournaments.life.facts import byes_of
from hoodwink.service.application.commands import tournament_intents
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode, NotFoundCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.new_names import PlayerCode
from hoodwink.service.application.webhooks.webhooks import MAX_WEBHOOKS
from hoodwink.service.http.messages.problems import HttpCode
from hoodwink.service.http.resources.tournaments import files as tournament_files
from tests.service.http.api import CONFIRMED
from tests.service.http.cup import FORM, SERIES, Cup
from tests.service.http.refused.everywhere import (
    CANCELLED,
    DRAFT,
    ENTERING,
    PAUSED,
    RUNNING,
    Reached,
    blank_reason,
    in_cup,
    sent,
    with_patched,
)
from tests.service.http.refused.world import BLANK, HELD, OTHER_SEED, REASON, SEED, Provocation, World


def in_new_cup(*steps: Callable[[World, Cup], Any], **form: Any) -> Provocation:
    """Returns a provocation by the last of these steps in a cup entered by Ada, Bob and Cy."""

    def provoke(world: World, _: str) -> Any:
        cup, answer = world.entering(**form), None
        for step in steps:
            answer = step(world, cup)
        return answer

    return provoke


def done(path: str, form: Any = None, who: str = "olga") -> Callable[[World, Cup], Any]:
    return lambda world, cup: getattr(world, who).post(cup.path + path, form)


def webhooks_beyond(count: int, **given: Any) -> Provocation:
    """Returns a provocation that adds some webhooks and then another one."""

    def provoke(world: World, name: str) -> Any:
        path = world.entering().path
        for number in range(count):
            form = {"url": f"https://example.org/{number}", "types": ["announcement"]}
            assert world.olga.post(f"{path}/webhooks", form, **given).status_code == 201
        return world.send(world.olga, name, at=path, **given)

    return provoke


def without_messages(world: World, name: str) -> Any:
    """Sends the request to a service that sends no messages to webhooks."""
    path = world.hooked().path
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(world.service.webhooks, "_is_sent", False)
        return world.send(world.olga, name, at=f"{path}/webhooks/{world.webhook}" if "test" in name else path)


def in_series(*paths: str, who: str = "olga", key: str | None = None) -> Provocation:
    """Returns a provocation by the last of these commands in a new series."""

    def provoke(world: World, _: str) -> Any:
        series, answer = world.series(), None
        for path in paths:
            answer = getattr(world, who).post(series + path, CONFIRMED, key=key)
        world.olga.post(f"{series}/end", CONFIRMED)  # so that others may be opened
        return answer

    return provoke


def ended_series(world: World) -> str:
    path = world.series()
    world.olga.post(f"{path}/end", CONFIRMED)
    return path


def stops_without_reason(world: World, _: str) -> Any:
    path = world.series()
    answer = world.root.post(f"{path}/stop", CONFIRMED | BLANK)
    world.olga.post(f"{path}/end", CONFIRMED)  # so that others may be opened
    return answer


def asked(world: World) -> Cup:
    """Returns a cup that Ada, Bob and Cy ask to enter."""
    return world.entering(approval=True)


def declined(world: World) -> Cup:
    cup = asked(world)
    cup.command(f"/applicants/{world.ada.id}/refusal")
    return cup


def offers(world: World, cup: Cup, *players: str) -> Any:
    return world.olga.post(f"{cup.path}/offers", {"players": [*players]})


def offered(world: World, cup: Cup) -> Any:
    return offers(world, cup, world.dee.id)


def offers_after_a_block(world: World, _: str) -> Any:
    eve = world.api.person("Eve")
    eve.ask("PUT", f"/v1/players/me/blocks/{world.olga.id}")
    return offers(world, world.entering(), eve.id)


def accepts(world: World, cup: Cup, player: str) -> Any:
    return world.olga.post(f"{cup.path}/applicants/{player}/acceptance")


def decides_too_late(world: World, name: str) -> Any:
    cup = asked(world)
    cup.cancel()
    return world.send(world.olga, name, at=f"{cup.path}/applicants/{world.ada.id}")


def accepts_both(world: World, _: str) -> Any:
    cup = world.cup(approval=True, outside_bots=True, turn_seconds=60, deal="same")
    owner = world.api.person("Owner")
    both = owner, world.new_bot(owner)
    cup.enter(*both)
    return [accepts(world, cup, who.id) for who in both][1]


def accepts_an_arbiter(world: World, _: str) -> Any:
    cup = asked(world)
    cup.command("/arbiters", {"player": world.ada.id})
    return accepts(world, cup, world.ada.id)


def accepts_late(**form: Any) -> Provocation:
    def provoke(world: World, _: str) -> Any:
        cup = world.entering(approval=True, **form)
        for who in (world.ada, world.bob):
            accepts(world, cup, who.id)
        cup.command("/start")
        return accepts(world, cup, world.cy.id)

    return provoke


def started(_: World, cup: Cup) -> None:
    cup.command("/start")
    cup.run_due()


def paired(_: World, cup: Cup) -> None:
    cup.pair()


def at_tables(_: World, cup: Cup) -> None:
    cup.pair()
    cup.start_round()


def changes(
    tables: Any, byes: Any = (), *, number: int = 1, reason: str = "It rains."
) -> Callable[[World, Cup], Any]:
    return done(f"/rounds/{number}/pairing", {"tables": tables, "byes": list(byes), "reason": reason})


def bots(count: int) -> Callable[[World, Cup], Any]:
    def enter(_: World, cup: Cup) -> None:
        cup.enter(bots=count)

    return enter


def as_it_stands(world: World, cup: Cup) -> Any:
    tables, byes = pairing(cup)
    return changes(tables, byes, number=len(cup.view["rounds"]))(world, cup)


def swaps(world: World, cup: Cup) -> Any:
    """Changes the seats at each table."""
    tables, byes = pairing(cup)
    return changes([seats[::-1] for seats in tables], byes)(world, cup)


def pairing(cup: Cup) -> tuple[list[list[int | None]], list[int]]:
    """Returns the tables and the byes of the last round."""
    state = cup.api.service.tournaments.load(cup.id).state
    return [list(match.deals[0].seats) for match in state.rounds[-1].matches], list(byes_of(state.rounds[-1]))


def gives_the_first_bye_again(world: World, cup: Cup) -> Any:
    _, (first,) = pairing(cup)
    cup.play_round()
    cup.pair()
    _, (second,) = pairing(cup)
    (third,) = {1, 2, 3} - {first, second}
    return changes([[second, third]], [first], number=2)(world, cup)


def gives_herself_the_bye(world: World, cup: Cup) -> Any:
    _, (bye,) = pairing(cup)
    entrants = cup.view["entrants"]
    (own,) = [entrant["number"] for entrant in entrants if entrant["id"] == world.olga.id]
    assert bye != own, "the last of the ranks has it"
    first, second, third, fourth = sorted({1, 2, 3, 4, 5} - {own})
    return changes([[first, second], [third, fourth]], [own])(world, cup)


def mixes_the_final(world: World, cup: Cup) -> Any:
    cup.play_round()
    cup.pair()
    (first, second), (third, fourth) = pairing(cup)[0]
    return changes([[first, third], [second, fourth]], number=2)(world, cup)


def keeps_apart(world: World, _: str) -> Any:
    """Seats two players together who are kept apart."""
    form = PAIRS | {"forbidden": [[world.ada.id, world.bob.id]]}
    return in_new_cup(done("/entrants", who="dee"), started, paired, changes([[1, 2], [3, 4]]), **form)(
        world, ""
    )


def voided(world: World, cup: Cup) -> None:
    """Ends the table of the round and lets an administrator void it."""
    cup.end_tables()
    (table,) = cup.tables()
    assert world.root.post(f"{table}/void", CONFIRMED | REASON).status_code == 200
    cup.run_due()


def ended(_: World, cup: Cup) -> None:
    cup.end_tables()


def cancelled(_: World, cup: Cup) -> None:
    cup.cancel()


BOARD: Final = "/rounds/1/boards/1"
DUPLICATE: Final[dict[str, Any]] = {"seats": 2, "deal": "same", "turn_seconds": 60}


def elsewhere(path: str, form: Any) -> Callable[[World, Cup], Any]:
    """Returns a command of the organiser, who plays, to a board of others."""

    def act(_: World, cup: Cup) -> Any:
        own = next(entrant["number"] for entrant in cup.view["entrants"] if entrant["is_organiser"])
        boards = cup.view["rounds"][0]["boards"]
        other = next(board["board"] for board in boards if own not in board["tables"][0]["seats"])
        return cup.order(f"/rounds/1/boards/{other}{path}", form)

    return act


def enters_bots(world: World, name: str) -> Any:
    """Enters a bot over the limit."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(vars(world.service), "limits", Reached([Limit.BOTS_PER_TOURNAMENT]))
        return in_cup(ENTERING, "olga", {"policy": "random"})(world, name)


PAIRS: Final[dict[str, Any]] = {"seats": 2, "sittings": [{"rounds": 2}]}
KNOCKOUT: Final[dict[str, Any]] = {"format": "knockout", "seats": 2, "sittings": [{}]}
ARENA: Final[dict[str, Any]] = {"format": "arena", "seats": 2, "sittings": [{"starts_at": 4_000_000_000_000}]}
LONG_AFTER: Final = 4_000_000_000_000
TIMED: Final[dict[str, Any]] = {
    "sittings": [{"rounds": 1, "starts_at": LONG_AFTER}, {"rounds": 1, "starts_at": LONG_AFTER + 10}]
}


def offering(world: World, cup: Cup, *, to: str = "dee", of: str = "ada") -> Any:
    """Offers the place of an entrant to a player."""
    player = getattr(world, to).id if to else "nobody00"
    entrant = getattr(world, of).id
    return world.olga.post(f"{cup.path}/entrants/{entrant}/substitute", {"player": player} | REASON)


def place_offers(*steps: Callable[[World, Cup], Any], to: str, of: str, **form: Any) -> Provocation:
    return in_new_cup(started, *steps, lambda world, cup: offering(world, cup, to=to, of=of), **form)


def offers_a_place_after_a_block(world: World, cup: Cup) -> Any:
    eve = world.api.person("Eve")
    eve.ask("PUT", f"/v1/players/me/blocks/{world.olga.id}")
    return world.olga.post(f"{cup.path}/entrants/{world.ada.id}/substitute", {"player": eve.id} | REASON)


def takes(world: World, cup: Cup) -> Any:
    return world.dee.post(f"{cup.path}/place")


def takes_despite_bounds(**form: Any) -> Provocation:
    """Takes a place in a cup with bounds that did not hold when the others entered."""

    def provoke(world: World, _: str) -> Any:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(tournament_intents, "check_bounds", lambda *_: None)
            cup = world.running(**form)
        offering(world, cup)
        return takes(world, cup)

    return provoke


def takes_beside_their_bot(world: World, _: str) -> Any:
    cup = world.cup(outside_bots=True, **DUPLICATE)
    cup.start(world.ada, world.bob, world.cy, world.new_bot(world.dee))
    offering(world, cup)
    return takes(world, cup)


def withdrawing(world: World, cup: Cup) -> None:
    cup.command(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED | REASON)


def reverses(decision: str, *steps: Callable[[World, Cup], Any], of: str = "ada", **form: Any) -> Provocation:
    """Reverses a decision about an entrant, after it was made in a cup."""

    def reverse(world: World, cup: Cup) -> Any:
        body = CONFIRMED | REASON | {"decision": decision}
        return world.root.post(f"{cup.path}/entrants/{getattr(world, of).id}/reversal", body)

    return in_new_cup(started, *steps, reverse, **form)


def joins(who: str, team: int = 1) -> Callable[[World, Cup], Any]:
    """Returns a step in which a player joins a team with its code."""

    def join(world: World, cup: Cup) -> Any:
        code = world.olga.get(f"{cup.path}/teams").json["teams"][team - 1]["code"]
        return getattr(world, who).post(f"{cup.path}/team", {"code": code})

    return join


def puts(team: int | None, who: str = "olga") -> Callable[[World, Cup], Any]:
    """Returns a step in which Ada's team changes."""
    return lambda world, cup: getattr(world, who).post(
        f"{cup.path}/entrants/{world.ada.id}/team", {"team": team}
    )


def too_often(kind: type, *steps: Callable[[World, Cup], Any], **form: Any) -> Provocation:
    """Returns a provocation by a decision of a kind that no tournament allows any more."""
    return with_patched(decide_bounds, "MAX_TIMES", {kind: 0}, in_new_cup(*steps, **form))


FOUNDS: Final = done("/teams", {"name": "Foxes"}, "ada")
IN_TEAMS: Final = (FOUNDS, done("/teams", {"name": "Owls"}, "bob"))
WITH_TEAMS: Final[dict[str, Any]] = {"team_size": 2}


def changes_teams(name: str, act: Callable[[World, Cup], Any]) -> dict[tuple[str, Code], Provocation]:
    """Returns the provocations that all operations on teams share; by `act`, Ada's team changes."""
    return {
        (name, TournamentCode.NO_TEAMS): in_new_cup(act),
        (name, TournamentCode.TOURNAMENT_OVER): in_new_cup(*IN_TEAMS, cancelled, act, **WITH_TEAMS),
        (name, TournamentCode.ENTRANT_LEFT): in_new_cup(*IN_TEAMS, started, withdrawing, act, **WITH_TEAMS),
        (name, TournamentCode.TEAM_FIXED): in_new_cup(*IN_TEAMS, started, paired, act, **WITH_TEAMS),
        (name, TournamentCode.TOO_MANY_TEAM_CHANGES): with_patched(
            decide_teams, "MAX_TEAM_CHANGES", 1, in_new_cup(*IN_TEAMS, act, **WITH_TEAMS)
        ),
    }


TOURNAMENTS: Final[dict[tuple[str, Code], Provocation]] = {
    ("open_tournament", SharedCode.INVALID_OPTIONS): sent(
        body=FORM | {"game": "shithead", "seats": 6, "options": {"decks": 1, "jokers": 0}}
    ),
    ("open_tournament", TournamentCode.INVALID_SETUP): sent(body=FORM | {"third_place": True}),
    ("get_standings", NotFoundCode.NO_STANDINGS): in_cup(DRAFT),
    ("download_crosstable", NotFoundCode.NO_STANDINGS): in_cup(DRAFT),
    ("explain_standing", NotFoundCode.NO_STANDINGS): in_cup(DRAFT),
    **{
        (name, NotFoundCode.ROUND_NOT_FOUND): lambda world, name: world.send(
            world.ada, name, at=world.running().path, query_string="round=9"
        )
        for name in ("get_standings", "explain_standing")
    },
    ("download_results", NotFoundCode.NO_RESULTS): in_cup(DRAFT),
    ("download_report", NotFoundCode.NO_RESULTS): in_cup(DRAFT),
    ("download_report", HttpCode.NO_REPORT_POSSIBLE): in_cup(RUNNING),
    ("download_results", HttpCode.RESULTS_TOO_LARGE): with_patched(
        tournament_files, "MAX_LINES", -1, in_cup(RUNNING)
    ),
    ("download_tournament_log", HttpCode.TOURNAMENT_NOT_OVER): in_cup(DRAFT),
    ("enter_tournament", ForbiddenCode.NOT_ORGANISER): in_cup(ENTERING, "ada", {"policy": "random"}),
    ("enter_tournament", ForbiddenCode.NOT_INVITED): in_cup(
        lambda world: world.cup(invited_only=True), "ada"
    ),
    ("enter_tournament", ForbiddenCode.RATING_OUT_OF_BOUNDS): in_cup(
        lambda world: world.cup(min_rating=1), "ada"
    ),
    ("enter_tournament", ForbiddenCode.TOO_FEW_RATED_TABLES): in_cup(
        lambda world: world.cup(min_rated_tables=1), "ada"
    ),
    ("enter_tournament", TournamentCode.ENTRY_REQUESTED): in_cup(asked, "ada"),
    ("enter_tournament", TournamentCode.ENTRY_DECLINED): lambda world, _: world.ada.post(
        f"{declined(world).path}/entrants"
    ),
    ("accept_entry", ForbiddenCode.NOT_ORGANISER): in_cup(asked, "bob"),
    ("accept_entry", ForbiddenCode.OWN_BOT_PLAYS): accepts_both,
    ("accept_entry", TournamentCode.TOO_LATE): accepts_late(),
    ("accept_entry", TournamentCode.TOURNAMENT_FULL): accepts_late(cap=2, late_until=2),
    ("accept_entry", TournamentCode.ARBITER_PLAYS): accepts_an_arbiter,
    ("accept_entry", NotFoundCode.ENTRANT_NOT_FOUND): in_cup(ENTERING),
    **{
        (name, TournamentCode.TOURNAMENT_OVER): decides_too_late for name in ("accept_entry", "decline_entry")
    },
    ("decline_entry", ForbiddenCode.NOT_ORGANISER): in_cup(asked, "bob"),
    ("decline_entry", TournamentCode.ALREADY_DECLINED): lambda world, _: world.olga.post(
        f"{declined(world).path}/applicants/{world.ada.id}/refusal"
    ),
    ("decline_entry", NotFoundCode.ENTRANT_NOT_FOUND): in_cup(ENTERING),
    ("get_tournament_invitation", ForbiddenCode.NOT_ORGANISER): in_cup(ENTERING, "ada"),
    **{
        (name, ForbiddenCode.NOT_ORGANISER): in_cup(ENTERING, "ada")
        for name in ("read_entrant_list", "list_entry_offers", "offer_entries", "withdraw_offers")
    },
    ("read_entrant_list", TournamentCode.INVALID_LIST): in_cup(ENTERING, body={"list": "Ada"}),
    ("offer_entries", NotFoundCode.PLAYER_NOT_FOUND): in_cup(ENTERING),
    ("offer_entries", TournamentCode.TOURNAMENT_OVER): lambda world, _: offers(
        world, world.cancelled(), world.dee.id
    ),
    ("offer_entries", ForbiddenCode.OFFER_REFUSED): offers_after_a_block,
    ("offer_entries", ForbiddenCode.BOTS_NOT_ALLOWED): lambda world, _: offers(
        world, world.entering(), world.new_bot().id
    ),
    ("offer_entries", TournamentCode.REGISTRATION_CLOSED): lambda world, _: offers(
        world, world.cup(), world.dee.id
    ),
    ("offer_entries", TournamentCode.TOO_LATE): lambda world, _: offers(world, world.running(), world.dee.id),
    ("offer_entries", TournamentCode.TOURNAMENT_FULL): in_new_cup(
        started, lambda world, cup: offers(world, cup, world.dee.id), cap=3, late_until=2
    ),
    ("offer_entries", TournamentCode.INVALID_OFFER): lambda world, _: offers(
        world, world.entering(), world.dee.id, world.dee.id
    ),
    ("offer_entries", TournamentCode.TOO_MANY_ENTRIES_OFFERED): with_patched(
        decide_offers, "MAX_ENTRANTS", 0, lambda world, _: offers(world, world.entering(), world.dee.id)
    ),
    ("offer_entries", TournamentCode.ALREADY_ENTERED): lambda world, _: offers(
        world, world.entering(), world.ada.id
    ),
    ("offer_entries", TournamentCode.ENTRANT_EXPELLED): lambda world, _: in_new_cup(
        done(f"/entrants/{world.ada.id}/expulsion", CONFIRMED | REASON),
        lambda world, cup: offers(world, cup, world.ada.id),
    )(world, ""),
    ("offer_entries", TournamentCode.ENTRANT_LEFT): lambda world, _: in_new_cup(
        started,
        done(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED, "ada"),
        lambda world, cup: offers(world, cup, world.ada.id),
        late_until=2,
    )(world, ""),
    ("offer_entries", TournamentCode.ARBITER_PLAYS): lambda world, _: in_new_cup(
        done("/arbiters", {"player": world.dee.id}), lambda world, cup: offers(world, cup, world.dee.id)
    )(world, ""),
    ("offer_entries", TournamentCode.ENTRY_REQUESTED): lambda world, _: offers(
        world, asked(world), world.ada.id
    ),
    ("offer_entries", TournamentCode.ALREADY_OFFERED): in_new_cup(offered, offered),
    ("offer_entries", TournamentCode.OFFERED_TWICE): in_new_cup(
        offered,
        done("/offers/refusal", who="dee"),
        offered,
        done("/offers/refusal", who="dee"),
        offered,
    ),
    ("withdraw_offers", TournamentCode.INVALID_OFFER): in_cup(ENTERING, body={"players": ["nobody00"] * 2}),
    ("withdraw_offers", TournamentCode.NOT_OFFERED): in_cup(ENTERING),
    ("decline_offer", TournamentCode.NOT_OFFERED): in_cup(ENTERING, "ada"),
    ("replace_invitation", TournamentCode.TOO_MANY_INVITATIONS): with_patched(
        decide_entry, "MAX_INVITATIONS", 0, in_cup(ENTERING)
    ),
    ("enter_tournament", TournamentCode.REGISTRATION_CLOSED): in_cup(DRAFT, "ada"),
    ("enter_tournament", TournamentCode.TOO_LATE): in_cup(RUNNING, "dee"),
    ("enter_tournament", TournamentCode.TOURNAMENT_FULL): in_new_cup(
        started, done("/entrants", who="dee"), cap=3, late_until=2
    ),
    ("enter_tournament", TournamentCode.ENTRANT_EXPELLED): lambda world, name: in_new_cup(
        done(f"/entrants/{world.ada.id}/expulsion", CONFIRMED | REASON), done("/entrants", who="ada")
    )(world, name),
    ("enter_tournament", TournamentCode.ALREADY_ENTERED): in_cup(ENTERING, "ada"),
    ("enter_tournament", LimitCode.TOO_MANY_BOTS): enters_bots,
    ("enter_tournament", TableCode.BOT_SEED): in_cup(ENTERING, "olga", {"policy": "random"} | HELD),
    ("withdraw_entrant", ForbiddenCode.NOT_YOU): lambda world, _: world.bob.post(
        f"{world.entering().path}/entrants/{world.ada.id}/withdrawal", CONFIRMED
    ),
    ("withdraw_entrant", ForbiddenCode.NOT_ORGANISER): in_new_cup(
        done("/entrants", {"policy": "random"}), done("/entrants/bot:1/withdrawal", CONFIRMED, "ada")
    ),
    ("request_bye", ForbiddenCode.NOT_ORGANISER): in_cup(ENTERING, "ada", {"round": 1, "entrant": "bot:1"}),
    ("check_in", TournamentCode.CHECK_IN_CLOSED): in_new_cup(
        started, done("/check-in", who="ada"), check_in=60
    ),
    ("check_in", TournamentCode.SEED_COMMITTED): in_new_cup(
        started, done("/check-in", HELD, "ada"), done("/check-in", HELD, "ada")
    ),
    ("check_in", TournamentCode.ALREADY_CHECKED_IN): in_cup(RUNNING, "ada"),
    ("say_absent", TournamentCode.ALREADY_ABSENT): in_new_cup(
        started, done("/absence", who="ada"), done("/absence", who="ada")
    ),
    ("say_absent", TournamentCode.ALREADY_CHECKED_IN): in_new_cup(
        started,
        done("/absence", who="ada"),
        done("/check-in", who="ada"),
        done("/absence", who="ada"),
        **ARENA,
    ),
    ("reveal_entrant_seed", TableCode.NO_SEED_AWAITED): in_cup(RUNNING, "ada"),
    ("reveal_entrant_seed", TableCode.WRONG_SEED): in_new_cup(
        started, done("/check-in", HELD, "ada"), done("/rounds"), done("/seed", {"seed": OTHER_SEED}, "ada")
    ),
    ("reveal_entrant_seed", TableCode.REVEAL_OVER): in_new_cup(
        started,
        done("/check-in", HELD, "ada"),
        done("/rounds"),
        lambda world, _: world.later(REVEAL_MS),
        done("/seed", {"seed": SEED}, "ada"),
    ),
    ("request_bye", TournamentCode.NO_SUCH_ENTRANT): in_cup(
        ENTERING, body={"round": 1, "entrant": "nobody00"} | REASON
    ),
    ("request_bye", TournamentCode.NO_BYES): lambda world, _: done("/byes", {"round": 1}, "ada")(
        world, world.entering(**KNOCKOUT)
    ),
    ("request_bye", TournamentCode.ROUND_PAIRED): in_new_cup(
        started, paired, done("/byes", {"round": 1}, "ada")
    ),
    ("request_bye", TournamentCode.NO_SUCH_ROUND): in_cup(ENTERING, "ada", {"round": 9}),
    ("request_bye", TournamentCode.NOT_ENTERED_YET): in_new_cup(
        started,
        paired,
        done("/entrants", who="dee"),
        lambda world, cup: world.ada.post(f"{cup.path}/entrants/{world.ada.id}/withdrawal", CONFIRMED),
        done("/byes", {"round": 1}, "dee"),
        late_until=2,
    ),
    ("request_bye", TournamentCode.LAST_ROUND): in_cup(ENTERING, "ada", {"round": 2}),
    ("request_bye", TournamentCode.BYE_REQUESTED): in_new_cup(
        done("/byes", {"round": 1}, "ada"), done("/byes", {"round": 1}, "ada")
    ),
    ("request_bye", TournamentCode.TOO_MANY_BYES): in_new_cup(
        done("/byes", {"round": 1}, "ada"), requested_byes=0
    ),
    ("request_bye", TournamentCode.INVALID_SCORE): lambda world, name: in_cup(
        ENTERING, body={"round": 1, "entrant": world.ada.id, "score": "1/3"} | REASON
    )(world, name),
    ("request_bye", TournamentCode.OWN_BYE): lambda world, name: in_new_cup(
        done("/entrants"), done("/byes", {"round": 1, "entrant": world.olga.id, "score": "1"} | REASON)
    )(world, name),
    ("request_bye", TableCode.INVALID_REASON): lambda world, name: in_cup(
        ENTERING, body={"round": 1, "entrant": world.ada.id} | BLANK
    )(world, name),
    ("open_registration", TournamentCode.REGISTRATION_OPEN): in_cup(ENTERING),
    ("order_entrants", TournamentCode.NOT_ORDERED_BY_HAND): in_new_cup(
        done("/order", {"entrants": []}), rank_by="rating"
    ),
    ("order_entrants", TournamentCode.ENTRANT_TWICE): in_cup(ENTERING, body={"entrants": ["ada", "ada"]}),
    ("order_entrants", TournamentCode.NO_SUCH_ENTRANT): in_cup(ENTERING, body={"entrants": ["nobody00"]}),
    ("expel_entrant", TournamentCode.ALREADY_EXPELLED): lambda world, name: in_new_cup(
        started,
        done(f"/entrants/{world.ada.id}/expulsion", CONFIRMED | REASON),
        done(f"/entrants/{world.ada.id}/expulsion", CONFIRMED | REASON),
    )(world, name),
    ("expel_entrant", TableCode.INVALID_REASON): lambda world, _: world.olga.post(
        f"{world.entering().path}/entrants/{world.ada.id}/expulsion", CONFIRMED | BLANK
    ),
    ("start_tournament", TournamentCode.REGISTRATION_CLOSED): in_cup(DRAFT),
    ("start_tournament", TournamentCode.TOO_FEW_ENTRANTS): lambda world, _: (
        (cup := world.cup()).command("/registration") and world.olga.post(f"{cup.path}/start")
    ),
    ("start_tournament", TournamentCode.SCHEDULE_TOO_LONG): with_patched(
        decide_phases,
        "MAX_ROUNDS",
        0,
        in_new_cup(done("/start"), format="round_robin", seats=2, sittings=[{}]),
    ),
    ("start_tournament", TournamentCode.UNEVEN_TABLES): in_new_cup(
        done("/entrants", {"policy": "random"}),
        done("/entrants", {"policy": "random"}),
        done("/start"),
        format="round_robin",
        seats=3,
        score_by="points",
        sittings=[{"rounds": 1}],
    ),
    ("open_check_in", TournamentCode.NO_CHECK_IN): in_cup(RUNNING),
    ("open_check_in", TournamentCode.WRONG_SITTING): in_new_cup(
        started, done("/sittings/2/check-in"), check_in=60
    ),
    ("open_check_in", TournamentCode.CHECK_IN_OPEN): in_new_cup(
        started, done("/sittings/1/check-in"), done("/sittings/1/check-in"), check_in=60
    ),
    ("reschedule_sitting", TournamentCode.NO_SUCH_SITTING): in_cup(RUNNING, at="/sittings/9"),
    ("reschedule_sitting", TournamentCode.SITTING_BEGUN): in_new_cup(
        started, paired, done("/sittings/1/schedule", {"starts_at": 5} | REASON)
    ),
    ("reschedule_sitting", TournamentCode.NO_START): in_new_cup(
        done("/sittings/1/schedule", {"starts_at": None} | REASON), advance="schedule", **TIMED
    ),
    ("reschedule_sitting", TournamentCode.INVALID_SETUP): in_new_cup(
        done("/sittings/1/schedule", {"starts_at": LONG_AFTER + 20} | REASON), **TIMED
    ),
    ("reschedule_sitting", TableCode.INVALID_REASON): blank_reason(RUNNING),
    ("open_round", TournamentCode.ROUND_OPEN): in_new_cup(started, paired, done("/rounds")),
    ("open_round", TournamentCode.NO_SUCH_ROUND): in_new_cup(
        started, at_tables, done("/rounds"), sittings=[{"rounds": 1}]
    ),
    ("open_round", TournamentCode.ROUND_UNFINISHED): in_new_cup(started, at_tables, done("/rounds")),
    ("open_round", TournamentCode.NEVER_EARLY): lambda world, _: in_new_cup(
        started, at_tables, done("/rounds", {"early": True} | REASON), **KNOCKOUT
    )(world, ""),
    ("open_round", TournamentCode.NO_WAVE_DUE): in_new_cup(started, done("/rounds"), **ARENA),
    ("open_round", TableCode.INVALID_REASON): in_new_cup(
        started, at_tables, done("/rounds", {"early": True} | BLANK)
    ),
    ("open_round", TournamentCode.TOO_FEW_ENTRANTS): lambda world, _: in_new_cup(
        started,
        done(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED, "ada"),
        done(f"/entrants/{world.bob.id}/withdrawal", CONFIRMED, "bob"),
        done("/rounds"),
    )(world, ""),
    ("open_round", TournamentCode.CHECK_IN_DUE): in_new_cup(started, done("/rounds"), check_in=60),
    ("open_round", TournamentCode.CHECK_IN_RUNNING): in_new_cup(
        started, done("/sittings/1/check-in"), done("/rounds"), check_in=60
    ),
    ("open_round", TableCode.SEEDS_AWAITED): in_new_cup(
        started, done("/check-in", HELD, "ada"), done("/rounds"), done("/rounds")
    ),
    ("start_round", TournamentCode.ROUND_NOT_OPEN): in_cup(RUNNING),
    ("start_round", TournamentCode.ROUND_STARTED): in_new_cup(started, at_tables, done("/rounds/1/start")),
    ("change_pairing", TournamentCode.ROUND_NOT_OPEN): in_cup(RUNNING),
    ("change_pairing", TournamentCode.ROUND_STARTED): in_new_cup(started, at_tables, changes([[1, 2, 3]])),
    ("change_pairing", TableCode.INVALID_REASON): in_new_cup(
        started, paired, changes([[1, 2, 3]], reason=" ")
    ),
    ("change_pairing", TournamentCode.NOT_EVERYBODY_ONCE): in_new_cup(started, paired, changes([[1, 2]])),
    ("score_void", TournamentCode.NO_SUCH_BOARD): in_cup(RUNNING),
    ("score_void", TournamentCode.TABLE_NOT_VOID): in_new_cup(
        started, at_tables, done("/rounds/1/boards/1/void-score", REASON)
    ),
    ("score_void", TournamentCode.OWN_TABLE): in_new_cup(
        done("/entrants"), started, at_tables, done(f"{BOARD}/void-score", REASON), seats=4
    ),
    ("withdraw_entrant", TournamentCode.OWN_CONTEST): lambda world, name: in_new_cup(
        done("/entrants"), done(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED | REASON), **KNOCKOUT
    )(world, name),
    ("withdraw_entrant", TableCode.INVALID_REASON): lambda world, name: in_new_cup(
        done(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED | BLANK)
    )(world, name),
    ("mark_absent", TournamentCode.ALREADY_ABSENT): lambda world, name: in_new_cup(
        started,
        done(f"/entrants/{world.ada.id}/absence", REASON),
        done(f"/entrants/{world.ada.id}/absence", REASON),
    )(world, name),
    ("mark_absent", TournamentCode.OWN_CONTEST): lambda world, name: in_new_cup(
        done("/entrants"), started, done(f"/entrants/{world.ada.id}/absence", REASON), **KNOCKOUT
    )(world, name),
    ("mark_absent", TableCode.NOT_A_PERSON): in_new_cup(
        bots(1), started, done("/entrants/bot:1/absence", REASON)
    ),
    ("mark_absent", TableCode.INVALID_REASON): lambda world, name: in_new_cup(
        started, done(f"/entrants/{world.ada.id}/absence", BLANK)
    )(world, name),
    ("enter_tournament", TournamentCode.ARBITER_PLAYS): lambda world, name: in_new_cup(
        done("/arbiters", {"player": world.dee.id}), done("/entrants", who="dee")
    )(world, name),
    ("name_arbiter", NotFoundCode.PLAYER_NOT_FOUND): in_cup(ENTERING),
    ("name_arbiter", TournamentCode.TOURNAMENT_OVER): lambda world, name: in_cup(
        CANCELLED, body={"player": world.dee.id}
    )(world, name),
    ("name_arbiter", ForbiddenCode.NOT_ORGANISER): lambda world, name: in_cup(
        ENTERING, "bob", {"player": world.dee.id}
    )(world, name),
    ("name_arbiter", TournamentCode.ALREADY_OFFICIAL): lambda world, name: in_cup(
        ENTERING, body={"player": world.olga.id}
    )(world, name),
    ("name_arbiter", TournamentCode.ARBITER_PLAYS): lambda world, name: in_cup(
        ENTERING, body={"player": world.ada.id}
    )(world, name),
    ("name_arbiter", TournamentCode.TOO_MANY_ARBITERS): lambda world, name: with_patched(
        decide_officials, "MAX_ARBITERS", 0, in_cup(ENTERING, body={"player": world.dee.id})
    )(world, name),
    ("name_arbiter", TableCode.NOT_A_PERSON): lambda world, name: in_cup(
        ENTERING, body={"player": world.bot.id}
    )(world, name),
    ("name_co_organiser", NotFoundCode.PLAYER_NOT_FOUND): in_cup(ENTERING),
    ("name_co_organiser", TournamentCode.TOURNAMENT_OVER): lambda world, name: in_cup(
        CANCELLED, body={"player": world.dee.id}
    )(world, name),
    ("name_co_organiser", ForbiddenCode.NOT_ORGANISER): lambda world, name: in_cup(
        ENTERING, "bob", {"player": world.dee.id}
    )(world, name),
    ("name_co_organiser", TournamentCode.ALREADY_OFFICIAL): lambda world, name: in_cup(
        ENTERING, body={"player": world.olga.id}
    )(world, name),
    ("name_co_organiser", TournamentCode.TOO_MANY_CO_ORGANISERS): lambda world, name: with_patched(
        decide_officials, "MAX_CO_ORGANISERS", 0, in_cup(ENTERING, body={"player": world.dee.id})
    )(world, name),
    ("name_co_organiser", TableCode.NOT_A_PERSON): lambda world, name: in_cup(
        ENTERING, body={"player": world.bot.id}
    )(world, name),
    ("remove_co_organiser", TournamentCode.NOT_A_CO_ORGANISER): in_cup(ENTERING),
    **{
        ("offer_place", code): place_offers(*steps, to=to, of=of, **form)
        for code, to, of, steps, form in (
            (ForbiddenCode.BOTS_NOT_ALLOWED, "bot", "ada", (), {}),
            (NotFoundCode.PLAYER_NOT_FOUND, "", "ada", (), {}),
            (TournamentCode.NO_SUBSTITUTES, "dee", "ada", (), ARENA),
            (TournamentCode.LAST_ROUND, "dee", "ada", (at_tables,), {"sittings": [{"rounds": 1}]}),
            (TournamentCode.OWN_PLACE, "olga", "ada", (), {}),
            (TournamentCode.ALREADY_ENTERED, "bob", "ada", (), {}),
            (TournamentCode.PLACE_OFFERED, "dee", "bob", (offering,), {}),
        )
    },
    ("offer_place", TournamentCode.TOURNAMENT_NOT_STARTED): in_new_cup(offering),
    ("offer_place", TournamentCode.TOURNAMENT_OVER): in_new_cup(cancelled, offering),
    ("offer_place", ForbiddenCode.NOT_ORGANISER): lambda world, _: world.bob.post(
        f"{world.running().path}/entrants/{world.ada.id}/substitute", {"player": world.dee.id} | REASON
    ),
    ("offer_place", TournamentCode.ENTRANT_LEFT): lambda world, _: in_new_cup(
        started,
        done(f"/entrants/{world.ada.id}/expulsion", CONFIRMED | REASON),
        offering,
    )(world, ""),
    ("offer_place", TournamentCode.OWN_CONTEST): in_new_cup(done("/entrants"), started, offering, **KNOCKOUT),
    ("offer_place", TournamentCode.ARBITER_PLAYS): lambda world, _: in_new_cup(
        started, done("/arbiters", {"player": world.dee.id}), offering
    )(world, ""),
    ("offer_place", TournamentCode.ENTRANT_EXPELLED): lambda world, _: in_new_cup(
        done("/entrants", who="dee"),
        done(f"/entrants/{world.dee.id}/expulsion", CONFIRMED | REASON),
        started,
        offering,
    )(world, ""),
    ("offer_place", TournamentCode.TOO_MANY_PLACE_OFFERS): with_patched(
        decide_substitutions, "MAX_OFFERS", 0, in_new_cup(started, offering)
    ),
    ("offer_place", ForbiddenCode.OFFER_REFUSED): in_new_cup(started, offers_a_place_after_a_block),
    ("offer_place", TableCode.NOT_A_PERSON): in_new_cup(
        bots(1),
        started,
        lambda world, cup: world.olga.post(
            f"{cup.path}/entrants/bot:1/substitute", {"player": world.dee.id} | REASON
        ),
    ),
    ("offer_place", TableCode.INVALID_REASON): lambda world, _: world.olga.post(
        f"{world.running().path}/entrants/{world.ada.id}/substitute", {"player": world.dee.id} | BLANK
    ),
    ("take_place", ForbiddenCode.RATING_OUT_OF_BOUNDS): takes_despite_bounds(min_rating=1),
    ("take_place", ForbiddenCode.TOO_FEW_RATED_TABLES): takes_despite_bounds(min_rated_tables=1),
    ("take_place", ForbiddenCode.BOTS_NOT_ALLOWED): lambda world, _: world.bot.post(
        f"{world.running().path}/place"
    ),
    ("take_place", ForbiddenCode.OWN_BOT_PLAYS): takes_beside_their_bot,
    ("take_place", TournamentCode.NO_PLACE_OFFERED): in_cup(RUNNING, "dee"),
    ("take_place", TournamentCode.ENTRANT_LEFT): in_new_cup(
        started,
        at_tables,
        lambda world, cup: offering(world, cup, of="cy"),
        ended,
        takes,
        **KNOCKOUT,
    ),
    ("take_place", TournamentCode.LAST_ROUND): in_new_cup(
        started, offering, at_tables, takes, sittings=[{"rounds": 1}]
    ),
    ("take_place", TournamentCode.ALREADY_ENTERED): in_new_cup(
        started, offering, done("/entrants", who="dee"), takes, late_until=2
    ),
    ("take_place", TournamentCode.ARBITER_PLAYS): lambda world, _: in_new_cup(
        started, offering, done("/arbiters", {"player": world.dee.id}), takes
    )(world, ""),
    ("decline_place", ForbiddenCode.NOT_ORGANISER): lambda world, _: world.bob.post(
        f"{world.substituted().path}/place/refusal", {"player": world.dee.id}
    ),
    ("decline_place", TournamentCode.NO_PLACE_OFFERED): in_cup(RUNNING),
    ("reverse_decision", NotFoundCode.ENTRANT_NOT_FOUND): in_cup(RUNNING, "root"),
    ("reverse_decision", TournamentCode.NOTHING_TO_REVERSE): lambda world, name: world.send(
        world.root, name, at=f"{world.running().path}/entrants/{world.ada.id}"
    ),
    ("reverse_decision", TournamentCode.LAST_ROUND): reverses(
        "withdrawal", withdrawing, at_tables, sittings=[{"rounds": 1}]
    ),
    ("reverse_decision", TournamentCode.ARBITER_PLAYS): lambda world, _: reverses(
        "substitution", offering, takes, done("/arbiters", {"player": world.ada.id}), of="dee"
    )(world, ""),
    ("reverse_decision", TableCode.INVALID_REASON): lambda world, _: world.root.post(
        f"{world.decided().path}/entrants/{world.ada.id}/reversal",
        CONFIRMED | BLANK | {"decision": "absence"},
    ),
    ("reverse_added_rounds", TournamentCode.NOTHING_TO_REVERSE): in_cup(RUNNING, "root"),
    ("reverse_added_rounds", TournamentCode.ROUND_PAIRED): in_new_cup(
        started,
        done("/added-rounds", {"rounds": 1} | REASON),
        at_tables,
        ended,
        paired,
        done("/added-rounds/reversal", CONFIRMED | REASON, "root"),
        sittings=[{"rounds": 1}],
    ),
    ("reverse_added_rounds", TableCode.INVALID_REASON): lambda world, _: world.root.post(
        f"{world.decided().path}/added-rounds/reversal", CONFIRMED | BLANK
    ),
    ("describe_tournament", TournamentCode.TOO_MANY_DESCRIPTIONS): with_patched(
        decide_contact, "MAX_DESCRIPTIONS", 0, in_cup(DRAFT, body={"text": "Club night."})
    ),
    ("add_webhook", ConflictCode.IDEMPOTENCY_KEY_REUSED): webhooks_beyond(1, key="the-same-key-twice"),
    ("add_webhook", ConflictCode.TOO_MANY_WEBHOOKS): webhooks_beyond(MAX_WEBHOOKS),
    **dict.fromkeys(
        [(name, ConflictCode.NO_WEBHOOKS_HERE) for name in ("add_webhook", "test_webhook")], without_messages
    ),
    ("announce", TournamentCode.TOO_MANY_ANNOUNCEMENTS): with_patched(
        decide_contact, "MAX_ANNOUNCEMENTS", 0, in_cup(DRAFT, body={"text": "Lunch."})
    ),
    ("remove_arbiter", TournamentCode.NOT_AN_ARBITER): in_cup(ENTERING),
    ("add_rounds", TournamentCode.ROUNDS_FIXED): in_new_cup(
        started, done("/added-rounds", {"rounds": 1} | REASON), **KNOCKOUT
    ),
    ("add_rounds", TournamentCode.LAST_ROUND): in_new_cup(
        started, paired, done("/added-rounds", {"rounds": 1} | REASON), sittings=[{"rounds": 1}]
    ),
    ("add_rounds", TournamentCode.TOO_MANY_ROUNDS): in_cup(RUNNING, body={"rounds": 500} | REASON),
    ("add_rounds", TournamentCode.INVALID_SETUP): in_new_cup(
        started,
        done("/added-rounds", {"rounds": 1} | REASON),
        sittings=[{"rounds": 2}],
        deals_per_pairing=2,
        **DUPLICATE,
    ),
    ("add_rounds", TableCode.INVALID_REASON): in_cup(RUNNING, body={"rounds": 1} | BLANK),
    ("end_board", TournamentCode.TOURNAMENT_OVER): in_new_cup(
        started, at_tables, cancelled, done(f"{BOARD}/end", CONFIRMED | REASON)
    ),
    ("end_board", TournamentCode.NO_SUCH_BOARD): in_cup(RUNNING),
    ("end_board", TournamentCode.OWN_TABLE): in_new_cup(
        done("/entrants"), started, at_tables, done(f"{BOARD}/end", CONFIRMED | REASON), seats=4
    ),
    ("end_board", TournamentCode.OWN_DEAL): in_new_cup(
        done("/entrants"), started, at_tables, elsewhere("/end", CONFIRMED | REASON), **DUPLICATE
    ),
    ("end_board", TournamentCode.TABLE_STOPPED): in_new_cup(
        started,
        at_tables,
        done(f"{BOARD}/end", CONFIRMED | REASON),
        done(f"{BOARD}/end", CONFIRMED | REASON),
    ),
    ("end_board", TableCode.TABLE_OVER): in_new_cup(
        started, at_tables, ended, done(f"{BOARD}/end", CONFIRMED | REASON)
    ),
    ("end_board", TableCode.INVALID_REASON): in_new_cup(
        started, at_tables, done(f"{BOARD}/end", CONFIRMED | BLANK)
    ),
    ("rule_on_board", TournamentCode.TOURNAMENT_OVER): in_new_cup(
        started, at_tables, cancelled, done(f"{BOARD}/ruling", REASON)
    ),
    ("rule_on_board", TournamentCode.NO_SUCH_BOARD): in_cup(RUNNING),
    ("rule_on_board", TournamentCode.OWN_TABLE): in_new_cup(
        done("/entrants"), started, at_tables, done(f"{BOARD}/ruling", REASON), seats=4
    ),
    ("rule_on_board", TournamentCode.OWN_DEAL): in_new_cup(
        done("/entrants"), started, at_tables, elsewhere("/ruling", REASON), **DUPLICATE
    ),
    ("rule_on_board", TournamentCode.TABLE_IN_PLAY): in_new_cup(
        started, at_tables, done(f"{BOARD}/ruling", REASON)
    ),
    ("rule_on_board", TournamentCode.INVALID_RULING): in_new_cup(
        started, at_tables, ended, done(f"{BOARD}/ruling", {"places": [1, 3, 3]} | REASON)
    ),
    ("rule_on_board", TournamentCode.INVALID_SCORE): in_new_cup(
        started, at_tables, ended, done(f"{BOARD}/ruling", {"score": "1/3"} | REASON)
    ),
    ("rule_on_board", TournamentCode.TOO_MANY_RULINGS): with_patched(
        decide_rulings,
        "MAX_RULINGS",
        1,
        in_new_cup(
            started, at_tables, ended, done(f"{BOARD}/ruling", REASON), done(f"{BOARD}/ruling", REASON)
        ),
    ),
    ("rule_on_board", TournamentCode.RULING_TOO_LATE): in_new_cup(
        done("/entrants", who="dee"),
        started,
        at_tables,
        ended,
        at_tables,
        done(f"{BOARD}/ruling", {"places": [2, 1]} | REASON),
        **KNOCKOUT,
    ),
    ("rule_on_board", TournamentCode.RULING_REVERSED): in_new_cup(
        started,
        at_tables,
        ended,
        done(f"{BOARD}/ruling", REASON),
        done(f"{BOARD}/ruling/reversal", CONFIRMED | REASON, "root"),
        done(f"{BOARD}/ruling", REASON),
    ),
    ("rule_on_board", TableCode.ALREADY_VOIDED): in_new_cup(
        started, at_tables, voided, done(f"{BOARD}/ruling", REASON)
    ),
    ("rule_on_board", TableCode.INVALID_REASON): in_new_cup(
        started, at_tables, ended, done(f"{BOARD}/ruling", BLANK)
    ),
    ("reverse_ruling", TournamentCode.NO_SUCH_BOARD): in_cup(RUNNING, "root"),
    ("reverse_ruling", TournamentCode.NO_RULING): in_new_cup(
        started, at_tables, done(f"{BOARD}/ruling/reversal", CONFIRMED | REASON, "root")
    ),
    ("reverse_ruling", TournamentCode.RULING_TOO_LATE): in_new_cup(
        done("/entrants", who="dee"),
        started,
        at_tables,
        ended,
        done(f"{BOARD}/ruling", {"places": [2, 1]} | REASON),
        at_tables,
        done(f"{BOARD}/ruling/reversal", CONFIRMED | REASON, "root"),
        **KNOCKOUT,
    ),
    ("reverse_ruling", TableCode.INVALID_REASON): in_new_cup(
        started,
        at_tables,
        ended,
        done(f"{BOARD}/ruling", REASON),
        done(f"{BOARD}/ruling/reversal", CONFIRMED | BLANK, "root"),
    ),
    ("change_tiebreaks", TournamentCode.LAST_ROUND): in_new_cup(
        started, paired, done("/tiebreaks", {"tiebreaks": []} | REASON), sittings=[{"rounds": 1}]
    ),
    ("change_tiebreaks", TournamentCode.INVALID_SETUP): in_cup(
        RUNNING, body={"tiebreaks": ["wins", "wins"]} | REASON
    ),
    ("change_tiebreaks", TournamentCode.TIEBREAKS_UNCHANGED): in_new_cup(
        done("/tiebreaks", {"tiebreaks": ["wins"]} | REASON),
        done("/tiebreaks", {"tiebreaks": ["wins"]} | REASON),
    ),
    ("change_tiebreaks", TableCode.INVALID_REASON): in_cup(RUNNING, body={"tiebreaks": ["wins"]} | BLANK),
    ("pause_tournament", TournamentCode.ALREADY_PAUSED): in_cup(PAUSED),
    ("pause_tournament", TableCode.INVALID_REASON): blank_reason(RUNNING),
    ("resume_tournament", TournamentCode.NOT_PAUSED): in_cup(RUNNING),
    ("finish_tournament", TableCode.INVALID_REASON): blank_reason(RUNNING),
    ("cancel_tournament", TableCode.INVALID_REASON): blank_reason(RUNNING),
    ("end_tournament", TableCode.INVALID_REASON): in_cup(RUNNING, "root", CONFIRMED | BLANK),
    ("change_pairing", TournamentCode.PAIRING_UNCHANGED): in_new_cup(started, paired, as_it_stands),
    ("change_pairing", TournamentCode.INVALID_TABLE_SIZE): in_new_cup(
        started, paired, changes([[1, 2, 3]]), **PAIRS
    ),
    ("change_pairing", TournamentCode.INVALID_BOTS): in_new_cup(started, paired, changes([[1, 2, 3, None]])),
    ("change_pairing", TournamentCode.INVALID_BYES): in_new_cup(
        started, paired, changes([[1, 2]], [3]), sittings=[{"rounds": 1}]
    ),
    ("score_void", TournamentCode.INVALID_SCORE): in_new_cup(
        started, at_tables, voided, done("/rounds/1/boards/1/void-score", {"score": "1/3"} | REASON)
    ),
    ("score_void", TableCode.INVALID_REASON): in_new_cup(
        started, at_tables, voided, done("/rounds/1/boards/1/void-score", BLANK)
    ),
    ("change_pairing", TournamentCode.UNEVEN_TABLES): in_new_cup(
        bots(3),
        started,
        paired,
        changes([[1, 2], [3, 4, 5, 6]]),
        format="round_robin",
        seats=3,
        score_by="points",
        sittings=[{"rounds": 1}],
    ),
    ("change_pairing", TournamentCode.BYE_NOT_DUE): in_new_cup(
        started, paired, gives_the_first_bye_again, **PAIRS
    ),
    ("change_pairing", TournamentCode.OWN_BYE): in_new_cup(
        done("/entrants"),
        done("/entrants", who="dee"),
        started,
        paired,
        gives_herself_the_bye,
        rank_by="organiser",
        **PAIRS,
    ),
    ("change_pairing", TournamentCode.BRACKET_MIXED): in_new_cup(
        done("/entrants", who="dee"), started, paired, mixes_the_final, **KNOCKOUT, third_place=True
    ),
    ("change_pairing", TournamentCode.FORBIDDEN_PAIR): keeps_apart,
    ("change_pairing", SharedCode.INVALID_OPTIONS): in_new_cup(
        bots(3),
        started,
        paired,
        changes([[1, 2, 3, 4, 5, 6]]),
        game="shithead",
        seats=5,
        options={"decks": 1, "jokers": 0},
    ),
    ("open_series", SharedCode.INVALID_OPTIONS): sent(
        body=SERIES | {"seats": 6, "game": "shithead", "options": {"decks": 1, "jokers": 0}}
    ),
    ("open_series", TournamentCode.INVALID_SETUP): sent(body=SERIES | {"best_of": 2}),
    ("open_series", SeriesCode.INVALID_SERIES): sent(body=SERIES | {"points": {"places": [1, 2]}}),
    ("skip_date", NotFoundCode.DATE_NOT_FOUND): in_series("/dates/9/skip"),
    ("skip_date", SeriesCode.DATE_SETTLED): in_series("/dates/1/skip", "/dates/1/skip"),
    ("skip_date", ForbiddenCode.NOT_ORGANISER): in_series("/dates/1/skip", who="ada"),
    ("skip_date", ConflictCode.IDEMPOTENCY_KEY_REUSED): in_series(
        "/dates/1/skip", "/dates/2/skip", key="k" * 16
    ),
    ("end_series", SeriesCode.SERIES_STOPPED): in_series("/end", "/end"),
    ("end_series", ForbiddenCode.NOT_ORGANISER): in_series("/end", who="ada"),
    ("download_team_standings", NotFoundCode.NO_STANDINGS): in_cup(DRAFT),
    **changes_teams("found_team", done("/teams", {"name": "Owls"}, "ada")),
    **changes_teams("join_team", joins("ada", 2)),
    **changes_teams("set_team", puts(None)),
    ("join_team", TournamentCode.NO_TEAMS): in_new_cup(done("/team", {"code": "x"}, "ada")),
    ("found_team", ForbiddenCode.NOT_ENTERED): in_cup(ENTERING, "dee"),
    ("found_team", ForbiddenCode.NOT_ORGANISER): lambda world, _: in_new_cup(
        done("/teams", {"name": "Foxes", "entrant": world.ada.id}, "bob"), **WITH_TEAMS
    )(world, _),
    ("found_team", TournamentCode.NO_SUCH_ENTRANT): in_new_cup(
        done("/teams", {"name": "Foxes", "entrant": "nobody00"}), **WITH_TEAMS
    ),
    ("found_team", PlayerCode.NAME_RESERVED): in_cup(ENTERING, "ada", {"name": "Steady bot"}),
    ("found_team", PlayerCode.NAME_ILLEGIBLE): in_cup(ENTERING, "ada", {"name": "a  b"}),
    ("join_team", ForbiddenCode.NOT_ENTERED): in_new_cup(FOUNDS, joins("dee"), **WITH_TEAMS),
    ("join_team", ForbiddenCode.NOT_INVITED): in_new_cup(done("/team", {"code": "x"}, "ada"), **WITH_TEAMS),
    ("join_team", TournamentCode.TEAM_FULL): in_new_cup(FOUNDS, joins("bob"), joins("cy"), **WITH_TEAMS),
    ("join_team", TournamentCode.TEAM_UNCHANGED): in_new_cup(FOUNDS, joins("ada"), **WITH_TEAMS),
    ("set_team", ForbiddenCode.NOT_ORGANISER): in_new_cup(FOUNDS, puts(1, "bob"), **WITH_TEAMS),
    ("set_team", NotFoundCode.ENTRANT_NOT_FOUND): in_cup(ENTERING),
    ("set_team", TournamentCode.NO_SUCH_TEAM): in_new_cup(FOUNDS, puts(2), **WITH_TEAMS),
    ("set_team", TournamentCode.TEAM_FULL): in_new_cup(
        done("/teams", {"name": "Owls"}, "bob"), joins("cy"), puts(1), **WITH_TEAMS
    ),
    ("set_team", TournamentCode.TEAM_UNCHANGED): in_new_cup(FOUNDS, puts(1), **WITH_TEAMS),
    ("replace_team_code", ForbiddenCode.NOT_ORGANISER): in_new_cup(
        *IN_TEAMS, done("/team-code", {"team": 2}, "ada"), **WITH_TEAMS
    ),
    ("replace_team_code", TournamentCode.NO_SUCH_TEAM): in_new_cup(
        *IN_TEAMS, done("/team-code", {"team": 3}), **WITH_TEAMS
    ),
    ("replace_team_code", TournamentCode.TOURNAMENT_OVER): in_new_cup(
        *IN_TEAMS, cancelled, done("/team-code", {"team": 1}, "ada"), **WITH_TEAMS
    ),
    ("replace_team_code", TournamentCode.TOO_MANY_TEAM_CHANGES): with_patched(
        decide_teams,
        "MAX_TEAM_CODES",
        0,
        in_new_cup(*IN_TEAMS, done("/team-code", {"team": 1}, "ada"), **WITH_TEAMS),
    ),
    ("enter_tournament", TournamentCode.TOO_MANY_CHANGES): with_patched(
        decide_bounds, "MAX_BOTS_ENTERED", 0, in_cup(ENTERING, body={"policy": "random"})
    ),
    ("say_absent", TournamentCode.TOO_MANY_CHANGES): with_patched(
        decide_bounds, "MAX_ABSENCES", 0, in_new_cup(started, done("/absence", who="ada"))
    ),
    ("mark_absent", TournamentCode.TOO_MANY_CHANGES): lambda world, name: with_patched(
        decide_bounds,
        "MAX_ABSENCES",
        0,
        in_new_cup(started, done(f"/entrants/{world.ada.id}/absence", REASON)),
    )(world, name),
    ("request_bye", TournamentCode.TOO_MANY_CHANGES): lambda world, name: too_often(
        ByeAssigned, done("/byes", {"round": 1, "entrant": world.ada.id} | REASON)
    )(world, name),
    ("order_entrants", TournamentCode.TOO_MANY_CHANGES): too_often(
        EntrantsOrdered, done("/order", {"entrants": []}), rank_by="organiser"
    ),
    ("reschedule_sitting", TournamentCode.TOO_MANY_CHANGES): too_often(
        SittingRescheduled, done("/sittings/1/schedule", {"starts_at": None})
    ),
    ("change_pairing", TournamentCode.TOO_MANY_CHANGES): too_often(
        PairingChanged, started, paired, swaps, **PAIRS
    ),
    ("score_void", TournamentCode.TOO_MANY_CHANGES): too_often(
        VoidScored, started, at_tables, voided, done(f"{BOARD}/void-score", REASON)
    ),
    ("change_tiebreaks", TournamentCode.TOO_MANY_CHANGES): too_often(
        TiebreaksChanged, done("/tiebreaks", {"tiebreaks": ["wins"]})
    ),
    ("pause_tournament", TournamentCode.TOO_MANY_CHANGES): too_often(
        TournamentPaused, started, done("/pause")
    ),
    ("stop_series", SeriesCode.SERIES_STOPPED): lambda world, _: world.root.post(
        f"{ended_series(world)}/stop", CONFIRMED | REASON
    ),
    ("stop_series", TableCode.INVALID_REASON): stops_without_reason,
    ("end_series", ConflictCode.IDEMPOTENCY_KEY_REUSED): in_series("/dates/1/skip", "/end", key="k" * 16),
}
