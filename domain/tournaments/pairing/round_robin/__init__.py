"""Round robin: the whole schedule is fixed before the first round (P-1)."""

from domain.tournaments.pairing.round_robin.pairing import pair as pair
from domain.tournaments.pairing.round_robin.schedule import rounds_of as rounds_of
from domain.tournaments.pairing.round_robin.schedule import schedule_of as schedule_of
