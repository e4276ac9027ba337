"""Players' commands at a table, each with its permission check, as functions that return an `Intent`."""

from collections.abc import Callable
from typing import TypeAlias

from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import Action, RuleViolation, SharedCode
from hoodwink.domain.players import Player
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import ADMIN, HOST, Actor, by_player
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.rooms import free_seats
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    people_at,
    seat_of,
    seed_of,
    unrevealed,
)
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.streams.tables import Intent

Asked: TypeAlias = tuple[commands.TableCommand, Actor]


def act(player_id: str, action_for: Callable[[str], Action]) -> Intent:
    """Acts for the player's own seat; `action_for(game)` returns the action for the table's game."""

    def intent(table: Table) -> Asked:
        seat = own_seat(table, player_id)
        if seat in table.resigned:
            raise Forbidden(ForbiddenCode.RESIGNED)
        return commands.Act(seat, action_for(table.game)), by_player(seat)

    return intent


def enter(player_id: str, seat: int, action_for: Callable[[str], Action]) -> Intent:
    """Records a player's offence, which only a host without a seat may do (DB-34, DB-42)."""

    def intent(table: Table) -> Asked:
        check_host(table, player_id)
        check_seat(table, seat)
        entered = commands.Act(seat, action_for(table.game))
        # In any other phase the table's own refusal says more than a missing permission.
        if table.phase is Phase.PLAYING:
            _check_entry(table, entered)
        return entered, HOST

    return intent


def _check_entry(table: Table, entered: commands.Act) -> None:
    if table.has_host_sat:
        raise Forbidden(ForbiddenCode.HOST_IS_SEATED)
    if HOST not in allowed_actors(table, entered):
        raise Forbidden(ForbiddenCode.NOT_FOR_HOST)


def sit_down(player: Player, *, seat: int | None, seed: str = "", seed_commitment: str = "") -> Intent:
    """Seats the player; without `seat`, in the first free one."""

    def intent(table: Table) -> Asked:
        # Chosen here, not by the caller: at a repeated attempt another player may have taken the seat.
        _check_bot(table, player)
        wanted = first_free(table, player.id) if seat is None else seat
        command = commands.TakeSeat(player=player.id, seat=wanted, seed=seed, seed_commitment=seed_commitment)
        return command, by_player(wanted)

    return intent


def _check_bot(table: Table, player: Player) -> None:
    """Raises `Forbidden` for a bot at a table where nobody has asked it to sit down."""
    is_expected = player.id in (table.host, *table.offered) or seat_of(table, player.id) is not None
    if player.owner is not None and table.phase is Phase.OPEN and not is_expected:
        raise Forbidden(ForbiddenCode.BOTS_NEED_AN_OFFER)


def seat_bot(
    player_id: str, *, policy: str, seat: int | None, seed: str = "", seed_commitment: str = ""
) -> Intent:
    """Seats a bot, which only the host may do. A seed for it is passed on, because the table refuses it."""

    def intent(table: Table) -> Asked:
        check_host(table, player_id)
        wanted = first_free(table, None) if seat is None else seat
        return bot_at(wanted, policy=policy, seed=seed, seed_commitment=seed_commitment), HOST

    return intent


def bot_at(seat: int | None, *, policy: str, seed: str = "", seed_commitment: str = "") -> commands.TakeSeat:
    return commands.TakeSeat(
        player=f"bot:{policy}",
        policy=policy,
        seat=seat,
        seed=seed,
        seed_commitment=seed_commitment,
    )


def leave(player_id: str, seat: int) -> Intent:
    """Gives up the player's own seat or offer; the host may free any seat."""

    def intent(table: Table) -> Asked:
        check_seat(table, seat)
        occupant, offered_to = table.seats[seat], table.offered[seat]
        command = commands.LeaveSeat(seat) if offered_to is None else commands.WithdrawOffer(seat)
        holder = offered_to if occupant is None else occupant.player
        if holder == player_id:
            return command, by_player(seat)
        if holder is not None:  # for an empty seat, the table's own refusal is the better error
            check_host(table, player_id)
        return command, HOST

    return intent


def decline(player_id: str) -> Intent:
    """Declines the offer of a seat, if it is still open."""

    def intent(table: Table) -> Asked:
        if player_id not in table.offered:
            raise RuleViolation(TableCode.SEAT_EMPTY)
        seat = table.offered.index(player_id)
        return commands.WithdrawOffer(seat), by_player(seat)

    return intent


def offer(
    player_id: str,
    *,
    to: str,
    seat: int | None,
    exists: Callable[[str], bool],
    check: Callable[[str, Table], None] = lambda _player, _table: None,
    admit: Callable[[], None] = lambda: None,
) -> Intent:
    """Offers a seat to another player, which only the host may do.

    Args:
        player_id: the player who asks.
        to: the other player.
        seat: the seat, or `None` for the first free one.
        exists: returns whether there is such a player.
        check: called with that player and the table; raises an error if they accept no such offer.
        admit: called before the seat is offered; may raise.
    """

    def intent(table: Table) -> Asked:
        check_host(table, player_id)
        if not exists(to):
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
        check(to, table)
        # Last, so that an offer that is refused anyway does not count against the host's limit.
        admit()
        return commands.OfferSeat(to, seat), HOST

    return intent


def hand_over(player_id: str, *, to: str) -> Intent:
    """Makes another player at the table its host."""
    return _as_host(player_id, commands.ChangeHost(to))


