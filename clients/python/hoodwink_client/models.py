"""The types of all requests, responses and messages, generated from openapi.yaml by `make client`."""
from __future__ import annotations

# mypy: disable-error-code="misc"
# A game's view narrows the type of `step`, which mypy allows only for read-only fields.

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AbsenceReversed(TypedDict):
    """
    An administrator reversed the decision that an entrant is absent.
    """

    entrant: str
    reason: str


class AcceptedTables(TypedDict):
    """
    The tables at which a bot accepts a seat.
    """

    games: list[str]
    """The names of games."""

    seats: list[int]
    """The numbers of seats."""

    tables: int
    """How many tables it plays at once, including those where it is offered a seat."""

    turn_seconds: int
    """The shortest turn clock that is enough for it."""


Seat: TypeAlias = int


class Accepts(TypedDict):
    games: NotRequired[list[Literal["blindside", "coconut", "blind_don", "double_blind", "shithead"]]]
    """The games; by default all."""

    seats: NotRequired[list[Seat]]
    """The numbers of seats; by default all."""

    tables: NotRequired[int]
    """The number of tables at once, including those where a seat is offered."""

    turn_seconds: NotRequired[int]
    """The shortest turn clock, in seconds, that is enough for the bot."""


class ActionCard(TypedDict):
    """
    A kind of action of a game.
    """

    type: str
    meaning: str
    form: dict[str, Any]
    """The JSON schema of the action."""


class ActionTakenBack(TypedDict):
    """
    A player took back the last action of the table; play continues from the state at `version`.
    """

    seat: int
    version: int


class AddedRoundsReversed(TypedDict):
    """
    An administrator took back the rounds that an official had added last.
    """

    rounds: int
    reason: str


Advance: TypeAlias = Literal["automatic", "manual", "schedule"]


class Announced(TypedDict):
    """
    An official announced something to everybody.
    """

    official: str
    text: str


class Announcement(TypedDict):
    """
    Something that an official announced.
    """

    official: str
    """The id of the player who wrote it."""

    text: str
    """The salted hash of the text; see `GET /v1/reasons/{digest}`."""

    at: int
    """In ms since the epoch."""


class ApplicantView(TypedDict):
    """
    A player who asked to enter.
    """

    id: str
    name: str
    is_declined: bool
    """Whether the organiser has declined the entry; otherwise the organiser has not decided yet."""


class ArbiterNamed(TypedDict):
    """
    The organiser named a player who may decide about tables and absences.
    """

    player: str


class ArbiterRemoved(TypedDict):
    """
    An arbiter resigned, or was removed by the organiser; earlier acts stand.
    """

    player: str


class ArenaChosen(TypedDict):
    """
    Entrants are paired again and again for `arena_minutes`; tables in play then have `finish_minutes` to end.
    """

    arena_minutes: int
    finish_minutes: int


class ArenaView(TypedDict):
    """
    The course of an arena that has started. All times are in ms since the epoch; pauses and outages move the ends.
    """

    begins_at: int
    """When the first tables are opened."""

    bell_at: int
    """When the time is over."""

    ends_by: int
    """By when tables in play have to end."""

    is_bell_rung: bool
    """Whether the time is over, so that no more tables are opened."""


class AtTime(TypedDict):
    """
    The time of the service when the message was sent, in milliseconds since the epoch.
    """

    now: int


class AtVersion(TypedDict):
    """
    The version of the table or tournament when the message was sent.
    """

    version: int


class Balance(TypedDict):
    """
    The balance of an account in one game, over all tables; points of different games cannot be compared.
    """

    game: str
    unit: Literal["point", "token"]
    amount: int


Basis: TypeAlias = Literal["forfeit", "opponents", "virtual"]


class BellRung(TypedDict):
    """
    The time of an arena is over; tables in play may still end.
    """


class BlindDonCardsTallied(TypedDict):
    """
    The tally of the captured cards, and the seat that earned the 8 points for it.
    """

    tallies: list[int]
    winner: int | None


class BlindDonDealerCut(TypedDict):
    """
    The cut for the deal: the cards drawn by the seats, until the ranks differed.
    """

    cards: list[list[str]]
    dealer: int


class BlindDonLaid(TypedDict):
    """
    A card in the centre, and the stack that it came from.
    """

    seat: int
    position: int
    card: str


class BlindDonOptions(TypedDict):
    flip: NotRequired[Literal["after_trick", "immediate"]]
    """When an uncovered card is turned up: after the trick, or as the card on it is laid. Default: `"after_trick"`."""

    final_tie: NotRequired[Literal["draw", "two_more_rounds"]]
    """Equal scores at the end: a draw, or two more rounds until they differ. Default: `"draw"`."""

    rounds: NotRequired[int]
    """How many rounds; even, so that both deal alike. Default: `4`."""


class BlindDonRoundDealt(TypedDict):
    """
    The deal: both layers of each row, and the cards set aside unseen.
    """

    round: int
    dealer: int
    face_down: list[list[str]]
    face_up: list[list[str]]
    aside: list[str]


class BlindDonUncovered(TypedDict):
    """
    A face-down card that was turned up and may be played from now on.
    """

    seat: int
    position: int
    card: str


class BlindsideBlindsidePassed(TypedDict):
    """
    A seat chose the card that its left neighbour gets as Blindside Card.
    """

    seat: int
    card: str


class BlindsideBlindsidesRevealed(TypedDict):
    """
    Contest 1: the Blindside Cards, their values, the winner and the seats that were BLINDSIDED.
    """

    cards: list[str]
    values: list[int]
    winner: int | None
    blindsided: list[int]


class BlindsideCardDiscarded(TypedDict):
    """
    A seat laid a card from its hand on the discard pile, which ended its turn.
    """

    seat: int
    card: str


class BlindsideCardKept(TypedDict):
    """
    A seat laid a card from its hand face down on its Keeper Pile.
    """

    seat: int
    card: str


class BlindsideDiscardDrawn(TypedDict):
    """
    A seat drew the top card of the discard pile.
    """

    seat: int
    card: str


class BlindsideKeepersRevealed(TypedDict):
    """
    Contest 2: the Keeper Piles, the totals, the winner and the seats that were BLINDSIDED.
    """

    keepers: list[list[str]]
    totals: list[int]
    winner: int | None
    blindsided: list[int]


class BlindsideOptions(TypedDict):
    five_card: NotRequired[bool]
    """Play the five-card variation: the Blindside Cards are dealt, not passed. Default: `false`."""

    rounds: NotRequired[int | None]
    """How many rounds; by default each seat deals once. Default: `null`."""

    blindside_compare: NotRequired[Literal["value", "rank"]]
    """Compare Blindside Cards by value (10, J, Q and K tie) or by rank. Default: `"value"`."""

    start_tokens: NotRequired[int]
    """Added to every balance shown; ledger and results ignore it. Default: `0`."""


class BlindsideRoundDealt(TypedDict):
    """
    The deal: the hands, the turn-up, the stock and, in the five-card variation only, the Blindside Cards.
    """

    round: int
    dealer: int
    hands: list[list[str]]
    blindsides: list[str]
    turn_up: str
    stock: list[str]


BlindsideStep: TypeAlias = Literal["discard", "draw", "keep", "pass"]


class BlindsideStockDrawn(TypedDict):
    """
    A seat drew the top card of the stock.
    """

    seat: int
    card: str


class BotCard(TypedDict):
    """
    A bot that a player owns.
    """

    id: str
    name: str
    bot: Literal[True]
    owner: str
    """The id of the player to whom it belongs."""

    owner_name: str
    version: str
    """Of the program, as its author calls it."""

    home_page: str
    """An https URL, or empty."""

    accepts: AcceptedTables
    """The tables at which it accepts a seat."""

    online: bool
    """Whether it follows its own stream now, or did until a few seconds ago."""


class BotForm(TypedDict):
    """
    A new bot.
    """

    version: NotRequired[str]
    """The version of the program, such as `1.4.2`. Default: `""`."""

    home_page: NotRequired[str]
    """An https URL with more about the bot, or empty. Default: `""`."""

    accepts: NotRequired[Accepts]
    """The tables at which the bot accepts a seat."""

    name: str
    """The name of the bot, which is shown after `BOT`. It need not be unique. Its letters must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is stored in Unicode's normal form NFKC."""


class BotsAnswer(TypedDict):
    """
    Bots that players own.
    """

    bots: list[BotCard]


class ByeRequested(TypedDict):
    """
    An entrant requested a bye in a later round.
    """

    entrant: str
    round: int


class Call(TypedDict):
    """
    A round that waits for seeds to be revealed; `until` in ms.
    """

    round: int
    awaited: list[str]
    until: int
    early: bool
    reason: str


class CardChoice(TypedDict):
    """
    Many legal actions in one: any `at_least` to `at_most` of `cards`, named in any order.
    """

    type: str
    """The tag of an action whose only field is `cards`."""

    cards: list[str]
    """The cards to choose from; a face held twice is listed twice."""

    at_least: int
    """How many cards the action names."""

    at_most: int
    """How many cards the action names."""

    including: NotRequired[str]
    """A card that must be among them, if any."""

    purpose: NotRequired[str]
    """The effect of the action, in a sentence; only in responses of the API."""


class CheckInOpened(TypedDict):
    """
    Entrants may check in for a sitting; its first round is not paired before `until`, in ms.
    """

    sitting: int
    until: int


class CheckedIn(TypedDict):
    """
    An entrant checked in for a sitting; `seed_commitment` is to a new seed, or empty.
    """

    entrant: str
    sitting: int
    seed_commitment: str


class ClockRanOut(TypedDict):
    """
    The seat's turn clock ran out; the move that follows was made for it.
    """

    seat: int


class ClocksMoved(TypedDict):
    """
    The service was away from `since` to `until`, in ms; all running deadlines were postponed by that time.
    """

    since: int
    until: int


class CoOrganiserNamed(TypedDict):
    """
    The organiser named a player who organises the tournament, too.
    """

    player: str


class CoOrganiserRemoved(TypedDict):
    """
    A co-organiser resigned, or was removed by the organiser; earlier acts stand.
    """

    player: str


class CoconutCardFlipped(TypedDict):
    """
    A face-down card was turned up and played; `at` as in `CardsPlayed`.
    """

    seat: int
    slot: int
    card: str
    at: int


class CoconutCardsPlayed(TypedDict):
    """
    Cards laid in turn, the last one on top, and those drawn afterwards.
    """

    seat: int
    cards: list[str]
    drawn: list[str]
    at: int
    """When the play was accepted, in ms; the grace period for a sneak starts then."""


class CoconutCardsSneaked(TypedDict):
    """
    Cards laid out of turn that completed four of a kind, and those drawn afterwards.
    """

    seat: int
    cards: list[str]
    drawn: list[str]


class CoconutFaceUpChosen(TypedDict):
    """
    A seat committed its choice of face-up cards.
    """

    seat: int
    cards: list[str]


class CoconutFaceUpRevealed(TypedDict):
    """
    All seats have committed; the chosen cards were laid face up.
    """

    face_up: list[list[str]]


class CoconutFlipFailed(TypedDict):
    """
    A face-down card was turned up, could not be played, and went to the hand with the pile.
    """

    seat: int
    slot: int
    card: str


class CoconutOptions(TypedDict):
    opening: NotRequired[Literal["lowest_nonwild", "lowest_literal", "free"]]
    """The cards that open a round: the lowest rank in hand ignoring 2s and 10s, the lowest rank in hand including them, or any one rank. Default: `"lowest_nonwild"`."""

    two_plays_again: NotRequired[bool]
    """The player of a 2 plays again. Default: `false`."""

    clear_plays_again: NotRequired[bool]
    """The player who clears the pile in turn leads the next one; otherwise the next player leads. Default: `true`."""

    voluntary_pickup: NotRequired[bool]
    """The pile may be picked up even by a player who could play. Default: `false`."""

    sneak: NotRequired[bool]
    """Four of a kind may be completed out of turn, which steals the turn. Default: `true`."""

    sneak_grace_ms: NotRequired[int]
    """How long the player to move has to wait, in milliseconds, so that the others can sneak. Even with 0, a bot at a table with people waits about a second before its turn. Default: `0`."""

    play_for_places: NotRequired[bool]
    """Play on until one player is left, instead of ending with the first one out. Default: `false`."""

    rounds: NotRequired[int]
    """How many rounds the table plays. Default: `3`."""


class CoconutPilePickedUp(TypedDict):
    """
    The whole pile went to a hand.
    """

    seat: int


class CoconutRoundDealt(TypedDict):
    """
    The deal: three face-down cards in slots 0 to 2, six cards taken up, and the deck.
    """

    round: int
    dealer: int
    hands: list[list[str]]
    face_down: list[list[str]]
    stock: list[str]


class CoconutRoundScored(TypedDict):
    """
    The order in which seats went out (a seat left with cards comes last) and the points of the round.
    """

    order: list[int]
    points: list[int]


CoconutStep: TypeAlias = Literal["choose", "move", "open"]


Compare: TypeAlias = Literal["difference", "margin", "matchpoints"]


class Completed(TypedDict):
    """
    A trick, hat or contest that was decided, or a pile that was cleared away. All its cards are face up.
    """

    kind: str
    """`trick`, `hat`, `contest` or `pile`."""

    winner: int | None
    """The seat that won it or cleared the pile away; `null` if nobody won."""

    cards: list[str]
    """Its cards in the order played; those of a contest by seat."""

    seats: list[int]
    """The seat that each card counted for; empty for a pile."""


class ConfirmForm(TypedDict):
    """
    A command that cannot be undone.
    """

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""


class CredentialForm(TypedDict):
    """
    The response of an authenticator.
    """

    credential: dict[str, Any]
    """What `toJSON` of the `PublicKeyCredential` returns."""


DateStatus: TypeAlias = Literal["missed", "open", "over", "planned", "skipped"]


class DealAdded(TypedDict):
    """
    Entrants who are tied for the last places to advance from a knockout table play another deal.
    """

    round: int
    board: int
    deal: int
    seats: list[int | None]
    absent: list[int]


DealKind: TypeAlias = Literal["independent", "same"]


class DealReleased(TypedDict):
    """
    All tables of a deal have ended, so that nothing about it is secret any more.
    """

    round: int
    deal: int


class DealShared(TypedDict):
    """
    The table plays the same deal as the other tables of its round in a duplicate tournament. The decks follow from `key` instead of the table's own seeds.
    """

    deal: int
    key: str


DealStatus: TypeAlias = Literal["compared", "embargoed", "released"]


class DealTable(TypedDict):
    """
    A table that plays or played a deal.
    """

    board: int
    table: str | None
    """The id of the table, or `null` if none was needed because at most one entrant was present."""

    entrants: list[int | None]
    """Starting ranks in seat order."""

    has_ended: bool
    """Whether the table has ended."""


class DealsChosen(TypedDict):
    """
    The same opponents play that many rounds in a row, each with a deal of its own.
    """

    deals_per_pairing: int


class DeletedImport(TypedDict):
    """
    The effect of deleting an import.
    """

    id: str
    is_gone: bool
    """Whether nobody can see it any more; false if another player has imported it, too."""


DeliveryOutcome: TypeAlias = Literal["broken", "delivered", "gone", "redirected", "refused", "rejected", "unanswered"]


Departure: TypeAlias = Literal["expelled", "knocked_out", "withdrawn"]


class Described(TypedDict):
    """
    The organiser wrote or replaced the description; without a text, removed it.
    """

    official: str
    text: str


class DescriptionForm(TypedDict):
    """
    The description of a bot, which replaces the previous one.
    """

    version: NotRequired[str]
    """The version of the program, such as `1.4.2`. Default: `""`."""

    home_page: NotRequired[str]
    """An https URL with more about the bot, or empty. Default: `""`."""

    accepts: NotRequired[Accepts]
    """The tables at which the bot accepts a seat."""


class DeviceForm(TypedDict):
    """
    The name of a device.
    """

    device: str
    """A name that tells you which device it is. Nobody else sees it."""


class DoubleBlindBribePlayed(TypedDict):
    """
    A seat played a card of its own sleeve.
    """

    seat: int
    card: str


class DoubleBlindCaperDealt(TypedDict):
    """
    The deal: the Mastermind, sleeves, pockets by slot, and the bank, top first.
    """

    round: int
    mastermind: int
    sleeves: list[list[str]]
    pockets: list[list[str]]
    bank: list[str]


class DoubleBlindCaperScored(TypedDict):
    """
    The score of the caper.
    """

    points: list[int]
    """Loot bag, bonuses and sleeve of each seat."""

    jokers: list[int]
    """The seats that got the Joker's 15 points."""

    penalties: list[int]
    """The points each seat lost for its exposures."""

    queens_fools: list[int]
    """The seats that became Queen's Fool in this caper."""

    queens_fool_points: int
    """The points for each of them."""

    totals: list[int]
    """Each seat's running total, including all of the above."""


class DoubleBlindContendersDropped(TypedDict):
    """
    These seats, in the order of the hat, are out of credit and lose the trick.
    """

    seats: list[int]


class DoubleBlindHalfInterestPaid(TypedDict):
    """
    The cards that went from the bank into each pocket, lowest empty slot first.
    """

    pockets: list[list[str]]


class DoubleBlindHatLost(TypedDict):
    """
    Every contender was out of credit, so nobody gets the hat's cards and bonus.
    """

    cards: list[str]
    bonus: int


class DoubleBlindHatTaken(TypedDict):
    """
    A seat won the hat: its cards in the order played, and its bonus points.
    """

    seat: int
    cards: list[str]
    bonus: int


class DoubleBlindInterestPaid(TypedDict):
    """
    The cards that went from the bank into each pocket, lowest empty slot first, and each sleeve.
    """

    pockets: list[list[str]]
    sleeves: list[list[str]]


class DoubleBlindOptions(TypedDict):
    jokers_per_deck: NotRequired[int]
    """Jokers in each pack of 52 cards. Default: `2`."""

    target_score: NotRequired[int]
    """The total that ends the game once a caper is scored. Default: `1000`."""

    dealer_rotation: NotRequired[Literal["right", "left", "fixed"]]
    """Who is Mastermind next: the seat on the right, the seat on the left, or the same. Default: `"right"`."""

    joker_basis: NotRequired[Literal["caper", "total"]]
    """The Joker is lowest in the caper's score, or in the total with this caper added. Default: `"caper"`."""

    exhausted_trick: NotRequired[Literal["last_in_order", "void"]]
    """When all tied players run out of cards together: the last in the order of the hat wins, or nobody does and the cards are lost. Default: `"last_in_order"`."""

    exposure_actions: NotRequired[bool]
    """Players may expose cards, an offence that costs 15 points each. A host without a seat may record a pocket card that a player exposed. Default: `false`."""

    exposure_limit: NotRequired[int]
    """How many cards a player may expose in one caper. Default: `3`."""


class DoubleBlindPlay(TypedDict):
    """
    A card in the middle: who played it, and whether it was a bribe.
    """

    seat: int
    card: str
    bribed: bool


class DoubleBlindPocketExposed(TypedDict):
    """
    A seat peeked at its own pocket card or named another's to its owner.
    """

    seat: int
    owner: int
    slot: int
    card: str
    replacement: str | None
    """The card that took its place; `null` if the bank was empty, so that the exposed card stayed."""


class DoubleBlindPocketPlayed(TypedDict):
    """
    A seat played a card of its target's pocket.
    """

    seat: int
    slot: int
    card: str


class DoubleBlindSleeveExposed(TypedDict):
    """
    A seat showed a card of its own sleeve; `replacement` as in `PocketExposed`.
    """

    seat: int
    card: str
    replacement: str | None


class DoubleBlindStashesRevealed(TypedDict):
    """
    The caper is over: the cards left in the pockets, by slot, and in the sleeves.
    """

    pockets: list[list[str | None]]
    sleeves: list[list[str]]


class DoubleBlindTrickCalled(TypedDict):
    """
    The highest cards tie: ten points join the hat and these seats, in its order, play again.
    """

    contenders: list[int]


class DuplicateChosen(TypedDict):
    """
    All tables of a round play the same deal, and seats are compared across tables.
    """

    compare: Compare


class EmptyForm(TypedDict):
    """
    No fields.
    """


class EndMessage(TypedDict):
    event: Literal["end"]
    id: str
    data: AtVersion


class Entered(TypedDict):
    """
    A player (`policy` is `null`) or a bot entered. Their name is not in the log. `entrant` is the player's id, or `bot:<n>`. `number` is 0 before the start, then the late entrant's starting rank; `from_round` is the first round that they can play in.
    """

    entrant: str
    policy: str | None
    seed_commitment: str
    number: int
    from_round: int


class EntrantExpelled(TypedDict):
    """
    The organiser expelled an entrant; their seats are resigned immediately.
    """

    entrant: str
    left_after: int
    reason: str


class EntrantListForm(TypedDict):
    """
    A list of players.
    """

    list: str
    """CSV with a header, or a tournament report (TRF). The columns of CSV are `id` (also `player`), `name` and `order` (also `rank` or `entrant`), separated by commas, semicolons or tabs; others are ignored. An id may also be the address of the player's page. Of a report, only columns 5 to 8 and 15 to 47 of the lines 001 are read, so the rest may be cut off."""


class EntrantSeedRevealed(TypedDict):
    """
    An entrant revealed the seed that they had committed to.
    """

    entrant: str
    seed: str


class EntrantSeedsMissed(TypedDict):
    """
    These entrants did not reveal their seeds in time; the seeds count as empty.
    """

    entrants: list[str]


class EntrantSubstituted(TypedDict):
    """
    A player took over the place of an entrant, who still holds it in rounds up to `until`.
    """

    entrant: str
    player: str
    until: int
    seed_commitment: str


class EntrantWithdrawn(TypedDict):
    """
    An official withdrew an entrant, who finishes tables in play. `left_after` is their last round.
    """

    entrant: str
    left_after: int
    official: str
    reason: str


class EntrantWithdrew(TypedDict):
    """
    An entrant withdrew, but finishes tables in play. `left_after` is their last round, 0 before round 1.
    """

    entrant: str
    left_after: int


class EntrantsOrdered(TypedDict):
    """
    The organiser set an order of entrants for the starting ranks.
    """

    entrants: list[str]


