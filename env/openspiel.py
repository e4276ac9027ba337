"""The games for OpenSpiel, registered as `hoodwink_blindside` and so on when this module is imported.

    game = pyspiel.load_game("hoodwink_blindside", {"players": 4, "five_card": True})

The players' actions have the same numbers as in the other environments. Chance draws the first dealer, then the deck of each
round, one card after the other.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from math import prod
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pyspiel

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import (
    GameOptions,
    Knowledge,
    know_nothing,
    options_of,
    redact,
    see,
    see_void_round,
)
from hoodwink.env.encodings import encoding_of
from hoodwink.env.layout import FACES_AND_JOKER
from hoodwink.env.table import Table

_DEFAULT: Final = -1
"""The value of a parameter that stands for the option `None`."""

_MAX_GAME_LENGTH: Final = 10_000_000


class Choice(NamedTuple):
    """A number that a seat chose, in the log of a table. The events do not show selections and what was declined."""

    seat: int
    number: int


class Deck(NamedTuple):
    """Draws that chance has made."""

    first_dealer: int
    cards: tuple[Card, ...]

    def seat(self, seats: int) -> int:
        return self.first_dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return self.cards or tuple(pack)


class GameState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A table, with the draws of chance so far.

    Attributes:
        first_dealer: the seat that chance drew, `None` before that.
        dealt: the cards of the next deck that chance has drawn.
        earlier: what a resampled state has in place of the log before it: by seat, lines of its information state.
        known: by seat, its knowledge before the log, in a resampled state.
    """

    def __init__(self, game: "HoodwinkGame") -> None:
        super().__init__(game)
        self.table = Table(game.name, game.seats, game.options, log=[])
        self.first_dealer: int | None = None
        self.dealt: tuple[Card, ...] = ()
        self.earlier: dict[int, tuple[str, ...]] = {}
        self.known: dict[int, Knowledge[Any]] = {}

    def current_player(self) -> int:
        seat = self.table.seat
        if seat is not None:
            return seat
        player: int = pyspiel.PlayerId.TERMINAL if self.table.is_over else pyspiel.PlayerId.CHANCE
        return player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.first_dealer is None:
            seats = self.table.seats
            return [(seat, 1 / seats) for seat in range(seats)]
        rest = Counter(self._pack())
        rest.subtract(self.dealt)
        total = rest.total()
        return [(index, rest[card] / total) for index, card in enumerate(FACES_AND_JOKER) if rest[card]]

    def is_terminal(self) -> bool:
        return self.table.is_over

    def returns(self) -> list[float]:
        """Returns the scores at the end of the game, and zeros before."""
        return [float(score) if self.table.is_over else 0.0 for score in self.table.scores]

    def information_state_lines(self, player: int) -> list[str]:
        """Returns what the player saw and chose, in order."""
        lines = list(self.earlier.get(player, ()))
        for entry in self.table.log or ():
            if isinstance(entry, Choice):
                if entry.seat == player:
                    lines.append(f"> {self.table.encoding.labels[entry.number]}")
            elif entry is None:
                lines.append("void")
            elif (seen := redact(entry, player)) is not None:
                lines.append(f"{seen.wire} {msgspec.json.encode(seen).decode()}")
        return lines

    def observation_line(self, player: int) -> str:
        table = self.table
        selected = table.selected if player == table.seat else []
        return msgspec.json.encode([table.game.view(table.state, player), selected]).decode()

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "GameState":
        """Returns a random state that the player cannot tell from this one; all deals it may imagine are equally likely.

        Nothing of it depends on cards that the player does not know. So it has no history: of the past, the player has
        its information state, and the other players have what they see of the imagined state.
        """
        known = self._knowledge(player_id)
        chance = Random(int(probability_sampler() * 2**53))  # noqa: S311 - as random as the caller's
        state: GameState = self.get_game().new_initial_state()
        state.first_dealer, state.dealt = self.first_dealer, ()
        state.table = deepcopy(self.table)
        state.table.imagine(player_id, self.table.game.imagine(known, chance))
        state.known = {player_id: known}
        state.earlier = {
            seat: (f"resampled {state.observation_line(seat)}",) for seat in range(self.table.seats)
        }
        state.earlier[player_id] = tuple(self.information_state_lines(player_id))
        return state

    def _knowledge(self, player: int) -> Knowledge[Any]:
        table = self.table
        if self.known and player not in self.known:
            raise ValueError(
                f"this state was resampled for player {min(self.known)}, so it has no past of player {player}"
            )
        known = self.known.get(player) or know_nothing(table.game, table.options, table.seats, player)
        for entry in table.log or ():
            if entry is None:
                known = see_void_round(table.game, known)
            elif not isinstance(entry, Choice) and (seen := redact(entry, player)) is not None:
                known = see(table.game, known, seen)
        return known

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(set(self.table.choices()))

    def _apply_action(self, action: int) -> None:
        table = self.table
        if table.seat is not None:
            assert table.log is not None, "this table keeps a log"
            seat, position = table.seat, len(table.log)
            table.step(action)  # may refuse it
            table.log.insert(position, Choice(seat, action))
        elif self.first_dealer is None:
            self.first_dealer = action
        else:
            self.dealt = (*self.dealt, FACES_AND_JOKER[action])
            if len(self.dealt) == len(self._pack()):
                table.deal(Deck(self.first_dealer, self.dealt))
                self.dealt = ()

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.table.encoding.labels[action]
        return f"dealer {action}" if self.first_dealer is None else f"deal {FACES_AND_JOKER[action]}"

    def _pack(self) -> tuple[Card, ...]:
        """Returns the cards of the next deck: those that a deal without a shuffle names."""
        return pack_of(self.table.game.name, self.table.seats, self.table.options)

    def __str__(self) -> str:
        """Returns everything, for debugging: hidden cards, too."""
        table = self.table
        return msgspec.json.encode(
            [table.state, table.seat, table.selected, self.dealt, self.first_dealer]
        ).decode()


