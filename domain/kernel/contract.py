"""The contract that every game implements. Tables, bots, workers and HTTP use games only through it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pkgutil import get_data
from random import Random
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from hoodwink.domain.cards import Card, Draws
from hoodwink.domain.kernel.errors import InvalidOptions
from hoodwink.domain.kernel.knowledge import Knowledge, imagine
from hoodwink.domain.kernel.messages import Action, CardChoice, Event
from hoodwink.domain.kernel.view import GameView
from hoodwink.domain.kernel.visibility import Viewer

S = TypeVar("S")

LegalAction: TypeAlias = Action | CardChoice

CardPlay: TypeAlias = tuple[Card, Action]
"""A card, and the action that would play it."""


class Stage(StrEnum):
    """The stage of a game, which determines what happens next."""

    TO_DEAL = "to_deal"  # the worker deals the next round
    IN_PLAY = "in_play"  # the seats act
    TO_SCORE = "to_score"  # the worker reveals and scores the round (G-2)
    OVER = "over"  # the last round is scored


class Turn(msgspec.Struct, frozen=True, gc=False):
    """The seats that may act now (G-9).

    Attributes:
        owes: seats that owe an action, ascending; clocks and bots follow these.
        may: other seats that may act out of turn; they must not depend on hidden cards.
    """

    owes: tuple[int, ...] = ()
    may: tuple[int, ...] = ()


class GameOptions(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """Base of a game's options: fields carry default, bounds and meaning as `Annotated[..., Meta]`."""


class Observation(msgspec.Struct, frozen=True, gc=False):
    """Everything a bot knows: its seat, the public options, its own view and its legal actions.

    Attributes:
        view: the result of `Game.view(state, seat)`.
        legal_actions: the seat's legal actions without offences; never empty.
        known: what the seat knows of the round, for policies that think ahead.
        actions: how many actions the round has had; after many of them, a position may repeat.
    """

    seat: int
    options: GameOptions
    view: Any
    legal_actions: tuple[LegalAction, ...]
    known: Knowledge[Any] | None = None
    actions: int = 0


Policy: TypeAlias = Callable[["Game[Any]", Observation, Random], Action]
"""Chooses one legal action. All randomness comes from the given generator."""


def _no_forced_action(state: object, seat: int) -> None:
    """The default of `Game.overdue`."""


def _no_host_actions(options: object) -> tuple[type[Action], ...]:
    """The default of `Game.host_offences`."""
    return ()


def _no_wait(state: object) -> None:
    """The default of `Game.waits_until`."""


def _no_times_to_postpone(state: Any, since: int, until: int) -> Any:
    """The default of `Game.postpone`."""
    return state


