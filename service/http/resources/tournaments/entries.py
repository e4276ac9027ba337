"""The commands of entrants: to a tournament, and to its tables before play."""

from functools import partial

from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.service.application.commands import official_intents
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.commands.intents import say_ready
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.application.limits import Limit
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply, Tag
from hoodwink.service.http.messages.forms import SeedSchema
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.messages.tournament_forms import (
    ByeSchema,
    CheckInSchema,
    EntrySchema,
    WithdrawalSchema,
)
from hoodwink.service.http.resources.access import AT_OWN_SEAT
from hoodwink.service.http.resources.admission import is_invited_to
from hoodwink.service.http.resources.commands import Commands, table_operation
from hoodwink.service.http.resources.tournaments.commands import (
    RUNNING,
    STARTED,
    TournamentCommands,
    tournament_operation,
)


class EntryResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)
        self._table_commands = Commands(service)

    @tournament_operation(
        "/entrants",
        "Enter, or enter a bot",
        "You, or the bot, have entered; if the tournament is full, you are on the waiting list. With `approval`, you have asked to "
        "enter.",
        status=201,
        body=EntrySchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ForbiddenCode.NOT_INVITED,
            ForbiddenCode.RATING_OUT_OF_BOUNDS,
            ForbiddenCode.TOO_FEW_RATED_TABLES,
            ForbiddenCode.BOTS_NOT_ALLOWED,
            ForbiddenCode.OWN_BOT_PLAYS,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.REGISTRATION_CLOSED,
            TournamentCode.TOO_LATE,
            TournamentCode.TOURNAMENT_FULL,
            TournamentCode.ENTRANT_EXPELLED,
            TournamentCode.ALREADY_ENTERED,
            TournamentCode.ENTRY_REQUESTED,
            TournamentCode.ENTRY_DECLINED,
            TournamentCode.ARBITER_PLAYS,
            TournamentCode.TOO_MANY_CHANGES,
            TableCode.BOT_SEED,
            Limit.BOTS_PER_TOURNAMENT.code,
        ),
    )
    def enter_tournament(self, call: Call) -> Reply:
        form, policy = call.form, call.form.get("policy")
        seed_commitment = form.get("seed_commitment", "")
        if policy is None:
            owners = self._service.players.owners
            entry = intents.enter(
                call.actor,
                seed_commitment=seed_commitment,
                owners=owners,
                is_invited=partial(is_invited_to, self._service, call),
                standing=partial(self._service.queries.standing_of, player=call.actor),
            )
            return self._commands.execute(call, entry)
        # Checked within the intent, because the state on which the entry is decided has the number of bots.
        bot = intents.enter_bot(
            call.actor.id,
            policy,
            seed_commitment=seed_commitment,
            admit=lambda count: self._service.limits.check(Limit.BOTS_PER_TOURNAMENT, count),
        )
        return self._commands.execute(call, bot)

    @tournament_operation(
        "/entrants/{entrant_id}/withdrawal",
        "Withdraw; officials may withdraw others",
        "The entrant is withdrawn, but finishes a table in play.",
        description="You may enter again before the start, but not later. If you only asked to enter, you no longer do. An organiser withdraws a bot without a reason. "
        "An official withdraws a player with one. The event contains a salted hash of that reason; `GET /v1/reasons/{digest}` shows the text to everybody.",
        body=WithdrawalSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ForbiddenCode.NOT_YOU,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.OWN_CONTEST,
            TableCode.INVALID_REASON,
        ),
    )
    def withdraw_entrant(self, call: Call) -> Reply:
        actor, entrant = call.actor.id, call.path["entrant_id"]
        if "reason" not in call.form:
            return self._commands.execute(call, intents.withdraw(actor, entrant))
        owners = self._service.players.owners
        return self._commands.execute_with_reason(
            call, lambda reason: official_intents.withdraw(actor, entrant, reason=reason, owners=owners)
        )

    @tournament_operation(
        "/check-in",
        "Check in for the sitting",
        "You will be paired.",
        body=CheckInSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            *RUNNING,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.CHECK_IN_CLOSED,
            TournamentCode.SEED_COMMITTED,
            TournamentCode.ALREADY_CHECKED_IN,
        ),
    )
    def check_in(self, call: Call) -> Reply:
        return self._as_entrant(call, life.CheckIn(call.actor.id, call.form.get("seed_commitment", "")))

    @tournament_operation(
        "/absence",
        "Announce that you will miss the sitting",
        "You will not be paired.",
        body=ExpectationSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            *STARTED,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.ALREADY_ABSENT,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.ALREADY_CHECKED_IN,
        ),
    )
    def say_absent(self, call: Call) -> Reply:
        return self._as_entrant(call, life.SayAbsent(call.actor.id))

    @tournament_operation(
        "/seed",
        "Reveal the seed that you committed to",
        "The seed counts from the next round that opens.",
        description="Send it within ten seconds after the event `tournament.seeds_called`; otherwise the seed counts as "
        "empty.",
        body=SeedSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            *STARTED,
            TableCode.NO_SEED_AWAITED,
            TableCode.REVEAL_OVER,
            TableCode.WRONG_SEED,
        ),
    )
    def reveal_entrant_seed(self, call: Call) -> Reply:
        return self._as_entrant(call, life.RevealEntrantSeed(call.actor.id, call.form["seed"]))

    @tournament_operation(
        "/byes",
        "Request a bye, or assign one",
        "The entrant will not be paired in that round.",
        description="Requests a bye for yourself. With `entrant`, an organiser assigns one and gives a reason. Organisers who "
        "play get at most half of a first place for a bye, and no bye in the last round.",
        body=ByeSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NO_SUCH_ENTRANT,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.NO_BYES,
            TournamentCode.ROUND_PAIRED,
            TournamentCode.NO_SUCH_ROUND,
            TournamentCode.NOT_ENTERED_YET,
            TournamentCode.LAST_ROUND,
            TournamentCode.BYE_REQUESTED,
            TournamentCode.TOO_MANY_BYES,
            TournamentCode.INVALID_SCORE,
            TournamentCode.OWN_BYE,
            TournamentCode.TOO_MANY_CHANGES,
            TableCode.INVALID_REASON,
        ),
    )
    def request_bye(self, call: Call) -> Reply:
        form = call.form
        if "entrant" not in form:
            return self._as_entrant(call, life.RequestBye(call.actor.id, form["round"]))
        score, reason = form.get("score", HALF), form.get("reason", "")
        assigned = life.AssignBye(form["entrant"], form["round"], score, reason)
        return self._commands.execute(call, intents.organise(call.actor.id, assigned))

    @table_operation(
        "/ready",
        "Say that you are ready",
        "You are ready.",
        tag=Tag.PLAY,
        description="In the pause between two rounds: the next one is dealt once everybody is ready, or when the pause is over. "
        "At a tournament's table: shows that you are present. An entrant who neither does this nor takes an action within the "
        "grace period loses the seat.",
        body=ExpectationSchema(),
        refuses=(*AT_OWN_SEAT, TableCode.NOT_AWAITED, TableCode.ALREADY_READY),
    )
    def say_ready(self, call: Call) -> Reply:
        # To the table and not to the tournament, because the table knows who has appeared.
        return self._table_commands.execute(call, say_ready(call.actor.id))

    def _as_entrant(self, call: Call, command: life.TournamentCommand) -> Reply:
        return self._commands.execute(call, intents.take_part(call.actor.id, command))
