"""Knockout: the entrants still in it, the next pairing, and further deals (P-6)."""

from hoodwink.domain.tournaments.pairing.knockout.pairing import pair as pair
from hoodwink.domain.tournaments.pairing.knockout.survivors import advancing as advancing
from hoodwink.domain.tournaments.pairing.knockout.survivors import remaining_entrants as remaining_entrants
from hoodwink.domain.tournaments.pairing.knockout.survivors import replay_needed as replay_needed
from hoodwink.domain.tournaments.pairing.knockout.tree import rounds_of as rounds_of