def _never_endless(state: object) -> bool:
    """The default of `Game.is_endless`."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookahead(Generic[S]):
    """The functions that a bot needs to think ahead, apart from `Game.imagine`. Nothing is checked, and nobody has to wait.

    Attributes:
        moves(state, seat): the legal actions worth comparing: one of those that differ only in equal cards or in suits
            that do not matter. A seat's own moves follow from its knowledge, which may stand for the state.
        apply(state, seat, action): the state after a legal action of any seat.
        play_on(state, chance): the state after a seat that owes an action took one. It is quick, and seldom foolish.
        guess(state, seat): what a seat that thinks ahead expects to do itself, or `None` if it is not its move, or quick
            play does as well. Its own moves follow from its knowledge, which may stand for the state.
        value(state): each seat's result of a round to be scored, between 0 and 1; an estimate while it is in play.
        scale: what a result means, in a sentence that begins with "100%".
        max_moves(state): the number of moves after which playing on is cut off, because a round may never end.
        max_effort: the number of moves after which a decision has to do with fewer trials, because they take long.
        out_of_play: the zones of the state whose cards matter no more in the round. Nobody can know anything about them.
    """

    moves: Callable[[S, int], tuple[Any, ...]]
    apply: Callable[[S, int, Any], S]
    play_on: Callable[[S, Random], S]
    value: Callable[[S], tuple[float, ...]]
    scale: str
    guess: Callable[[S, int], Any] = lambda _state, _seat: None
    max_moves: Callable[[S], int] = lambda _state: 200
    max_effort: int = 16_000
    out_of_play: tuple[str, ...] = ()


class Saying(NamedTuple):
    """Something that players may say to each other."""

    id: str
    text: str


HELLO: Final = Saying("hello", "Hello! 👋")
WELL_PLAYED: Final = Saying("well_played", "Well played! 👏")
GOOD_GAME: Final = Saying("good_game", "Good game! 🙂")
GENERAL_SAYINGS: Final = (
    HELLO,
    WELL_PLAYED,
    Saying("thanks", "Thank you!"),
    Saying("oops", "Oops … 🙈"),
    Saying("lucky", "That was lucky! 🍀"),
    GOOD_GAME,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """A game as data and pure functions over its frozen state `S`.

    `now` is the service's clock in milliseconds since the epoch; only rules about time read it.

    Attributes:
        name: the wire name, such as `blindside`.
        title: the name shown to people.
        tagline: what the game is about, in one short sentence.
        sayings: what players may say to each other, by a stable id.
        minutes: how long a table usually takes: the shortest with two players or bots, the longest with people only.
        rules: the rules in prose, as Markdown.
        unit: the unit of its scores.
        seats: the minimum and maximum number of seats.
        options: the options type; its defaults are the game's defaults.
        actions, events: every kind of action and event.
        offences: actions that break the rules of good conduct at a price. They are listed separately from
            plays, and no bot commits one (DB-34).
        interrupts: every kind of action, other than offences, that a seat may take out of turn.
        host_offences(options): the offences that a host without a seat may enter in a player's name
            at a table with these options (DB-42).
        check_options(options, seats): raises `InvalidOptions` if the game cannot be dealt.
        initial(options, seats): the state before the first deal.
        deal(state, draws): the events that start the next round; the stage must be `TO_DEAL`.
        decide(state, seat, action, now): the events that an action leads to; raises `RuleViolation`.
        evolve(state, event): the next state; trusts the event.
        legal_actions(state, seat, now): exactly the actions that `decide` accepts from that seat.
        card_plays(state, seat): the cards that the seat sees in its own zones, each with the action that would play it
            now, legal or not; `decide` gives the reason if it is not.
        turn(state): the seats that owe an action, and those that may act.
        stage(state): the step that the game waits for.
        score_round(state): the events that reveal and score a finished round; the stage must be `TO_SCORE`.
        void_round(state): the state after the no-progress guard stopped the round (G-15): its
            points undone, one round used up, the deal passed on, nothing revealed.
        scores(state): each seat's running total; the highest wins.
        view(state, viewer): the viewer's view. It copies the fields that the viewer may see, rather than removing
            the others, and begins with the facts that all games share (`GameView`).
        learn(known, event): what the viewer knows once it has seen the event, and the event with the cards of the known
            state, or their marks, in place of hidden ones. `known.state` is still the state before the event.
        imagine(known, chance): a random state that agrees with the knowledge. It neither knows nor assumes how the
            others play: all deals that the viewer cannot rule out are equally likely.
        rank(game, observation, chance): the actions that a sensible player would consider, the best first; chance
            breaks ties.
        lookahead: what bots need to think ahead, or `None` if they cannot in this game.
        say(event, names): a sentence for an event, built from its redacted form and the players' names.
        phrase(state, seat, action, names): a legal action of the seat as an instruction, such as `play 9S`. It follows
            from the seat's knowledge, which may stand for the state.
        overdue(state, seat): the action taken for the seat when its turn clock runs out, or `None`
            if a bot chooses (G-15).
        waits_until(state): the time, in ms, before which no seat that owes an action may take it,
            or `None` if nobody has to wait.
        postpone(state, since, until): the state with its waiting times postponed because of an outage of the service.
        is_endless(state): whether no legal play can end the round any more, so that the service voids it (SH-59).
    """

    name: str
    title: str
    tagline: str
    minutes: tuple[int, int]
    rules: str
    unit: Literal["token", "point"]
    seats: tuple[int, int]
    options: type[GameOptions]
    actions: tuple[type[Action], ...]
    events: tuple[type[Event], ...]
    check_options: Callable[[Any, int], None]
    initial: Callable[[Any, int], S]
    deal: Callable[[S, Draws], tuple[Event, ...]]
    decide: Callable[[S, int, Any, int], tuple[Event, ...]]
    evolve: Callable[[S, Any], S]
    legal_actions: Callable[[S, int, int], tuple[LegalAction, ...]]
    card_plays: Callable[[S, int], tuple[CardPlay, ...]]
    turn: Callable[[S], Turn]
    stage: Callable[[S], Stage]
    score_round: Callable[[S], tuple[Event, ...]]
    void_round: Callable[[S], S]
    scores: Callable[[S], tuple[int, ...]]
    view: Callable[[S, Viewer], GameView]
    learn: Callable[[Knowledge[S], Any], tuple[Knowledge[S], Event]]
    rank: Callable[["Game[Any]", Observation, Random], Sequence[Action]]
    say: Callable[[Any, Sequence[str]], str]
    phrase: Callable[[S, int, Any, Sequence[str]], str]
    offences: tuple[type[Action], ...] = ()
    interrupts: tuple[type[Action], ...] = ()
    host_offences: Callable[[Any], tuple[type[Action], ...]] = _no_host_actions
    overdue: Callable[[S, int], Action | None] = _no_forced_action
    waits_until: Callable[[S], int | None] = _no_wait
    postpone: Callable[[S, int, int], S] = _no_times_to_postpone
    sayings: tuple[Saying, ...] = GENERAL_SAYINGS
    is_endless: Callable[[S], bool] = _never_endless
    imagine: Callable[[Knowledge[S], Random], S] = imagine
    lookahead: Lookahead[S] | None = None


def know_nothing(game: Game[S], options: GameOptions, seats: int, viewer: Viewer) -> Knowledge[S]:
    """Returns what a viewer knows before the first deal."""
    return Knowledge(viewer, game.initial(options, seats))


def see(game: Game[S], known: Knowledge[S], event: Event) -> Knowledge[S]:
    """Returns what the viewer knows after the event, from its redacted form."""
    known, completed = game.learn(known, event)
    return msgspec.structs.replace(known, state=game.evolve(known.state, completed))


def see_taken_back(game: Game[S], known: Knowledge[S], event: Event) -> Knowledge[S]:
    """Returns what the viewer knows after an action was taken back: what it knew before, and what the action showed it.

    Args:
        known: the knowledge before the action.
        event: the event of the action; the viewer saw all of it.
    """
    learned, _ = game.learn(known, event)
    # A known card that the action mixed with unknown ones lies where it was, so the viewer has not lost sight of it.
    return known if learned.made > known.made else learned


def see_void_round(game: Game[S], known: Knowledge[S]) -> Knowledge[S]:
    """Returns what the viewer knows after the guard stopped the round (G-15)."""
    return Knowledge(known.viewer, game.void_round(known.state))


def how_to_play(package: str) -> str:
    """Returns the rules in prose, from `how_to_play.md` in the game's package."""
    prose = get_data(package, "how_to_play.md")
    assert prose is not None, "packages are loaded from files"
    return prose.decode()