@cache
def pack_of(game: str, seats: int, options: GameOptions) -> tuple[Card, ...]:
    """Returns the cards that a deal shuffles."""
    asked: list[tuple[Card, ...]] = []

    class Asking(Deck):
        def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
            asked.append(tuple(pack))
            return asked[-1]

    rulebook = GAMES[game]
    rulebook.deal(rulebook.initial(options, seats), Asking(0, ()))
    return asked[-1]


class Observer:
    """Observations of the encoding, or information states.

    The tensor of an information state is the observation, which contains what the seat remembers of cards, but not the
    order of events. Its string contains everything.
    """

    def __init__(self, game: "HoodwinkGame", *, has_perfect_recall: bool) -> None:
        self._layout = encoding_of(game.name, game.seats).layout
        self._has_perfect_recall = has_perfect_recall
        self.tensor = np.zeros(self._layout.size, np.float32)
        self.dict = {
            field.name: self.tensor[field.start : field.start + prod(field.shape)].reshape(field.shape)
            for field in self._layout.fields
            if prod(field.shape)
        }

    def set_from(self, state: GameState, player: int) -> None:
        row = self._layout.empty_row()
        state.table.observe(row, player)
        self.tensor[:] = row

    def string_from(self, state: GameState, player: int) -> str:
        if self._has_perfect_recall:
            return "\n".join(state.information_state_lines(player))
        return state.observation_line(player)


class HoodwinkGame(pyspiel.Game):  # type: ignore[misc]
    """A game with a number of players and options.

    Attributes:
        name: the wire name; each game is a subclass.
    """

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name = self.name
        given = {**_parameters(name), **(params or {})}
        rulebook = GAMES[name]
        self.seats = int(given["players"])
        self.options = options_of(rulebook, _options(name, given))
        encoding = encoding_of(name, self.seats)
        rulebook.check_options(self.options, self.seats)
        bound = float(_max_score(name, self.options, self.seats))
        is_zero_sum = _TYPES[name].utility == pyspiel.GameType.Utility.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=len(encoding.labels),
            max_chance_outcomes=len(FACES_AND_JOKER),
            num_players=self.seats,
            min_utility=-bound if is_zero_sum else 0.0,
            max_utility=bound,
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=_MAX_GAME_LENGTH,
        )
        super().__init__(_TYPES[name], info, dict(params or {}))

    def new_initial_state(self) -> GameState:
        return GameState(self)

    def __reduce__(self) -> tuple[Callable[[str], "HoodwinkGame"], tuple[str]]:
        """Copies and pickles by the text, because pyspiel would leave out the attributes of Python."""
        return _load, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Returns an observer of what one player may see, or `None` for other kinds, which the games do not have."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self, has_perfect_recall=kind.perfect_recall)


def _load(text: str) -> HoodwinkGame:
    # Not `pyspiel.load_game` itself: a process that unpickles a game imports this module, which registers the games.
    game: HoodwinkGame = pyspiel.load_game(text)
    return game


def _max_score(name: str, options: Any, seats: int) -> int:
    """Returns a bound that no score exceeds. Where ties may prolong a game, it is generous."""
    match name:
        case "blindside":  # two contests a round, and each loser of one pays a token
            return 2 * seats * (options.rounds or seats)
        case "blind_don":
            return 52 * (options.rounds if options.final_tie == "draw" else 1_000)
        case "double_blind":
            return int(options.target_score) + 100_000
        case _:
            return (seats - 1) * int(options.rounds)


def _parameters(name: str) -> dict[str, Any]:
    """Returns the default of each parameter: the number of players, and the game's options."""
    defaults = msgspec.to_builtins(GAMES[name].options())
    options = {option: _DEFAULT if value is None else value for option, value in defaults.items()}
    return {"players": GAMES[name].seats[0], **options}


def _options(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    defaults = msgspec.to_builtins(GAMES[name].options())
    return {
        option: None if default is None and given[option] == _DEFAULT else given[option]
        for option, default in defaults.items()
    }


def _type_of(name: str) -> Any:
    rulebook = GAMES[name]
    fewest, most = rulebook.seats
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"hoodwink_{name}",
        long_name=rulebook.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if rulebook.unit == "token" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


_TYPES = {name: _type_of(name) for name in GAMES}

for _name, _type in _TYPES.items():
    # A class, since OpenSpiel still has what was registered when Python ends, and other objects crash it then.
    pyspiel.register_game(_type, type(f"{_type.short_name}_game", (HoodwinkGame,), {"name": _name}))
