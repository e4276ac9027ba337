"""All settings of an opening: those of its first event, and those that further events record."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_type_hints

import msgspec
from msgspec import Meta

from hoodwink.domain.tournaments.life.admission import (
    Admission,
    Approval,
    InvitedOnly,
    MaxRating,
    MinRatedTables,
    MinRating,
    Visibility,
    VisibilitySetting,
)
from hoodwink.domain.tournaments.life.setup import (
    DEFAULT_ARENA_MINUTES,
    DEFAULT_FINISH_MINUTES,
    MAX_ARENA_MINUTES,
    MAX_DEALS_PER_PAIRING,
    MAX_FINISH_MINUTES,
    MIN_TEAM_SIZE,
    Advance,
    ArenaTimes,
    Setup,
    TeamTerms,
    converted,
    require,
)
from hoodwink.domain.tournaments.terms import MAX_TEAM_SIZE, Compare, DealKind, Format, TeamCounting

_USUAL_IN_ARENA: Final[Mapping[str, Any]] = {
    "advance": Advance.AUTOMATIC,
    "turn_seconds": 30,
    "grace_seconds": 60,
}


class FullSetup(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a tournament: `Setup`, and those that further events of the opening record."""

    deal: Annotated[
        DealKind,
        Meta(
            description="`same` lets all tables of a round play the same deal, and compares each seat with the same seat at "
            "the other tables. It needs a turn clock, and is not for knockouts."
        ),
    ] = DealKind.INDEPENDENT
    compare: Annotated[
        Compare | None,
        Meta(
            description="With `deal: same`, the score at a table: the share of the others in that seat that it beat "
            "(`matchpoints`, the default), its points minus their mean (`difference`), or its lead over the mean of its table "
            "minus a part of their mean lead (`margin`)."
        ),
    ] = None
    deals_per_pairing: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_DEALS_PER_PAIRING,
            description="With `deal: same`, the number of rounds that the same opponents play in a row, each with the next "
            "deal and in the next seat. It divides the rounds of each sitting.",
        ),
    ] = 1
    visibility: VisibilitySetting = Visibility.PUBLIC
    invited_only: InvitedOnly = False
    approval: Approval = False
    min_rating: MinRating = None
    max_rating: MaxRating = None
    min_rated_tables: MinRatedTables = 0

    @property
    def admission(self) -> Admission:
        """The settings that `tournament.admission_chosen` records."""
        return Admission(**{name: getattr(self, name) for name in Admission.__struct_fields__})

    arena_minutes: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_ARENA_MINUTES)] | None,
        Meta(description="How long an arena lasts, 45 by default; only for arenas."),
    ] = None
    finish_minutes: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_FINISH_MINUTES)] | None,
        Meta(
            description="How long tables in play count after the bell of an arena, 10 by default; only for arenas."
        ),
    ] = None

    team_size: Annotated[
        Annotated[int, Meta(ge=MIN_TEAM_SIZE, le=MAX_TEAM_SIZE)] | None,
        Meta(
            description="The maximum number of entrants in a team; without it, there are no teams. Not for knockouts."
        ),
    ] = None
    team_counting: Annotated[
        TeamCounting | None,
        Meta(description="How many entrants of a team count, the best ones; all by default."),
    ] = None

    @property
    def teams(self) -> TeamTerms | None:
        """The terms for teams, `None` without them; raises `RuleViolation` if entrants of no team count."""
        size, counting = self.team_size, self.team_counting
        if size is None:
            require(counting is None, "`team_counting` is for tournaments with `team_size`.")
            return None
        return TeamTerms(size, size if counting is None else counting)

    @property
    def arena(self) -> ArenaTimes | None:
        """The times of an arena, `None` for other formats; raises `RuleViolation` if these have such times."""
        if self.format is not Format.ARENA:
            is_timed = self.arena_minutes is not None or self.finish_minutes is not None
            require(not is_timed, "`arena_minutes` and `finish_minutes` are for arenas.")
            return None
        lasts, finish = self.arena_minutes, self.finish_minutes
        return ArenaTimes(
            DEFAULT_ARENA_MINUTES if lasts is None else lasts,
            DEFAULT_FINISH_MINUTES if finish is None else finish,
        )

    @property
    def compared_by(self) -> Compare | None:
        """How seats are compared, or `None` if each table has its own deal; raises `RuleViolation` if both are given."""
        if self.deal is DealKind.SAME:
            return self.compare or Compare.MATCHPOINTS
        is_default = self.compare is None and self.deals_per_pairing == 1
        require(is_default, "`compare` and `deals_per_pairing` are for tournaments with `deal: same`.")
        return None

    @property
    def stored(self) -> Setup:
        """The settings that the first event records."""
        return Setup(**{name: getattr(self, name) for name in Setup.__struct_fields__})


def full_setup(
    setup: Setup,
    compare: Compare | None,
    arena: ArenaTimes | None,
    admission: Admission,
    deals_per_pairing: int = 1,
    teams: TeamTerms | None = None,
) -> FullSetup:
    kind = DealKind.INDEPENDENT if compare is None else DealKind.SAME
    own = msgspec.structs.asdict(setup) | msgspec.structs.asdict(admission)
    for chosen in (arena, teams):
        own |= {} if chosen is None else msgspec.structs.asdict(chosen)
    return FullSetup(**own, deal=kind, compare=compare, deals_per_pairing=deals_per_pairing)


def declared(setting: str) -> tuple[Any, Meta]:
    """Returns the type of a setting, with its bounds and meaning."""
    hint = get_type_hints(FullSetup, include_extras=True)[setting]
    return hint.__origin__, hint.__metadata__[0]


def full_setup_from(given: Mapping[str, Any]) -> FullSetup:
    """Returns all settings with these values, and defaults for those not given; raises `RuleViolation`."""
    # An average seat scores 1/2, so the usual bye would be worth more than most tables.
    usual: dict[str, Any] = {"bye_score": "1/2"} if given.get("deal") == DealKind.SAME else {}
    if given.get("format") == Format.ARENA:
        usual = dict(_USUAL_IN_ARENA)
    if given.get("visibility", Visibility.PUBLIC) != Visibility.PUBLIC:
        usual["rated"] = False
    return converted(usual | dict(given), FullSetup)