class EntriesOffered(TypedDict):
    """
    Those who organise the tournament offered an entry to these players.
    """

    players: list[str]


class Entry(TypedDict):
    """
    One event as stored: a line of an exported log.
    """

    version: int
    """Counts from 1."""

    type: str
    at: int
    """In ms since the epoch."""

    by: str
    cmd: str
    """The id of the command, which all its events share."""

    data: Any
    """The event's fields, byte for byte as they were hashed."""

    hash: str
    """Chains the event to the one before (docs/FAIRNESS.md)."""


class EntryAccepted(TypedDict):
    """
    The organiser accepted a player, whose entry follows.
    """

    entrant: str


class EntryDeclined(TypedDict):
    """
    The organiser declined a player, but may still accept them.
    """

    entrant: str


class EntryRequested(TypedDict):
    """
    A player asked to enter. Their name is not in the log.
    """

    entrant: str
    seed_commitment: str


ErrorCode: TypeAlias = Literal["bad_request", "body_missing", "invalid_body", "invalid_header", "invalid_query", "lasting_token_in_url", "malformed_json", "stream_token_invalid", "token_invalid", "token_missing", "bot_declines", "bots_need_an_offer", "bots_not_allowed", "host_is_seated", "not_administrator", "not_entered", "not_for_bots", "not_for_host", "not_host", "not_invited", "not_official", "not_organiser", "not_seated", "not_you", "not_your_import", "not_your_seat", "offer_refused", "only_bots", "only_for_bots", "own_bot_plays", "passkey_refused", "player_banned", "rating_out_of_bounds", "resigned", "sign_in_refused", "too_few_rated_tables", "board_not_found", "date_not_found", "deal_not_found", "entrant_not_found", "event_not_found", "game_not_found", "import_not_found", "job_not_found", "no_results", "no_standings", "no_such_seat", "passkey_not_found", "player_not_found", "push_not_found", "reason_not_found", "round_not_found", "route_not_found", "series_not_found", "session_not_found", "sitting_not_found", "table_not_found", "tournament_not_found", "version_not_found", "webhook_not_found", "method_not_allowed", "not_acceptable", "body_incomplete", "block_list_full", "bot_busy", "bot_offline", "history_changed", "idempotency_key_reused", "no_passkeys_here", "no_webhooks_here", "still_organising", "table_not_over", "token_superseded", "too_many_own_bots", "too_many_passkeys", "too_many_webhooks", "tournament_not_over", "version_conflict", "length_required", "precondition_failed", "body_too_large", "unsupported_media_type", "already_absent", "already_checked_in", "already_committed", "already_declined", "already_entered", "already_expelled", "already_kept", "already_offered", "already_official", "already_out", "already_paused", "already_ready", "already_resigned", "already_revealed", "already_seated", "already_taken_back", "already_voided", "arbiter_plays", "bot_seed", "bracket_mixed", "bye_not_due", "bye_requested", "card_not_held", "check_in_closed", "check_in_due", "check_in_open", "check_in_running", "completes_no_four", "date_settled", "entrant_expelled", "entrant_left", "entrant_twice", "entry_declined", "entry_requested", "exposure_limit_reached", "exposures_off", "forbidden_pair", "host_is_new", "invalid_bots", "invalid_byes", "invalid_list", "invalid_log", "invalid_offer", "invalid_options", "invalid_reason", "invalid_ruling", "invalid_score", "invalid_series", "invalid_setup", "invalid_table_size", "job_too_expensive", "joker_names_a_player", "last_round", "may_not_burn", "mixed_ranks", "must_follow_suit", "must_play", "name_illegible", "name_reserved", "never_early", "no_burn_now", "no_byes", "no_cards", "no_check_in", "no_face_up_card", "no_hints", "no_new_host", "no_place_offered", "no_rematch", "no_report_possible", "no_review", "no_ruling", "no_seed_awaited", "no_start", "no_substitutes", "no_such_board", "no_such_entrant", "no_such_round", "no_such_sitting", "no_such_team", "no_teams", "no_wave_due", "not_a_co_organiser", "not_a_person", "not_an_arbiter", "not_awaited", "not_away", "not_claimable", "not_entered_yet", "not_everybody_once", "not_four", "not_lowest", "not_offered", "not_ordered_by_hand", "not_paused", "not_playable", "not_three_cards", "not_to_nudge", "not_top_rank", "not_your_turn", "nothing_to_play", "nothing_to_reverse", "nothing_to_take_back", "nothing_to_void", "offered_twice", "own_bye", "own_cards", "own_contest", "own_deal", "own_place", "own_seat", "own_table", "pairing_unchanged", "parent_too_long", "pile_empty", "place_offered", "player_seated", "quiet_table", "registration_closed", "registration_open", "results_too_large", "reveal_over", "round_not_in_play", "round_not_open", "round_open", "round_paired", "round_started", "round_unfinished", "rounds_fixed", "ruling_reversed", "ruling_too_late", "schedule_too_long", "seat_empty", "seat_offered", "seat_taken", "seats_empty", "seed_committed", "seeds_awaited", "series_stopped", "sitting_begun", "slot_empty", "sneak_grace", "sneak_off", "starting_card_missing", "table_full", "table_in_play", "table_not_started", "table_not_void", "table_over", "table_started", "table_stopped", "take_back_over", "take_backs_off", "team_fixed", "team_full", "team_unchanged", "tiebreaks_unchanged", "too_few_entrants", "too_late", "too_low", "too_many_announcements", "too_many_arbiters", "too_many_byes", "too_many_changes", "too_many_co_organisers", "too_many_descriptions", "too_many_entries_offered", "too_many_forks", "too_many_invitations", "too_many_place_offers", "too_many_rounds", "too_many_rulings", "too_many_team_changes", "tournament_full", "tournament_not_started", "tournament_over", "tournament_paused", "tournament_started", "two_seeds", "uneven_tables", "unknown_saying", "unlisted_unrated", "wrong_game", "wrong_phase", "wrong_seed", "wrong_sitting", "wrong_step", "wrong_target", "wrong_zone", "your_turn", "too_many_bodies", "too_many_bot_tables", "too_many_bots", "too_many_commands", "too_many_hints", "too_many_imports", "too_many_jobs", "too_many_offers", "too_many_open_tables", "too_many_reads", "too_many_registrations", "too_many_sayings", "too_many_series", "too_many_sign_ins", "too_many_streams", "too_many_tables", "too_many_texts", "too_many_tournaments", "too_many_webhook_changes", "internal_error", "job_interrupted", "no_room_for_jobs", "not_replicated", "player_busy", "projection_behind", "series_busy", "storage_full", "store_unavailable", "table_busy", "tournament_busy"]


ExactNumber: TypeAlias = str


Exclusion: TypeAlias = Literal["forfeit_win", "last_left", "no_result", "no_show", "resigned", "stand_in", "void"]


ExpectedVersion: TypeAlias = int


class Explanation(TypedDict):
    """
    The explanation of an entrant's table and seat.
    """

    entrant: int
    score: ExactNumber
    """The score before this round used for the pairing, with unfinished tables as half a first place."""

    floated: int
    """Steps from the entrant's score group to the table's home group; positive if they float up."""

    text: str
    """One or two plain sentences."""


class Fault(TypedDict):
    """
    One error in a request.
    """

    place: str
    """The part of the request: `body`, `query` or `header`."""

    name: str
    """The field in dotted form, the parameter or the header."""

    detail: str
    """The error, or the allowed values."""


class FinalReasonForm(TypedDict):
    """
    A decision that cannot be undone, with its reason.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""


class Finding(TypedDict):
    """
    The first fault in a log, and its position.
    """

    code: str
    """`malformed`, `unknown_event`, `chain_broken`, `commitment_broken`, `illegal`, `altered`, `incomplete`, `wrong_table`, `parent_broken` (a fault in the parent's entries within a fork's log) or `wrong_parent`."""

    detail: str
    version: int | None
    """The version of the faulty event, or `null` if the file itself is faulty."""

    line: int | None
    """The line of the file, from 1."""


class FinishForm(TypedDict):
    """
    The end of a tournament; before its last round is complete, it needs a reason.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""


class ForkForm(TypedDict):
    """
    The version to play on from, and the players.
    """

    version: int
    """The version to play on from. In the middle of a command's events, it means the last of them, so the fork's `parent` may have a later version."""

    turn_seconds: NotRequired[int]
    """Seconds that a player has for each turn; 0 for no clock. By default 120 if two or more people play, otherwise 0."""

    bot_delay: NotRequired[int]
    """Milliseconds that a bot waits before its turn, on average, so that people can follow the play; 0 for none. By default 1,000 if people play, otherwise 0."""

    round_pause: NotRequired[int]
    """Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for none. By default 8,000 if people play, otherwise 0."""

    seed_commitment: NotRequired[str]
    """The SHA-256 of a seed, the host's part in every shuffle. The seed is 32 to 64 random lower-case hex digits, and you reveal it within ten seconds after the start. See docs/FAIRNESS.md."""

    seats: NotRequired[list[Literal["me", "novice", "steady", "sharp", "expert", "random"] | None]]
    """The players from seat 0 on: `me`, the policy of a bot, or null for a free seat. By default all are free; `POST …/seats` takes them."""


Format: TypeAlias = Literal["arena", "knockout", "league", "round_robin", "swiss"]


class FoundPlayer(TypedDict):
    """
    A player of a list to whom you can offer an entry, with the number of the line and the current name.
    """

    line: int
    player: str
    name: str


class GameView(TypedDict):
    """
    The facts in every game's view, the same for all viewers. Each game adds its own zones.
    """

    round: int
    """The number of rounds dealt so far; 0 before the first deal."""

    rounds: int | None
    """The number of rounds in the game, if it is known yet; `null` if the game is played to a score."""

    dealer: int | None
    """The seat that dealt the round; `null` before the first deal."""

    leader: int | None
    """The seat that leads to the trick or hat in play; `null` at other times, and in games without them."""

    to_move: int | None
    """The seat whose turn it is; `null` while several seats choose together, and between rounds."""

    step: str | None
    """The kind of action that is owed, under the game's own name; `null` between rounds."""

    direction: Literal[-1, 1]
    """The direction of play: 1 clockwise, to the next higher seat, or -1 counter-clockwise."""

    stock_count: int | None
    """The number of cards left in the stock; `null` in a game without a stock."""

    scores: list[int]
    """Each seat's running score, as shown to the players."""

    last: Completed | None
    """The trick, hat, contest or pile completed last in this round; `null` if there is none yet."""


class Health(TypedDict):
    """
    The state of a working service.
    """

    status: Literal["ok"]
    warning: NotRequired[str]
    """A problem that the operator should solve before the service stops; only if there is one."""


class HistoryRow(TypedDict):
    """
    One table of one player; `place` and `score` are `null` unless the table has a result that counts.
    """

    player: str
    table: str
    game: str
    seat: int
    seats: int
    outcome: Literal["abandoned", "cancelled", "closed", "expired", "last_seat", "no_result", "played_out", "stopped"]
    place: int | None
    score: int | None
    resigned: bool
    ended_at: int


class HostChanged(TypedDict):
    """
    The host made another player at the table the host.
    """

    player: str


class HostForm(TypedDict):
    """
    The new host of a table.
    """

    expected_version: NotRequired[ExpectedVersion]
    player: str
    """The id of a player who has a seat at the table."""


class ImportRow(TypedDict):
    """
    An import of yours.
    """

    id: str
    table: str
    """The id of the table on the service where it was played."""

    game: str
    size: int
    """The bytes of the log."""

    events: int
    imported_at: int
    """When it was first imported, by you or another player, in ms since the epoch."""

    expires_at: int
    """When it is deleted unless somebody views it, in ms since the epoch."""


class Invitation(TypedDict):
    """
    The invitation code of a table or tournament. Send it in the header `Hoodwink-Invitation`, never in an address.
    """

    invitation: str


class InvitationReplaced(TypedDict):
    """
    The organiser replaced the invitation code, which is in no log.
    """


JobKind: TypeAlias = Literal["hint", "import", "review", "tournament_command", "tournament_reading", "tournament_step", "verify", "verify_tournament"]


class JournalEntry(TypedDict):
    """
    An act of an official or administrator.
    """

    version: int
    """The number of its event in the tournament."""

    at: int
    """In ms since the epoch."""

    by: str
    """`organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`, as in the event."""

    official: str | None
    """The id of the official who acted; `null` for an administrator."""

    type: str
    """The type of the event."""

    words: str
    """A sentence."""

    reason: str
    """The reason as in the event, or its salted hash (see `GET /v1/reasons/{digest}`); empty without one."""

    reversed_by: int | None
    """The version of the event by which an administrator reversed it, or `null`."""


class Keys(TypedDict):
    p256dh: str
    """The public key of the subscription, as `PushSubscription.toJSON()` has it."""

    auth: str
    """The secret of the subscription."""


class LastEvent(TypedDict):
    """
    The last event of a table; `at` is in milliseconds since the epoch.
    """

    type: str
    at: int


class LinkAnswer(TypedDict):
    """
    A link with which you can sign in on another device, once.
    """

    url: str
    """The link; its code follows `#`, a part of the address that browsers send to nobody."""

    code: str
    """The code alone, for POST /v1/sign-ins."""

    expires_at: int
    """In ms since the epoch."""


class ListProblem(TypedDict):
    """
    A line of a list without such a player.
    """

    line: int
    """Its number, from 1."""

    given: str
    """The id or name in it."""

    code: str
    """A stable code of the reason."""

    detail: str
    """The reason as a sentence."""


Log: TypeAlias = str


class MarkedAbsent(TypedDict):
    """
    An official marked an entrant as absent from a sitting; the entrant may still check in.
    """

    entrant: str
    sitting: int
    official: str
    reason: str


class Marks(TypedDict):
    """
    The marks of an entrant.
    """

    is_organiser: bool
    """Whether they organise the tournament, or have done so."""

    assigned_byes: list[int]
    """The rounds in which the organiser gave them a bye."""

    by_bot: list[int]
    """The rounds in which a bot took more than half of their turns at a table."""

    ruled: list[int]
    """The rounds in which an official ruled on their table."""


MessageType: TypeAlias = Literal["announcement", "result.changed", "round.ended", "round.paired", "round.started", "table.result", "tournament.ended"]


class Minutes(TypedDict):
    """
    How long a table usually takes: the shortest with two players or bots, the longest with people only.
    """

    shortest: int
    longest: int


Missed: TypeAlias = Literal["late", "refused", "too_many"]


class MyImportsAnswer(TypedDict):
    """
    Your imports; the one that expires first comes first.
    """

    imports: list[ImportRow]


class MyTablesResetMessage(TypedDict):
    event: Literal["reset"]
    id: str
    data: AtTime


class NameForm(TypedDict):
    """
    Your new name.
    """

    name: str
    """The name that others see from now on. It need not be unique. Its letters must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is stored in Unicode's normal form NFKC."""


class NamedSeat(TypedDict):
    """
    The player or bot in a seat; `policy` is `null` for a person.
    """

    player: str
    policy: str | None
    resigned: bool
    """Whether the player has resigned."""

    name: str


class NewTeamForm(TypedDict):
    """
    A new team.
    """

    expected_version: NotRequired[ExpectedVersion]
    name: str
    """Its name, up to 40 characters, by the rules for names of players."""

    entrant: NotRequired[str]
    """The entrant who plays for it, by default you (others: organisers only)."""


class NoShow(TypedDict):
    """
    An entrant did not appear in time; the seat counts as resigned.
    """

    seat: int


class OfferDeclined(TypedDict):
    """
    A player declined the offer of an entry.
    """

    player: str


class OfferForm(TypedDict):
    """
    The seat that the host keeps for a player.
    """

    expected_version: NotRequired[ExpectedVersion]
    player: str
    """The id of the only player who may take the seat."""

    seat: NotRequired[int]
    """The free seat; by default the first one."""


OfferStatus: TypeAlias = Literal["accepted", "declined", "open", "withdrawn"]


class OfferWithdrawn(TypedDict):
    """
    The host withdrew the offer of a seat, or the player declined it.
    """

    seat: int


Player: TypeAlias = str


class OfferedPlayersForm(TypedDict):
    """
    The players to whom an entry is offered, or no longer is.
    """

    expected_version: NotRequired[ExpectedVersion]
    players: list[Player]
    """The ids of the players, in starting order."""


class OfferingTournament(TypedDict):
    """
    A tournament that offers you something.
    """

    id: str
    name: str


class OffersWithdrawn(TypedDict):
    """
    Those who organise the tournament took back the offers to these players.
    """

    players: list[str]


class OfficialForm(TypedDict):
    """
    The player who becomes an official, or no longer is one.
    """

    expected_version: NotRequired[ExpectedVersion]
    player: str
    """The id of the player."""


class Opponent(TypedDict):
    """
    Another player or bot at the table; `policy` is `null` for a person.
    """

    seat: int
    player: str
    name: str
    policy: str | None


class OptionCard(TypedDict):
    """
    An option of a game, or a setting of a tournament of it.
    """

    name: str
    default: bool | int | str | list[str] | None
    """`null` if there is none."""

    meaning: str
    form: dict[str, Any]
    """The JSON schema of its values."""


class OptionalReasonForm(TypedDict):
    """
    A decision, with a reason if it has one.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""


Entrant: TypeAlias = str


class OrderForm(TypedDict):
    """
    The order of the starting ranks; other entrants follow in order of arrival.
    """

    expected_version: NotRequired[ExpectedVersion]
    entrants: list[Entrant]
    """The ids of entrants, the first rank first."""


class OvertimeEnded(TypedDict):
    """
    The time for tables in play is over, too; the service ends those that are left.
    """


class OwnCard(TypedDict):
    """
    Your own data.
    """

    id: str
    name: str
    registered_at: int
    """In ms since the epoch."""


class PairingChangeExplained(TypedDict):
    """
    The organiser's reason for changing a pairing, and the engine's own proposal.
    """

    reason: str
    proposed_tables: list[list[int | None]]
    """The starting ranks at each table in seat order; `null` for a bot that fills the table."""

    proposed_byes: list[int]
    """The starting ranks of the entrants with a pairing bye."""


class PairingChanged(TypedDict):
    """
    The organiser changed a pairing; `proposed` are the engine's own tables and byes.
    """

    round: int
    tables: list[list[int | None]]
    byes: list[int]
    reason: str
    proposed_tables: list[list[int | None]]
    proposed_byes: list[int]


class PairingDropped(TypedDict):
    """
    The pairing of a round that had not started was dropped: the round is paired again, or the tournament is over.
    """

    round: int


class PairingExplained(TypedDict):
    """
    The explanation of an entrant's table and seat.
    """

    entrant: int
    """The starting rank."""

    score: ExactNumber
    """The score before the round; each unfinished table counts as half of a first place."""

    floated: int
    """Steps from the entrant's score group to the table's; above 0 the entrant floats up."""

    text: str
    """One or two plain sentences; if the organiser changed the pairing, they explain the engine's proposal."""


TableItem: TypeAlias = int | None


Table: TypeAlias = list[TableItem]


Bye: TypeAlias = int


class PairingForm(TypedDict):
    """
    A pairing that replaces the engine's.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    tables: list[Table]
    """The tables, in the order of the boards."""

    byes: NotRequired[list[Bye]]
    """The starting ranks of the entrants with a pairing bye."""


class Parent(TypedDict):
    """
    The version of an ended table from which a fork continues.
    """

    table: str
    version: int
    """The version of the last event that the fork shares."""

    head: str
    """The hash of that event."""


class PasskeyCard(TypedDict):
    """
    A passkey of yours.
    """

    passkey: str
    device: str
    """The browser and system with which it was made."""

    made_at: int
    """In ms since the epoch."""


class PasskeyOptions(TypedDict):
    """
    What a browser needs for a passkey, valid for five minutes and for one use.
    """

    origin: str
    """The address at which the passkey works."""

    public_key: dict[str, Any]
    """For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""


class PersonView(TypedDict):
    """
    A player, with the current name.
    """

    id: str
    name: str


Phase: TypeAlias = Literal["ended", "open", "playing"]


class PlaceDeclined(TypedDict):
    """
    The player declined the place of an entrant, or it is no longer offered.
    """

    entrant: str
    player: str


class PlaceOffered(TypedDict):
    """
    An official offered the place of an entrant to another player.
    """

    entrant: str
    player: str
    official: str
    reason: str


class PlayerAnswer(TypedDict):
    """
    The public data of a player.
    """

    id: str
    name: str
    """The current name; `someone who left` if the player was erased."""

    bot: BotCard | None
    """The description of a bot; `null` for a person."""


class PlayerCard(TypedDict):
    """
    The public data of a player.
    """

    id: str
    name: str
    """The current name; `someone who left` if the player was erased."""


class PlayerForm(TypedDict):
    """
    A new player. A guest, who sends no name, gets one.
    """

    name: NotRequired[str]
    """The name that others see. It need not be unique. Its letters must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is stored in Unicode's normal form NFKC."""


class PlayerReady(TypedDict):
    """
    An entrant appeared at a tournament's table, or a player was ready for the next round during a pause.
    """

    seat: int


class PlayerReturned(TypedDict):
    """
    A player returned and took the seat back from the bot.
    """

    seat: int


class PlayerSeedMissed(TypedDict):
    """
    A seed was not revealed in time; it counts as empty. `seat` is `null` for the host's.
    """

    seat: int | None


class PlayerSeedRevealed(TypedDict):
    """
    A player, or the host (`seat` is `null`), revealed the seed they had committed to.
    """

    seat: int | None
    seed: str


Place: TypeAlias = int


PointsBy: TypeAlias = Literal["place", "score"]


class PolicyCard(TypedDict):
    """
    A policy by which a bot may play the game: its level, or random play.
    """

    name: str
    meaning: str


class Posting(TypedDict):
    """
    An amount on an account: `player:<id>`, `bot:<policy>` or `table:<id>`.
    """

    account: str
    amount: int
    at_table: int
    """The account's gain at the table so far, including this posting."""


class PredecessorView(TypedDict):
    """
    A player who held the place of an entrant before, up to the round `until`; 0 for none.
    """

    id: str
    name: str
    until: int


