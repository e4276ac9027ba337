"""The error codes of tables; see `RuleViolation`."""

from hoodwink.domain.kernel import RuleCode


class TableCode(RuleCode):
    """The error codes of tables, in addition to those of the game."""

    # opening
    TABLE_EXISTS = ("table_exists", "The table is already open.")
    UNKNOWN_GAME = ("unknown_game", "There is no such game.")
    UNKNOWN_EDITION = ("unknown_edition", "There is no such edition of the fairness protocol.")
    NOTHING_TO_PLAY = (
        "nothing_to_play",
        "The last round was over by that version; choose an earlier version.",
    )
    TOO_MANY_FORKS = (
        "too_many_forks",
        "This table ends a chain of forks that is as long as allowed; open a new table.",
    )
    PARENT_TOO_LONG = (
        "parent_too_long",
        "The parent's log is too long for a fork at that version; choose an earlier version.",
    )
    UNLISTED_UNRATED = (
        "unlisted_unrated",
        "Only a public table that everyone may watch can be rated; open it unrated, or to everyone.",
    )
    NOT_A_FORK = ("not_a_fork", "The table names a parent but contains nothing of its log.")

    # phase
    TABLE_NOT_STARTED = ("table_not_started", "The table has not started.")
    TABLE_STARTED = ("table_started", "The table has started; this was possible only before.")
    TABLE_OVER = ("table_over", "The table is over.")

    # seats
    ALREADY_SEATED = ("already_seated", "You already have a seat at this table.")
    TABLE_FULL = ("table_full", "Every seat is taken, or offered to somebody else.")
    SEAT_TAKEN = ("seat_taken", "The seat is taken; choose another one.")
    SEAT_OFFERED = (
        "seat_offered",
        "The seat is offered to another player; choose another one, or ask the host to free it.",
    )
    PLAYER_SEATED = (
        "player_seated",
        "That player already has a seat at this table, or an offer of one.",
    )
    NO_NEW_HOST = (
        "no_new_host",
        "The new host must be another player who has a seat here and has not resigned.",
    )
    HOST_IS_NEW = (
        "host_is_new",
        "The host took over less than a minute ago; try again when the minute is over.",
    )
    SEAT_EMPTY = ("seat_empty", "Nobody sits there.")
    SEATS_EMPTY = ("seats_empty", "Every seat must be taken before the table starts.")
    NOT_YOUR_SEAT = ("not_your_seat", "Another player sits there.")
    NOT_A_PERSON = ("not_a_person", "A bot holds that seat; this is for players only.")

    # seeds
    TWO_SEEDS = ("two_seeds", "Give a seed, or a commitment to one, but not both.")
    BOT_SEED = ("bot_seed", "A bot has no seed; seat it without one.")
    INVALID_COMMITMENT = (
        "invalid_commitment",
        "A commitment is the SHA-256 of the seed as 64 lower-case hex digits.",
    )
    INVALID_SEED = ("invalid_seed", "A committed seed has 32 to 64 lower-case hex digits.")
    WRONG_SEED = ("wrong_seed", "This is not the seed that you committed to.")
    NO_SEED_AWAITED = (
        "no_seed_awaited",
        "No seed was committed to here, so there is none to reveal.",
    )
    ALREADY_REVEALED = ("already_revealed", "This seed has already been revealed.")
    REVEAL_OVER = ("reveal_over", "The ten seconds to reveal the seed are over; it counts as empty.")
    REVEAL_RUNNING = ("reveal_running", "The seed may still be revealed.")
    SEEDS_AWAITED = (
        "seeds_awaited",
        "Play begins when every committed seed has been revealed, or after ten seconds at most.",
    )

    # play
    WRONG_GAME = ("wrong_game", "This action belongs to another game than the one that the table plays.")
    TAKE_BACKS_OFF = ("take_backs_off", "At this table no action can be taken back.")
    ALREADY_TAKEN_BACK = (
        "already_taken_back",
        "You have already taken an action back in this turn; you can do so once.",
    )
    NOTHING_TO_TAKE_BACK = (
        "nothing_to_take_back",
        "You can take back only the last action at the table, if it was yours and showed you nothing new.",
    )
    TAKE_BACK_OVER = ("take_back_over", "The time to take this action back is over.")
    QUIET_TABLE = (
        "quiet_table",
        "At rated tables and in tournaments, players say nothing during a round, because that could tell others about cards.",
    )
    UNKNOWN_SAYING = ("unknown_saying", "Players of this game cannot say that.")
    NOT_TO_NUDGE = (
        "not_to_nudge",
        "You can nudge another player once in each of their turns, when the turn has lasted for 20 seconds.",
    )
    ALREADY_RESIGNED = ("already_resigned", "You have already resigned.")
    NOT_AWAY = ("not_away", "No bot plays for your seat, so there is nothing to take back.")
    NOT_AWAITED = (
        "not_awaited",
        "Nobody is waiting for this player: all may have appeared, and no pause between rounds is running.",
    )
    ALREADY_READY = ("already_ready", "You have already said that you are ready for the next round.")
    NOT_CLAIMABLE = (
        "not_claimable",
        "The player at that seat is not away; a seat can be claimed after its turn clock has run out.",
    )
    ALREADY_KEPT = ("already_kept", "A bot already plays for that seat.")
    OWN_SEAT = ("own_seat", "That is your own seat; you can claim only the seat of another player.")
    GRACE_RUNNING = ("grace_running", "The entrants may still appear.")
    NO_TOURNAMENT = ("no_tournament", "There is no such tournament, or the table belongs to none.")
    CLOCK_RUNNING = ("clock_running", "The seat's clock has not run out.")
    NO_FORCED_OFFENCE = (
        "no_forced_offence",
        "A bot that moves after a clock ran out never commits an offence.",
    )
    NO_DEAL_DUE = ("no_deal_due", "There is no round to deal now.")
    PAUSE_RUNNING = ("pause_running", "The pause after the round is running, and not everybody is ready.")
    NO_SCORE_DUE = ("no_score_due", "There is no round to score now.")
    NO_CLOCK_MOVED = (
        "no_clock_moved",
        "No deadline was running during that outage, or the outage has already moved it.",
    )
    ROUND_CAN_END = ("round_can_end", "The round can still be played to its end.")
    NOT_A_BEGINNING = ("not_a_beginning", "No command begins with this event.")

    # rematches
    NO_REMATCH = (
        "no_rematch",
        "Only a table that was started has a rematch, and no table of a tournament has one.",
    )
    REMATCH_OPENED = ("rematch_opened", "The table already has a rematch.")

    # administrators
    TABLE_NOT_OVER = ("table_not_over", "This is available only after the table has ended.")
    ALREADY_VOIDED = ("already_voided", "The table has already been voided.")
    NOTHING_TO_VOID = (
        "nothing_to_void",
        "The table has neither a result nor a scored round, so there is nothing to void.",
    )
    INVALID_ADMIN = (
        "invalid_admin",
        "An administrator's name begins with a letter or digit and has up to 32 lower-case letters, digits, full stops, underscores and hyphens.",
    )
    INVALID_REASON = (
        "invalid_reason",
        "A reason is needed: 1 to 500 characters on one line, and not only blanks.",
    )

    # advice
    NO_REVIEW = ("no_review", "There is no review in this game, because its bots cannot think ahead.")
    NO_HINTS = (
        "no_hints",
        "Hints are only for somebody who plays against bots alone, at a table that was opened unrated.",
    )
