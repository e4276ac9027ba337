"""FIDE's tournament report file, TRF-2026, for Swiss tournaments and leagues at tables of two. Seat 0 is white.

The file contains games won, drawn and lost, and unplayed rounds with a score. So tables without a result and voided tables
are written as byes with the same score. A tournament that is read has no points and only one sitting. Its unplayed rounds
are `requested_bye` for half a point, `assigned_bye` for a full point, `absent` for none, or `pairing_bye`.
"""

from hoodwink.domain.tournaments.files.trf.reading import read_trf as read_trf
from hoodwink.domain.tournaments.files.trf.sheet import MalformedTrf as MalformedTrf
from hoodwink.domain.tournaments.files.trf.sheet import TrfSheet as TrfSheet
from hoodwink.domain.tournaments.files.trf.sheet import Unwritable as Unwritable
from hoodwink.domain.tournaments.files.trf.writing import check_writable as check_writable
from hoodwink.domain.tournaments.files.trf.writing import write_trf as write_trf