class PresenceAnswer(TypedDict):
    """
    Who is connected to a table.
    """

    seats: list[int]
    """The seats whose players follow the table's events now, or did until a few seconds ago."""


class Push(TypedDict):
    """
    A browser that calls you.
    """

    id: str
    endpoint: str
    """The address of the browser's push service, as you sent it."""

    created_at: int
    """In milliseconds since the epoch."""


class PushesAnswer(TypedDict):
    """
    The browsers that call you, the oldest subscription first.
    """

    public_key: str
    """The key of this service for `PushManager.subscribe`, in base 64 for URLs."""

    pushes: list[Push]


RankBy: TypeAlias = Literal["lot", "organiser", "rating"]


class RankedTeam(TypedDict):
    """
    A team's line of the standings; `GET /v1/tournaments/{id}/teams` has its name.
    """

    team: int
    rank: int
    score: ExactNumber
    entrants: list[int]
    counted: int
    for_missing: ExactNumber | None
    decimals: str
    """The score with three decimals, for people."""


class RatingShown(TypedDict):
    """
    A rating in points, exact to a millionth.
    """

    mu: float
    """The mean of the estimated skill."""

    sigma: float
    """Its standard deviation."""

    low: float
    """Mu - 2 sigma; the skill lies between `low` and `high` nineteen times out of twenty."""

    high: float
    """Mu + 2 sigma."""

    ordinal: float
    """Mu - 3 sigma as it was after the latest table, by which leaderboards rank."""


class Reached(TypedDict):
    """
    How far an entrant got.
    """

    round: int
    """The last round in which the entrant could still win the tournament; 0 before the first round."""

    place: int | None
    """The place in the final, or from 3 in the match for third place; `null` for all other entrants."""


class ReasonAnswer(TypedDict):
    """
    The reason for a decision, a description or an announcement.
    """

    reason: str
    """The text."""

    salt: str
    """The event contains the SHA-256 of the salt, a colon and the reason, in UTF-8."""


class ReasonForm(TypedDict):
    """
    A decision, with its reason.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""


class RecordBase(TypedDict):
    """
    The fields of every event.
    """

    version: int
    """The number of the event in its history, from 1."""

    at: int
    """Milliseconds since the epoch."""

    by: str
    """At a table `player:<seat>`, `bot:<seat>`, `host`, `worker` or `admin`; in a tournament `organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`."""

    words: NotRequired[str]
    """A sentence; only with `include=words`."""

    now: NotRequired[int]
    """The service's clock, in ms; only in live streams of a table."""


class RecoveryCodeAnswer(TypedDict):
    """
    A code to print, with which you can sign in once if you have lost all your devices.
    """

    code: str
    """In groups of four letters and digits; capitals and hyphens do not matter."""

    url: str
    """A link that signs in with the code."""


class Registered(TypedDict):
    """
    A new player. Keep the token, which is returned only here; send it as `Authorization: Bearer <token>`.
    """

    id: str
    name: str
    token: str


class RegistrationOpened(TypedDict):
    """
    The organiser opened registration.
    """


class RegistrationOpenedRecord(RecordBase):
    type: Literal["tournament.registration_opened"]
    data: RegistrationOpened


class RematchOpened(TypedDict):
    """
    A rematch was opened after the end of this table, so that the same people can play again.
    """

    table: str


class RematchOpenedRecord(RecordBase):
    type: Literal["table.rematch_opened"]
    data: RematchOpened


class Report(TypedDict):
    """
    The end of a table, from its log.
    """

    version: int
    head: str
    outcome: Literal["abandoned", "cancelled", "closed", "expired", "last_seat", "no_result", "played_out", "stopped"]
    places: list[int] | None
    """By seat; `null` without a result."""

    points: list[int] | None
    """By seat; `null` without a result."""

    no_shows: list[int]
    """The seats of entrants who did not appear in time."""

    resigned: list[int]
    """The seats that resigned."""

    by_bot: list[int]
    """The seats of people for whom a bot took more than half of the turns."""


class RequestWithdrawn(TypedDict):
    """
    A player no longer asks to enter.
    """

    entrant: str


class RequestWithdrawnRecord(RecordBase):
    type: Literal["tournament.request_withdrawn"]
    data: RequestWithdrawn


class ResetMessage(TypedDict):
    event: Literal["reset"]
    id: str
    data: AtVersion


class Result(TypedDict):
    """
    The end of a table; places and scores are by seat, and `null` without a result.
    """

    outcome: Literal["abandoned", "cancelled", "closed", "expired", "last_seat", "no_result", "played_out", "stopped"]
    places: list[int] | None
    scores: list[int] | None


class ResultRuled(TypedDict):
    """
    An official ruled on the result of a board. `places` are by seat, `null` for an entrant who counts as absent; without places, the result does not count. `points` are by seat, where they decide the score. `score` is that of each entrant if the result does not count; `null` is half of a first place.
    """

    round: int
    board: int
    official: str
    places: list[int | None] | None
    points: list[int] | None
    score: ExactNumber | None
    reason: str


class ResultRuledRecord(RecordBase):
    type: Literal["tournament.result_ruled"]
    data: ResultRuled


class RoundCompleted(TypedDict):
    """
    Every table of a round has ended.
    """

    round: int


class RoundCompletedRecord(RecordBase):
    type: Literal["tournament.round_completed"]
    data: RoundCompleted


class RoundForm(TypedDict):
    """
    The next round.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    early: NotRequired[bool]
    """Whether to pair the round while tables of earlier rounds are unfinished. Default: `false`."""


class RoundScored(TypedDict):
    """
    A round was scored: each seat's gain or loss in `unit`, and the totals after it.
    """

    round: int
    unit: Literal["point", "token"]
    deltas: list[int]
    totals: list[int]


class RoundScoredRecord(RecordBase):
    type: Literal["table.round_scored"]
    data: RoundScored


class RoundStarted(TypedDict):
    """
    A round began, and its tables are being opened.
    """

    round: int


class RoundStartedRecord(RecordBase):
    type: Literal["tournament.round_started"]
    data: RoundStarted


RoundStatus: TypeAlias = Literal["complete", "paired", "playing"]


class RoundVoided(TypedDict):
    """
    The round was stopped without a result, by the no-progress guard or because nobody can end it.
    """

    round: int


class RoundVoidedRecord(RecordBase):
    type: Literal["table.round_voided"]
    data: RoundVoided


class RoundsAdded(TypedDict):
    """
    An official added rounds to the last sitting.
    """

    rounds: int
    official: str
    reason: str


class RoundsAddedRecord(RecordBase):
    type: Literal["tournament.rounds_added"]
    data: RoundsAdded


Place1: TypeAlias = int | None


Point: TypeAlias = int


class RulingForm(TypedDict):
    """
    The result that a board is to have, in place of that of its table.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    places: NotRequired[list[Place1] | None]
    """The place of each seat, in seat order; null for an entrant who counts as absent. Without places the result does not count."""

    points: NotRequired[list[Point] | None]
    """The points of each seat, where they decide the score; the places follow from them."""

    score: NotRequired[str]
    """The score of each entrant if the result does not count: 0, 1/2 or 1. Default: `"1/2"`."""


class RulingReversed(TypedDict):
    """
    An administrator reversed the ruling on a board, so that the result of its table counts again.
    """

    round: int
    board: int
    reason: str


class RulingReversedRecord(RecordBase):
    type: Literal["tournament.ruling_reversed"]
    data: RulingReversed


class RulingView(TypedDict):
    """
    A ruling on the result of a board.
    """

    official: str
    """The id of the player who ruled."""

    places: list[int | None] | None
    """By seat, `null` for an entrant who counts as absent; `null` if the result does not count."""

    points: list[int] | None
    """By seat, if points decide the score."""

    score: ExactNumber | None
    """The score of each entrant if the result does not count; `null` for half of a first place."""

    reason: str
    """The salted hash of the reason; see `GET /v1/reasons/{digest}`."""


class SaidAbsent(TypedDict):
    """
    An entrant announced that they will not play in a sitting; they may still check in again.
    """

    entrant: str
    sitting: int


class SaidAbsentRecord(RecordBase):
    type: Literal["tournament.said_absent"]
    data: SaidAbsent


class SaidAnswer(TypedDict):
    """
    What a player said. It is in no log.
    """

    seat: int
    saying: str
    """Its id in the game's `sayings`, or `nudge`."""

    to: int | None
    """The seat that was nudged."""

    at: int
    """When, in milliseconds since the epoch."""


class SayingCard(TypedDict):
    """
    Something that players of the game may say to each other.
    """

    id: str
    text: str


class SayingForm(TypedDict):
    """
    What to say.
    """

    saying: str
    """The id of one of the game's `sayings`, or `nudge`."""

    to: NotRequired[int]
    """The seat to nudge; only with `nudge`."""


class ScheduleForm(TypedDict):
    """
    A new time for a sitting.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    starts_at: int | None
    """When the sitting starts, in ms since the epoch; null for no fixed time. With `advance: schedule` it is required and must not be in the past."""


ScoreBy: TypeAlias = Literal["place", "points", "win"]


class SeasonDateView(TypedDict):
    """
    One date of a series.
    """

    number: int
    starts_at: int
    """When its tournament starts, and when it is opened for entries, in ms since the epoch, as planned."""

    opens_at: int
    """When its tournament starts, and when it is opened for entries, in ms since the epoch, as planned."""

    status: DateStatus
    tournament: str | None
    """The id of its tournament, or `null` if it was not opened."""

    why: Missed | None
    """Why it was missed, otherwise `null`."""

    players: int
    """The number of players whose result counts."""


SeasonPhase: TypeAlias = Literal["ended", "running"]


class SeasonResult(TypedDict):
    """
    A player's result in one tournament.
    """

    number: int
    """Of the date."""

    place: int
    points: ExactNumber
    """Exact."""

    counts: bool
    """Whether it is one of the best tournaments that count."""


class SeasonTrophyRow(TypedDict):
    """
    A player's trophy of a season.
    """

    player: str
    series: str
    name: str
    game: str
    trophy: int
    """1, 2 or 3."""

    changed_at: int
    """When the season ended or was last corrected, in ms since the epoch."""


class SeatClaimed(TypedDict):
    """
    Another player let a bot play for a seat whose clock had run out; its player may return.
    """

    seat: int


class SeatClaimedRecord(RecordBase):
    type: Literal["table.seat_claimed"]
    data: SeatClaimed


class SeatCounts(TypedDict):
    """
    The minimum and maximum number of seats of a game.
    """

    fewest: int
    most: int


class SeatForm(TypedDict):
    """
    A seat for yourself or, with `policy`, for a bot.
    """

    expected_version: NotRequired[ExpectedVersion]
    seat: NotRequired[int]
    """The seat to take; by default the one offered to you, otherwise the first free one."""

    seed: NotRequired[str]
    """Your part in every shuffle. Everybody can read it before the start, so it does not protect you from a player who sits down later and knows the server seed; `seed_commitment` does. Not for a bot. Default: `""`."""

    seed_commitment: NotRequired[str]
    """The SHA-256 of a seed, your part in every shuffle. The seed is 32 to 64 random lower-case hex digits, and you reveal it within ten seconds after the start. See docs/FAIRNESS.md."""

    policy: NotRequired[Literal["novice", "steady", "sharp", "expert", "random"]]
    """Seats a bot with this policy; only the host may."""


class SeatGivenUp(TypedDict):
    """
    The service has resigned an expelled entrant's seat at a table.
    """

    entrant: str
    table: str


class SeatGivenUpRecord(RecordBase):
    type: Literal["tournament.seat_given_up"]
    data: SeatGivenUp


class SeatInPlay(TypedDict):
    """
    A seat of a board in play.
    """

    entrant: int | None
    """The starting rank; `null` for a bot that fills the table."""

    connected: bool | None
    """Whether the player follows the table now, as in `GET /v1/tables/{id}/presence`; `null` for a bot."""


class SeatLeft(TypedDict):
    """
    A player left the seat before the start, or the host removed the player or the bot from it.
    """

    seat: int


class SeatLeftRecord(RecordBase):
    type: Literal["table.seat_left"]
    data: SeatLeft


class SeatOffered(TypedDict):
    """
    The host reserved a free seat for a player; nobody else may take it.
    """

    seat: int
    player: str


class SeatOfferedRecord(RecordBase):
    type: Literal["table.seat_offered"]
    data: SeatOffered


class SeatResigned(TypedDict):
    """
    The player resigned; a stand-in plays on for the seat.
    """

    seat: int


class SeatResignedRecord(RecordBase):
    type: Literal["table.seat_resigned"]
    data: SeatResigned


SeatState: TypeAlias = Literal["bot", "no_show", "played", "resigned", "stand_in"]


class SeatTaken(TypedDict):
    """
    A player (`policy` is `null`) or a bot sat down. Their name is not in the log. `seed` is a seed that everyone can read before the start, `seed_commitment` a commitment to a secret one. At most one of them is not empty.
    """

    seat: int
    player: str
    policy: str | None
    seed: str
    seed_commitment: str


class SeatTakenRecord(RecordBase):
    type: Literal["table.seat_taken@3"]
    data: SeatTaken


class SeedForm(TypedDict):
    """
    The seed that you committed to.
    """

    expected_version: NotRequired[ExpectedVersion]
    seed: str
    """The text whose SHA-256 is the commitment."""


class SeedRevealed(TypedDict):
    """
    The server seed was revealed, so that anyone can recompute the shuffles; the last event of play at every table. It follows the end of the table immediately or, if the table shares its deal with others, the release of the deal.
    """

    server_seed: str


class SeedRevealedRecord(RecordBase):
    type: Literal["table.seed_revealed"]
    data: SeedRevealed


SeedStatus: TypeAlias = Literal["committed", "missed", "none", "plain", "revealed"]


class SeedsCalled(TypedDict):
    """
    A round is about to open; these entrants have ten seconds to reveal their seeds. `early` and `reason` come from the command that opens the round.
    """

    round: int
    entrants: list[str]
    early: bool
    reason: str


class SeedsCalledRecord(RecordBase):
    type: Literal["tournament.seeds_called"]
    data: SeedsCalled


ForbiddenItemItem: TypeAlias = str


ForbiddenItem: TypeAlias = list[ForbiddenItemItem]


class SeriesEndForm(TypedDict):
    """
    The end of a series, with its reason.
    """

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""

    reason: str
    """The reason, on one line; it is public."""


class SeriesEventRecord(TypedDict):
    """
    An event of a series.
    """

    version: int
    type: str
    at: int
    """Milliseconds since the epoch."""

    by: str
    """`organiser`, `worker` or `admin`."""

    words: str
    """A sentence about the event."""

    reason: str | None
    """The salted hash of an administrator's reason, or `null`; see `GET /v1/reasons/{digest}`."""


class SeriesHistoryAnswer(TypedDict):
    """
    The latest events of a series, the latest first.
    """

    events: list[SeriesEventRecord]


class SeriesJoined(TypedDict):
    """
    The service opened the tournament for a date of a series.
    """

    series: str
    number: int


class SeriesJoinedRecord(RecordBase):
    type: Literal["tournament.series_joined"]
    data: SeriesJoined


class SeriesPlace(TypedDict):
    """
    The series to which a tournament belongs, and the number of its date there.
    """

    series: str
    number: int


Place2: TypeAlias = int


class SeriesPoints(TypedDict):
    by: NotRequired[Literal["place", "score"]]
    """Whether the place in a tournament earns points, or the score is the points."""

    places: NotRequired[list[Place2]]
    """The points for the first place, the second, and so on; later places earn none. Only for `by: place`."""

    participation: NotRequired[int]
    """Points for everybody who played, in addition."""

    best_of: NotRequired[int | None]
    """The number of each player's best tournaments that count; all by default."""


class SeriesRow(TypedDict):
    """
    One series.
    """

    id: str
    name: str
    format: Format
    game: str
    phase: SeasonPhase
    organiser: str
    dates: int
    """The number of tournaments, including those that were left out or missed."""

    over: int
    """The number of tournaments that are over."""

    next_at: int | None
    """The start of the next tournament that is still to be opened, in ms since the epoch, or `null`."""

    changed_at: int
    """In ms since the epoch."""


class SeriesSchedule(TypedDict):
    weekdays: list[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]
    """The days of the week."""

    time: str
    """The local time of the start, such as `20:00`."""

    zone: str
    """The time zone by its name in the IANA database, such as `Europe/Berlin`."""

    first_day: str
    """The first day on which a tournament may take place."""

    every_weeks: NotRequired[int]
    """2 for every second week, counted from the week of the first day."""

    tournaments: NotRequired[int | None]
    """The number of tournaments; either this or `last_day`."""

    last_day: NotRequired[str | None]
    """The last day on which a tournament may take place; at most 60 may result."""

    opens_hours: NotRequired[int]
    """How many hours before its start a tournament takes entries; at most 3 may do so at the same time."""


ForbiddenItem1: TypeAlias = list[str]


class ShitheadAcceptPile(TypedDict):
    """
    Answer a Joker by taking the pile.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["accept"]


class ShitheadBlindCardFailed(TypedDict):
    """
    A blind card was turned up, could not be played and was picked up with the pile.
    """

    seat: int
    slot: int
    card: str


class ShitheadBlindCardFailedRecord(RecordBase):
    type: Literal["shithead.blind_card_failed"]
    data: ShitheadBlindCardFailed


class ShitheadBlindCardPlayed(TypedDict):
    """
    A seat turned up a blind card and played it.
    """

    seat: int
    slot: int
    card: str


class ShitheadBlindCardPlayedRecord(RecordBase):
    type: Literal["shithead.blind_card_played"]
    data: ShitheadBlindCardPlayed


class ShitheadBlindJokerTurned(TypedDict):
    """
    A blind card turned out to be a Joker; its player must now name somebody.
    """

    seat: int
    slot: int


class ShitheadBlindJokerTurnedRecord(RecordBase):
    type: Literal["shithead.blind_joker_turned"]
    data: ShitheadBlindJokerTurned


class ShitheadBurnPile(TypedDict):
    """
    Complete four of a kind on the pile out of turn (option `out_of_turn_burn`).
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["burn"]
    cards: list[str]


class ShitheadCardsPlayed(TypedDict):
    """
    A seat played cards and drew from the stock.
    """

    seat: int
    cards: list[str]
    drawn: list[str]


class ShitheadCardsPlayedRecord(RecordBase):
    type: Literal["shithead.cards_played"]
    data: ShitheadCardsPlayed


class ShitheadCardsSwapped(TypedDict):
    """
    A seat exchanged two of its cards, `secretly` if the option `hidden_swap` is on.
    """

    seat: int
    hand_card: str
    face_up_card: str
    secretly: bool


class ShitheadCardsSwappedRecord(RecordBase):
    type: Literal["shithead.cards_swapped"]
    data: ShitheadCardsSwapped


class ShitheadCounterJoker(TypedDict):
    """
    Answer a Joker with another Joker, and name another player.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["counter"]
    target: int
    """The seat of another player."""

    card: NotRequired[Literal["JK"]]
    """Default: `"JK"`."""


class ShitheadDeclareReady(TypedDict):
    """
    Declare that you have finished swapping.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["ready"]


class ShitheadFlipBlind(TypedDict):
    """
    Turn up one of your own blind cards; it is played if it can be.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["flip"]
    slot: int
    """A slot of your face-down cards, 0 … 2."""


class ShitheadJokerCountered(TypedDict):
    """
    The named seat countered a Joker with another Joker and named another seat.
    """

    seat: int
    target: int
    drawn: list[str]


class ShitheadJokerCounteredRecord(RecordBase):
    type: Literal["shithead.joker_countered"]
    data: ShitheadJokerCountered


class ShitheadJokerPlayed(TypedDict):
    """
    A seat played a Joker and named the seat that must counter it or take the pile.
    """

    seat: int
    target: int
    drawn: list[str]


class ShitheadJokerPlayedRecord(RecordBase):
    type: Literal["shithead.joker_played"]
    data: ShitheadJokerPlayed


class ShitheadOptions(TypedDict):
    pickup_restart: NotRequired[Literal["picker", "next"]]
    """Who plays first after the pile was picked up: its picker or the next player. Default: `"picker"`."""

    decks: NotRequired[int | None]
    """How many packs; by default one, or two if one has too few cards for the seats. One serves six players, or five with fewer than two jokers; two serve ten. Default: `null`."""

    jokers: NotRequired[int | None]
    """How many jokers in all; by default two for each pack. Default: `null`."""

    face_up_strict: NotRequired[bool]
    """A face-up card must be higher than the card on the pile, not equal to it. Default: `false`."""

    seven_allows_seven: NotRequired[bool]
    """A 7 may be played on a 7. Default: `false`."""

    stack_threes: NotRequired[bool]
    """Each 3 of a play makes one player miss a go; otherwise a play skips one. Default: `true`."""

    stack_fives: NotRequired[Literal["parity", "once"]]
    """Every 5 of a play reverses the direction, so two cancel out, or a play does so once. Default: `"parity"`."""

    out_of_turn_burn: NotRequired[bool]
    """Anybody but the player of the last cards may complete four of a kind on the pile out of turn, until the next player acts. A bot at a table with people waits about a second before its turn. Default: `false`."""

    voluntary_pickup: NotRequired[bool]
    """The pile may be picked up by a player who could play. Default: `false`."""

    joker_fate: NotRequired[Literal["removed", "picked_up"]]
    """Used jokers leave the game, or go to the hand of the player they sent the pile to. **Careful:** in hands they never run out, so a round may never end; it is then voided without points. Among random bots this happened in 34 of 40 rounds at 8 seats, 36 of 40 at 10; among steady bots 1 of 200. Default: `"removed"`."""

    hidden_swap: NotRequired[bool]
    """Exchanges before play stay hidden until everybody is ready. Default: `false`."""

    rounds: NotRequired[int]
    """How many rounds. Default: `1`."""


class ShitheadPickUp(TypedDict):
    """
    Take the pile into your hand, together with one of your face-up cards if you play from those.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["pick_up"]
    face_up_card: NotRequired[str | None]
    """Default: `null`."""


