"""Double Blind tables for tests: situations, actions of seats, and views."""

from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import Bribe, ExposeSleeve
from hoodwink.domain.games.double_blind.options import Options
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import RuleViolation, Stage, redact


def cards(text=""):
    return tuple(Card(face) for face in text.split())


def pocket(text=""):
    """Returns five slots; `--` and missing slots are empty."""
    slots = [None if face == "--" else face for face in cards(text)]
    return (*slots, *[None] * (5 - len(slots)))


class Stacked:
    """Draws with a chosen first dealer and one stacked deck for every caper."""

    first_dealer = None  # it is drawn

    def __init__(self, first=0, deck=None):
        self.first = first
        self.top = cards(deck or "")

    def seat(self, seats):
        return self.first

    def deck(self, pack, number):
        rest = list(pack)
        for card in self.top:
            rest.remove(card)
        return (*self.top, *rest)


def situation(pockets, sleeves, bank="", *, hatter=0, **changes):
    """Returns a caper in play, at the start of a hat; lists run from seat 0."""
    seats = len(pockets)
    options = Options(**{key: changes.pop(key) for key in Options.__struct_fields__ if key in changes})
    order = tuple((hatter - step) % seats for step in range(seats))
    given = {
        "stage": Stage.IN_PLAY,
        "round": 1,
        "mastermind": (hatter + 1) % seats,
        "madd_hatter": hatter,
        "contenders": order,
        "waiting": order,
        "pockets": tuple(map(pocket, pockets)),
        "sleeves": tuple(map(cards, sleeves)),
        "bank": cards(bank),
    }
    return replace(GAME.initial(options, seats), **(given | changes))


def dealt(seats, *, draws=None, **options):
    return fold(GAME.initial(Options(**options), seats), GAME.deal, draws or Stacked())


def fold(state, decide, *arguments):
    for event in decide(state, *arguments):
        state = GAME.evolve(state, event)
    return state


def events(state, seat, action):
    return GAME.decide(state, seat, action, 0)


def after(state, *moves):
    """Returns the state after these (seat, action) pairs."""
    for seat, action in moves:
        state = fold(state, GAME.decide, seat, action, 0)
    return state


def refusal(state, seat, action):
    """Returns the code with which the action is refused."""
    try:
        GAME.decide(state, seat, action, 0)
    except RuleViolation as violation:
        return violation.code
    raise AssertionError("accepted")


def finished(points, **changes):
    """Returns a caper that has just ended, in which each seat won this many bonus points and nothing else."""
    seats = len(points)
    changes = {"stage": Stage.TO_SCORE, "loot_bonus": tuple(points), "waiting": ()} | changes
    return situation([""] * seats, [""] * seats, **changes)


def scored(state):
    return fold(state, GAME.score_round)


def look(state, viewer):
    return GAME.view(state, viewer)


def shown(event, viewer):
    return redact(event, viewer)


def bribe(face):
    return Bribe(Card(face))


def show(face):
    return ExposeSleeve(Card(face))


def kinds(events):
    return [type(event).__name__ for event in events]


def only(events, kind):
    [event] = [event for event in events if isinstance(event, kind)]
    return event


def table_cards(state: State):
    """Returns every card of the table."""
    zones = [*state.pockets, *state.sleeves, *state.loot, state.bank, state.lost]
    held = [card for zone in zones for card in zone if card is not None]
    return sorted([*held, *(play.card for play in state.middle)])
