"""The list of tournaments, and that of each player: a row for each player who takes part."""

from fractions import Fraction

import pytest

from hoodwink.domain.projections import (
    TOURNAMENTS,
    PlayerTournamentRow,
    TournamentRow,
    officiated_index,
    organised_index,
    phase_indexes,
)
from hoodwink.domain.tournaments.life import (
    UNOPENED,
    Cancel,
    DeclineOffer,
    DeclinePlace,
    Enter,
    Expel,
    Finish,
    NameArbiter,
    NameCoOrganiser,
    OfferEntries,
    OfferPlace,
    OpenRegistration,
    Pause,
    Phase,
    RemoveArbiter,
    RemoveCoOrganiser,
    Resume,
    ScoreVoid,
    Sitting,
    StartTournament,
    Tournament,
    VoidTable,
    Withdraw,
    WithdrawEntrant,
    WithdrawOffers,
    evolve,
    placings_of,
    standings_of,
    trophies_of,
)
from hoodwink.domain.tournaments.life.facts import holders_of, is_over, offered, offered_places, setup_of
from hoodwink.domain.tournaments.life.scoring import engine
from hoodwink.domain.tournaments.terms import Format
from tests.domain.projections.contents import Contents
from tests.domain.tournaments.life.test_histories import by_lot
from tests.seeds import chunks
from tests.tournaments.arenas import ArenaWorld
from tests.tournaments.histories import History
from tests.tournaments.world import World, setup

PEOPLE = ("ada", "bo", "cy", "dee", "ed", "flo")


class Lists:
    """The contents of the projection after a tournament, brought up to date at every read."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.contents = Contents()
        self.tournament: Tournament = UNOPENED

    def now(self) -> Contents:
        for recorded in self.world.log[self.tournament.version :]:
            self.tournament = evolve(self.tournament, recorded)
            if recorded.event.wire in TOURNAMENTS.event_types:
                for effect in TOURNAMENTS.project(self.tournament, recorded):
                    self.contents.apply(effect)
        return self.contents

    def listed(self) -> TournamentRow:
        row = self.now().rows["spring"]
        assert isinstance(row, TournamentRow)
        return row

    def player(self, player: str) -> PlayerTournamentRow:
        """Returns the only tournament in a player's list."""
        (key,) = self.now().listed(f"player:{player}")
        row = self.contents.rows[key]
        assert isinstance(row, PlayerTournamentRow)
        return row

    def players(self) -> dict[str, Phase]:
        """Returns the phase of the tournament in every player's list."""
        rows = self.now().rows.values()
        return {row.player: row.phase for row in rows if isinstance(row, PlayerTournamentRow)}


def registered(*players: str, bots: int = 0, **changes: object) -> Lists:
    world = World(setup(**changes))
    world.register(*players, bots=bots)
    return Lists(world)


def begun(*players: str, bots: int = 0, **changes: object) -> Lists:
    world = World(setup(**changes))
    world.begin(*players, bots=bots)
    return Lists(world)


def standing_in(contents: Contents, key: str) -> set[str]:
    return {index for index, keys in contents.indexes.items() if key in keys}


def lists_in(phase: Phase) -> set[str]:
    """Returns the lists that hold a tournament in a phase in which it is not over."""
    return {*phase_indexes(phase, "blindside"), organised_index("olga")}


# ------------------------------------------------------------------------------------------- tournaments


def test_a_draft_is_listed_by_its_phase_and_game():
    lists = Lists(World(setup()))
    assert lists.listed() == TournamentRow(
        id="spring",
        name="Spring cup",
        format=Format.SWISS,
        game="blindside",
        seats=4,
        phase=Phase.DRAFT,
        organiser="olga",
        entrants=0,
        rounds=0,
        rounds_planned=3,
        changed_at=lists.world.now,
    )
    assert standing_in(lists.now(), "spring") == lists_in(Phase.DRAFT)
    assert lists.players() == {}


def test_waiting_entrants_and_bots_are_counted():
    lists = registered("ada", "bo", "cy", bots=1, cap=2)
    assert lists.listed().entrants == 4
    lists.world.do(Withdraw("bo"))
    assert lists.listed().entrants == 3


def test_a_tournament_is_listed_only_under_its_phase():
    lists = begun(*PEOPLE)
    for command, phase in ((None, Phase.RUNNING), (Pause(), Phase.PAUSED), (Resume(), Phase.RUNNING)):
        if command is not None:
            lists.world.do(command)
        assert lists.listed().phase is phase
        assert standing_in(lists.now(), "spring") == lists_in(phase)


