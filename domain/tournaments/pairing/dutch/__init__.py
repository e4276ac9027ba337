"""Two-seat Swiss by the FIDE Dutch system (C.04.3, rules in force from February 2026). Seat 0 is white."""

from hoodwink.domain.tournaments.pairing.dutch.round import initial_colour as initial_colour
from hoodwink.domain.tournaments.pairing.dutch.round import pair as pair