class ShitheadPileAccepted(TypedDict):
    """
    The named seat did not counter a Joker.
    """

    seat: int


class ShitheadPileAcceptedRecord(RecordBase):
    type: Literal["shithead.pile_accepted"]
    data: ShitheadPileAccepted


class ShitheadPileBurned(TypedDict):
    """
    A seat completed four of a kind out of turn.
    """

    seat: int
    cards: list[str]
    drawn: list[str]


class ShitheadPileBurnedRecord(RecordBase):
    type: Literal["shithead.pile_burned"]
    data: ShitheadPileBurned


class ShitheadPilePickedUp(TypedDict):
    """
    A seat took the pile, together with a chosen face-up card if it plays from those.
    """

    seat: int
    face_up_card: str | None


class ShitheadPilePickedUpRecord(RecordBase):
    type: Literal["shithead.pile_picked_up"]
    data: ShitheadPilePickedUp


class ShitheadPlayCards(TypedDict):
    """
    Lay cards of one rank on the pile, in the order named.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["play"]
    cards: list[str]


class ShitheadPlayJoker(TypedDict):
    """
    Lay a Joker and name the player who is to pick up the pile.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["play_joker"]
    target: int
    """The seat of another player."""

    card: NotRequired[Literal["JK"]]
    """Default: `"JK"`."""


class ShitheadPlayStarted(TypedDict):
    """
    All seats are ready: the seat that starts, and everybody's face-up cards.
    """

    seat: int
    card: str | None
    """The card that the first play must contain, if any; only the starter sees it."""

    face_up: list[list[str]]


class ShitheadPlayStartedRecord(RecordBase):
    type: Literal["shithead.play_started"]
    data: ShitheadPlayStarted


class ShitheadRoundDealt(TypedDict):
    """
    The deal: blind cards by slot, face-up cards, hands and the stock.
    """

    round: int
    dealer: int
    blind: list[list[str]]
    face_up: list[list[str]]
    hands: list[list[str]]
    stock: list[str]


class ShitheadRoundDealtRecord(RecordBase):
    type: Literal["shithead.round_dealt"]
    data: ShitheadRoundDealt


class ShitheadSeatReady(TypedDict):
    """
    A seat declared that it is ready to begin.
    """

    seat: int


class ShitheadSeatReadyRecord(RecordBase):
    type: Literal["shithead.seat_ready"]
    data: ShitheadSeatReady


class ShitheadShitheadNamed(TypedDict):
    """
    The round is scored: all seats in finishing order, the shithead last, and the points of each seat.
    """

    order: list[int]
    points: list[int]


class ShitheadShitheadNamedRecord(RecordBase):
    type: Literal["shithead.shithead_named"]
    data: ShitheadShitheadNamed


ShitheadStep: TypeAlias = Literal["answer", "name_target", "play", "swap"]


class ShitheadSwapCards(TypedDict):
    """
    Exchange a card in your hand for one of your face-up cards, before play starts.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["swap"]
    hand_card: str
    face_up_card: str


class ShitheadView(GameView):
    """
    The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.
    """

    step: ShitheadStep | None
    """The action that is owed; `null` between rounds."""

    ready: list[int]
    """The seats that have finished swapping."""

    starting_card: str | None
    """The card that the viewer's first play must contain."""

    hands: list[list[str]]
    face_up: list[list[str]]
    blind: list[list[str | None]]
    """By slot; `null` if empty. Everyone sees a Joker that was turned up."""

    pile: list[str]
    """The last card is the top."""

    removed_count: int
    jokers: list[str]
    """The Jokers that wait for an answer, and the seats that laid them, in order."""

    jokers_laid: list[int]
    """The Jokers that wait for an answer, and the seats that laid them, in order."""

    finished: list[int]
    """The seats that are out, in order."""

    stock: list[str] | None
    """The cards, top first and in the order in which they were removed, for `everybody` only."""

    removed: list[str] | None
    """The cards, top first and in the order in which they were removed, for `everybody` only."""


SignIn: TypeAlias = Literal["link", "passkey", "recovery_code", "registration"]


class SignInForm(TypedDict):
    """
    A code.
    """

    code: str
    """The code of a link, which begins with `hwl_`, or a recovery code."""


class Sitting(TypedDict):
    """
    A session in which entrants meet to play.
    """

    rounds: int | None
    """The number of rounds. Omit it for the last sitting if the format determines it."""

    starts_at: int | None
    """When it starts, in ms since the epoch; with `advance: schedule` not in the past."""


class SittingForm(TypedDict):
    rounds: NotRequired[int]
    """The number of rounds. Omit it for the last sitting if the format determines it."""

    starts_at: NotRequired[int | None]
    """When it starts, in ms since the epoch; with `advance: schedule` not in the past."""


class SittingRescheduled(TypedDict):
    """
    The organiser changed the start of a sitting, in ms since the epoch; `null` for no set time.
    """

    sitting: int
    starts_at: int | None
    reason: str


class SittingRescheduledRecord(RecordBase):
    type: Literal["tournament.sitting_rescheduled"]
    data: SittingRescheduled


Stage: TypeAlias = Literal["in_play", "over", "to_deal", "to_score"]


class StandingShown(TypedDict):
    """
    The standing of a player in a game.
    """

    game: str
    rating: RatingShown
    """With today's sigma, which grows with each day without a table."""

    provisional: bool
    """`sigma` is not below 2.5."""

    idle: bool
    """The player was not rated in the last 90 days."""

    tables: int
    """The number of tables that count."""

    trend: float
    """The change of `mu` over the latest ten tables."""

    rated_at: int
    """When the latest table was rated, in ms since the epoch."""


class StatementLine(TypedDict):
    """
    The movement on one account by one journal entry.
    """

    entry: str
    """The id of the entry."""

    at: int
    """Milliseconds since the epoch."""

    event: str
    """The type of the event that the entry comes from."""

    table: str
    tournament: str | None
    """The tournament of the table, or `null`."""

    game: str
    round: int
    account: str
    unit: Literal["point", "token"]
    amount: int
    """The account's gain; negative for a loss."""

    balance: int
    """Of the account in that game right after the entry. In the statement of a table or tournament, only the gains there count."""

    reverses: str | None
    """The id of the entry that this one reverses, or `null`."""


class Statistics(TypedDict):
    """
    Counts of tables, rounds and actions of a game.
    """

    tables_opened: int
    tables_started: int
    rounds_scored: int
    """Scored rounds, except those of voided tables."""

    rounds_voided: int
    """Rounds that the rules of the game ended without a score."""

    actions: int
    """Actions in rounds that have ended."""

    tables_ended: int
    tables_voided: int
    """Tables whose result an administrator voided."""


Status: TypeAlias = Literal["annulled", "forfeit_win", "no_show", "not_seated", "pending", "played"]


Stopped: TypeAlias = Literal["administrator", "organiser", "organiser_gone"]


class StreamToken(TypedDict):
    """
    A token with which its player may open streams until `expires_at`, in ms since the epoch.
    """

    token: str
    expires_at: int


class SubscriptionForm(TypedDict):
    """
    A browser's subscription to pushes.
    """

    endpoint: str
    """The address at which the browser's push service takes messages."""

    keys: Keys
    """The keys with which messages are encrypted."""


class SubstituteForm(TypedDict):
    """
    The player to whom the place is offered, and why.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    player: str
    """The id of the player."""


class SubstitutionReversed(TypedDict):
    """
    An administrator gave an entrant's place back to the `player` before, for rounds after `until`.
    """

    entrant: str
    player: str
    until: int
    reason: str


class SubstitutionReversedRecord(RecordBase):
    type: Literal["tournament.substitution_reversed"]
    data: SubstitutionReversed


class TableBase(TypedDict):
    turn_seconds: NotRequired[int]
    """Seconds that a player has for each turn; 0 for no clock. By default 120 if two or more people play, otherwise 0."""

    bot_delay: NotRequired[int]
    """Milliseconds that a bot waits before its turn, on average, so that people can follow the play; 0 for none. By default 1,000 if people play, otherwise 0."""

    round_pause: NotRequired[int]
    """Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for none. By default 8,000 if people play, otherwise 0."""

    seed_commitment: NotRequired[str]
    """The SHA-256 of a seed, the host's part in every shuffle. The seed is 32 to 64 random lower-case hex digits, and you reveal it within ten seconds after the start. See docs/FAIRNESS.md."""

    rated: NotRequired[bool]
    """Whether the result counts in the ratings. Only a public table that everyone may watch can be rated; by default it is."""

    private: NotRequired[bool]
    """Whether players need the invitation code to sit down. The table is not listed for others. Default: `false`."""

    watch: NotRequired[Literal["everyone", "invited", "nobody"]]
    """Who may see the table and its events, log and ledger, even after its end, in addition to its host and players: everyone, those who send its invitation code, or nobody. The default is `everyone` at a public table and `invited` at a private one."""

    take_backs: NotRequired[bool]
    """Whether players may take back their last action (`POST …/take-back`). By default they may if the result does not count in the ratings."""


class TableEnded(TypedDict):
    """
    The table ended; `places` and `scores` are by seat and `null` without a result.
    """

    outcome: Literal["abandoned", "cancelled", "closed", "expired", "last_seat", "no_result", "played_out", "stopped"]
    places: list[int] | None
    scores: list[int] | None


class TableEndedRecord(RecordBase):
    type: Literal["table.ended"]
    data: TableEnded


class TableForked(TypedDict):
    """
    A table that was just opened continues another one. `entries` is that table's log up to the version in `TableOpened.parent`. Before the end of the fork, viewers receive the event without it. They can read it in the log of the parent, which has ended.
    """

    entries: list[Entry]


class TableForkedRecord(RecordBase):
    type: Literal["table.forked"]
    data: TableForked


class TablePresenceMessage(TypedDict):
    event: Literal["presence"]
    data: PresenceAnswer


class TableReported(TypedDict):
    """
    A table ended. `version` and `head` are those of its log; `places` and `points` are by seat. `no_shows`, `resigned` and `by_bot` are the seats of entrants who did not appear, who resigned, and for whom a bot took more than half of the turns.
    """

    round: int
    board: int
    deal: int
    table: str
    version: int
    head: str
    outcome: Literal["abandoned", "cancelled", "closed", "expired", "last_seat", "no_result", "played_out", "stopped"]
    places: list[int] | None
    points: list[int] | None
    no_shows: list[int]
    resigned: list[int]
    by_bot: list[int]


class TableReportedRecord(RecordBase):
    type: Literal["tournament.table_reported@2"]
    data: TableReported


class TableSaidMessage(TypedDict):
    event: Literal["said"]
    data: SaidAnswer


class TableSealed(TypedDict):
    """
    A table ended whose deal others may still play. `head` is the last hash of its log, which is secret.
    """

    round: int
    board: int
    table: str
    head: str


class TableSealedRecord(RecordBase):
    type: Literal["tournament.table_sealed"]
    data: TableSealed


class TableStarted(TypedDict):
    """
    Play began; seats, seeds and commitments are fixed from here on. The fields set the parts of the table's pace that the opening left open; the others are `null`.
    """

    turn_seconds: int | None
    bot_delay: int | None
    round_pause: int | None


class TableStartedRecord(RecordBase):
    type: Literal["table.started@2"]
    data: TableStarted


class TableStopped(TypedDict):
    """
    An official ended a table in play; the service then closes it without a result.
    """

    round: int
    board: int
    deal: int
    official: str
    reason: str


class TableStoppedRecord(RecordBase):
    type: Literal["tournament.table_stopped"]
    data: TableStopped


class TableVoided(TypedDict):
    """
    An administrator took back the result of an ended table; the events of play are unchanged.
    """

    admin: str
    reason: str


class TableVoidedRecord(RecordBase):
    type: Literal["table.voided"]
    data: TableVoided


class TablesOpened(TypedDict):
    """
    The service has opened and started these tables.
    """

    tables: list[str]


class TablesOpenedRecord(RecordBase):
    type: Literal["tournament.tables_opened"]
    data: TablesOpened


class TakeBackView(TypedDict):
    """
    The seat whose player may take back the last action, and when it is too late, in ms since the epoch.
    """

    seat: int
    until: int


class TakenPlaceForm(TypedDict):
    """
    Your acceptance of the place.
    """

    expected_version: NotRequired[ExpectedVersion]
    seed_commitment: NotRequired[str]
    """The SHA-256 of a seed of yours. The seed is 32 to 64 random lower-case hex digits, and you reveal it when the next round opens."""


class Team(TypedDict):
    """
    A team.
    """

    team: int
    """Its number."""

    name: str
    """`Team` and its number if the name was erased."""

    entrants: list[str]
    """The ids of its entrants, in order of starting rank, before the start in order of arrival."""

    code: str | None
    """The code with which others join it; `null` unless you play for it or organise the tournament."""


class TeamChosen(TypedDict):
    """
    An entrant joined a team, or left it if `team` is `null`. The first one of a team founds it, with the salted hash of its `name`, whose text is stored apart from the log; later it is empty.
    """

    entrant: str
    team: int | None
    name: str


class TeamChosenRecord(RecordBase):
    type: Literal["tournament.team_chosen"]
    data: TeamChosen


class TeamCodeForm(TypedDict):
    """
    The code of a team.
    """

    expected_version: NotRequired[ExpectedVersion]
    code: str
    """The code; case and hyphens do not matter."""


class TeamCodeReplaced(TypedDict):
    """
    The code of a team was replaced. The code itself is in no event.
    """

    team: int


class TeamCodeReplacedRecord(RecordBase):
    type: Literal["tournament.team_code_replaced"]
    data: TeamCodeReplaced


class TeamNumberForm(TypedDict):
    """
    A team.
    """

    expected_version: NotRequired[ExpectedVersion]
    team: int
    """The number of the team."""


class TeamsAnswer(TypedDict):
    """
    The teams that have entrants, in the order in which they were founded.
    """

    teams: list[Team]


class TeamsChosen(TypedDict):
    """
    Entrants play for teams of up to `team_size`, whose best `team_counting` count.
    """

    team_size: int
    team_counting: int


class TeamsChosenRecord(RecordBase):
    type: Literal["tournament.teams_chosen"]
    data: TeamsChosen


class TermCard(TypedDict):
    """
    A word of the game, and what it means, as Markdown.
    """

    term: str
    meaning: str


Tiebreak: TypeAlias = Literal["buchholz", "buchholz_cut1", "buchholz_median", "difference", "direct", "lot", "progressive", "sonneborn_berger", "wins"]


class TiebreaksChanged(TypedDict):
    """
    The organiser changed the tie-breaks.
    """

    tiebreaks: list[Tiebreak]
    reason: str


class TiebreaksChangedRecord(RecordBase):
    type: Literal["tournament.tiebreaks_changed"]
    data: TiebreaksChanged


class TiebreaksForm(TypedDict):
    """
    A new list of tie-breaks.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    tiebreaks: list[Tiebreak]
    """The criteria that order entrants of equal score, the first one first; without any these entrants share their rank."""


ForbiddenItem2Item: TypeAlias = str


ForbiddenItem2: TypeAlias = list[ForbiddenItem2Item]


class TournamentCancelled(TypedDict):
    """
    The organiser or an administrator cancelled the tournament.
    """

    reason: str


class TournamentCancelledRecord(RecordBase):
    type: Literal["tournament.cancelled"]
    data: TournamentCancelled


class TournamentClocksMoved(TypedDict):
    """
    The service was away from `since` to `until`, in ms; running deadlines were postponed by that time.
    """

    since: int
    until: int


class TournamentClocksMovedRecord(RecordBase):
    type: Literal["tournament.clocks_moved"]
    data: TournamentClocksMoved


class TournamentDescriptionForm(TypedDict):
    """
    A description.
    """

    expected_version: NotRequired[ExpectedVersion]
    text: str
    """Markdown: headings, paragraphs, lists, tables, bold, italics, code, and links to `https` addresses. Programs must show anything else as text. Empty to remove the description."""


class TournamentFinding(TypedDict):
    """
    The first fault.
    """

    code: str
    """A code for a table's log, or `missing_table`, `foreign_table`, `wrong_table`, `wrong_seed`, `wrong_seats`, `wrong_deal`, `wrong_seal`, `early_release` or `wrong_result`."""

    detail: str
    table: str | None
    """The table whose log is faulty, or `null` for the tournament's own log."""

    version: int | None
    """The position of the fault in that log."""

    line: int | None
    """The position of the fault in that log."""


class TournamentFinished(TypedDict):
    """
    The tournament ended; `reason` is not empty if this was before the last round was complete.
    """

    reason: str


class TournamentFinishedRecord(RecordBase):
    type: Literal["tournament.finished"]
    data: TournamentFinished


class TournamentJournalEntry(TypedDict):
    """
    One transaction. It is never edited; when its table is voided, another entry reverses it.
    """

    id: str
    """`<table>:<version>` of the event it comes from; `<table>:<version>:<n>` of the n-th reversal by a void."""

    at: int
    """Milliseconds since the epoch."""

    table: str
    tournament: str | None
    """The tournament that the table belongs to, or `null`."""

    game: str
    round: int
    event: str
    unit: Literal["point", "token"]
    """The unit of the amounts."""

    reverses: str | None
    """The id of the entry that this one reverses, or `null`."""

    postings: list[Posting]
    """Sum to zero; accounts that gain or lose nothing are omitted."""


class TournamentOfferAnswer(TypedDict):
    """
    A tournament offers you an entry, or the place of an entrant, in a live stream.
    """

    now: int
    """The time of the service, in milliseconds since the epoch."""

    tournament: OfferingTournament


class TournamentOpponent(TypedDict):
    """
    Another rated seat at a table.
    """

    player: str
    place: int


class TournamentPaused(TypedDict):
    """
    The organiser paused the tournament.
    """

    reason: str


class TournamentPausedRecord(RecordBase):
    type: Literal["tournament.paused"]
    data: TournamentPaused


TournamentPhase: TypeAlias = Literal["cancelled", "draft", "finished", "paused", "registration", "running"]


class TournamentPlace(TypedDict):
    """
    The place of a table in a tournament (docs/TOURNAMENTS.md).
    """

    tournament: str
    round: int
    """From 1."""

    board: int
    """From 1."""

    deal: int
    """From 1; counts the deals between entrants who were tied for the last place to advance in a knockout."""

    grace_seconds: int
    """How long after the start entrants may still appear."""

    fillers: list[int]
    """The seats of bots that are not entrants."""


class TournamentResumed(TypedDict):
    """
    The organiser resumed the paused tournament.
    """


class TournamentResumedRecord(RecordBase):
    type: Literal["tournament.resumed"]
    data: TournamentResumed


class TournamentRow(TypedDict):
    """
    One tournament.
    """

    id: str
    name: str
    format: Format
    game: str
    seats: int
    """The intended number of seats at a table."""

    phase: TournamentPhase
    organiser: str
    entrants: int
    """The number of entrants who have not left, including those on the waiting list."""

    rounds: int
    """The number of rounds started so far."""

    rounds_planned: int | None
    """`null` for an arena, or if the number depends on the entrants and the tournament has not started."""

    changed_at: int
    """In ms since the epoch."""


class TournamentSeedRevealed(TypedDict):
    """
    The last table has ended and the seed was revealed, so that anyone can recompute every lot and every shuffle.
    """

    server_seed: str


class TournamentSeedRevealedRecord(RecordBase):
    type: Literal["tournament.seed_revealed"]
    data: TournamentSeedRevealed


class TournamentStarted(TypedDict):
    """
    The tournament began, and the starting ranks were fixed. `ratings` determined the ranks: mu - 3 sigma in millionths, by entrant. `entrants` are in order of starting rank. In a round robin, `schedule` has the seats of every table of every round.
    """

    ratings: dict[str, int]
    entrants: list[str]
    rounds: int
    schedule: list[list[list[int]]]


class TournamentStartedRecord(RecordBase):
    type: Literal["tournament.started"]
    data: TournamentStarted


class TournamentTableVoided(TypedDict):
    """
    An administrator voided a finished table.
    """

    round: int
    board: int
    deal: int
    reason: str


class TournamentTableVoidedRecord(RecordBase):
    type: Literal["tournament.table_voided"]
    data: TournamentTableVoided


class TournamentsAnswer(TypedDict):
    """
    Tournaments; the one that changed last comes first.
    """

    tournaments: list[TournamentRow]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class Unplayable(TypedDict):
    """
    A card that the seat may not play now.
    """

    card: str
    """Its face; all copies share one item."""

    code: str
    """The code with which the play would be rejected."""

    rule: str
    """The reason in a sentence."""


Visibility: TypeAlias = Literal["private", "public", "unlisted"]


class VoidScoreForm(TypedDict):
    """
    The score of each entrant of a voided table.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    score: NotRequired[str]
    """The score: 0, 1/2 or 1. Default: `"1/2"`."""


class VoidScored(TypedDict):
    """
    The organiser set the score of a voided table for each of its entrants.
    """

    round: int
    board: int
    score: ExactNumber
    reason: str


class VoidScoredRecord(RecordBase):
    type: Literal["tournament.void_scored"]
    data: VoidScored


class Voided(TypedDict):
    """
    The decision that the result of a table does not count.
    """

    admin: str
    """The name of the administrator."""

    reason: str
    at: int
    """In ms since the epoch."""


Waiting = TypedDict(
    "Waiting",
    {
        "for": Literal["bot", "entrants", "interrupts", "players", "round_pause", "seeds"],
        "until": int | None,
        "seats": list[int],
    },
)


class WaysAnswer(TypedDict):
    """
    How you can sign in if you lose this device.
    """

    recovery_code_made_at: int | None
    """In ms since the epoch; `null` if you have none that works."""

    passkeys: list[PasskeyCard]
    """The oldest first."""


class WebhookForm(TypedDict):
    """
    A webhook.
    """

    url: str
    """The `https` address that takes the messages, at port 443 and on the public internet. Everybody who knows it can send to it, so check the signatures."""

    types: list[MessageType]
    """The types of messages to send."""


class WebhookSecretAnswer(TypedDict):
    """
    A webhook's secret, which is not shown again.
    """

    id: str
    """Of the webhook."""

    secret: str
    """`whsec_` and 32 bytes in base 64, for libraries of Standard Webhooks."""


WebhookState: TypeAlias = Literal["failing", "stopped", "working"]


class WebhookView(TypedDict):
    """
    A webhook, without its secret.
    """

    id: str
    url: str
    types: list[MessageType]
    by: str
    """The id of the player who added it."""

    created_at: int
    """In milliseconds since the epoch."""

    state: WebhookState
    """`failing` after a message that was not delivered; `stopped` after three in a row that failed for a day each, or after a status 410. A test that is delivered lets it work again, without the messages that it missed while it was stopped."""

    outcome: DeliveryOutcome | None
    """Of the last attempt; `null` before the first."""

    attempted_at: int | None
    """The time of that attempt, or `null`."""

    next_at: int | None
    """When the message that failed is sent again, or `null`."""

    is_tested: bool
    """Whether every test that was asked for has been sent."""


class WebhooksAnswer(TypedDict):
    """
    The webhooks of a tournament, the oldest first.
    """

    webhooks: list[WebhookView]


Weekday: TypeAlias = Literal["friday", "monday", "saturday", "sunday", "thursday", "tuesday", "wednesday"]


Why: TypeAlias = Literal["absent", "assigned_bye", "late", "pairing_bye", "requested_bye", "withdrawn"]


class WithdrawalForm(TypedDict):
    """
    Your withdrawal or, with `reason`, that of another entrant by an official.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""