def test_rounds_are_counted_when_they_start():
    lists = begun(*PEOPLE)
    assert (lists.listed().rounds, lists.listed().rounds_planned) == (0, 3)
    lists.world.settle()
    assert lists.listed().rounds == 1


def test_a_computed_number_of_rounds_is_known_from_the_start():
    lists = registered("ada", "bo", "cy", "dee", format=Format.ROUND_ROBIN, seats=2, sittings=(Sitting(),))
    assert lists.listed().rounds_planned is None
    lists.world.do(StartTournament({}))
    assert lists.listed().rounds_planned == 3


def test_t_41_nobody_plans_the_number_of_waves_of_an_arena():
    lists = Lists(ArenaWorld())
    lists.world.begin(*PEOPLE)
    lists.world.settle()
    assert (lists.listed().rounds, lists.listed().rounds_planned) == (1, None)


def test_the_latest_change_is_listed_first():
    lists = registered("ada")
    lists.world.now += 5
    lists.world.do(Enter(player="bo"))
    assert lists.listed().changed_at == lists.now().indexes["phase:registration"]["spring"] == lists.world.now


# --------------------------------------------------------------------------------------- players' tournaments


def test_an_entrant_has_the_tournament_in_their_list():
    lists = registered("ada")
    assert lists.player("ada") == PlayerTournamentRow(
        player="ada",
        tournament="spring",
        name="Spring cup",
        format=Format.SWISS,
        game="blindside",
        phase=Phase.REGISTRATION,
        entered=True,
        rank=None,
        changed_at=lists.world.now,
    )
    assert standing_in(lists.now(), "ada:spring") == {"player:ada"}
    assert lists.now().indexes["player:ada"]["ada:spring"] == lists.world.now


def test_bots_have_no_lists():
    lists = begun("ada", "bo", bots=3)
    lists.world.do(Expel("bot:2", "It broke."))
    assert set(lists.players()) == {"ada", "bo"}


@pytest.mark.parametrize(
    "leaving",
    [Withdraw("bo"), WithdrawEntrant("bo", "olga", "Ill."), Expel("bo", "Rude.")],
    ids=["withdrew", "withdrawn", "expelled"],
)
def test_t_7_leaving_before_the_start_removes_it_from_the_list(leaving):
    lists = registered("ada", "bo", "cy")
    lists.world.do(leaving)
    assert set(lists.players()) == {"ada", "cy"}
    assert lists.now().listed("player:bo") == []
    lists.world.do(StartTournament({}))
    assert set(lists.players()) == {"ada", "cy"}


def test_t_7_entering_again_before_the_start_puts_it_back_on_the_list():
    lists = registered("ada", "bo")
    lists.world.do(Withdraw("bo"))
    assert set(lists.players()) == {"ada"}
    lists.world.do(Enter(player="bo"))
    assert lists.player("bo").entered


def test_bots_that_leave_before_the_start_were_in_no_list():
    lists = registered("ada", "bo", bots=2)
    lists.world.do(Withdraw("bot:1"))
    lists.world.do(Expel("bot:2", "It broke."))
    assert set(lists.players()) == {"ada", "bo"}


def test_t_3_an_entrant_still_waiting_at_the_start_loses_it_from_the_list():
    lists = registered("ada", "bo", "cy", "dee", bots=1, cap=3)
    assert set(lists.players()) == {"ada", "bo", "cy", "dee"}
    lists.world.do(StartTournament({}))
    assert set(lists.players()) == {"ada", "bo", "cy"}
    assert lists.now().listed("player:dee") == []


def test_t_3_entering_late_after_waiting_puts_it_back_on_the_list():
    lists = registered("ada", "bo", "cy", "dee", cap=3, late_until=2)
    lists.world.do(StartTournament({}))
    lists.world.do(Withdraw("ada"))
    lists.world.do(Enter(player="dee"))
    assert (lists.player("dee").phase, lists.player("dee").entered) == (Phase.RUNNING, True)


def test_t_3_a_tournament_cancelled_before_its_start_stays_on_all_lists():
    lists = registered("ada", "bo", "cy", cap=2)
    lists.world.do(Cancel("No hall."))
    assert lists.players() == dict.fromkeys(("ada", "bo", "cy"), Phase.CANCELLED)


