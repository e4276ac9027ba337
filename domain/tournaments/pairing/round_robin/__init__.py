"""Round robin: the whole schedule is fixed before the first round (P-1)."""

from hoodwink.domain.tournaments.pairing.round_robin.arranging import arrangement_of as arrangement_of
from hoodwink.domain.tournaments.pairing.round_robin.pairing import pair as pair
from hoodwink.domain.tournaments.pairing.round_robin.schedule import rounds_of as rounds_of
from hoodwink.domain.tournaments.pairing.round_robin.schedule import schedule_of as schedule_of
from hoodwink.domain.tournaments.pairing.round_robin.schedule import shape_of as shape_of
from hoodwink.domain.tournaments.pairing.round_robin.shapes import Arrangement as Arrangement
from hoodwink.domain.tournaments.pairing.round_robin.shapes import Shape as Shape
from hoodwink.domain.tournaments.pairing.round_robin.shapes import remember as remember
from hoodwink.domain.tournaments.pairing.round_robin.shapes import remembered as remembered
from hoodwink.domain.tournaments.pairing.round_robin.three_rounds import is_stored as is_stored