class WithdrawalReversed(TypedDict):
    """
    An administrator reversed the decision of an official to withdraw an entrant.
    """

    entrant: str
    reason: str


class WithdrawalReversedRecord(RecordBase):
    type: Literal["tournament.withdrawal_reversed"]
    data: WithdrawalReversed


class AbsenceReversedRecord(RecordBase):
    type: Literal["tournament.absence_reversed"]
    data: AbsenceReversed


class AccountAnswer(TypedDict):
    """
    A player's account: its balances, and its journal entries, the latest first.
    """

    balances: list[Balance]
    """The balance in every game."""

    entries: list[TournamentJournalEntry]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class ActionTakenBackRecord(RecordBase):
    type: Literal["table.action_taken_back"]
    data: ActionTakenBack


class AddedRoundsForm(TypedDict):
    """
    The number of rounds to add.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    rounds: int
    """How many rounds to add."""


class AddedRoundsReversedRecord(RecordBase):
    type: Literal["tournament.added_rounds_reversed"]
    data: AddedRoundsReversed


class Admission(TypedDict):
    """
    Who may see and enter a tournament; the event `tournament.admission_chosen` records it.
    """

    visibility: Visibility
    """Who sees the tournament: everybody (`public`), everybody who has its address (`unlisted`), or its entrants, its officials and those who send its invitation code (`private`). Unless it is public, it is in no list, and its tables are private and not rated."""

    invited_only: bool
    """Whether players need the invitation code to enter, even where they see the tournament without it."""

    approval: bool
    """Whether players only ask to enter, and the organiser accepts or declines them."""

    min_rating: int | None
    """The minimum rating in the game, as leaderboards rank it (mu - 3 sigma). Unrated players cannot enter then."""

    max_rating: int | None
    """The maximum rating in the game (mu - 3 sigma). Unrated players may enter."""

    min_rated_tables: int
    """The minimum number of rated tables of the game that a player has played."""


class AdmissionChosen(TypedDict):
    """
    Not everybody finds, sees or enters the tournament.
    """

    admission: Admission


class AdmissionChosenRecord(RecordBase):
    type: Literal["tournament.admission_chosen"]
    data: AdmissionChosen


class Against(TypedDict):
    """
    An opponent's contribution to a number.
    """

    entrant: int | None
    """`null` for the virtual opponent of an unplayed round."""

    score: ExactNumber
    """The opponent's score as it counts for this tie-break."""

    total: ExactNumber
    """The opponent's score in the standings, which may differ from `score` because of C.07 16.3."""

    scored: ExactNumber | None
    """The result against them: 1 for a win, ½ or 0; for a virtual opponent, the factor."""


class AnnouncedRecord(RecordBase):
    type: Literal["tournament.announced"]
    data: Announced


class AnnouncementForm(TypedDict):
    """
    An announcement.
    """

    expected_version: NotRequired[ExpectedVersion]
    text: str
    """The announcement as plain text, on one line."""


class ArbiterNamedRecord(RecordBase):
    type: Literal["tournament.arbiter_named"]
    data: ArbiterNamed


class ArbiterRemovedRecord(RecordBase):
    type: Literal["tournament.arbiter_removed"]
    data: ArbiterRemoved


class ArenaChosenRecord(RecordBase):
    type: Literal["tournament.arena_chosen"]
    data: ArenaChosen


class AssignedBye(TypedDict):
    """
    A round in which the organiser gave an entrant a bye, and the score for it.
    """

    round: int
    score: ExactNumber


class BellRungRecord(RecordBase):
    type: Literal["tournament.bell_rung"]
    data: BellRung


class BlindDonCardLed(TypedDict):
    """
    The leader's card; the first of the round fixes trump.
    """

    seat: int
    position: int
    card: str
    uncovered: list[BlindDonUncovered]


class BlindDonCardLedRecord(RecordBase):
    type: Literal["blind_don.card_led"]
    data: BlindDonCardLed


class BlindDonCardsTalliedRecord(RecordBase):
    type: Literal["blind_don.cards_tallied"]
    data: BlindDonCardsTallied


class BlindDonDealerCutRecord(RecordBase):
    type: Literal["blind_don.dealer_cut"]
    data: BlindDonDealerCut


class BlindDonPlayCard(TypedDict):
    """
    Play the face-up card of one stack in the player's own row; positions count from 0.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["play"]
    position: int


class BlindDonRoundDealtRecord(RecordBase):
    type: Literal["blind_don.round_dealt"]
    data: BlindDonRoundDealt


class BlindDonTable(TableBase):
    """
    A table of Blind Don.
    """

    game: Literal["blind_don"]
    seats: int
    """The number of seats."""

    options: NotRequired[BlindDonOptions]
    """The options that differ from the defaults."""


class BlindDonTrickTaken(TypedDict):
    """
    The follower's play and the result of the trick.
    """

    seat: int
    """The follower, and the position played."""

    position: int
    """The follower, and the position played."""

    cards: list[str]
    """Both cards, the leader's first."""

    taker: int
    """The seat that took the trick, won `points` and leads to the next trick."""

    points: int
    uncovered: list[BlindDonUncovered]
    """The cards turned up after the trick, the leader's first."""


class BlindDonTrickTakenRecord(RecordBase):
    type: Literal["blind_don.trick_taken"]
    data: BlindDonTrickTaken


class BlindDonView(GameView):
    """
    The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.
    """

    step: Literal["follow", "lead"] | None
    """Whether the player to move leads to a trick or follows; `null` between rounds."""

    trump: str | None
    """A suit; `null` until the first card of the round is led."""

    face_up: list[list[str | None]]
    """Each seat's row by position; `null` where a stack has no such card."""

    face_down: list[list[str | None]]
    """Each seat's row by position; `null` where a stack has no such card."""

    lead: BlindDonLaid | None
    """The card in the centre that the follower has to answer."""

    captured: list[list[str]]
    """The cards of each seat's tricks, in the order of the tricks, the leader's first."""

    aside: list[str]


class BlindsideBlindsidePassedRecord(RecordBase):
    type: Literal["blindside.blindside_passed"]
    data: BlindsideBlindsidePassed


class BlindsideBlindsidesRevealedRecord(RecordBase):
    type: Literal["blindside.blindsides_revealed"]
    data: BlindsideBlindsidesRevealed


class BlindsideCardDiscardedRecord(RecordBase):
    type: Literal["blindside.card_discarded"]
    data: BlindsideCardDiscarded


class BlindsideCardKeptRecord(RecordBase):
    type: Literal["blindside.card_kept"]
    data: BlindsideCardKept


class BlindsideDiscardCard(TypedDict):
    """
    Lay a hand card face up on the discard pile, which ends the turn.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["discard"]
    card: str


class BlindsideDiscardDrawnRecord(RecordBase):
    type: Literal["blindside.discard_drawn"]
    data: BlindsideDiscardDrawn


class BlindsideDrawCard(TypedDict):
    """
    Take the top card of the stock or of the discard pile.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["draw"]
    source: Literal["stock", "discard"]


class BlindsideKeepCard(TypedDict):
    """
    Lay a hand card face down on your own Keeper Pile.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["keep"]
    card: str


class BlindsideKeepersRevealedRecord(RecordBase):
    type: Literal["blindside.keepers_revealed"]
    data: BlindsideKeepersRevealed


class BlindsidePassBlindside(TypedDict):
    """
    Lay a hand card face down in front of the player on the left.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["pass_blindside"]
    card: str


class BlindsideRoundDealtRecord(RecordBase):
    type: Literal["blindside.round_dealt"]
    data: BlindsideRoundDealt


class BlindsideStockDrawnRecord(RecordBase):
    type: Literal["blindside.stock_drawn"]
    data: BlindsideStockDrawn


class BlindsideTable(TableBase):
    """
    A table of Blindside.
    """

    game: Literal["blindside"]
    seats: int
    """The number of seats."""

    options: NotRequired[BlindsideOptions]
    """The options that differ from the defaults."""


class BlindsideView(GameView):
    """
    The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.
    """

    step: BlindsideStep | None
    """The action that the player to move owes; `null` between rounds."""

    hands: list[list[str]]
    committed: list[bool]
    """Whether each seat has passed, during the pass phase."""

    passed: str | None
    """The card that the viewer committed, which is still in the hand."""

    blindsides: list[str | None]
    keepers: list[list[str]]
    discard_top: str | None
    discard_count: int
    stock: list[str] | None
    """The cards of the stock, top first, for `everybody` only."""


class BlocksAnswer(TypedDict):
    """
    The players whom you have blocked, with their current names, in the order of their ids.
    """

    blocked: list[PlayerCard]


class ByeAssigned(TypedDict):
    """
    The organiser gave an entrant a bye with this score in a later round.
    """

    entrant: str
    round: int
    score: ExactNumber
    reason: str


class ByeAssignedRecord(RecordBase):
    type: Literal["tournament.bye_assigned"]
    data: ByeAssigned


class ByeForm(TypedDict):
    """
    A bye that you request or, with `entrant`, that an organiser assigns.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: NotRequired[str]
    """The reason, on one line; it is public."""

    round: int
    """The round."""

    entrant: NotRequired[str]
    """The entrant who gets the bye from an organiser."""

    score: NotRequired[str]
    """The score for an assigned bye: 0, 1/2 or 1. Default: `"1/2"`."""


class ByeRequestedRecord(RecordBase):
    type: Literal["tournament.bye_requested"]
    data: ByeRequested


class CheckInForm(TypedDict):
    """
    Your check-in for the sitting.
    """

    expected_version: NotRequired[ExpectedVersion]
    seed_commitment: NotRequired[str]
    """The SHA-256 of a new seed of yours, which replaces the previous one."""


class CheckInOpenedRecord(RecordBase):
    type: Literal["tournament.check_in_opened"]
    data: CheckInOpened


class CheckedInRecord(RecordBase):
    type: Literal["tournament.checked_in"]
    data: CheckedIn


class ClockRanOutRecord(RecordBase):
    type: Literal["table.clock_ran_out"]
    data: ClockRanOut


class ClocksMovedRecord(RecordBase):
    type: Literal["table.clocks_moved"]
    data: ClocksMoved


class CoOrganiserNamedRecord(RecordBase):
    type: Literal["tournament.co_organiser_named"]
    data: CoOrganiserNamed


class CoOrganiserRemovedRecord(RecordBase):
    type: Literal["tournament.co_organiser_removed"]
    data: CoOrganiserRemoved


class CoconutCardFlippedRecord(RecordBase):
    type: Literal["coconut.card_flipped"]
    data: CoconutCardFlipped


class CoconutCardsPlayedRecord(RecordBase):
    type: Literal["coconut.cards_played"]
    data: CoconutCardsPlayed


class CoconutCardsSneakedRecord(RecordBase):
    type: Literal["coconut.cards_sneaked"]
    data: CoconutCardsSneaked


class CoconutChooseFaceUp(TypedDict):
    """
    Choose the three of the six cards that will lie face up.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["choose_face_up"]
    cards: list[str]


class CoconutFaceUpChosenRecord(RecordBase):
    type: Literal["coconut.face_up_chosen"]
    data: CoconutFaceUpChosen


class CoconutFaceUpRevealedRecord(RecordBase):
    type: Literal["coconut.face_up_revealed"]
    data: CoconutFaceUpRevealed


class CoconutFlipCard(TypedDict):
    """
    Turn up the face-down card of a slot and play it, if it can be played.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["flip"]
    slot: int
    """A slot of your face-down cards, 0 … 2."""


class CoconutFlipFailedRecord(RecordBase):
    type: Literal["coconut.flip_failed"]
    data: CoconutFlipFailed


class CoconutPickUpPile(TypedDict):
    """
    Take the whole pile into the hand.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["pick_up"]


class CoconutPilePickedUpRecord(RecordBase):
    type: Literal["coconut.pile_picked_up"]
    data: CoconutPilePickedUp


class CoconutPlayCards(TypedDict):
    """
    Lay cards of one rank on the pile, in the order named.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["play"]
    cards: list[str]


class CoconutRoundDealtRecord(RecordBase):
    type: Literal["coconut.round_dealt"]
    data: CoconutRoundDealt


class CoconutRoundScoredRecord(RecordBase):
    type: Literal["coconut.round_scored"]
    data: CoconutRoundScored


class CoconutSneakCards(TypedDict):
    """
    Complete four of a kind on the pile out of turn.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["sneak"]
    cards: list[str]


class CoconutTable(TableBase):
    """
    A table of Coconut.
    """

    game: Literal["coconut"]
    seats: int
    """The number of seats."""

    options: NotRequired[CoconutOptions]
    """The options that differ from the defaults."""


class CoconutView(GameView):
    """
    The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.
    """

    step: CoconutStep | None
    """The action that is owed; `null` between rounds."""

    hands: list[list[str]]
    committed: list[bool]
    """Whether each seat has chosen, while the face-up cards are chosen."""

    chosen: list[str] | None
    """The cards that the viewer committed, which are still in the hand."""

    face_up: list[list[str]]
    face_down: list[list[str | None]]
    """Slots 0 to 2; `null` for an emptied slot."""

    pile: list[str]
    """The last card is the top; all its cards were played face up."""

    laid_by: int | None
    """The seat that laid the last cards, while there is a pile."""

    waits_until: int | None
    """The time, in ms, before which the player to move may not act."""

    set_aside_count: int
    finished: list[int]
    """The seats that are out, in order."""

    stock: list[str] | None
    """For `everybody` only."""

    set_aside: list[str] | None
    """For `everybody` only."""


class Comparison(TypedDict):
    """
    A seat's result compared with the same seat at the other tables of its deal.
    """

    compare: Compare
    points: int
    """The seat's own points or tokens."""

    others: int
    """The other tables with a result in this seat."""

    tables: int
    """All tables of the deal with as many seats, the seat's own included."""

    beaten: int
    """The others with fewer points, and with as many; by margin, with a smaller lead, and with the same."""

    equal: int
    """The others with fewer points, and with as many; by margin, with a smaller lead, and with the same."""

    lead: ExactNumber | None
    """By margin, the points minus the mean of all seats of the table."""

    mean: ExactNumber | None
    """The mean of the others' points, by margin of their leads; `null` if there are none."""

    is_scaled: bool
    """Whether matchpoints are scaled to all tables by Neuberg's formula, because others have no result."""

    is_average: bool
    """Whether there are fewer than two others, so that the seat scores as if it had done average."""


class ConfirmationForm(TypedDict):
    """
    A command to a table or tournament that cannot be undone.
    """

    expected_version: NotRequired[ExpectedVersion]
    confirm: Literal[True]
    """Confirms a command that cannot be undone."""


class DealAddedRecord(RecordBase):
    type: Literal["tournament.deal_added"]
    data: DealAdded


class DealReleasedRecord(RecordBase):
    type: Literal["tournament.deal_released"]
    data: DealReleased


class DealSharedRecord(RecordBase):
    type: Literal["table.deal_shared"]
    data: DealShared


class DealView(TypedDict):
    """
    One deal of a board.
    """

    table: str | None
    """The id of the table, or `null` if none was needed because at most one entrant was present."""

    seats: list[int | None]
    """Starting ranks in seat order; `null` for a bot that fills the table."""

    absent: list[int]
    """The starting ranks of the entrants who are no-shows from the start."""

    is_open: bool
    """Whether the table has been opened."""

    is_void: bool
    """Whether an administrator took its result back."""

    is_stopped: bool
    """Whether an official ended it."""

    report: Report | None
    """The end of the table, by seat; `null` before that."""


class DealsChosenRecord(RecordBase):
    type: Literal["tournament.deals_chosen"]
    data: DealsChosen


class DeclinedPlaceForm(TypedDict):
    """
    The player to whom the place is no longer offered; by default yourself.
    """

    expected_version: NotRequired[ExpectedVersion]
    player: NotRequired[str]
    """The id of the player; without it, you decline for yourself."""


class DescribedRecord(RecordBase):
    type: Literal["tournament.described"]
    data: Described


class DoubleBlindBribe(TypedDict):
    """
    Play a card of your own sleeve and announce it.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["bribe"]
    card: str


class DoubleBlindBribePlayedRecord(RecordBase):
    type: Literal["double_blind.bribe_played"]
    data: DoubleBlindBribePlayed


class DoubleBlindCaperDealtRecord(RecordBase):
    type: Literal["double_blind.caper_dealt"]
    data: DoubleBlindCaperDealt


class DoubleBlindCaperScoredRecord(RecordBase):
    type: Literal["double_blind.caper_scored"]
    data: DoubleBlindCaperScored


class DoubleBlindContendersDroppedRecord(RecordBase):
    type: Literal["double_blind.contenders_dropped"]
    data: DoubleBlindContendersDropped


class DoubleBlindExposePocket(TypedDict):
    """
    Peek at a card of your own pocket, or name another's pocket card to its owner; costs 15 points.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["expose_pocket"]
    owner: int
    """A seat of the table."""

    slot: int
    """A slot of a pocket, 0 … 4."""


class DoubleBlindExposeSleeve(TypedDict):
    """
    Show a card of your own sleeve; costs 15 points.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["expose_sleeve"]
    card: str


class DoubleBlindHalfInterestPaidRecord(RecordBase):
    type: Literal["double_blind.half_interest_paid"]
    data: DoubleBlindHalfInterestPaid


class DoubleBlindHatLostRecord(RecordBase):
    type: Literal["double_blind.hat_lost"]
    data: DoubleBlindHatLost


class DoubleBlindHatTakenRecord(RecordBase):
    type: Literal["double_blind.hat_taken"]
    data: DoubleBlindHatTaken


class DoubleBlindInterestPaidRecord(RecordBase):
    type: Literal["double_blind.interest_paid"]
    data: DoubleBlindInterestPaid


class DoubleBlindPlayPocket(TypedDict):
    """
    Play the card in a slot of the target's pocket.
    """

    expected_version: NotRequired[ExpectedVersion]
    type: Literal["play_pocket"]
    slot: int
    """A slot of a pocket, 0 … 4."""


class DoubleBlindPocketExposedRecord(RecordBase):
    type: Literal["double_blind.pocket_exposed"]
    data: DoubleBlindPocketExposed


class DoubleBlindPocketPlayedRecord(RecordBase):
    type: Literal["double_blind.pocket_played"]
    data: DoubleBlindPocketPlayed


class DoubleBlindSleeveExposedRecord(RecordBase):
    type: Literal["double_blind.sleeve_exposed"]
    data: DoubleBlindSleeveExposed


class DoubleBlindStashesRevealedRecord(RecordBase):
    type: Literal["double_blind.stashes_revealed"]
    data: DoubleBlindStashesRevealed


class DoubleBlindTable(TableBase):
    """
    A table of The Double Blind.
    """

    game: Literal["double_blind"]
    seats: int
    """The number of seats."""

    options: NotRequired[DoubleBlindOptions]
    """The options that differ from the defaults."""


class DoubleBlindTrickCalledRecord(RecordBase):
    type: Literal["double_blind.trick_called"]
    data: DoubleBlindTrickCalled


class DoubleBlindView(GameView):
    """
    The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.
    """

    step: Literal["hat", "trick"] | None
    """`hat`, or `trick` for those who play again after a tie; `null` between capers."""

    contenders: list[int]
    """The seats that play in this go of the hat, in order."""

    pockets: list[list[str | None]]
    """By slot, `null` if empty. Every player except the owner sees a pocket, but no spectator does. From the scoring until the next deal, pockets and sleeves show the cards that were left."""

    sleeves: list[list[str]]
    middle: list[DoubleBlindPlay]
    """The cards of the hat, who played them, and which were bribes."""

    bonus: int
    """The points that ties have added to the hat."""

    loot_counts: list[int]
    lost: list[str]
    """The cards of hats that nobody won."""

    exposures: list[int]
    """How many cards each seat has exposed in this caper."""

    capers: int
    """The number of capers scored, and how often each seat was Joker."""

    joker_counts: list[int]
    """The number of capers scored, and how often each seat was Joker."""

    end_reached: bool
    """Whether the target was reached, so that capers are played only until one total is highest."""

    bank: list[str] | None
    """The cards, for `everybody` only."""

    loot: list[list[str]] | None
    """The cards, for `everybody` only."""


class DuplicateChosenRecord(RecordBase):
    type: Literal["tournament.duplicate_chosen"]
    data: DuplicateChosen


class EnteredRecord(RecordBase):
    type: Literal["tournament.entered@2"]
    data: Entered


class EntrantExpelledRecord(RecordBase):
    type: Literal["tournament.expelled"]
    data: EntrantExpelled


class EntrantListAnswer(TypedDict):
    """
    The players of a list.
    """

    players: list[FoundPlayer]
    """In the starting order of the list, those without a place in it last."""

    problems: list[ListProblem]
    """The other lines, in the order of the list."""


class EntrantReversalForm(TypedDict):
    """
    The decision about an entrant to reverse, and the reason.
    """

    expected_version: NotRequired[ExpectedVersion]
    reason: str
    """The reason, on one line; it is public."""

    confirm: Literal[True]
    """Confirms a command that cannot be undone."""

    decision: Literal["absence", "withdrawal", "substitution"]
    """The decision of an official that is reversed."""


class EntrantSeedRevealedRecord(RecordBase):
    type: Literal["tournament.entrant_seed_revealed"]
    data: EntrantSeedRevealed


class EntrantSeedsMissedRecord(RecordBase):
    type: Literal["tournament.entrant_seeds_missed"]
    data: EntrantSeedsMissed


class EntrantSubstitutedRecord(RecordBase):
    type: Literal["tournament.entrant_substituted"]
    data: EntrantSubstituted


class EntrantTeamForm(TypedDict):
    """
    The team of an entrant.
    """

    expected_version: NotRequired[ExpectedVersion]
    team: int | None
    """The number of the team; null for none."""


class EntrantView(TypedDict):
    """
    The public view of an entrant.
    """

    id: str
    """The id of the player or of the bot."""

    name: str
    """The current name of the player, or the name of the bot."""

    policy: str | None
    """The bot's policy, or `null` for a person."""

    status: Literal["entered", "expelled", "waiting", "withdrawn"]
    number: int | None
    """The starting rank; `null` before the start."""

    from_round: int
    """The first round in which they can play."""

    left_after: int | None
    """The last round before they withdrew or were expelled, or `null`."""

    is_organiser: bool
    """Whether they organise the tournament, or have done so."""

    seed: str
    """The seed used in draws; empty if there is none or it is not revealed yet."""

    seed_commitment: str
    """The SHA-256 of a seed that is not revealed yet, or empty."""

    checked_in: int
    """The last sitting for which they checked in; 0 for none."""

    absent_in: int
    """The last sitting for which they announced an absence; 0 for none."""

    requested_byes: list[int]
    """The rounds for which they requested a bye."""

    assigned_byes: list[AssignedBye]
    """The byes that the organiser gave them, by round."""

    offered_to: PersonView | None
    """The player to whom an official offers the place, or `null`."""

    predecessors: list[PredecessorView]
    """The players who held the place before, the first ones first."""

    team: int | None
    """The number of their team, or `null`."""