def aim_of(rules: str) -> str:
    r"""Returns the first paragraph of the rules as one line.

    >>> aim_of("# Whist\n\n## Aim\n\nWin more tricks\nthan *they* do.\n\nFour players.")
    'Win more tricks than *they* do.'
    """
    paragraphs = rules.split("\n\n")
    return " ".join(next(text for text in paragraphs if not text.startswith("#")).split())


def crib_of(rules: str) -> tuple[str, ...]:
    r"""Returns the items of the list "In short" of the rules, each as one line.

    >>> crib_of("# Whist\n\n## In short\n\n- **Aim**: win\n  tricks.\n- **Trump**: the last card.\n\n## Words\n\n- x")
    ('**Aim**: win tricks.', '**Trump**: the last card.')
    """
    return _items(rules, "In short")


def terms_of(rules: str) -> dict[str, str]:
    r"""Returns the items of the list "Words" of the rules: the terms, and what they mean.

    >>> terms_of("# Whist\n\n## Words\n\n- **Trick**: one card\n  of each player.\n- **To lead**: to play first.\n")
    {'Trick': 'one card of each player.', 'To lead': 'to play first.'}
    """
    pairs = [item.removeprefix("**").partition("**: ") for item in _items(rules, "Words")]
    return {term: meaning for term, _, meaning in pairs}


def _items(rules: str, heading: str) -> tuple[str, ...]:
    """Returns the items of the list under a heading, each as one line."""
    section = rules.partition(f"## {heading}\n\n- ")[2].partition("\n\n")[0]
    return tuple(" ".join(item.split()) for item in section.split("\n- ") if item)


def check_seats(game: Game[Any], seats: int) -> None:
    """Raises `InvalidOptions` if the game cannot be played with this number of seats."""
    fewest, most = game.seats
    if not fewest <= seats <= most:
        count = f"{fewest} seats" if fewest == most else f"{fewest} to {most} seats"
        raise InvalidOptions(f"{game.title} takes {count}.")


def options_of(game: Game[Any], given: Mapping[str, Any]) -> Any:
    """Returns the game's options, with defaults for those not given; raises `InvalidOptions`."""
    try:
        return msgspec.convert(given, game.options)
    except msgspec.ValidationError as error:
        raise InvalidOptions(str(error)) from None


def changed_options(options: GameOptions) -> dict[str, Any]:
    """Returns the options that differ from the game's defaults."""
    defaults = msgspec.to_builtins(type(options)())
    return {name: value for name, value in msgspec.to_builtins(options).items() if value != defaults[name]}


def plays_among(game: Game[Any], legal: tuple[LegalAction, ...]) -> tuple[LegalAction, ...]:
    return tuple([action for action in legal if not isinstance(action, game.offences)])


def offences_among(game: Game[Any], legal: tuple[LegalAction, ...]) -> tuple[Action, ...]:
    return tuple([action for action in legal if isinstance(action, game.offences)])
