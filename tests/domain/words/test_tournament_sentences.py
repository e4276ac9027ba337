"""The sentences of all events of tournaments."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.players import SOMEONE_WHO_LEFT
from hoodwink.domain.tournaments.crosstable import Unplayed, Why
from hoodwink.domain.tournaments.life import Admission, Visibility
from hoodwink.domain.tournaments.life import events as at
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS
from hoodwink.domain.tournaments.life.evolving.evolve import applied
from hoodwink.domain.tournaments.life.setup import ArenaTimes, Setup, Sitting
from hoodwink.domain.tournaments.life.state import (
    Applicant,
    Deal,
    Match,
    PairedRound,
    Participant,
    Tournament,
)
from hoodwink.domain.tournaments.terms import Compare, Format, Tiebreak
from hoodwink.domain.words import Cast, entrant_names, tournament_sentence

SETUP = Setup(name="The Cup", format=Format.SWISS, game="blindside", seats=3, sittings=(Sitting(rounds=1),))
NAMES = {"a": "Ada", "b": "Bob", "c": "Cy", "d": "Dan", "dee": "Dee", "gone": "Eve"}.__getitem__
HASH = "sha256:" + "0" * 64
ANNULLED = "The organiser ruled that the result of board 2 of round 1 does not count: each entrant scores "
ADA, BOB = Participant(id="a", number=1), Participant(id="b", number=2)
BOT, TWIN = (
    Participant(id="bot:1", policy="random", number=3),
    Participant(id="bot:2", policy="random", number=4),
)


def match(number: int, *deals: Any) -> Match:
    return Match(number=number, deals=tuple(Deal(seats=seats) for seats in deals))


CUP = Tournament(
    id="cup",
    organiser="o",
    arbiters=("d",),
    co_organisers=("c",),
    setup=SETUP,
    entrants=(ADA, BOB, BOT, TWIN),
    gone=(Participant(id="gone"), Participant(id="bot:9", policy="random")),
    applicants=(Applicant(id="dee"),),
    rounds=(
        PairedRound(
            number=1,
            sitting=1,
            matches=(match(1, (1, 2, None), (2, 1)), match(2, (3, 4))),
            unplayed=(),
            absent=(),
            objective=(),
            bracket=(),
            seeds=(),
            proposed_tables=(),
            proposed_byes=(),
            opened_at=9,
        ),
    ),
)


def entered(**changes: Any) -> at.Entered:
    fields = {
        "entrant": "a",
        "policy": None,
        "seed_commitment": "",
        "number": 0,
        "from_round": 1,
    }
    return at.Entered(**(fields | changes))


def opened(**changes: Any) -> at.RoundOpened:
    fields: dict[str, Any] = {
        "round": 1,
        "sitting": 1,
        "early": False,
        "reason": "",
        "tables": ((1, 2, None),),
        "absent": (),
        "unplayed": (),
        "objective": (),
        "relaxed": (),
        "explanations": (),
        "bracket": (),
    }
    return at.RoundOpened(**(fields | changes))


def reported(**changes: Any) -> at.TableReported:
    fields: dict[str, Any] = {
        "round": 1,
        "board": 1,
        "deal": 1,
        "table": "t1",
        "version": 9,
        "head": "f",
        "outcome": "played_out",
        "places": (2, 1, 3),
        "points": (1, 2, 0),
        "no_shows": (),
        "resigned": (),
        "by_bot": (),
    }
    return at.TableReported(**(fields | changes))


def unplayed(why: Why) -> Unplayed:
    return Unplayed(entrant=2, why=why, score=Fraction(0))


EXAMPLES = [
    (
        at.TournamentOpened("cup", "olga", SETUP, "c", "??", 1),
        "The Cup was opened: a Swiss tournament of Blindside at tables of 3.",
    ),
    (
        at.DuplicateChosen(Compare.MATCHPOINTS),
        "All tables of a round play the same deal, and each seat is compared by matchpoints.",
    ),
    (
        at.DuplicateChosen(Compare.MARGIN),
        "All tables of a round play the same deal, and each seat is compared by its lead, less a part of the mean lead of others.",
    ),
    (
        at.DealsChosen(3),
        "The same opponents play 3 rounds in a row.",
    ),
    (
        at.DuplicateChosen(Compare.DIFFERENCE),
        "All tables of a round play the same deal, and each seat is compared by the difference from the mean of the others.",
    ),
    (
        at.AdmissionChosen(Admission(visibility=Visibility.UNLISTED)),
        "The tournament is in no list; everybody who has its address sees it.",
    ),
    (
        at.AdmissionChosen(Admission(visibility=Visibility.PRIVATE)),
        "Only entrants, officials and invited people see the tournament.",
    ),
    (
        at.AdmissionChosen(Admission(invited_only=True)),
        "Players need the invitation code to enter.",
    ),
    (at.AdmissionChosen(Admission(approval=True)), "The organiser accepts or declines each entry."),
    (
        at.AdmissionChosen(Admission(min_rating=5, max_rating=20, min_rated_tables=1)),
        "Players need a rating of at least 5. Players may have a rating of at most 20. Players need 1 rated table of the game.",
    ),
    (at.EntryRequested("dee", ""), "Dee asked to enter."),
    (at.EntryRequested("dee", "c"), "Dee asked to enter and committed to a seed."),
    (at.EntryAccepted("a"), "The organiser accepted Ada."),
    (at.EntryDeclined("dee"), "The organiser declined Dee."),
    (at.EntriesOffered(("x",)), "The organiser offered an entry to 1 player."),
    (at.OffersWithdrawn(("x", "y")), "The organiser took back 2 offers of an entry."),
    (at.OfferDeclined("x"), "A player declined the offer of an entry."),
    (at.RequestWithdrawn("gone"), "Eve no longer asks to enter."),
    (at.InvitationReplaced(), "The organiser replaced the invitation code."),
    (
        at.SeriesJoined("k3x9abcd", 4),
        "This is tournament 4 of a series.",
    ),
    (
        at.ArenaChosen(45, 1),
        "The arena lasts 45 minutes. Tables in play at the bell count if they end within 1 minute.",
    ),
    (at.BellRung(), "The bell rang: no more tables are opened."),
    (at.OvertimeEnded(), "The tables that were left did not end in time and do not count."),
    (
        at.TableSealed(1, 2, "t2", "ab"),
        "Board 2 of round 1 ended; the results follow when all tables have ended.",
    ),
    (at.DealReleased(1, 1), "All tables of deal 1 in round 1 have ended, so everybody may see them."),
    (at.RegistrationOpened(), "Registration opened."),
    (entered(), "Ada entered."),
    (entered(seed_commitment="c"), "Ada entered and committed to a seed."),
    (entered(number=1, from_round=3), "Ada entered as number 1, from round 3 on."),
    (entered(entrant="gone"), "Eve entered."),
    (entered(entrant="bot:1", policy="random"), "The organiser entered Random bot (3)."),
    (at.EntrantWithdrew("a", 1), "Ada withdrew."),
    (
        at.EntrantExpelled("a", 1, "Looked at other hands."),
        "The organiser expelled Ada: Looked at other hands.",
    ),
    (
        at.EntrantsOrdered(("b", "a", "gone")),
        ("The organiser set the order of the starting ranks: Bob, Ada and Eve come first."),
    ),
    (at.EntrantsOrdered(()), "The organiser set the order of the starting ranks: that of arrival."),
    (
        at.TournamentStarted({}, ("a", "b", "bot:1"), 1, ()),
        "The tournament started with 3 entrants and 1 round. Starting ranks: 1 Ada, 2 Bob, 3 Random bot (3).",
    ),
    (at.TeamsChosen(4, 4), "Entrants play for teams of up to 4, and every entrant counts."),
    (at.TeamsChosen(4, 3), "Entrants play for teams of up to 4, and the best 3 of each team count."),
    (at.TeamChosen("a", 1, HASH), "Ada founded team 1."),
    (at.TeamChosen("b", 1, ""), "Bob joined team 1."),
    (at.TeamChosen("b", None, ""), "Bob left their team."),
    (at.TeamCodeReplaced(1), "The organiser replaced the code of team 1."),
    (at.CheckInOpened(2, 5), "Check-in for sitting 2 opened."),
    (at.CheckedIn("a", 2, ""), "Ada checked in for sitting 2."),
    (at.CheckedIn("a", 2, "c"), "Ada checked in for sitting 2 and committed to a new seed."),
    (at.SaidAbsent("a", 2), "Ada will miss sitting 2."),
    (at.ArbiterNamed("d"), "The organiser made Dan an arbiter."),
    (at.ArbiterRemoved("d"), "Dan is no longer an arbiter."),
    (at.PlaceOffered("a", "gone", "c", HASH), "The co-organiser Cy offered the place of Ada to Eve."),
    (at.PlaceDeclined("a", "gone"), "Eve does not take the place of Ada."),
    (at.EntrantSubstituted("a", "gone", 2, ""), "Eve took over the place of Ada from round 3 on."),
    (
        at.EntrantSubstituted("a", "gone", 0, "c"),
        "Eve took over the place of Ada from round 1 on and committed to a seed.",
    ),
    (at.AbsenceReversed("a", HASH), "An administrator reversed the decision that Ada is absent."),
    (at.WithdrawalReversed("a", HASH), "An administrator reversed the withdrawal of Ada, who plays on."),
    (
        at.SubstitutionReversed("gone", "a", 2, HASH),
        "An administrator reversed a substitution: Ada has the place of Eve again from round 3 on.",
    ),
    (at.AddedRoundsReversed(2, HASH), "An administrator took back 2 added rounds."),
    (at.CoOrganiserNamed("c"), "The organiser made Cy a co-organiser."),
    (at.CoOrganiserRemoved("c"), "Cy is no longer a co-organiser."),
    (at.MarkedAbsent("a", 2, "c", HASH), "The co-organiser Cy marked Ada as absent from sitting 2."),
    (at.MarkedAbsent("a", 2, "d", HASH), "The arbiter Dan marked Ada as absent from sitting 2."),
    (at.TableStopped(1, 2, 1, "d", HASH), "The arbiter Dan ended board 2 of round 1."),
    (at.Described("o", HASH), "The organiser changed the description."),
    (at.Described("o", ""), "The organiser removed the description."),
    (at.Announced("d", HASH), "The arbiter Dan made an announcement."),
    (at.RoundsAdded(1, "o", HASH), "The organiser added 1 round."),
    (at.RoundsAdded(2, "o", HASH), "The organiser added 2 rounds."),
    (at.MarkedAbsent("a", 2, "o", HASH), "The organiser marked Ada as absent from sitting 2."),
    (at.EntrantWithdrawn("a", 1, "o", HASH), "The organiser withdrew Ada."),
    (
        at.SeedsCalled(2, ("a", "b"), early=False, reason=""),
        "Round 2 is next. These entrants have ten seconds to reveal their seeds: Ada and Bob.",
    ),
    (
        at.SeedsCalled(2, ("a",), early=True, reason="It is late."),
        (
            "Round 2 is next. These entrants have ten seconds to reveal their seeds: Ada. The organiser goes on although "
            "tables are unfinished: It is late."
        ),
    ),
    (at.EntrantSeedRevealed("a", "5eed"), "Ada revealed the seed they had committed to."),
    (at.EntrantSeedsMissed(("a", "b")), "Ada and Bob did not reveal a seed in time; it counts as empty."),
    (at.ByeRequested("a", 3), "Ada asked for a bye in round 3."),
    (
        at.ByeAssigned("a", 3, Fraction(1, 2), "Jury duty."),
        "The organiser gave Ada a bye in round 3 that scores 1/2: Jury duty.",
    ),
    (opened(), "Round 1 was paired. Board 1: Ada, Bob and a bot."),
    (opened(tables=()), "Round 1 was paired."),
    (
        opened(tables=((1, 2), (3, 4))),
        "Round 1 was paired. Board 1: Ada and Bob; board 2: Random bot (3) and Random bot (4).",
    ),
    (
        opened(relaxed=("A rematch.",), early=True, reason="It is late."),
        (
            "Round 1 was paired. Board 1: Ada, Bob and a bot. Rules were relaxed: A rematch. The organiser went on "
            "although tables are unfinished: It is late."
        ),
    ),
    *[
        (opened(tables=(), unplayed=(unplayed(why),)), f"Round 1 was paired. Bob {said}.")
        for why, said in (
            (Why.PAIRING_BYE, "has a bye"),
            (Why.REQUESTED_BYE, "has the bye that they asked for"),
            (Why.ASSIGNED_BYE, "has a bye from the organiser"),
            (Why.ABSENT, "is absent"),
            (Why.LATE, "has not entered yet"),
        )
    ],
    (
        at.PairingChanged(1, ((1, 2),), (3,), "They asked.", (), ()),
        (
            "The organiser changed the pairing of round 1. Board 1: Ada and Bob. Random bot (3) has a bye. "
            "Reason: They asked."
        ),
    ),
    (at.PairingDropped(1), "The pairing of round 1 was discarded."),
    (at.RoundStarted(1), "Round 1 started."),
    (at.TablesOpened(("t1",)), "1 table opened."),
    (at.SeatGivenUp("a", "t1"), "The seat of Ada was resigned, because the organiser expelled them."),
    (reported(), "Board 1 of round 1 ended. Places: 1st Bob, 2nd Ada, 3rd a bot."),
    (
        reported(deal=2, places=(1, 2), points=(1, 0), no_shows=(1,)),
        "Board 1 of round 1, deal 2, ended. Places: 1st Bob, 2nd Ada. Ada did not appear.",
    ),
    (
        reported(by_bot=(0,), resigned=(0, 1)),
        "Board 1 of round 1 ended. Places: 1st Bob, 2nd Ada, 3rd a bot. A bot took most of the turns of Ada.",
    ),
    (
        reported(board=2, outcome="abandoned", places=None, points=None),
        "Board 2 of round 1 ended without a result.",
    ),
    (
        at.DealAdded(1, 1, 2, (2, 1), ()),
        "Bob and Ada are tied at board 1 of round 1 and play another deal.",
    ),
    (at.RoundCompleted(1), "Round 1 is complete."),
    (
        at.TableVoided(1, 2, 1, "The wrong deck."),
        "An administrator took back the result of board 2 of round 1: The wrong deck.",
    ),
    (
        at.VoidScored(1, 2, Fraction(1), "Both led."),
        "The organiser gave each entrant of the voided board 2 of round 1 a score of 1: Both led.",
    ),
    (
        at.TableStopped(1, 2, 1, "o", HASH),
        "The organiser ended board 2 of round 1.",
    ),
    (
        at.ResultRuled(1, 1, "o", (1, None, 2), None, None, HASH),
        "The organiser ruled on board 1 of round 1. Places: 1st Ada, 2nd a bot. Bob counts as absent.",
    ),
    (
        at.ResultRuled(1, 1, "o", (None, None, 1), (-4, 0, 4), None, HASH),
        "The organiser ruled on board 1 of round 1. Places: 1st a bot. Points: a bot 4. Ada and Bob count as absent.",
    ),
    (
        at.ResultRuled(1, 1, "o", (None, None, 1), None, None, HASH),
        "The organiser ruled on board 1 of round 1. Places: 1st a bot. Ada and Bob count as absent.",
    ),
    (
        at.ResultRuled(1, 2, "o", None, None, None, HASH),
        ANNULLED + "half of a first place.",
    ),
    (
        at.ResultRuled(1, 2, "o", None, None, Fraction(0), HASH),
        ANNULLED + "0.",
    ),
    (
        at.RulingReversed(1, 2, HASH),
        "An administrator reversed the ruling on board 2 of round 1: the result of the table counts.",
    ),
    (
        at.TiebreaksChanged((Tiebreak.BUCHHOLZ, Tiebreak.WINS), "As announced."),
        "The organiser changed the tie-breaks; they are now: Buchholz, then Wins. Reason: As announced.",
    ),
    (at.TiebreaksChanged((), ""), "The organiser changed the tie-breaks; they are now: none."),
    (at.SittingRescheduled(2, 5, "The hall is taken."), "Sitting 2 has a new time: The hall is taken."),
    (at.SittingRescheduled(2, None, ""), "Sitting 2 no longer has a set time."),
    (at.TournamentPaused("Supper."), "The organiser paused the tournament: Supper."),
    (at.TournamentPaused(""), "The organiser paused the tournament."),
    (
        at.ClocksMoved(1_000, 4_900),
        "The service was away for 4 seconds; all clocks were paused for that time.",
    ),
    (at.TournamentResumed(), "The organiser resumed the tournament."),
    (at.TournamentFinished(""), "The tournament is finished."),
    (at.TournamentCancelled("It rains."), "The service cancelled the tournament: It rains."),
    (
        at.SeedRevealed("5eed"),
        "The server seed was revealed, so anybody can recompute every draw, and the seed of each table.",
    ),
]


@pytest.mark.parametrize(("event", "said"), EXAMPLES, ids=lambda value: getattr(value, "wire", ""))
def test_an_event_of_a_tournament_is_a_sentence(event, said):
    assert tournament_sentence(event, Cast(CUP, NAMES), by="worker") == said


def test_every_kind_of_a_tournaments_event_has_an_example():
    assert {type(event) for event, _ in EXAMPLES} == set(TOURNAMENT_EVENTS)


def test_t_34_a_sentence_names_the_entrant_who_replaced_a_code():
    said = tournament_sentence(at.TeamCodeReplaced(2), Cast(CUP, NAMES), by="entrant:b")
    assert said == "Bob replaced the code of team 2."


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (at.EntrantWithdrew("bot:1", 1), "The organiser withdrew Random bot (3)."),
        (at.EntrantWithdrew("bot:9", 0), "The organiser withdrew Random bot (bot 9)."),
        (at.TeamChosen("b", 1, HASH), "The organiser founded team 1 for Bob."),
        (at.TeamChosen("b", 1, ""), "The organiser put Bob into team 1."),
        (at.TeamChosen("b", None, ""), "The organiser took Bob out of their team."),
        (at.TournamentFinished("It is late."), "The organiser finished the tournament: It is late."),
        (at.TournamentFinished(""), "The organiser finished the tournament."),
    ],
)
def test_a_sentence_names_the_organiser_who_acted(event, said):
    assert tournament_sentence(event, Cast(CUP, NAMES), by="organiser") == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (at.EntrantExpelled("a", 1, "No."), "The co-organiser Cy expelled Ada: No."),
        (at.EntrantWithdrew("bot:1", 1), "The co-organiser Cy withdrew Random bot (3)."),
        (at.TournamentFinished(""), "The co-organiser Cy finished the tournament."),
        (at.ArbiterRemoved("d"), "Dan is no longer an arbiter, by decision of the co-organiser Cy."),
    ],
)
def test_t_50_a_sentence_names_the_co_organiser_who_acted(event, said):
    assert tournament_sentence(event, Cast(CUP, NAMES), by="co_organiser:c") == said


def test_a_sentence_names_the_administrator_who_ended_a_tournament():
    event = at.TournamentCancelled("Nobody plays.")
    said = "An administrator cancelled the tournament: Nobody plays."
    assert tournament_sentence(event, Cast(CUP, NAMES), by="admin") == said


def test_the_start_of_an_arena_says_no_number_of_rounds():
    arena = replace(CUP, arena=ArenaTimes(45, 1))
    event = at.TournamentStarted({}, ("a", "b"), 500, ())
    said = "The tournament started with 2 entrants. Starting ranks: 1 Ada, 2 Bob."
    assert tournament_sentence(event, Cast(arena, NAMES), by="organiser") == said


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ({"left_after": 0}, " Bob has withdrawn."),
        ({"left_after": 0, "is_expelled": True}, " Bob was expelled."),
        ({}, ""),
        ({"left_after": 1}, ""),
    ],
    ids=["withdrawn", "expelled", "knocked out", "knocked out, left later"],
)
def test_the_sentence_of_a_pairing_names_departed_entrants_but_none_knocked_out(left, said):
    cup = replace(CUP, entrants=(ADA, replace(BOB, **left), BOT, TWIN))
    event = opened(tables=(), unplayed=(unplayed(Why.WITHDRAWN),))

    assert tournament_sentence(event, Cast(cup, NAMES), by="worker") == f"Round 1 was paired.{said}"


@pytest.mark.parametrize(
    ("event", "by", "said"),
    [
        (at.EntrantWithdrew("d", 0), "entrant:d", "Dan withdrew."),
        (at.EntrantWithdrew("d", 0), "organiser", "The organiser withdrew Dan."),
        (at.EntrantExpelled("d", 0, "No."), "organiser", "The organiser expelled Dan: No."),
    ],
)
def test_an_entrant_who_leaves_before_the_start_is_named(event, by, said):
    draft = Tournament(setup=SETUP)
    for earlier in (entered(), entered(entrant="d"), event):
        draft = applied(draft, earlier, 0)

    assert tournament_sentence(event, Cast(draft, NAMES), by=by) == said
    assert tournament_sentence(at.EntrantsOrdered(("d", "a")), Cast(draft, NAMES), by="organiser").endswith(
        ": Dan and Ada come first."
    )
    back = applied(draft, entered(entrant="d"), 0)
    assert tournament_sentence(event, Cast(back, NAMES), by=by) == said
    assert tournament_sentence(event, Cast(applied(back, event, 0), NAMES), by=by) == said


def test_a_sentence_that_starts_with_a_departed_player_has_a_capital():
    said = tournament_sentence(
        at.EntrantWithdrew("a", 1), Cast(CUP, lambda _: SOMEONE_WHO_LEFT), by="entrant:a"
    )

    assert said == "Someone who left (1) withdrew."


def test_equal_names_are_distinguished_by_rank_or_before_the_start_by_id():
    waiting = Tournament(setup=SETUP, entrants=(Participant(id="x"), Participant(id="y")))

    said = tournament_sentence(entered(entrant="y"), Cast(waiting, lambda _: "Ada"), by="entrant:y")

    assert said == "Ada (y) entered."
    assert entrant_names(CUP, lambda _: "Ada") == {
        1: "Ada (1)",
        2: "Ada (2)",
        3: "Random bot (3)",
        4: "Random bot (4)",
    }


def test_entrants_are_named_by_starting_rank():
    assert entrant_names(CUP, NAMES) == {1: "Ada", 2: "Bob", 3: "Random bot (3)", 4: "Random bot (4)"}