class EntrantWithdrawnRecord(RecordBase):
    type: Literal["tournament.entrant_withdrawn"]
    data: EntrantWithdrawn


class EntrantWithdrewRecord(RecordBase):
    type: Literal["tournament.withdrew"]
    data: EntrantWithdrew


class EntrantsOrderedRecord(RecordBase):
    type: Literal["tournament.entrants_ordered"]
    data: EntrantsOrdered


class EntriesOfferedRecord(RecordBase):
    type: Literal["tournament.entries_offered"]
    data: EntriesOffered


class EntryAcceptedRecord(RecordBase):
    type: Literal["tournament.entry_accepted"]
    data: EntryAccepted


class EntryDeclinedRecord(RecordBase):
    type: Literal["tournament.entry_declined"]
    data: EntryDeclined


class EntryForm(TypedDict):
    """
    Your entry or, with `policy`, that of a bot.
    """

    expected_version: NotRequired[ExpectedVersion]
    seed_commitment: NotRequired[str]
    """The SHA-256 of a seed of yours. The seed is 32 to 64 random lower-case hex digits, and you reveal it when the next round opens. Not for a bot."""

    policy: NotRequired[Literal["novice", "steady", "sharp", "expert", "random"]]
    """Enters a bot with this policy, which is also its name (organisers only)."""


class EntryOffer(TypedDict):
    """
    The last offer of an entry to a player, with the current name.
    """

    player: str
    name: str
    status: OfferStatus


class EntryOffersAnswer(TypedDict):
    """
    The offers of entries in a tournament, in the order in which they were made.
    """

    offers: list[EntryOffer]


class EntryRequestedRecord(RecordBase):
    type: Literal["tournament.entry_requested"]
    data: EntryRequested


class ExpectationForm(TypedDict):
    """
    A command without fields of its own.
    """

    expected_version: NotRequired[ExpectedVersion]


class GameAnswer(TypedDict):
    """
    A game with everything that a client needs to offer it.
    """

    name: str
    title: str
    tagline: str
    unit: Literal["point", "token"]
    seats: SeatCounts
    minutes: Minutes
    aim: str
    """The first paragraph of the rules, as one line of Markdown."""

    crib: list[str]
    """The rules in a few lines of Markdown."""

    terms: list[TermCard]
    options: list[OptionCard]
    tournament_settings: list[OptionCard]
    """The settings of its tournaments, except `sittings`."""

    actions: list[ActionCard]
    policies: list[PolicyCard]
    """How bots play it, from the weakest level to the strongest, and at random. Where thinking ahead gains nothing, `sharp` and `expert` are not listed, and play like `steady`."""

    sayings: list[SayingCard]
    rules: str
    """The rules as Markdown."""


class GameSummary(TypedDict):
    """
    A game in the list of games.
    """

    name: str
    title: str
    tagline: str
    unit: Literal["point", "token"]
    seats: SeatCounts
    minutes: Minutes
    aim: str
    """The first paragraph of the rules, as one line of Markdown."""


class GamesAnswer(TypedDict):
    """
    All games.
    """

    games: list[GameSummary]


class HistoryAnswer(TypedDict):
    """
    A player's tables that are over, the latest first.
    """

    tables: list[HistoryRow]
    voided: list[str]
    """The ids of the tables that an administrator has voided; they are listed as ended without a result."""

    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class HostChangedRecord(RecordBase):
    type: Literal["table.host_changed"]
    data: HostChanged


class InvitationReplacedRecord(RecordBase):
    type: Literal["tournament.invitation_replaced"]
    data: InvitationReplaced


class JobAnswer(TypedDict):
    """
    A job: work that takes too long for a request.
    """

    id: str
    """Unguessable; anyone who has it can read the job."""

    kind: JobKind
    """The kind of work."""

    state: Literal["done", "failed", "queued", "running"]
    """`queued` until a worker takes it, then `running`, and finally `done` or `failed`."""

    done: int
    """The progress; `total` is 0 until it is known."""

    total: int
    """The progress; `total` is 0 until it is known."""

    location: str | None
    """The address of the new resource, if there is one."""

    result: Any
    """The response that the request would have got, once the job is `done`."""

    problem: Any
    """The problem document that it would have got, once the job has `failed`."""


class JobEndMessage(TypedDict):
    event: Literal["end"]
    data: JobAnswer


class JobProgressMessage(TypedDict):
    event: Literal["progress"]
    data: JobAnswer


JobStreamMessage: TypeAlias = JobProgressMessage | JobEndMessage


class JournalAnswer(TypedDict):
    """
    The acts of officials and administrators, the latest first.
    """

    acts: list[JournalEntry]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class Leader(TypedDict):
    """
    A row of a leaderboard.
    """

    rank: int
    """The position among the listed rows, from 1."""

    player: str
    """The id of an account, or a bot's policy and version, such as `steady@1`."""

    name: str
    standing: StandingShown


class LeaderboardAnswer(TypedDict):
    """
    The players of a game, by mu - 3 sigma after their latest tables.
    """

    leaders: list[Leader]
    cursor: str | None
    """The cursor of the next page; `null` on the last one. If many players are hidden, a page may have fewer rows than `limit` without being the last one."""


class LedgerAnswer(TypedDict):
    """
    Journal entries, the latest first.
    """

    entries: list[TournamentJournalEntry]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class LobbyTable(TypedDict):
    """
    A table in the lobby.
    """

    id: str
    game: str
    phase: Phase
    host: str
    options: dict[str, Any]
    """The options of the game that differ from its defaults."""

    seats: list[NamedSeat | None]
    free_seats: list[int]
    """The seats that a player may take."""

    turn_seconds: int | None
    parent: Parent | None
    """The table and version that this table was forked from, or `null`."""

    round: int
    """Rounds dealt so far, as in the table's view."""

    result: Result | None
    """The result at the end of the table, even if it was voided later."""

    voided: Voided | None
    """Who voided the result, and why; `null` if nobody did."""

    changed_at: int
    """In ms since the epoch."""

    host_name: str
    """The host's name."""


class MarkedAbsentRecord(RecordBase):
    type: Literal["tournament.marked_absent"]
    data: MarkedAbsent


class MyTable(TypedDict):
    """
    A table where you have a seat, are offered one, or are the host.
    """

    id: str
    version: int
    """The number of events so far."""

    game: str
    phase: Phase
    round: int
    """Rounds dealt so far."""

    host: str
    seat: int | None
    """Your seat; `null` for a host without one."""

    offered_seat: int | None
    """The seat that is offered to you, or `null`."""

    opponents: list[Opponent]
    """The other players and bots."""

    owes: list[int]
    """The seats that owe an action."""

    waits_since: int | None
    """The time since which the table has waited for you, in milliseconds since the epoch: for your action, for the seed that you committed to, or for you to appear at a tournament's table. `null` if it does not wait for you."""

    deadline: int | None
    """When your turn clock runs out, in milliseconds since the epoch; `null` if none runs."""

    tournament: TournamentPlace | None
    """The place of the table in a tournament, or `null`."""

    result: Result | None
    """How the table ended, or `null`."""

    last_event: LastEvent | None
    """The last event; `null` if you may not know that it happened."""


class MyTablesAnswer(TypedDict):
    """
    Your tables.
    """

    now: int
    """The time of the service, in milliseconds since the epoch."""

    tables: list[MyTable]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class MyTablesSnapshotMessage(TypedDict):
    event: Literal["snapshot"]
    id: str
    data: MyTablesAnswer


class MyTablesTournamentOfferMessage(TypedDict):
    event: Literal["tournament_offer"]
    data: TournamentOfferAnswer


class NewsAnswer(TypedDict):
    """
    News of one of your tables, in a live stream.
    """

    now: int
    """The time of the service, in milliseconds since the epoch."""

    table: MyTable


class NoShowRecord(RecordBase):
    type: Literal["table.no_show"]
    data: NoShow


class OfferDeclinedRecord(RecordBase):
    type: Literal["tournament.offer_declined"]
    data: OfferDeclined


class OfferWithdrawnRecord(RecordBase):
    type: Literal["table.offer_withdrawn"]
    data: OfferWithdrawn


class OffersWithdrawnRecord(RecordBase):
    type: Literal["tournament.offers_withdrawn"]
    data: OffersWithdrawn


class OvertimeEndedRecord(RecordBase):
    type: Literal["tournament.overtime_ended"]
    data: OvertimeEnded


class PairingChangedRecord(RecordBase):
    type: Literal["tournament.pairing_changed"]
    data: PairingChanged


class PairingDroppedRecord(RecordBase):
    type: Literal["tournament.pairing_dropped"]
    data: PairingDropped


class Part(TypedDict):
    """
    The contribution of a round to a number.
    """

    round: int
    value: ExactNumber
    is_left_out: bool
    """Whether it does not count, because it was cut or because its sitting is not among the best."""

    against: list[Against]
    status: Status | None
    """The reasons for the score of the round; only for the score and wins."""

    why: Why | None
    """The reasons for the score of the round; only for the score and wins."""

    departure: Departure | None
    """Why an entrant no longer played, if the round counts as withdrawn."""

    state: SeatState | None
    """The state of the entrant's seat, unless the entrant played it; only for the score, wins and difference."""

    is_least: bool
    """Whether the lowest points at the table count instead of those that a stand-in won."""

    is_ruled: bool
    """Whether an official ruled on the table."""

    is_doubled: bool
    """Whether the score is doubled in a streak of an arena."""

    is_void: bool
    """Whether the table was voided, or its result does not count by a ruling."""

    void_score: ExactNumber | None
    """The score from the organiser's decision about the voided table; `null` without a decision."""

    place: int | None
    """The reasons for the score of the round; only for the score and wins."""

    is_shared: bool
    """The reasons for the score of the round; only for the score and wins."""

    size: int | None
    """The reasons for the score of the round; only for the score and wins."""

    comparison: Comparison | None
    """The comparison with the same seat at the other tables of the deal; only for the score."""

    exclusion: Exclusion | None
    """Why a seat at a table of a shared deal is not compared; only for the score."""

    basis: Basis | None
    """The kind of score that counts; only for Buchholz and Sonneborn-Berger."""

    points: int | None
    """The entrant's points, and the mean of the table; only for the difference."""

    mean: ExactNumber | None
    """The entrant's points, and the mean of the table; only for the difference."""


class PlaceDeclinedRecord(RecordBase):
    type: Literal["tournament.place_declined"]
    data: PlaceDeclined


class PlaceOfferedRecord(RecordBase):
    type: Literal["tournament.place_offered"]
    data: PlaceOffered


class Placed(TypedDict):
    """
    An entrant's line of proved standings.
    """

    entrant: int
    """The starting rank."""

    name: str
    rank: int | None
    """The rank; entrants who are equal in everything share one. `null` for an expelled entrant."""

    score: ExactNumber
    decimals: str
    """The score with three decimals, for people."""

    tiebreaks: dict[str, ExactNumber | None]
    """The tie-breaks by name, in the order in which they count; `null` if one does not apply."""

    stage: Reached | None
    """The stage that the entrant reached in a knockout, which counts before the score; `null` in other formats."""

    streak: int | None
    """The wins in a row so far in an arena, where scores are doubled from two on; `null` in other formats."""

    marks: Marks
    """Facts about the entrant that the numbers do not show."""


class PlayInPlay(TypedDict):
    """
    The pace of a table in play, as everybody who watches it can see.
    """

    waiting: Waiting | None
    """What the table waits for; `null` if it goes on immediately."""

    waits_since: int | None
    """Since when the slowest seat has owed an action, in ms since the epoch; `null` if none owes one."""

    deadline: int | None
    """When the first turn clock runs out, in ms since the epoch; `null` if none runs."""

    grace_until: int | None
    """When entrants who have not appeared become no-shows, in ms since the epoch, or `null`."""

    awaited: list[int]
    """The seats of entrants who have not appeared."""

    no_shows: list[int]
    """The seats of entrants who did not appear in time."""

    resigned: list[int]
    """The seats that have resigned."""

    bot_kept: list[int]
    """The seats for which a bot moves now, its own or in place of a player."""


class PlayerReadyRecord(RecordBase):
    type: Literal["table.player_ready"]
    data: PlayerReady


class PlayerReturnedRecord(RecordBase):
    type: Literal["table.player_returned"]
    data: PlayerReturned


class PlayerSeedMissedRecord(RecordBase):
    type: Literal["table.player_seed_missed"]
    data: PlayerSeedMissed


class PlayerSeedRevealedRecord(RecordBase):
    type: Literal["table.player_seed_revealed"]
    data: PlayerSeedRevealed


class PlayerStatement(TypedDict):
    """
    A player's statement, the latest line first.
    """

    account: str
    opening: list[Balance]
    """The balance in each game right before `from`."""

    closing: list[Balance]
    """The balance in each game at the end: at `until`, at `as_of`, or now."""

    lines: list[StatementLine]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class PlayerTournamentRow(TypedDict):
    """
    One tournament of one player. A player who leaves before the start, or never gets a place, has no row. A place that was handed over has a row for each of its players, and the rank is that of its last one.
    """

    player: str
    tournament: str
    name: str
    format: Format
    game: str
    phase: TournamentPhase
    entered: bool
    """Whether the player still takes part, or did until the end."""

    offered: bool
    """Whether the player is offered an entry or the place of an entrant; only in the player's own list."""

    rank: int | None
    """The final rank, once the tournament has finished and its last table has ended; `null` before that, and for a player who was expelled."""

    changed_at: int
    """In ms since the epoch."""

    trophy: int | None
    """1, 2 or 3 for a trophy, otherwise `null`."""


class PlayerTournamentsAnswer(TypedDict):
    """
    A player's tournaments; the one that changed last comes first.
    """

    tournaments: list[PlayerTournamentRow]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class Points(TypedDict):
    """
    How the results of the tournaments become season points.
    """

    by: PointsBy
    """Whether the place in a tournament earns points, or the score is the points."""

    places: list[Place]
    """The points for the first place, the second, and so on; later places earn none. Only for `by: place`."""

    participation: int
    """Points for everybody who played, in addition."""

    best_of: int | None
    """The number of each player's best tournaments that count; all by default."""


class RankedEntrant(Placed):
    """
    An entrant's line of the standings.
    """

    id: str
    """The id of the player or bot."""


class RatedTableShown(TypedDict):
    """
    The change of a player's rating by a table.
    """

    table: str
    rated_at: int
    """In ms since the epoch."""

    place: int
    """The player's place at the table."""

    opponents: list[TournamentOpponent]
    before: RatingShown
    after: RatingShown


class RatingHistoryAnswer(TypedDict):
    """
    The tables that count in a player's rating, the latest first.
    """

    tables: list[RatedTableShown]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class RatingsAnswer(TypedDict):
    """
    The ratings of a player in every game in which a rated table counts for them.
    """

    ratings: list[StandingShown]


class Schedule(TypedDict):
    """
    When the tournaments of a series take place.
    """

    weekdays: list[Weekday]
    """The days of the week."""

    time: str
    """The local time of the start, such as `20:00`."""

    zone: str
    """The time zone by its name in the IANA database, such as `Europe/Berlin`."""

    first_day: str
    """The first day on which a tournament may take place."""

    every_weeks: int
    """2 for every second week, counted from the week of the first day."""

    tournaments: int | None
    """The number of tournaments; either this or `last_day`."""

    last_day: str | None
    """The last day on which a tournament may take place; at most 60 may result."""

    opens_hours: int
    """How many hours before its start a tournament takes entries; at most 3 may do so at the same time."""


class SeasonPlayer(TypedDict):
    """
    A player's row in a season table.
    """

    place: int
    """Shared by players who are equal in everything."""

    player: str
    name: str
    points: ExactNumber
    """The sum of the results that count, exact."""

    decimals: str
    """The points with three decimals, for people."""

    results: list[SeasonResult]
    """The tournaments in which the player played, in order."""


class SeasonTableAnswer(TypedDict):
    """
    A page of the season table of a series.
    """

    series: str
    version: int
    """Of the series from which it was computed."""

    is_final: bool
    """Whether the season is over; corrections are still possible."""

    players: int
    """The number of players in the whole table."""

    rows: list[SeasonPlayer]


class SeatResult(TypedDict):
    """
    An entrant's result in a seat of a deal.
    """

    entrant: int
    """The starting rank."""

    board: int
    table: str | None
    """The id of the table, or `null` if none was needed."""

    place: int | None
    """The place at the table; `null` without one."""

    points: int | None
    """The points or tokens at the table, more being better; `null` without a result."""

    score: ExactNumber
    """The score in the standings: matchpoints as a share of 1, or a difference."""

    comparison: Comparison | None
    """The comparison with the same seat at the other tables, or `null` if the seat is not compared."""

    exclusion: Exclusion | None
    """Why the seat is not compared."""


class SeatResults(TypedDict):
    """
    The results of all who played one seat, the best first.
    """

    size: int
    """The number of seats at these tables; only tables of one size are compared."""

    seat: int
    """The number of the seat, from 0, which deals first."""

    results: list[SeatResult]


class SeatView(TypedDict):
    """
    A seat as everybody sees it.
    """

    seat: int
    player: str | None
    name: str | None
    """The current name of the player, or the name of the bot; `null` for an empty seat."""

    policy: str | None
    """The bot's policy, or `null` for a person."""

    offered_to: str | None
    """The id of the player for whom the host has reserved the free seat, if any."""

    seed: str | None
    """The seat's part of every shuffle; `null` while it is not known, empty if there is none."""

    seed_commitment: str | None
    """The SHA-256 of the seed that the player committed to; empty without a commitment, `null` for an empty seat."""

    seed_status: SeedStatus | None
    """The status of the seed; `null` for an empty seat."""

    resigned: bool
    """Whether the player has resigned; a bot moves for the seat from then on."""

    bot_kept: bool
    """Whether a bot moves for the seat now."""

    owes: bool
    """Whether play waits for an action of the seat."""

    may_act: bool
    """Whether the seat may act out of turn now, as far as the public can tell."""

    owes_since: int | None
    """When the seat's current turn began, in ms since the epoch; `null` if it owes no action."""

    deadline: int | None
    """When the seat's turn clock runs out, in ms since the epoch."""

    away_since: int | None
    """When the turn clock of a player ran out who has neither acted nor returned since, in ms since the epoch. While it is set and `bot_kept` is false, others at the table may claim the seat."""

    awaited: bool
    """Whether the tournament's entrant who holds the seat has not appeared yet."""

    no_show: bool
    """Whether that entrant did not appear in time."""

    entered_by_host: int
    """How many offences the host has entered in this seat's name."""


