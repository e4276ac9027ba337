"""Series: tournaments with the same settings at regular times, and the table of their season (S-1 … S-12)."""

from hoodwink.domain.series.codes import SeriesCode as SeriesCode
from hoodwink.domain.series.commands import ConfirmTournament as ConfirmTournament
from hoodwink.domain.series.commands import CountTournament as CountTournament
from hoodwink.domain.series.commands import MissDate as MissDate
from hoodwink.domain.series.commands import OpenSeries as OpenSeries
from hoodwink.domain.series.commands import SeriesCommand as SeriesCommand
from hoodwink.domain.series.commands import SkipDate as SkipDate
from hoodwink.domain.series.commands import StopSeries as StopSeries
from hoodwink.domain.series.events import SERIES_EVENTS as SERIES_EVENTS
from hoodwink.domain.series.events import Missed as Missed
from hoodwink.domain.series.events import Stopped as Stopped
from hoodwink.domain.series.events import decode_series_event as decode_series_event
from hoodwink.domain.series.life import decide as decide
from hoodwink.domain.series.life import due_date as due_date
from hoodwink.domain.series.life import evolve as evolve
from hoodwink.domain.series.life import is_news as is_news
from hoodwink.domain.series.life import tournament_to_open as tournament_to_open
from hoodwink.domain.series.life import work_due as work_due
from hoodwink.domain.series.plan import Points as Points
from hoodwink.domain.series.plan import Schedule as Schedule
from hoodwink.domain.series.season import SeasonRow as SeasonRow
from hoodwink.domain.series.season import season_table as season_table
from hoodwink.domain.series.state import UNOPENED as UNOPENED
from hoodwink.domain.series.state import SeasonPhase as SeasonPhase
from hoodwink.domain.series.state import Series as Series
from hoodwink.domain.series.state import is_listed as is_listed
