"""Knockout: the entrants still in it, the next pairing, and further deals (P-6)."""

from domain.tournaments.pairing.knockout.pairing import pair as pair
from domain.tournaments.pairing.knockout.survivors import advancing as advancing
from domain.tournaments.pairing.knockout.survivors import left as left
from domain.tournaments.pairing.knockout.survivors import replay_needed as replay_needed
from domain.tournaments.pairing.knockout.tree import rounds_of as rounds_of