def test_t_2_every_list_has_the_phase_of_the_tournament():
    lists = begun(*PEOPLE)
    assert lists.players() == dict.fromkeys(PEOPLE, Phase.RUNNING)
    lists.world.now += 5
    lists.world.do(Pause())
    assert lists.players() == dict.fromkeys(PEOPLE, Phase.PAUSED)
    assert lists.player("ada").changed_at == lists.world.now
    lists.world.do(Withdraw("ada"))
    assert (lists.player("ada").phase, lists.player("ada").entered) == (Phase.PAUSED, False)
    lists.world.do(Resume())
    assert lists.players() == dict.fromkeys(PEOPLE, Phase.RUNNING)
    lists.world.do(Cancel("No hall."))
    assert lists.players() == dict.fromkeys(PEOPLE, Phase.CANCELLED)


def test_t_7_leaving_after_the_start_keeps_it_on_the_list():
    lists = begun(*PEOPLE)
    lists.world.do(Withdraw("ada"))
    lists.world.do(Expel("bo", "Rude."))
    entered = {player: lists.player(player).entered for player in PEOPLE}
    assert entered == dict.fromkeys(PEOPLE, True) | {"ada": False, "bo": False}


def test_final_ranks_are_listed_and_expelled_entrants_have_none():
    lists = begun(*PEOPLE)
    lists.world.do(Expel("bo", "Rude."))
    lists.world.settle()
    assert {lists.player(player).rank for player in PEOPLE} == {None}
    lists.world.play()
    assert lists.listed().phase is Phase.FINISHED
    ranks = {player: lists.player(player).rank for player in PEOPLE}
    assert ranks == ranks_of(lists.tournament)
    assert [player for player, rank in ranks.items() if rank is None] == ["bo"]


def test_ranks_wait_for_the_last_table_after_an_early_end():
    lists = begun(*PEOPLE)
    lists.world.settle()
    lists.world.do(Finish("It is late."))
    assert (lists.player("ada").phase, lists.player("ada").rank) == (Phase.FINISHED, None)
    lists.world.end_all()
    assert {player: lists.player(player).rank for player in PEOPLE} == ranks_of(lists.tournament)


def test_t_12_a_void_after_the_end_changes_the_ranks():
    lists = begun("ada", "bo", "cy", "dee", seats=2)
    lists.world.play()
    before = {player: lists.player(player).rank for player in PEOPLE[:4]}
    for command in (VoidTable(3, 1, 1, "A leak."), ScoreVoid(3, 1, Fraction(1, 2), "Agreed.")):
        lists.world.do(command)
        assert {player: lists.player(player).rank for player in PEOPLE[:4]} == ranks_of(lists.tournament)
    assert ranks_of(lists.tournament) != before


def test_a_cancelled_tournament_has_no_ranks():
    lists = begun(*PEOPLE)
    lists.world.do(Cancel("No hall."))
    assert {lists.player(player).rank for player in PEOPLE} == {None}


# --------------------------------------------------------------------------------- in any order


def ranks_of(tournament: Tournament) -> dict[str, int | None]:
    """Returns the final ranks of people."""
    by_number = {row.entrant: row.rank for row in standings_of(tournament).rows}
    return {
        entrant.id: by_number[entrant.number] for entrant in tournament.entrants if entrant.policy is None
    }


