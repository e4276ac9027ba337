"""The error codes of tournaments; see `RuleViolation`. Codes shared with tables are `TableCode`s."""

from hoodwink.domain.kernel import RuleCode


class TournamentCode(RuleCode):
    """The error codes of tournaments."""

    # opening and settings
    TOURNAMENT_EXISTS = ("tournament_exists", "The tournament is already open.")
    INVALID_SETUP = (
        "invalid_setup",
        "A setting is not allowed, or does not fit another one.",
    )
    NO_START = (
        "no_start",
        "A `starts_at` is missing; with `advance: schedule`, every sitting must have one.",
    )
    ROUNDS_FIXED = (
        "rounds_fixed",
        "The rounds follow from the schedule or bracket, so none can be added.",
    )
    TOO_MANY_ROUNDS = ("too_many_rounds", "A tournament has at most 500 rounds.")
    TIEBREAKS_UNCHANGED = (
        "tiebreaks_unchanged",
        "The tournament already has exactly these tie-breaks; send different ones.",
    )

    # phase
    REGISTRATION_OPEN = ("registration_open", "Registration is already open.")
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
    ALREADY_PAUSED = ("already_paused", "The tournament is already paused.")
    NOT_PAUSED = ("not_paused", "The tournament is not paused.")
    TOURNAMENT_OVER = ("tournament_over", "The tournament is over.")

    # entrants
    ALREADY_ENTERED = ("already_entered", "You have already entered this tournament.")
    ENTRANT_EXPELLED = ("entrant_expelled", "The organiser has expelled you from this tournament.")
    TOURNAMENT_FULL = ("tournament_full", "The tournament takes no more entrants.")
    TOO_LATE = ("too_late", "It is too late to enter this tournament.")
    NO_SUCH_ENTRANT = ("no_such_entrant", "The tournament has no such entrant.")
    UNKNOWN_ENTRANT = ("unknown_entrant", "The ratings include a player who is not an entrant.")
    ENTRANT_LEFT = ("entrant_left", "This entrant has left the tournament.")
    ALREADY_EXPELLED = ("already_expelled", "This entrant has already been expelled.")
    NOT_ORDERED_BY_HAND = (
        "not_ordered_by_hand",
        "The settings determine the starting ranks; you can order entrants only if the settings leave the order to you.",
    )
    ENTRANT_TWICE = ("entrant_twice", "The order must name each entrant once.")
    NO_TEAMS = ("no_teams", "The tournament has no teams.")
    NO_SUCH_TEAM = ("no_such_team", "The tournament has no such team.")
    TEAM_FULL = ("team_full", "This team is full.")
    TEAM_UNCHANGED = ("team_unchanged", "This entrant already plays for that team, or has no team to leave.")
    TEAM_FIXED = (
        "team_fixed",
        "The first round that this entrant can play in has been paired, so the team can no longer change.",
    )
    TOO_MANY_TEAM_CHANGES = (
        "too_many_team_changes",
        "The team has changed as often as is allowed, or there are as many teams as a tournament may have.",
    )
    TOO_MANY_CHANGES = ("too_many_changes", "This has been done as often as a tournament allows.")
    TOO_FEW_ENTRANTS = ("too_few_entrants", "At least two entrants are needed.")
    SCHEDULE_TOO_LONG = (
        "schedule_too_long",
        "The schedule would be too long; reduce the number of entrants.",
    )
    UNEVEN_TABLES = ("uneven_tables", "Points can be compared only between tables of the same size.")

    # sittings
    NO_SUCH_SITTING = ("no_such_sitting", "The tournament has no such sitting.")
    WRONG_SITTING = ("wrong_sitting", "Check-in can be opened only for the sitting of the next round.")
    SITTING_BEGUN = (
        "sitting_begun",
        "A round of this sitting has been paired, so its start can no longer be changed.",
    )
    NO_CHECK_IN = ("no_check_in", "This tournament has no check-in.")
    CHECK_IN_OPEN = ("check_in_open", "Check-in for this sitting is already open.")
    CHECK_IN_CLOSED = ("check_in_closed", "Check-in for this sitting has not opened.")
    CHECK_IN_DUE = ("check_in_due", "Check-in for this sitting has not opened; open it first.")
    CHECK_IN_RUNNING = (
        "check_in_running",
        "Check-in is open until its time is over, or until every entrant has checked in or announced an absence.",
    )
    ALREADY_CHECKED_IN = ("already_checked_in", "You have already checked in for this sitting.")
    ALREADY_ABSENT = ("already_absent", "You have already announced this absence.")
    SEED_COMMITTED = (
        "seed_committed",
        "You have already committed to a seed; it is revealed when the next round opens.",
    )

    ENTRY_REQUESTED = (
        "entry_requested",
        "You have already asked to enter; the organiser has not decided yet.",
    )
    ENTRY_DECLINED = ("entry_declined", "The organiser has declined your entry.")
    ALREADY_DECLINED = ("already_declined", "You have already declined this entry.")
    TOO_MANY_INVITATIONS = (
        "too_many_invitations",
        "The invitation code has been replaced 100 times, the most there can be.",
    )

    INVALID_OFFER = ("invalid_offer", "An offer must name 1 to 500 players, each once.")
    INVALID_LIST = ("invalid_list", "The list of players cannot be read.")
    ALREADY_OFFERED = ("already_offered", "The player has an open offer of an entry.")
    OFFERED_TWICE = (
        "offered_twice",
        "The player has been offered an entry twice, the most there can be.",
    )
    TOO_MANY_ENTRIES_OFFERED = (
        "too_many_entries_offered",
        "There can be 500 open offers of an entry at a time, and 1,000 players in all.",
    )
    NOT_OFFERED = ("not_offered", "The player has no open offer of an entry.")

    # byes
    NO_BYES = ("no_byes", "Only Swiss tournaments and leagues have byes that can be given.")
    BYE_REQUESTED = ("bye_requested", "You have already requested this bye.")
    TOO_MANY_BYES = ("too_many_byes", "You have already requested the maximum number of byes.")
    NOT_ENTERED_YET = ("not_entered_yet", "The entrant joins the tournament in a later round.")
    OWN_BYE = (
        "own_bye",
        "A bye of an entrant who organises the tournament scores at most half of a first place.",
    )
    INVALID_SCORE = ("invalid_score", "The score must be 0, 1/2 or 1.")

    # rounds and pairings
    NO_SUCH_ROUND = ("no_such_round", "The tournament has no such round.")
    WRONG_ROUND = ("wrong_round", "Another round is next.")
    LAST_ROUND = ("last_round", "This is not possible in the last round.")
    ROUND_OPEN = (
        "round_open",
        "The round has already been paired. Start it, and pair the next round once its tables have ended.",
    )
    ROUND_PAIRED = (
        "round_paired",
        "This round has already been paired; byes can be given only in later rounds.",
    )
    ROUND_NOT_OPEN = ("round_not_open", "This round has not been paired.")
    ROUND_STARTED = ("round_started", "This round has already started.")
    ROUND_UNFINISHED = (
        "round_unfinished",
        "Tables of an earlier round are unfinished. The organiser may open the round early, with a reason.",
    )
    NEVER_EARLY = (
        "never_early",
        "A round of a knockout cannot be opened early: it needs the result of every table of the round before.",
    )
    NO_WAVE_DUE = (
        "no_wave_due",
        "No tables can be made now. The service pairs an arena by itself, within seconds after entrants become free.",
    )
    NO_BELL_DUE = ("no_bell_due", "The bell of the arena is not due, or has rung already.")
    PAIRING_UNCHANGED = (
        "pairing_unchanged",
        "The round already has exactly this pairing; send a different one.",
    )
    NOT_EVERYBODY_ONCE = (
        "not_everybody_once",
        "Every entrant in the engine's pairing must have one seat or a bye, and nobody else may.",
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

    # results
    NO_SUCH_BOARD = ("no_such_board", "There is no such board in a round that has started.")
    TABLE_NOT_VOID = ("table_not_void", "A score can be set only for a table that was voided.")
    WRONG_TABLE = ("wrong_table", "This is not the table of that board.")
    TABLE_REPORTED = ("table_reported", "The end of this table has already been reported.")
    INVALID_REPORT = ("invalid_report", "The report does not fit the seats and the end of the table.")
    TABLE_NOT_REPORTED = ("table_not_reported", "Only a table that has ended can be voided.")
    TABLE_STOPPED = ("table_stopped", "This table is already being ended.")
    TABLE_IN_PLAY = ("table_in_play", "A table of this board is in play; end it first, or wait for its end.")
    NOT_AN_OFFICIAL = ("not_an_official", "Only an official of the tournament may do that.")
    ALREADY_OFFICIAL = ("already_official", "This player is already an official of the tournament.")
    NOT_AN_ARBITER = ("not_an_arbiter", "This player is not an arbiter of the tournament.")
    TOO_MANY_ARBITERS = (
        "too_many_arbiters",
        "A tournament has at most 10 arbiters at a time, and names them 50 times in all.",
    )
    NOT_A_CO_ORGANISER = ("not_a_co_organiser", "This player is not a co-organiser of the tournament.")
    TOO_MANY_CO_ORGANISERS = (
        "too_many_co_organisers",
        "A tournament has at most 5 co-organisers at a time, and names them 20 times in all.",
    )
    ARBITER_PLAYS = ("arbiter_plays", "An arbiter does not play in the tournament.")
    TOO_MANY_DESCRIPTIONS = (
        "too_many_descriptions",
        "The description has been changed 50 times, the most there can be.",
    )
    TOO_MANY_ANNOUNCEMENTS = (
        "too_many_announcements",
        "There can be one announcement a minute, and 100 in all.",
    )
    OWN_CONTEST = (
        "own_contest",
        "You play in this tournament, where the absence of others can give you a win, so you cannot decide it.",
    )
    OWN_PLACE = (
        "own_place",
        "You cannot give an entrant's place to yourself or to your bot; another organiser may offer it to you.",
    )
    NO_SUBSTITUTES = ("no_substitutes", "An arena has no substitutes; others may enter until the bell.")
    PLACE_OFFERED = (
        "place_offered",
        "This player already has an offer of a place; it must be answered or taken back first.",
    )
    NO_PLACE_OFFERED = ("no_place_offered", "This player has no offer of a place.")
    TOO_MANY_PLACE_OFFERS = (
        "too_many_place_offers",
        "This place has been offered ten times, the most there can be.",
    )
    NOTHING_TO_REVERSE = ("nothing_to_reverse", "There is no such decision, or it no longer has an effect.")
    OWN_TABLE = ("own_table", "You sit at this table, so somebody else must decide about it.")
    OWN_DEAL = (
        "own_deal",
        "You play the same deal, and are compared with this table, so somebody else must decide about it.",
    )
    INVALID_RULING = ("invalid_ruling", "The ruling does not fit the table.")
    TOO_MANY_RULINGS = (
        "too_many_rulings",
        "There have been 10 rulings on this board, the most there can be.",
    )
    RULING_REVERSED = (
        "ruling_reversed",
        "An administrator has reversed a ruling on this board, so the result of its table stands.",
    )
    RULING_TOO_LATE = (
        "ruling_too_late",
        "The next round of the knockout has started, so who went on can no longer change.",
    )
    NO_RULING = ("no_ruling", "There is no ruling on this board.")
    NO_TABLE_DUE = ("no_table_due", "There is no such table to open.")
    NO_SEAT_DUE = ("no_seat_due", "There is no such seat to resign.")
