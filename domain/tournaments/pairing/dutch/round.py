"""A round of the FIDE Dutch system, from the case to the boards."""

from fractions import Fraction

from hoodwink.domain.tournaments.crosstable import Crosstable, Round, Why
from hoodwink.domain.tournaments.pairing.case import Case, Pairing
from hoodwink.domain.tournaments.pairing.dutch.allocation import gets_white, is_higher
from hoodwink.domain.tournaments.pairing.dutch.brackets import pair_brackets
from hoodwink.domain.tournaments.pairing.dutch.colours import Colour
from hoodwink.domain.tournaments.pairing.dutch.explanations import Game, explain
from hoodwink.domain.tournaments.pairing.dutch.field import Field
from hoodwink.domain.tournaments.pairing.dutch.players import Player, players_of
from hoodwink.domain.tournaments.pairing.dutch.violations import Violations


def pair(case: Case) -> Pairing:
    """Returns the pairing of a round at tables of two, with seat 0 as white (P-2).

    If no pairing is legal, the rules are relaxed according to P-2a, and `relaxed` names the broken ones.
    """
    players = players_of(case.crosstable, round_=case.round, present=case.present)
    violations = Violations(players, case.crosstable.terms.forbidden, case.round - 1)
    pairs = pair_brackets(Field(players, violations))
    initial = initial_colour(case.crosstable.until(case.round - 1)) or _drawn_colour(case)
    games = sorted(
        (_game(player, opponent, initial) for player, opponent in pairs if not opponent.is_bye),
        key=_board_order,
    )
    byes = [player for player, opponent in pairs if opponent.is_bye]
    return Pairing(
        tables=tuple((game.white.number, game.black.number) for game in games),
        byes=tuple(player.number for player in byes),
        relaxed=tuple(words for player, opponent in pairs for words in violations.in_words(player, opponent)),
        explanations=explain(games, byes),
    )


def initial_colour(crosstable: Crosstable) -> Colour | None:
    """Returns the initial colour (5.1), which the first board ever paired determines, or `None` before that.

    If the organiser changed that pairing, the engine's tables are used, because they had the drawn colour (T-13).
    """
    return next((_shown_colour(crosstable, round_) for round_ in crosstable.rounds if round_.boards), None)


def _shown_colour(crosstable: Crosstable, round_: Round) -> Colour:
    tables = round_.proposed or [[seat.entrant for seat in board.seats] for board in round_.boards]
    seats = [[entrant for entrant in table if entrant is not None] for table in tables]
    byes = [unplayed.entrant for unplayed in round_.unplayed if unplayed.why is Why.PAIRING_BYE]
    present = sorted(byes + [entrant for board in seats for entrant in board])
    players = players_of(crosstable, round_=round_.number, present=present)
    white, black = (next(player for player in players if player.number == number) for number in seats[0])
    return "w" if gets_white(white, black, "w")[0] else "b"


def _drawn_colour(case: Case) -> Colour:
    return "b" if case.draw("initial colour").below(2) else "w"


def _game(one: Player, other: Player, initial: Colour) -> Game:
    is_white, reason = gets_white(one, other, initial)
    return Game(one, other, reason) if is_white else Game(other, one, reason)


def _board_order(game: Game) -> tuple[Fraction, Fraction, int]:
    """Returns the sorting key of boards: the higher player's score, the sum of scores, the higher player's rank."""
    higher = game.white if is_higher(game.white, game.black) else game.black
    return -higher.score, -(game.white.score + game.black.score), higher.number