class SeriesBase(TypedDict):
    name: str
    """The name of the tournament. It need not be unique. The letters of a word must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is stored in Unicode's normal form NFKC."""

    format: Format
    """How rounds are paired."""

    seats: int
    """The preferred number of entrants at a table."""

    turn_seconds: NotRequired[int]
    """Seconds that a player has for each turn; 0 for no clock. Default: `0`."""

    bot_delay: NotRequired[int]
    """Milliseconds that a bot waits before its turn, on average, so that people can follow the play; 0 for none. By default 1,000 if people play, otherwise 0."""

    round_pause: NotRequired[int]
    """Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for none. By default 8,000 if people play, otherwise 0."""

    score_by: NotRequired[ScoreBy]
    """How an entrant's score at a table is determined. Default: `"place"`."""

    bye_score: NotRequired[str]
    """The score for a pairing bye; a first place scores 1. With `deal: same` at most 1/2, the default then. Default: `"1"`."""

    late_until: NotRequired[int]
    """The last round in which a late entrant may begin; 0 for no late entries. Default: `0`."""

    late_score: NotRequired[str]
    """The score for each round before a late entry: 0, 1/2 or 1. Default: `"0"`."""

    requested_byes: NotRequired[int]
    """The number of byes that an entrant may request. Default: `1`."""

    best_of: NotRequired[int | None]
    """The number of sittings of a league that count; all by default. Default: `null`."""

    float_window: NotRequired[int | Literal["all"]]
    """The number of score groups that a table may span without penalty, or `all`. Default: `2`."""

    forbidden: NotRequired[list[ForbiddenItem]]
    """Pairs of players, by their ids, who must not meet. Default: `[]`."""

    tiebreaks: NotRequired[list[Tiebreak]]
    """The criteria that order entrants of equal score, the first one first; without any these entrants share their rank. Default: `[]`."""

    strict_places: NotRequired[bool]
    """Whether lots separate entrants who are tied in everything. Default: `false`."""

    advance: NotRequired[Advance]
    """When the next round starts. Default: `"automatic"`."""

    check_in: NotRequired[int]
    """Seconds before each sitting in which entrants check in; 0 for no check-in. Default: `0`."""

    grace_seconds: NotRequired[int]
    """Seconds after the start of a table in which each entrant must appear. Default: `300`."""

    outside_bots: NotRequired[bool]
    """Whether bots of players may enter; this needs a turn clock. Default: `false`."""

    fill_with_bots: NotRequired[bool]
    """Whether bots fill free seats; with `deal: same`, only where they fill all tables alike. Default: `false`."""

    rank_by: NotRequired[RankBy]
    """How the starting ranks are determined. Default: `"rating"`."""

    cap: NotRequired[int | None]
    """The maximum number of entrants; others are put on a waiting list. Default: `null`."""

    advancing: NotRequired[int | None]
    """The number of entrants who advance from a knockout table; by default half of them, or two of three. Default: `null`."""

    third_place: NotRequired[bool]
    """Whether a two-seat knockout has a match for third place. Default: `false`."""

    rated: NotRequired[bool]
    """Whether its tables count in the ratings. Default: `true`."""

    deal: NotRequired[DealKind]
    """`same` lets all tables of a round play the same deal, and compares each seat with the same seat at the other tables. It needs a turn clock, and is not for knockouts. Default: `"independent"`."""

    compare: NotRequired[Literal["matchpoints", "difference", "margin"] | None]
    """With `deal: same`, the score at a table: the share of the others in that seat that it beat (`matchpoints`, the default), its points minus their mean (`difference`), or its lead over the mean of its table minus a part of their mean lead (`margin`). Default: `null`."""

    visibility: NotRequired[Literal["public", "unlisted"]]
    """Who sees the tournament: everybody (`public`), everybody who has its address (`unlisted`), or its entrants, its officials and those who send its invitation code (`private`). Unless it is public, it is in no list, and its tables are private and not rated. Default: `"public"`."""

    invited_only: NotRequired[bool]
    """Whether players need the invitation code to enter, even where they see the tournament without it. Default: `false`."""

    approval: NotRequired[bool]
    """Whether players only ask to enter, and the organiser accepts or declines them. Default: `false`."""

    min_rating: NotRequired[int | None]
    """The minimum rating in the game, as leaderboards rank it (mu - 3 sigma). Unrated players cannot enter then. Default: `null`."""

    max_rating: NotRequired[int | None]
    """The maximum rating in the game (mu - 3 sigma). Unrated players may enter. Default: `null`."""

    min_rated_tables: NotRequired[int]
    """The minimum number of rated tables of the game that a player has played. Default: `0`."""

    arena_minutes: NotRequired[int | None]
    """How long an arena lasts, 45 by default; only for arenas. Default: `null`."""

    finish_minutes: NotRequired[int | None]
    """How long tables in play count after the bell of an arena, 10 by default; only for arenas. Default: `null`."""

    rounds: NotRequired[int]
    """The number of rounds. Omit it for the last sitting if the format determines it."""

    schedule: SeriesSchedule
    """When the tournaments take place."""

    points: NotRequired[SeriesPoints]
    """How results become season points; by default by place."""


class SeriesListAnswer(TypedDict):
    """
    Series; the one that changed last comes first.
    """

    series: list[SeriesRow]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class SessionCard(TypedDict):
    """
    A device or program that is signed in as you.
    """

    session: int
    device: str
    """Its name, or empty if it is not known yet."""

    how: SignIn
    """How it signed in."""

    opened_at: int
    """When it signed in, in ms since the epoch."""

    last_used: str
    """The day of its last request, in UTC, such as `2026-11-28`."""

    current: bool
    """Whether it sent this request."""


class SessionsAnswer(TypedDict):
    """
    Your sessions, the oldest first.
    """

    sessions: list[SessionCard]


class Setup(TypedDict):
    """
    The settings of a tournament, explained in docs/TOURNAMENTS.md.
    """

    name: str
    """The name of the tournament."""

    format: Format
    """How rounds are paired."""

    game: str
    seats: int
    """The preferred number of entrants at a table."""

    sittings: list[Sitting]
    """The sessions in which people play, with the number of rounds in each."""

    options: dict[str, Any]
    """The options of the game."""

    turn_seconds: int
    """Seconds that a player has for each turn; 0 for no clock."""

    bot_delay: int | None
    """Milliseconds that a bot waits before its turn, on average, so that people can follow the play; 0 for none. By default 1,000 if people play, otherwise 0."""

    round_pause: int | None
    """Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for none. By default 8,000 if people play, otherwise 0."""

    score_by: ScoreBy
    """How an entrant's score at a table is determined."""

    bye_score: NotRequired[ExactNumber]
    """The score for a pairing bye; a first place scores 1. With `deal: same` at most 1/2, the default then."""

    late_until: int
    """The last round in which a late entrant may begin; 0 for no late entries."""

    late_score: NotRequired[ExactNumber]
    """The score for each round before a late entry: 0, 1/2 or 1."""

    requested_byes: int
    """The number of byes that an entrant may request."""

    best_of: int | None
    """The number of sittings of a league that count; all by default."""

    float_window: int | Literal["all"]
    """The number of score groups that a table may span without penalty, or `all`."""

    forbidden: list[ForbiddenItem1]
    """Pairs of players, by their ids, who must not meet."""

    tiebreaks: list[Tiebreak]
    """The criteria that order entrants of equal score, the first one first; without any these entrants share their rank."""

    strict_places: bool
    """Whether lots separate entrants who are tied in everything."""

    advance: Advance
    """When the next round starts."""

    check_in: int
    """Seconds before each sitting in which entrants check in; 0 for no check-in."""

    grace_seconds: int
    """Seconds after the start of a table in which each entrant must appear."""

    outside_bots: bool
    """Whether bots of players may enter; this needs a turn clock."""

    fill_with_bots: bool
    """Whether bots fill free seats; with `deal: same`, only where they fill all tables alike."""

    rank_by: RankBy
    """How the starting ranks are determined."""

    cap: int | None
    """The maximum number of entrants; others are put on a waiting list."""

    advancing: int | None
    """The number of entrants who advance from a knockout table; by default half of them, or two of three."""

    third_place: bool
    """Whether a two-seat knockout has a match for third place."""

    rated: bool
    """Whether its tables count in the ratings."""


ShitheadAction: TypeAlias = ShitheadSwapCards | ShitheadDeclareReady | ShitheadPlayCards | ShitheadPlayJoker | ShitheadFlipBlind | ShitheadPickUp | ShitheadCounterJoker | ShitheadAcceptPile | ShitheadBurnPile


class ShitheadSeries(SeriesBase):
    """
    A series of Shithead.
    """

    game: Literal["shithead"]
    options: NotRequired[ShitheadOptions]
    """The options that differ from the defaults."""


class ShitheadTable(TableBase):
    """
    A table of Shithead.
    """

    game: Literal["shithead"]
    seats: int
    """The number of seats."""

    options: NotRequired[ShitheadOptions]
    """The options that differ from the defaults."""


class StandingsAnswer(TypedDict):
    """
    The standings after a round, as if the tournament had ended with it.
    """

    tournament: str
    """The tournament's id, and the version from which the standings were computed."""

    version: int
    """The tournament's id, and the version from which the standings were computed."""

    round: int
    """The last round that counts; 0 before the first."""

    tiebreaks: list[Tiebreak]
    """The tie-breaks that count, in order."""

    rows: list[RankedEntrant]
    teams: list[RankedTeam]
    """The teams in order; empty if there are none."""


class StandingsStandingsMessage(TypedDict):
    event: Literal["standings"]
    id: str
    data: StandingsAnswer


StandingsStreamMessage: TypeAlias = StandingsStandingsMessage | ResetMessage | EndMessage


class StatementAnswer(TypedDict):
    """
    The statement of a table or a tournament, the latest line first.
    """

    lines: list[StatementLine]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


TableForm: TypeAlias = BlindsideTable | CoconutTable | BlindDonTable | DoubleBlindTable | ShitheadTable


class TableOpened(TypedDict):
    """
    A table was opened. `server_seed` stays secret until `SeedRevealed`; its hash is public. `edition` is that of docs/FAIRNESS.md. `seed_commitment` is the host's commitment, or empty. `first_dealer` is `null` if the dealer is drawn. `turn_seconds`, `bot_delay` and `round_pause` are `null` if the start chooses them, depending on the players. `take_backs` is whether players may take back their last action.
    """

    table: str
    game: str
    seats: int
    options: dict[str, Any]
    host: str
    turn_seconds: int | None
    commitment: str
    server_seed: str
    edition: int
    seed_commitment: str
    rated: bool
    first_dealer: int | None
    tournament: TournamentPlace | None
    parent: Parent | None
    bot_delay: int | None
    round_pause: int | None
    private: bool
    watch: Literal["everyone", "invited", "nobody"]
    rematch_of: str | None
    take_backs: bool


class TableOpenedRecord(RecordBase):
    type: Literal["table.opened@6"]
    data: TableOpened


class TableViewBase(TypedDict):
    """
    A table at one version for one viewer.
    """

    id: str
    version: int
    edition: int
    """The edition of the fairness protocol that the table follows."""

    phase: Phase
    stage: Stage | None
    """The stage of the game while the table is playing."""

    round: int
    viewer: int | Literal["everybody", "spectator"]
    """A seat, `spectator` or `everybody`."""

    host: str
    supervised: bool
    """Whether the host may enter offences in the players' names: the options allow it, and the host never held a seat. Once it is false, it stays false."""

    turn_seconds: int | None
    """Seconds per turn; 0 for no clock, `null` until chosen at the start, depending on the players."""

    bot_delay: int | None
    """The average time that a bot waits before its turn, in ms; `null` until chosen at the start."""

    round_pause: int | None
    """The longest pause after a round, in ms; `null` until chosen at the start."""

    private: bool
    """Whether players need the invitation code to sit down."""

    watch: Literal["everyone", "invited", "nobody"]
    """Who may watch besides the players at the table."""

    rematch_of: str | None
    """The id of the table that this one is a rematch of, if any."""

    rematch: str | None
    """The id of the table's latest rematch, if any."""

    take_backs: bool
    """Whether players may take back their last action."""

    take_back: TakeBackView | None
    """The action that may be taken back at this version; `null` if none may."""

    seats: list[SeatView]
    commitment: str
    """The SHA-256 of the server seed, published from the start."""

    server_seed: str | None
    """Only after the table has ended."""

    host_seed: str | None
    """The same as for a seat, for the seed of the host."""

    host_seed_commitment: str
    """The same as for a seat, for the seed of the host."""

    host_seed_status: SeedStatus
    """The same as for a seat, for the seed of the host."""

    reveals_until: int | None
    """The deadline for revealing committed seeds before the first deal, in ms since the epoch; `null` if none is awaited."""

    rated: bool
    """Whether the result counts in the ratings."""

    tournament: TournamentPlace | None
    """The table's place in a tournament, or `null`."""

    grace_until: int | None
    """The deadline for entrants to appear, in ms since the epoch. It does not include pauses of the tournament: each pause before the deadline postpones it by its length, and nobody becomes a no-show during a pause. `null` if nobody is awaited."""

    parent: Parent | None
    """The version of another table that this one is a fork of, or `null`."""

    known_deck: bool
    """Whether the round in play was dealt at the parent, so that everybody who reads the parent's log knows all its cards."""

    result: Result | None
    """The result at the end of the table, even if it was voided later."""

    voided: Voided | None
    """Who took the result back, and why; `null` if nobody did."""

    waiting: Waiting | None
    """What the table waits for and until when; `null` if it is not playing or continues immediately."""


class TournamentBase(TypedDict):
    name: str
    """The name of the tournament. It need not be unique. The letters of a word must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is stored in Unicode's normal form NFKC."""

    format: Format
    """How rounds are paired."""

    seats: int
    """The preferred number of entrants at a table."""

    sittings: list[SittingForm]
    """The sessions in which people play, with the number of rounds in each."""

    turn_seconds: NotRequired[int]
    """Seconds that a player has for each turn; 0 for no clock. Default: `0`."""

    bot_delay: NotRequired[int]
    """Milliseconds that a bot waits before its turn, on average, so that people can follow the play; 0 for none. By default 1,000 if people play, otherwise 0."""

    round_pause: NotRequired[int]
    """Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for none. By default 8,000 if people play, otherwise 0."""

    score_by: NotRequired[ScoreBy]
    """How an entrant's score at a table is determined. Default: `"place"`."""

    bye_score: NotRequired[str]
    """The score for a pairing bye; a first place scores 1. With `deal: same` at most 1/2, the default then. Default: `"1"`."""

    late_until: NotRequired[int]
    """The last round in which a late entrant may begin; 0 for no late entries. Default: `0`."""

    late_score: NotRequired[str]
    """The score for each round before a late entry: 0, 1/2 or 1. Default: `"0"`."""

    requested_byes: NotRequired[int]
    """The number of byes that an entrant may request. Default: `1`."""

    best_of: NotRequired[int | None]
    """The number of sittings of a league that count; all by default. Default: `null`."""

    float_window: NotRequired[int | Literal["all"]]
    """The number of score groups that a table may span without penalty, or `all`. Default: `2`."""

    forbidden: NotRequired[list[ForbiddenItem2]]
    """Pairs of players, by their ids, who must not meet. Default: `[]`."""

    tiebreaks: NotRequired[list[Tiebreak]]
    """The criteria that order entrants of equal score, the first one first; without any these entrants share their rank. Default: `[]`."""

    strict_places: NotRequired[bool]
    """Whether lots separate entrants who are tied in everything. Default: `false`."""

    advance: NotRequired[Advance]
    """When the next round starts. Default: `"manual"`."""

    check_in: NotRequired[int]
    """Seconds before each sitting in which entrants check in; 0 for no check-in. Default: `0`."""

    grace_seconds: NotRequired[int]
    """Seconds after the start of a table in which each entrant must appear. Default: `300`."""

    outside_bots: NotRequired[bool]
    """Whether bots of players may enter; this needs a turn clock. Default: `false`."""

    fill_with_bots: NotRequired[bool]
    """Whether bots fill free seats; with `deal: same`, only where they fill all tables alike. Default: `false`."""

    rank_by: NotRequired[RankBy]
    """How the starting ranks are determined. Default: `"rating"`."""

    cap: NotRequired[int | None]
    """The maximum number of entrants; others are put on a waiting list. Default: `null`."""

    advancing: NotRequired[int | None]
    """The number of entrants who advance from a knockout table; by default half of them, or two of three. Default: `null`."""

    third_place: NotRequired[bool]
    """Whether a two-seat knockout has a match for third place. Default: `false`."""

    rated: NotRequired[bool]
    """Whether its tables count in the ratings. Default: `true`."""

    deal: NotRequired[Literal["independent", "same"]]
    """`same` lets all tables of a round play the same deal, and compares each seat with the same seat at the other tables. It needs a turn clock, and is not for knockouts. Default: `"independent"`."""

    compare: NotRequired[Literal["matchpoints", "difference", "margin"] | None]
    """With `deal: same`, the score at a table: the share of the others in that seat that it beat (`matchpoints`, the default), its points minus their mean (`difference`), or its lead over the mean of its table minus a part of their mean lead (`margin`). Default: `null`."""

    deals_per_pairing: NotRequired[int]
    """With `deal: same`, the number of rounds that the same opponents play in a row, each with the next deal and in the next seat. It divides the rounds of each sitting. Default: `1`."""

    visibility: NotRequired[Visibility]
    """Who sees the tournament: everybody (`public`), everybody who has its address (`unlisted`), or its entrants, its officials and those who send its invitation code (`private`). Unless it is public, it is in no list, and its tables are private and not rated. Default: `"public"`."""

    invited_only: NotRequired[bool]
    """Whether players need the invitation code to enter, even where they see the tournament without it. Default: `false`."""

    approval: NotRequired[bool]
    """Whether players only ask to enter, and the organiser accepts or declines them. Default: `false`."""

    min_rating: NotRequired[int | None]
    """The minimum rating in the game, as leaderboards rank it (mu - 3 sigma). Unrated players cannot enter then. Default: `null`."""

    max_rating: NotRequired[int | None]
    """The maximum rating in the game (mu - 3 sigma). Unrated players may enter. Default: `null`."""

    min_rated_tables: NotRequired[int]
    """The minimum number of rated tables of the game that a player has played. Default: `0`."""

    arena_minutes: NotRequired[int | None]
    """How long an arena lasts, 45 by default; only for arenas. Default: `null`."""

    finish_minutes: NotRequired[int | None]
    """How long tables in play count after the bell of an arena, 10 by default; only for arenas. Default: `null`."""

    team_size: NotRequired[int | None]
    """The maximum number of entrants in a team; without it, there are no teams. Not for knockouts. Default: `null`."""

    team_counting: NotRequired[int | None]
    """How many entrants of a team count, the best ones; all by default. Default: `null`."""


class TournamentExplanation(TypedDict):
    """
    The explanation of one of an entrant's numbers.
    """

    entrant: int
    tiebreak: Tiebreak | None
    """`null` for the score."""

    value: ExactNumber | None
    """The sum of the parts that count; for `direct` and `lot`, a place."""

    parts: list[Part]
    tied: list[int]
    """The entrants whom `direct` had to separate, including this one."""


class TournamentOpened(TypedDict):
    """
    A tournament was opened. `server_seed` stays secret until it is revealed; its hash is public. `edition` is that of the part of docs/FAIRNESS.md about tournaments.
    """

    tournament: str
    organiser: str
    setup: Setup
    commitment: str
    server_seed: str
    edition: int


class TournamentOpenedRecord(RecordBase):
    type: Literal["tournament.opened@3"]
    data: TournamentOpened


class TournamentVerdictAnswer(TypedDict):
    """
    The result of checking a tournament's log together with those of its tables.
    """

    valid: bool
    """Whether everything in the logs follows from the rules and from each other."""

    tournament: str | None
    """The tournament's id, if the log has it."""

    events: int
    """The number of events in the tournament's own log."""

    rounds: int
    """The numbers of rounds, and of tables whose logs were checked."""

    tables: int
    """The numbers of rounds, and of tables whose logs were checked."""

    standings: list[Placed]
    """The standings that these logs prove; empty if the tournament never started, or is not valid."""

    finding: TournamentFinding | None
    """The first error; `null` if the logs are valid."""


class TrophiesAnswer(TypedDict):
    """
    A player's latest trophies: of tournaments and of seasons, the latest first.
    """

    tournaments: list[PlayerTournamentRow]
    seasons: list[SeasonTrophyRow]


class Unplayed(TypedDict):
    """
    An entrant without a table in a round, and their score for that round.
    """

    entrant: int
    why: Why
    score: ExactNumber


class Verdict(TypedDict):
    """
    The outcome of a check: `valid`, or the first finding.
    """

    valid: bool
    table: str | None
    game: str | None
    edition: int | None
    """The edition of docs/FAIRNESS.md that the table follows."""

    events: int
    rounds: int
    host_seed: SeedStatus | None
    """The status of the host's seed."""

    player_seeds: list[SeedStatus | None]
    """The status of each seat's seed; `null` for an empty seat."""

    voided: Voided | None
    """Who took back the table's result, and why; `null` if nobody did."""

    parent: Parent | None
    """The version of another table that this one is a fork of, or `null`. The play up to that version is verified, too."""

    generations: int
    """The number of given logs that were proved to belong together: 1 for a log alone, 2 with that of its parent, and so on."""

    finding: Finding | None


BlindDonAction: TypeAlias = BlindDonPlayCard


class BlindDonSeries(SeriesBase):
    """
    A series of Blind Don.
    """

    game: Literal["blind_don"]
    options: NotRequired[BlindDonOptions]
    """The options that differ from the defaults."""


class BlindDonTableView(TableViewBase):
    """
    A table of Blind Don at one version for one viewer.
    """

    game: Literal["blind_don"]
    options: BlindDonOptions
    view: BlindDonView


class BlindDonTournament(TournamentBase):
    """
    A tournament of Blind Don.
    """

    game: Literal["blind_don"]
    options: NotRequired[BlindDonOptions]
    """The options that differ from the defaults."""


BlindsideAction: TypeAlias = BlindsidePassBlindside | BlindsideDrawCard | BlindsideKeepCard | BlindsideDiscardCard


class BlindsideSeries(SeriesBase):
    """
    A series of Blindside.
    """

    game: Literal["blindside"]
    options: NotRequired[BlindsideOptions]
    """The options that differ from the defaults."""


class BlindsideTableView(TableViewBase):
    """
    A table of Blindside at one version for one viewer.
    """

    game: Literal["blindside"]
    options: BlindsideOptions
    view: BlindsideView


class BlindsideTournament(TournamentBase):
    """
    A tournament of Blindside.
    """

    game: Literal["blindside"]
    options: NotRequired[BlindsideOptions]
    """The options that differ from the defaults."""


class BoardInPlay(TypedDict):
    """
    A board whose result is not known yet.
    """

    round: int
    board: int
    deal: int
    table: str
    """The id of the table."""

    status: str
    """`opening` before the service has opened the table, `playing`, or `ended` when its result is about to be reported or has to wait for other tables of the same deal."""

    seats: list[SeatInPlay]
    """In seat order."""

    play: PlayInPlay | None
    """`null` unless the table is being played, and while other tables may still play the same deal."""


class BoardView(TypedDict):
    """
    A board of a round.
    """

    board: int
    """From 1."""

    tables: list[DealView]
    """One table, and in a knockout another one for each further deal between tied entrants."""

    void_score: ExactNumber | None
    """The score that the organiser gave each entrant of the voided table, or `null`."""

    ruling: RulingView | None
    """The ruling that counts in place of the result of the tables, or `null`. It has no effect until they have ended, nor after the table is voided."""