class Followed(History):
    """A random history, whose lists are compared with its state after each step."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.lists = Lists(self.world)
        self.checked = 0

    def run(self) -> None:
        """Makes people enter and leave for a while before anything else happens."""
        self.attempt(OpenRegistration())
        for _ in range(self.chance.randrange(30)):
            self.chance.choice([self.enter, self.enter, self.leave])()
            self.check()
        super().run()

    def leave(self) -> None:
        entrant = self.someone()
        self.attempt(Withdraw(entrant) if self.chance.random() < 0.5 else Expel(entrant, "Rude."))

    def end(self) -> None:
        if self.chance.random() < 0.1:
            self.attempt(Finish("It is late."))

    def check(self) -> None:
        tournament = self.world.tournament
        if self.checked != tournament.version:
            self.checked = tournament.version
            self.check_lists(self.lists.now(), tournament)

    def check_lists(self, contents: Contents, tournament: Tournament) -> None:
        is_ranked = tournament.phase is Phase.FINISHED and tournament.is_seed_revealed
        ranks = ranks_of(tournament) if is_ranked else {}
        rows = {key: row for key, row in contents.rows.items() if isinstance(row, PlayerTournamentRow)}
        assert {
            key: (row.player, row.phase, row.entered, row.rank, row.changed_at) for key, row in rows.items()
        } == {
            f"{player}:spring": (
                player,
                tournament.phase,
                player == entrant.id and not entrant.has_left,
                ranks.get(player),
                contents.indexes[f"player:{player}"][f"{player}:spring"],
            )
            for entrant in tournament.entrants
            for player in holders_of([entrant])
        } | {
            f"{player}:spring": (
                player,
                tournament.phase,
                False,
                None,
                contents.indexes[f"unlisted:{player}"][f"{player}:spring"],
            )
            for player in self.offered()
        }
        self.check_indexes(contents, rows)

    def offered(self) -> set[str]:
        """Returns the players who are offered an entry or a place, and have no row as entrants."""
        tournament = self.world.tournament
        if is_over(tournament):
            return set()
        return {*offered(tournament), *offered_places(tournament)} - {*holders_of(tournament.entrants)}

    def check_indexes(self, contents: Contents, rows: dict[str, PlayerTournamentRow]) -> None:
        lists = {index: list(keys) for index, keys in contents.indexes.items() if keys}
        tournament = self.world.tournament
        phases = phase_indexes(tournament.phase, setup_of(tournament).game)
        officials = (*tournament.co_organisers, *tournament.arbiters)
        organised = (organised_index(tournament.organiser), *map(officiated_index, officials))
        organised = () if is_over(tournament) else organised
        trophies = trophies_of(tuple((each.player, each.place) for each in placings_of(tournament)))
        own = self.offered()
        of_players = {
            f"{'unlisted' if row.player in own else 'player'}:{row.player}": [key]
            for key, row in rows.items()
        }
        of_players |= {f"trophies:{player}": [f"{player}:spring"] for player in trophies}
        assert {row.player: row.trophy for row in rows.values() if row.trophy} == trophies
        assert lists == {name: ["spring"] for name in (*phases, *organised)} | of_players

    def check_log(self) -> None:
        """Skips the check that commands are decided alike again, which has a test of its own."""


@pytest.mark.parametrize("seeds", chunks(60, 25, first=10))
def test_every_list_agrees_with_the_tournament_after_any_history(seeds, monkeypatch):
    monkeypatch.setattr(engine, "schedule_of", by_lot)
    for seed in seeds:
        Followed(1000 + seed).run()


def test_t_23_t_50_officials_have_the_tournament_in_their_list_while_it_is_not_over():
    lists = registered()
    for command in (NameCoOrganiser("cleo"), NameArbiter("ann"), NameArbiter("bea"), RemoveArbiter("bea")):
        lists.world.do(command)
    officials = {officiated_index("cleo"), officiated_index("ann")}
    assert standing_in(lists.now(), "spring") == lists_in(Phase.REGISTRATION) | officials
    lists.world.do(RemoveCoOrganiser("cleo"))
    assert not lists.now().listed(officiated_index("cleo"))
    lists.world.do(Cancel("No hall."))
    assert not lists.now().listed(officiated_index("ann"))


@pytest.mark.parametrize("end", [DeclinePlace("eve"), Expel("ada", "Rude."), Finish("Late.")])
def test_t_19_an_offered_place_is_in_the_list_that_only_its_player_sees(end):
    lists = begun(*PEOPLE)
    lists.world.do(OfferPlace("ada", "eve", "olga", "Ill."))
    (key,) = lists.now().listed("unlisted:eve")
    row = lists.contents.rows[key]
    assert isinstance(row, PlayerTournamentRow)
    assert (row.offered, row.entered) == (True, False)
    lists.world.do(end)
    assert not lists.now().listed("unlisted:eve")
    assert key not in lists.contents.rows


def test_t_28_an_offer_is_in_the_list_that_only_its_player_sees():
    lists = registered()
    lists.world.do(OfferEntries(("ada", "bo", "cy")))
    (key,) = lists.now().listed("unlisted:ada")
    row = lists.contents.rows[key]
    assert isinstance(row, PlayerTournamentRow)
    assert (row.offered, row.entered) == (True, False)
    assert not lists.contents.listed("player:ada")

    lists.world.do(Enter(player="ada"))
    lists.world.do(DeclineOffer("bo"))
    lists.world.do(WithdrawOffers(("cy",)))

    assert set(lists.players()) == {"ada"}
    assert (lists.player("ada").offered, lists.player("ada").entered) == (False, True)
    assert standing_in(lists.contents, "ada:spring") == {"player:ada"}


def test_t_28_open_offers_follow_the_phase_and_end_with_the_tournament():
    lists = registered("ada", "bo")
    lists.world.do(OfferEntries(("cy",)))
    lists.world.do(StartTournament({}))
    assert lists.players()["cy"] is Phase.RUNNING
    lists.world.do(Finish("rain"))
    assert "cy" not in lists.players()
