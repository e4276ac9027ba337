"""Moves per second through the whole interface of a game: turn, legal actions, decide, evolve, deal and score."""

from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bench.figures import Bar, Effort, Figure, rate
from hoodwink.domain.bots import pick_action
from hoodwink.domain.cards import SeededDraws
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import CardChoice, Game, Stage

BARS: Final[Mapping[str, Bar]] = MappingProxyType({"blindside": Bar(210_000)})
BAR: Final = Bar(100_000)
"""The target for every other game; rows with large hands have none."""

_SECONDS: Final = 0.5
_SEATS: Final = 4
_MOVES_FROM_FULL_HANDS: Final = 40
_PATIENCE_MS: Final = 1_000


class Setting(NamedTuple):
    """A game to play; with `has_full_hands`, the stock is dealt first, so that hands are as large as possible."""

    game: str
    seats: int
    options: Mapping[str, Any] = MappingProxyType({})
    has_full_hands: bool = False


SETTINGS: Final = (
    *(Setting(name, min(game.seats[1], max(game.seats[0], _SEATS))) for name, game in GAMES.items()),
    Setting("coconut", 3, has_full_hands=True),
    Setting("shithead", 2, MappingProxyType({"decks": 2, "voluntary_pickup": True}), has_full_hands=True),
)


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rate of every game, at four seats if the game allows that, and with large hands."""
    seconds = min(effort.seconds, _SECONDS)
    for setting in SETTINGS:
        player = Player(setting, Random(1))  # noqa: S311 - the same playouts every time
        samples = tuple(rate(player.play, seconds=seconds) for _ in range(effort.repeats))
        yield Figure(
            name=f"{setting.game}, {setting.seats} seats{player.remark}",
            unit="moves/s",
            samples=samples,
            bar=None if setting.has_full_hands else BARS.get(setting.game, BAR),
        )


class Player:
    """Plays a game at random, table after table."""

    def __init__(self, setting: Setting, chance: Random) -> None:
        self._game: Game[Any] = GAMES[setting.game]
        self._seats = setting.seats
        self._options = self._game.options(**setting.options)
        self._chance = chance
        self._full: Any = self._with_full_hands() if setting.has_full_hands else None

    @property
    def remark(self) -> str:
        """The size of the hands, if they are large."""
        if self._full is None:
            return ""
        return f", hands of {max(len(hand) for hand in self._full.hands)} cards"

    def play(self) -> int:
        """Plays one table to its end, or a few moves with large hands; returns the number of moves."""
        if self._full is not None:
            return self._play_on(self._full, _MOVES_FROM_FULL_HANDS)[1]
        return self._play_on(self._game.initial(self._options, self._seats))[1]

    def _play_on(self, state: Any, max_moves: float = float("inf")) -> tuple[Any, int]:
        """Returns the state after up to `max_moves` moves, and the number of moves."""
        game, random = self._game, self._chance.random
        draws, moves, now = self._draws(), 0, 0
        while moves < max_moves:
            stage = game.stage(state)
            if stage is not Stage.IN_PLAY:
                if stage is Stage.OVER:
                    break
                events = game.deal(state, draws) if stage is Stage.TO_DEAL else game.score_round(state)
            else:
                owes = game.turn(state).owes
                seat = owes[int(random() * len(owes))]
                legal = game.legal_actions(state, seat, now)
                if not legal:  # a rule about time makes the seat wait
                    now += _PATIENCE_MS
                    continue
                chosen = legal[int(random() * len(legal))]
                action = pick_action(game, chosen, self._chance) if isinstance(chosen, CardChoice) else chosen
                events = game.decide(state, seat, action, now)
                moves += 1
            for event in events:
                state = game.evolve(state, event)
        return state, moves

    def _draws(self) -> SeededDraws:
        return SeededDraws(f"{self._chance.getrandbits(256):064x}", [""] * (self._seats + 1))

    def _with_full_hands(self) -> Any:
        """Returns a table in play whose stock has been dealt to the hands."""
        state = self._game.initial(self._options, self._seats)
        while len(self._game.turn(state).owes) != 1:
            state, _ = self._play_on(state, 1)
        hands = tuple((*hand, *state.stock[seat :: self._seats]) for seat, hand in enumerate(state.hands))
        return replace(state, hands=hands, stock=())