def start(player_id: str, *, admit_bots: Callable[[], None] = lambda: None) -> Intent:
    """Begins play; `admit_bots` is called first if only bots would play, and may raise."""
    intent = _as_host(player_id, commands.StartTable())

    def admitted(table: Table) -> Asked:
        asked = intent(table)
        # Otherwise the table refuses the start, or people play: neither may count against the host's limit.
        if table.phase is Phase.OPEN and None not in table.seats and not people_at(table):
            admit_bots()
        return asked

    return admitted


def reveal_seed(player_id: str, seed: str) -> Intent:
    """Reveals the player's seed, as the seat or as the host, depending on the commitment that it fits."""

    def intent(table: Table) -> Asked:
        seat = _committed_as(table, player_id, seed)
        return commands.RevealSeed(seat, seed), HOST if seat is None else by_player(seat)

    return intent


def _committed_as(table: Table, player_id: str, seed: str) -> int | None:
    """Returns the role whose commitment the seed fits: the player's seat, or `None` for the host."""
    if table.host != player_id:
        return own_seat(table, player_id)

    # A host with a seat may have committed to two seeds, and a request does not say which one it reveals. If the
    # seed fits neither, the refusal is about one that is still awaited.
    def fitness(role: int | None) -> tuple[bool, bool, bool]:
        committed = seed_of(table, role).commitment
        return committed == commitment(seed), role in unrevealed(table), committed != ""

    seat = seat_of(table, player_id)
    return max((None,) if seat is None else (seat, None), key=fitness)


def say_ready(player_id: str) -> Intent:
    """Declares that the player is ready for the next round, or present at a table of a tournament."""
    return _at_own_seat(player_id, commands.SayReady)


def close(player_id: str) -> Intent:
    """Ends a table for its host, if it has not started or only bots ever played there (G-14, G-17)."""

    def intent(table: Table) -> Asked:
        command, by = _as_host(player_id, commands.CloseTable())(table)
        if by not in allowed_actors(table, command):
            raise RuleViolation(
                TableCode.TABLE_STARTED,
                "People have played here, so only an administrator may end the table.",
            )
        return command, by

    return intent


def end(table: Table) -> Asked:
    """Ends an abandoned table for an administrator (G-17). The caller has to check that one asks."""
    if table.phase is Phase.OPEN:
        raise RuleViolation(TableCode.TABLE_NOT_STARTED)
    return commands.CloseTable(), ADMIN


def depart(player_id: str) -> Intent:
    """Gives up everything at a table: resigns, or before the start closes it as its host, or leaves a seat or an offer."""

    def intent(table: Table) -> Asked:
        # The table may have started since the caller looked, so the current phase decides how to leave it.
        if table.phase is not Phase.OPEN:
            return resign(player_id)(table)
        if table.host == player_id:
            return close(player_id)(table)
        if player_id in table.offered:
            return decline(player_id)(table)
        return leave(player_id, own_seat(table, player_id))(table)

    return intent


def resign(player_id: str) -> Intent:
    return _at_own_seat(player_id, commands.Resign)


def take_back(player_id: str) -> Intent:
    """Takes back the player's last action."""
    return _at_own_seat(player_id, commands.TakeBack)


def come_back(player_id: str) -> Intent:
    """Takes the seat back from the bot that played for it."""
    return _at_own_seat(player_id, commands.Return)


def claim(player_id: str, seat: int) -> Intent:
    """Lets a bot take over the seat of a player who is away, which any other player at the table may ask for."""

    def intent(table: Table) -> Asked:
        own = own_seat(table, player_id)
        check_seat(table, seat)
        if own in table.resigned:
            raise Forbidden(ForbiddenCode.RESIGNED)
        if own == seat and table.phase is Phase.PLAYING:
            raise RuleViolation(TableCode.OWN_SEAT)
        return commands.ClaimSeat(seat), by_player(own)

    return intent


def void(administrator: str, reason: str) -> Intent:
    """Voids the result of a table. The caller has to check that an administrator asks."""
    return lambda _: (commands.VoidTable(administrator, reason), ADMIN)


def own_seat(table: Table, player_id: str) -> int:
    """Returns the player's seat; raises `Forbidden` for a player without one."""
    seat = seat_of(table, player_id)
    if seat is None:
        raise Forbidden(ForbiddenCode.NOT_SEATED)
    return seat


def check_host(table: Table, player_id: str) -> None:
    """Raises `Forbidden` unless the player is the table's host."""
    if table.host != player_id:
        raise Forbidden(ForbiddenCode.NOT_HOST)


def check_seat(table: Table, seat: int) -> None:
    """Raises `NotFound` unless the table has the seat."""
    if seat >= len(table.seats):
        raise NotFound(SharedCode.NO_SUCH_SEAT)


def first_free(table: Table, player_id: str | None) -> int | None:
    """Returns the first seat that a player, or a bot (`None`), may take."""
    return next(iter(free_seats(table, player_id)), None)


def _as_host(player_id: str, command: commands.TableCommand) -> Intent:
    def intent(table: Table) -> Asked:
        check_host(table, player_id)
        return command, HOST

    return intent


def _at_own_seat(player_id: str, command: Callable[[int], commands.TableCommand]) -> Intent:
    def intent(table: Table) -> Asked:
        seat = own_seat(table, player_id)
        return command(seat), by_player(seat)

    return intent