class BoardsAnswer(TypedDict):
    """
    The boards in play, by round and board.
    """

    now: int
    """The time of the service, in ms since the epoch."""

    boards: list[BoardInPlay]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


CoconutAction: TypeAlias = CoconutChooseFaceUp | CoconutPlayCards | CoconutFlipCard | CoconutPickUpPile | CoconutSneakCards


class CoconutSeries(SeriesBase):
    """
    A series of Coconut.
    """

    game: Literal["coconut"]
    options: NotRequired[CoconutOptions]
    """The options that differ from the defaults."""


class CoconutTableView(TableViewBase):
    """
    A table of Coconut at one version for one viewer.
    """

    game: Literal["coconut"]
    options: CoconutOptions
    view: CoconutView


class CoconutTournament(TournamentBase):
    """
    A tournament of Coconut.
    """

    game: Literal["coconut"]
    options: NotRequired[CoconutOptions]
    """The options that differ from the defaults."""


class DealResults(TypedDict):
    """
    A deal of a duplicate tournament.
    """

    deal: int
    """The number of the deal in the tournament."""

    round: int
    status: DealStatus
    compare: Compare
    tables: list[DealTable]
    """The tables of the round, by board."""

    seats: list[SeatResults]
    """The results of each seat; empty until all tables have ended."""


DoubleBlindAction: TypeAlias = DoubleBlindPlayPocket | DoubleBlindBribe | DoubleBlindExposePocket | DoubleBlindExposeSleeve


class DoubleBlindSeries(SeriesBase):
    """
    A series of The Double Blind.
    """

    game: Literal["double_blind"]
    options: NotRequired[DoubleBlindOptions]
    """The options that differ from the defaults."""


class DoubleBlindTableView(TableViewBase):
    """
    A table of The Double Blind at one version for one viewer.
    """

    game: Literal["double_blind"]
    options: DoubleBlindOptions
    view: DoubleBlindView


class DoubleBlindTournament(TournamentBase):
    """
    A tournament of The Double Blind.
    """

    game: Literal["double_blind"]
    options: NotRequired[DoubleBlindOptions]
    """The options that differ from the defaults."""


EventRecord: TypeAlias = TableOpenedRecord | TableForkedRecord | DealSharedRecord | SeatTakenRecord | SeatLeftRecord | SeatOfferedRecord | OfferWithdrawnRecord | HostChangedRecord | TableStartedRecord | PlayerSeedRevealedRecord | PlayerSeedMissedRecord | PlayerReadyRecord | NoShowRecord | SeatResignedRecord | ClockRanOutRecord | SeatClaimedRecord | PlayerReturnedRecord | ActionTakenBackRecord | ClocksMovedRecord | RoundScoredRecord | RoundVoidedRecord | TableEndedRecord | TableVoidedRecord | SeedRevealedRecord | RematchOpenedRecord | BlindsideRoundDealtRecord | BlindsideBlindsidePassedRecord | BlindsideStockDrawnRecord | BlindsideDiscardDrawnRecord | BlindsideCardKeptRecord | BlindsideCardDiscardedRecord | BlindsideBlindsidesRevealedRecord | BlindsideKeepersRevealedRecord | CoconutRoundDealtRecord | CoconutFaceUpChosenRecord | CoconutFaceUpRevealedRecord | CoconutCardsPlayedRecord | CoconutCardFlippedRecord | CoconutFlipFailedRecord | CoconutPilePickedUpRecord | CoconutCardsSneakedRecord | CoconutRoundScoredRecord | BlindDonDealerCutRecord | BlindDonRoundDealtRecord | BlindDonCardLedRecord | BlindDonTrickTakenRecord | BlindDonCardsTalliedRecord | DoubleBlindCaperDealtRecord | DoubleBlindPocketPlayedRecord | DoubleBlindBribePlayedRecord | DoubleBlindTrickCalledRecord | DoubleBlindHalfInterestPaidRecord | DoubleBlindContendersDroppedRecord | DoubleBlindHatTakenRecord | DoubleBlindHatLostRecord | DoubleBlindInterestPaidRecord | DoubleBlindPocketExposedRecord | DoubleBlindSleeveExposedRecord | DoubleBlindStashesRevealedRecord | DoubleBlindCaperScoredRecord | ShitheadRoundDealtRecord | ShitheadCardsSwappedRecord | ShitheadSeatReadyRecord | ShitheadPlayStartedRecord | ShitheadCardsPlayedRecord | ShitheadPileBurnedRecord | ShitheadBlindCardPlayedRecord | ShitheadBlindCardFailedRecord | ShitheadBlindJokerTurnedRecord | ShitheadPilePickedUpRecord | ShitheadJokerPlayedRecord | ShitheadJokerCounteredRecord | ShitheadPileAcceptedRecord | ShitheadShitheadNamedRecord


class EventsAnswer(TypedDict):
    """
    A page of a table's events.
    """

    events: list[EventRecord]
    cursor: str
    """Send it to get the following events, now or later."""

    more: bool
    """Whether there are more events now."""

    now: NotRequired[int]
    """The service's clock, in ms since the epoch; not for imports."""


class FullSetup(Setup):
    """
    All settings of a tournament: `Setup`, and those that further events of the opening record.
    """

    deal: DealKind
    """`same` lets all tables of a round play the same deal, and compares each seat with the same seat at the other tables. It needs a turn clock, and is not for knockouts."""

    compare: Compare | None
    """With `deal: same`, the score at a table: the share of the others in that seat that it beat (`matchpoints`, the default), its points minus their mean (`difference`), or its lead over the mean of its table minus a part of their mean lead (`margin`)."""

    deals_per_pairing: int
    """With `deal: same`, the number of rounds that the same opponents play in a row, each with the next deal and in the next seat. It divides the rounds of each sitting."""

    visibility: Visibility
    """Who sees the tournament: everybody (`public`), everybody who has its address (`unlisted`), or its entrants, its officials and those who send its invitation code (`private`). Unless it is public, it is in no list, and its tables are private and not rated."""

    invited_only: bool
    """Whether players need the invitation code to enter, even where they see the tournament without it."""

    approval: bool
    """Whether players only ask to enter, and the organiser accepts or declines them."""

    min_rating: int | None
    """The minimum rating in the game, as leaderboards rank it (mu - 3 sigma). Unrated players cannot enter then."""

    max_rating: int | None
    """The maximum rating in the game (mu - 3 sigma). Unrated players may enter."""

    min_rated_tables: int
    """The minimum number of rated tables of the game that a player has played."""

    arena_minutes: int | None
    """How long an arena lasts, 45 by default; only for arenas."""

    finish_minutes: int | None
    """How long tables in play count after the bell of an arena, 10 by default; only for arenas."""

    team_size: int | None
    """The maximum number of entrants in a team; without it, there are no teams. Not for knockouts."""

    team_counting: int | None
    """How many entrants of a team count, the best ones; all by default."""


class LobbyAnswer(TypedDict):
    """
    Tables; the one that changed last comes first.
    """

    tables: list[LobbyTable]
    cursor: str | None
    """The cursor of the next page; `null` on the last one."""


class MyTablesRoundOpenedMessage(TypedDict):
    event: Literal["round_opened"]
    id: str
    data: NewsAnswer


class MyTablesSeatOfferedMessage(TypedDict):
    event: Literal["seat_offered"]
    id: str
    data: NewsAnswer


class MyTablesTableEndedMessage(TypedDict):
    event: Literal["table_ended"]
    id: str
    data: NewsAnswer


class MyTablesTableStartedMessage(TypedDict):
    event: Literal["table_started"]
    id: str
    data: NewsAnswer


class MyTablesYourTurnMessage(TypedDict):
    event: Literal["your_turn"]
    id: str
    data: NewsAnswer


class NumberExplained(TypedDict):
    """
    The explanation of a number in a line of the standings, in words and as data.
    """

    words: str
    data: TournamentExplanation


class RoundOpened(TypedDict):
    """
    A round was paired. `tables` are the seats of each board; `absent` are the entrants there who are no-shows from the start. `unplayed` are all other entrants. `objective`, `relaxed`, `explanations` and `bracket` come from the pairing engine. `early` is true if tables of earlier rounds could be unfinished.
    """

    round: int
    sitting: int
    early: bool
    reason: str
    tables: list[list[int | None]]
    absent: list[int]
    unplayed: list[Unplayed]
    objective: list[ExactNumber]
    relaxed: list[str]
    explanations: list[Explanation]
    bracket: list[int | None]


class RoundOpenedRecord(RecordBase):
    type: Literal["tournament.round_opened"]
    data: RoundOpened


class RoundView(TypedDict):
    """
    A round of a tournament.
    """

    round: int
    """From 1."""

    sitting: int
    """From 1."""

    status: RoundStatus
    is_changed: bool
    """Whether the organiser changed the pairing."""

    is_embargoed: bool
    """Whether its tables share a deal that not all of them have ended, so that only their players see them."""

    boards: list[BoardView]
    unplayed: list[Unplayed]
    """The entrants without a table, with the reason and the score."""

    objective: list[ExactNumber]
    """The values of the pairing, in the order of its criteria."""


SeriesForm: TypeAlias = BlindsideSeries | CoconutSeries | BlindDonSeries | DoubleBlindSeries | ShitheadSeries


class SeriesView(TypedDict):
    """
    A series.
    """

    id: str
    version: int
    phase: SeasonPhase
    organiser: str
    """The id and the name of the player who opened it."""

    organiser_name: str
    """The id and the name of the player who opened it."""

    setup: FullSetup
    """The settings of its tournaments, whose sitting has no time here."""

    schedule: Schedule
    points: Points
    stopped: Stopped | None
    """Why no further tournament opens, or `null`."""

    dates: list[SeasonDateView]


class ShitheadTableView(TableViewBase):
    """
    A table of Shithead at one version for one viewer.
    """

    game: Literal["shithead"]
    options: ShitheadOptions
    view: ShitheadView


class ShitheadTournament(TournamentBase):
    """
    A tournament of Shithead.
    """

    game: Literal["shithead"]
    options: NotRequired[ShitheadOptions]
    """The options that differ from the defaults."""


class StandingExplainedAnswer(TypedDict):
    """
    A line of the standings, with the explanation of each of its numbers, the score first.
    """

    tournament: str
    version: int
    round: int
    row: RankedEntrant
    stage: str | None
    """The stage that the entrant reached in a knockout, and the further deals and lots that decided it; `null` in other formats."""

    numbers: list[NumberExplained]


class TableMessageMessage(TypedDict):
    event: Literal["message"]
    id: str
    data: EventRecord


TableView: TypeAlias = BlindsideTableView | CoconutTableView | BlindDonTableView | DoubleBlindTableView | ShitheadTableView


TournamentEventRecord: TypeAlias = TournamentOpenedRecord | DuplicateChosenRecord | DealsChosenRecord | AdmissionChosenRecord | ArenaChosenRecord | TeamsChosenRecord | SeriesJoinedRecord | RegistrationOpenedRecord | TournamentStartedRecord | TournamentPausedRecord | TournamentResumedRecord | TournamentClocksMovedRecord | BellRungRecord | OvertimeEndedRecord | TournamentFinishedRecord | TournamentCancelledRecord | TournamentSeedRevealedRecord | RoundsAddedRecord | AddedRoundsReversedRecord | TiebreaksChangedRecord | SittingRescheduledRecord | InvitationReplacedRecord | TeamCodeReplacedRecord | EntryRequestedRecord | EntryAcceptedRecord | EntryDeclinedRecord | RequestWithdrawnRecord | EntriesOfferedRecord | OffersWithdrawnRecord | OfferDeclinedRecord | EnteredRecord | EntrantWithdrewRecord | EntrantExpelledRecord | EntrantsOrderedRecord | EntrantWithdrawnRecord | AbsenceReversedRecord | WithdrawalReversedRecord | CheckedInRecord | SaidAbsentRecord | MarkedAbsentRecord | ByeRequestedRecord | ByeAssignedRecord | EntrantSeedRevealedRecord | TeamChosenRecord | CheckInOpenedRecord | SeedsCalledRecord | EntrantSeedsMissedRecord | RoundOpenedRecord | PairingChangedRecord | PairingDroppedRecord | RoundStartedRecord | TablesOpenedRecord | SeatGivenUpRecord | TableSealedRecord | DealReleasedRecord | TableReportedRecord | DealAddedRecord | RoundCompletedRecord | TournamentTableVoidedRecord | VoidScoredRecord | TableStoppedRecord | ResultRuledRecord | RulingReversedRecord | ArbiterNamedRecord | ArbiterRemovedRecord | CoOrganiserNamedRecord | CoOrganiserRemovedRecord | PlaceOfferedRecord | PlaceDeclinedRecord | EntrantSubstitutedRecord | SubstitutionReversedRecord | DescribedRecord | AnnouncedRecord


class TournamentEventsAnswer(TypedDict):
    """
    A page of a tournament's events.
    """

    events: list[TournamentEventRecord]
    cursor: str
    """Send it to get the following events, now or later."""

    more: bool
    """Whether there are more events now."""


TournamentForm: TypeAlias = BlindsideTournament | CoconutTournament | BlindDonTournament | DoubleBlindTournament | ShitheadTournament


class TournamentMessageMessage(TypedDict):
    event: Literal["message"]
    id: str
    data: TournamentEventRecord


class TournamentView(TypedDict):
    """
    A tournament at one version.
    """

    id: str
    version: int
    edition: int
    """The edition of the fairness protocol for tournaments."""

    phase: TournamentPhase
    organiser: str
    """The id of the player who opened it."""

    co_organisers: list[PersonView]
    """The players whom the organiser lets organise the tournament, too."""

    arbiters: list[PersonView]
    """The players whom the organiser lets decide about tables and absences."""

    description: str | None
    """The salted hash of the description in Markdown, or `null`; see `GET /v1/reasons/{digest}`."""

    announcements: list[Announcement]
    """The latest ten, the latest first."""

    setup: FullSetup
    rounds_planned: int | None
    """`null` for an arena, or if the number follows from the entrants and the tournament has not started."""

    commitment: str
    """The SHA-256 of the server seed, published from the start."""

    server_seed: str | None
    """`null` until the tournament is over and its last table has ended."""

    entrants: list[EntrantView]
    applicants: list[ApplicantView]
    """The players who asked to enter and were not accepted so far, in order of arrival."""

    offered: list[str]
    """The ids of the players with an open offer of an entry."""

    check_in: int
    """The last sitting whose check-in was opened; 0 if there is none yet."""

    check_in_until: int
    """The end of that check-in, in ms since the epoch."""

    call: Call | None
    """The round that waits for entrants to reveal their seeds, or `null`."""

    arena: ArenaView | None
    """The course of an arena; `null` before the start and for other formats."""

    teams: list[str]
    """The salted hashes of the names of all teams ever founded, in the order of their numbers, from 1."""

    team_codes: list[int]
    """How often the code of each of them was replaced."""

    series: SeriesPlace | None
    """The series to which it belongs, or `null`."""

    tables_in_play: int
    """The number of tables that have not ended, including those about to be opened."""

    rounds: list[RoundView]


Action: TypeAlias = BlindsideAction | CoconutAction | BlindDonAction | DoubleBlindAction | ShitheadAction


class DealAnswer(TypedDict):
    """
    A deal that all tables of a round play.
    """

    tournament: str
    """The tournament's id, and the version from which the results were computed."""

    version: int
    """The tournament's id, and the version from which the results were computed."""

    deal: DealResults
    """The tables that play it and, once all of them have ended, the results of each seat."""

    names: dict[str, str]
    """The names of the entrants at these tables, by starting rank."""


class Hint(TypedDict):
    """
    What *Expert* would do.
    """

    table: str
    version: int
    """The version of the table at which it would do so."""

    action: Action
    words: str
    """The action as an instruction, such as `play 9S`."""


class ImportAnswer(TypedDict):
    """
    An imported table, which counts in no ledger, history, statistics or rating.
    """

    id: str
    """The id of the import; the same log always gets the same id."""

    imported: Literal[True]
    """Always true."""

    expires_at: int
    """When it is deleted unless somebody views it, in ms since the epoch."""

    is_yours: bool
    """Whether you imported it, and so may delete it."""

    version: int
    """The version of the table that `view` shows."""

    head: str
    """The hash of the event at that version."""

    view: TableView
    """The table, with its id on the service where it was played."""


class LegalActions(TypedDict):
    """
    The actions that a seat may take now.
    """

    seat: int
    actions: list[Action]
    """Actions that may be sent as they are."""

    choices: list[CardChoice]
    """Choices of cards; each stands for many actions of one type."""

    offences: list[Action]
    """Offences that the table's options allow, such as showing a hidden card. Each may be sent as it is and costs the player points."""

    unplayable: NotRequired[list[Unplayable]]
    """The cards of your own that you see and may not play now, and why."""


class LegalAnswer(LegalActions):
    """
    The actions that a seat may take at one version.
    """

    version: int
    now: int
    """The service's clock, in ms since the epoch."""


MyTablesStreamMessage: TypeAlias = MyTablesSnapshotMessage | MyTablesSeatOfferedMessage | MyTablesTableStartedMessage | MyTablesYourTurnMessage | MyTablesTableEndedMessage | MyTablesRoundOpenedMessage | MyTablesTournamentOfferMessage | MyTablesResetMessage


class ProblemDocument(TypedDict):
    """
    An error, in the form of RFC 9457.
    """

    type: str
    """`urn:hoodwink:problem:` and the code."""

    title: str
    status: int
    code: ErrorCode
    """A stable code in snake_case; `ErrorCode` lists them all."""

    detail: str
    """A sentence for people; it reveals nothing that the client may not know."""

    faults: NotRequired[list[Fault]]
    """The errors in the request; only with status 400."""

    finding: NotRequired[Finding]
    """The first error in a log that does not verify."""

    version: NotRequired[int]
    """The current version of the table or tournament, if the request expected another one."""

    legal_actions: NotRequired[list[Action]]
    """The actions that your seat may take now; only with `version`."""

    legal_choices: NotRequired[list[CardChoice]]
    """The actions that your seat may take now; only with `version`."""

    legal_offences: NotRequired[list[Action]]
    """The actions that your seat may take now; only with `version`."""


class ReviewedMove(TypedDict):
    """
    A move of the reviewed seat, and what *Expert* would have done with what the seat knew.
    """

    version: int
    """The number of the event that records the move."""

    round: int
    played: Action
    """The move."""

    played_words: str
    """The move."""

    best: Action
    """What *Expert* would have done."""

    best_words: str
    """What *Expert* would have done."""

    result: float
    """The results of the round to expect from both, between 0 and 1; see `scale`."""

    best_result: float
    """The results of the round to expect from both, between 0 and 1; see `scale`."""

    quality: Literal["best", "fine", "mistake", "slip"]
    """`best` for *Expert*'s move or one that is no worse, `fine` if it costs less than 0.05, `mistake` if it costs 0.15 or more, otherwise `slip`."""


class RoundAnswer(TypedDict):
    """
    A round, with the explanation of its pairing.
    """

    round: RoundView
    changed: PairingChangeExplained | None
    """The organiser's change; `null` if the pairing is the engine's."""

    relaxed: list[str]
    """The rules that the engine's pairing could not obey, in words; usually empty."""

    explanations: list[PairingExplained]
    """The explanations of the engine's pairing, by starting rank."""


class TableAnswer(TypedDict):
    """
    A table as the viewer sees it.
    """

    version: int
    """The number of events so far."""

    head: str
    """The hash of the last event, blinded until the server seed is revealed."""

    now: NotRequired[int]
    """The service's clock, in ms since the epoch; not for an earlier version."""

    view: TableView
    legal_actions: NotRequired[LegalActions | None]
    """The viewer's legal actions, `null` for a viewer without a seat; only with `include=legal_actions`, and in streams with `with=view`."""


class TableSnapshotMessage(TypedDict):
    event: Literal["snapshot"]
    id: str
    data: TableAnswer


class TournamentAcceptedAnswer(TypedDict):
    """
    The effect of a command.
    """

    version: int
    """Those of the tournament right after the command."""

    head: str
    """Those of the tournament right after the command."""

    events: list[TournamentEventRecord]
    """The events of the command."""

    tournament: TournamentView
    """The tournament right after the command."""


class TournamentAnswer(TypedDict):
    """
    A tournament.
    """

    version: int
    """The number of events so far."""

    head: str
    """The hash of the last event, blinded until the server seed is revealed."""

    tournament: TournamentView


class TournamentSnapshotMessage(TypedDict):
    event: Literal["snapshot"]
    id: str
    data: TournamentAnswer


TournamentStreamMessage: TypeAlias = TournamentSnapshotMessage | TournamentMessageMessage | ResetMessage | EndMessage


class AcceptedAnswer(TypedDict):
    """
    The effect of a command or, in a stream with `with=view`, of a commit.
    """

    version: int
    """Those of the table right after the command."""

    head: str
    """Those of the table right after the command."""

    now: int
    """The service's clock, in ms since the epoch; in the response to a command, the time at which the command took effect, even if the command is repeated later."""

    events: list[EventRecord]
    """The events of the command, as the viewer may see them."""

    view: TableView
    """The table right after the command."""

    legal_actions: NotRequired[LegalActions | None]
    """The viewer's legal actions then, `null` for a viewer without a seat; only with `include=legal_actions`, and in streams with `with=view`."""


class Review(TypedDict):
    """
    A seat's moves, as far as there was a choice.
    """

    table: str
    version: int
    """The version of the table that was reviewed."""

    game: str
    seat: int
    scale: str
    """What a result means, in a sentence."""

    moves: list[ReviewedMove]
    """In order."""

    left_out: int
    """How many later moves were not reviewed, because that would take too long. Another review can go on after the last move of this one."""


class TableViewMessage(TypedDict):
    event: Literal["view"]
    id: str
    data: AcceptedAnswer


TableStreamMessage: TypeAlias = TableSnapshotMessage | TableMessageMessage | TableViewMessage | TablePresenceMessage | TableSaidMessage | ResetMessage | EndMessage
