"""Why a tournament refuses a command; see `RuleViolation`. Codes shared with tables are `TableCode`s."""

from hoodwink.domain.kernel import RuleCode


class TournamentCode(RuleCode):
    """What the rules of tournaments forbid."""

    # of opening and settings
    TOURNAMENT_EXISTS = ("tournament_exists", "The tournament has been opened already.")
    INVALID_SETUP = (
        "invalid_setup",
        "A setting is not allowed, or does not fit another one.",
    )
    NO_START = (
        "no_start",
        "A `starts_at` is missing; with `advance: schedule`, every sitting must have one.",
    )
    TIEBREAKS_UNCHANGED = (
        "tiebreaks_unchanged",
        "The tournament has exactly these tie-breaks already; send the ones that it should have.",
    )

    # of the phase
    REGISTRATION_OPEN = ("registration_open", "Registration has been opened already.")
    REGISTRATION_CLOSED = (
        "registration_closed",
        "Registration has not opened; wait for the organiser to open it.",
    )
    TOURNAMENT_STARTED = (
        "tournament_started",
        "The tournament has started; this was possible only before.",
    )
    TOURNAMENT_NOT_STARTED = ("tournament_not_started", "The tournament has not started.")
    TOURNAMENT_PAUSED = ("tournament_paused", "The tournament is paused; it must be resumed first.")
    ALREADY_PAUSED = ("already_paused", "The tournament is paused already.")
    NOT_PAUSED = ("not_paused", "The tournament is not paused.")
    TOURNAMENT_OVER = ("tournament_over", "The tournament is over.")

    # of entrants
    ALREADY_ENTERED = ("already_entered", "You have entered this tournament already.")
    ENTRANT_EXPELLED = ("entrant_expelled", "The organiser has expelled you from this tournament.")
    TOURNAMENT_FULL = ("tournament_full", "The tournament takes no more entrants.")
    TOO_LATE = ("too_late", "It is too late to enter this tournament.")
    NO_SUCH_ENTRANT = ("no_such_entrant", "The tournament has no such entrant.")
    UNKNOWN_ENTRANT = ("unknown_entrant", "The ratings include a player who is not an entrant.")
    ENTRANT_LEFT = ("entrant_left", "This entrant has left the tournament.")
    ALREADY_EXPELLED = ("already_expelled", "This entrant has been expelled already.")
    NOT_ORDERED_BY_HAND = (
        "not_ordered_by_hand",
        "The starting ranks follow from the settings; you can order entrants by hand only where these say so.",
    )
    ENTRANT_TWICE = ("entrant_twice", "The order must name each entrant once.")
    TOO_FEW_ENTRANTS = ("too_few_entrants", "At least two entrants are needed.")
    SCHEDULE_TOO_LONG = ("schedule_too_long", "The schedule would be too long; let fewer take part.")
    UNEVEN_TABLES = ("uneven_tables", "Points can be compared only between tables of the same size.")

    # of sittings
    NO_SUCH_SITTING = ("no_such_sitting", "The tournament has no such sitting.")
    WRONG_SITTING = ("wrong_sitting", "Check-in can be opened only for the sitting of the next round.")
    SITTING_BEGUN = (
        "sitting_begun",
        "A round of this sitting has been paired, so its start can no longer be changed.",
    )
    NO_CHECK_IN = ("no_check_in", "This tournament has no check-in.")
    CHECK_IN_OPEN = ("check_in_open", "Check-in for this sitting has been opened already.")
    CHECK_IN_CLOSED = ("check_in_closed", "Check-in for this sitting has not opened.")
    CHECK_IN_DUE = ("check_in_due", "Check-in for this sitting has not opened; open it first.")
    CHECK_IN_RUNNING = (
        "check_in_running",
        "Check-in is open until its time is over, or until every entrant has checked in or announced an absence.",
    )
    ALREADY_CHECKED_IN = ("already_checked_in", "You have checked in for this sitting already.")
    ALREADY_ABSENT = ("already_absent", "You have announced this absence already.")
    SEED_COMMITTED = (
        "seed_committed",
        "You have committed to a seed already; it is revealed when the next round opens.",
    )

    # of byes
    NO_BYES = ("no_byes", "In a round robin or knockout, byes follow from the schedule or bracket.")
    BYE_REQUESTED = ("bye_requested", "You have requested this bye already.")
    TOO_MANY_BYES = ("too_many_byes", "You have requested as many byes as an entrant may.")
    NOT_ENTERED_YET = ("not_entered_yet", "The entrant takes part only from a later round on.")
    OWN_BYE = (
        "own_bye",
        "You organise this tournament, so a bye that you give yourself scores at most half of a first place.",
    )
    INVALID_SCORE = ("invalid_score", "The score must be 0, 1/2 or 1.")

    # of rounds and pairings
    NO_SUCH_ROUND = ("no_such_round", "The tournament has no such round.")
    WRONG_ROUND = ("wrong_round", "Another round is next.")
    LAST_ROUND = ("last_round", "This is not possible in the last round.")
    ROUND_OPEN = (
        "round_open",
        "The round has been paired already. Start it, and pair the next round once its tables have ended.",
    )
    ROUND_PAIRED = (
        "round_paired",
        "This round has been paired already; byes can be given only in later rounds.",
    )
    ROUND_NOT_OPEN = ("round_not_open", "This round has not been paired.")
    ROUND_STARTED = ("round_started", "This round has started already.")
    ROUND_UNFINISHED = (
        "round_unfinished",
        "Tables of an earlier round are unfinished. The organiser may open the round early, with a reason.",
    )
    NEVER_EARLY = (
        "never_early",
        "A round of a knockout cannot be opened early: it needs the result of every table of the round before.",
    )
    PAIRING_UNCHANGED = (
        "pairing_unchanged",
        "The round has exactly this pairing already; send the one that it should have.",
    )
    NOT_EVERYBODY_ONCE = (
        "not_everybody_once",
        "Every entrant of the engine's pairing must have one seat or a bye, and nobody else may.",
    )
    INVALID_TABLE_SIZE = (
        "invalid_table_size",
        "A table of the pairing has too few or too many seats, or fewer than two entrants.",
    )
    INVALID_BOTS = (
        "invalid_bots",
        "Where bots fill empty seats, they must fill every table to its full size; elsewhere, a pairing has no bots.",
    )
    INVALID_BYES = ("invalid_byes", "The pairing must have as many byes as the engine's.")
    BYE_NOT_DUE = (
        "bye_not_due",
        "An entrant may have only one bye, and none after a first place without playing.",
    )
    BRACKET_MIXED = (
        "bracket_mixed",
        "Entrants who play for third place must not sit with entrants who play for first place.",
    )
    FORBIDDEN_PAIR = (
        "forbidden_pair",
        "The pairing seats two entrants together who must not meet.",
    )

    # of results
    NO_SUCH_BOARD = ("no_such_board", "There is no such board in a round that has started.")
    TABLE_NOT_VOID = ("table_not_void", "A score can be set only for a table that was voided.")
    WRONG_TABLE = ("wrong_table", "This is not the table of that board.")
    TABLE_REPORTED = ("table_reported", "The end of this table has been reported already.")
    INVALID_REPORT = ("invalid_report", "The report does not fit the seats and the end of the table.")
    TABLE_NOT_REPORTED = ("table_not_reported", "Only a table that has ended can be voided.")
    NO_TABLE_DUE = ("no_table_due", "No such table has to be opened.")
    NO_SEAT_DUE = ("no_seat_due", "No such seat has to be resigned.")
