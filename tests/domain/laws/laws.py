"""The laws that every game keeps, each a function of a table played at random."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec

from hoodwink.domain.kernel import (
    CardChoice,
    Event,
    Game,
    GameView,
    LegalAction,
    SharedCode,
    Stage,
    Viewer,
    plays_among,
    redact,
)
from tests.domain.laws.cards import cards_in, count_cards, covered
from tests.domain.laws.entitlement import picture, shown, undeclared_fields
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.laws.imagining import imagines_from_knowledge_alone, imagines_what_it_saw
from tests.domain.laws.playout import GUARD, MAX_GRACE_MS, Entry, Play
from tests.domain.laws.secrecy import keeps_secrets, viewers
from tests.domain.laws.speech import cards_named, known, said
from tests.domain.laws.universe import Listing, build_universe, expand, verdict
from tests.domain.laws.worlds import look_at, zone_cards

encode = msgspec.json.encode

Law = Callable[[Play], None]


@contextmanager
def replayable(game: Game[Any], seed: int) -> Iterator[None]:
    """Adds to any error how to play the same table again."""
    try:
        yield
    except Exception as error:
        error.add_note(f"again: python -m tests.domain.laws {game.name} {seed}")
        raise


def sampled(play: Play, count: int) -> list[Entry]:
    """Returns some entries in order, the last one always among them."""
    chance = Random(play.seed)
    picked = chance.sample(range(len(play.entries)), min(count, len(play.entries)))
    return [play.entries[index] for index in sorted({*picked, len(play.entries) - 1})]


def settled(play: Play) -> list[Entry]:
    """Returns the last entry of each commit, after which the table waits for somebody."""
    following = [*[entry.commit for entry in play.entries[1:]], None]
    return [entry for entry, after in zip(play.entries, following, strict=True) if entry.commit != after]


def ends(play: Play) -> None:
    """A table comes to its end, and the guard stops every endless round."""
    assert play.is_cut or play.game.stage(play.entries[-1].state) is Stage.OVER
    commits = {(entry.round, entry.commit) for entry in play.entries if entry.kind == "act"}
    assert max(Counter(number for number, _ in commits).values()) <= GUARD


def replays_from_bytes(play: Play) -> None:
    """The log, written and read again, leads through the same states."""
    state = play.start
    for entry in play.entries:
        state = _apply(play.game, state, _rewritten(entry.event))
        assert state == entry.state


def _rewritten(event: Event | None) -> Event | None:
    return event and msgspec.json.decode(encode(event), type=type(event))


def _apply(game: Game[Any], state: Any, event: Event | None) -> Any:
    return game.void_round(state) if event is None else game.evolve(state, event)


def rewrites_actions(play: Play) -> None:
    """An action survives JSON, and a field too many is refused."""
    kinds: Any = play.game.actions[0]
    for kind in play.game.actions[1:]:
        kinds |= kind
    for entry in sampled(play, 20):
        if entry.action is not None:
            data = encode(entry.action)
            assert msgspec.json.decode(data, type=kinds) == entry.action
            _is_refused(data.replace(b"{", b'{"more":1,', 1), kinds)


def rewrites_strictly(play: Play) -> None:
    """An event with a field too many is refused."""
    for event in {type(entry.event): entry.event for entry in play.entries if entry.event}.values():
        fields = {**msgspec.to_builtins(event), "more": 1}
        _is_refused(encode(fields), type(event))


def _is_refused(data: bytes, kind: Any) -> None:
    try:
        msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        return
    raise AssertionError(f"{data!r} was read as {kind}")


def records_causes(play: Play) -> None:
    """The first event of an action records seat and action, and no other event does."""
    commit = 0
    for entry in play.entries:
        is_first = entry.kind == "act" and entry.commit != commit
        cause = entry.event.cause() if entry.event else None
        assert cause == ((entry.seat, entry.action) if is_first else None), entry.event
        commit = entry.commit


def declares_its_events(play: Play) -> None:
    """Only events of the game's list happen, and only declared fields hold cards."""
    rules = ENTITLEMENTS[play.game.name]
    for event in [entry.event for entry in sampled(play, 40) if entry.event]:
        assert type(event) in play.game.events
        assert not undeclared_fields(event, rules.events.get(event.wire, ()))
    for entry in sampled(play, 5):
        assert not undeclared_fields(entry.state, {*rules.zones, *rules.marks})


def conserves_cards(play: Play) -> None:
    """From the deal to the next deal the same cards are in the game."""
    rules = ENTITLEMENTS[play.game.name]
    deals = {entry.round: entry for entry in play.entries if entry.kind == "deal"}
    for entry in sampled(play, 30):
        if entry.kind not in {"deal", "void"}:
            assert zone_cards(entry.state, rules) == zone_cards(deals[entry.round].state, rules)


def balances(play: Play) -> None:
    """Tokens only change hands; scores are one whole number a seat, and a void round moves none (G-15)."""
    before = play.game.scores(play.start)
    for entry in play.entries:
        scores = play.game.scores(entry.state)
        assert [type(score) for score in scores] == [int] * play.seats
        if play.game.unit == "token":
            assert sum(scores) == 0
        if entry.kind == "deal":
            before = scores
        if entry.kind == "void":
            assert scores == before


def progresses(play: Play) -> None:
    """The stages follow each other: deal, play, score or void, and the next deal or the end."""
    stages = {
        "deal": {Stage.IN_PLAY},
        "act": {Stage.IN_PLAY, Stage.TO_SCORE},
        "score": {Stage.TO_DEAL, Stage.OVER},
        "void": {Stage.TO_DEAL, Stage.OVER},
    }
    for entry in settled(play):
        assert play.game.stage(entry.state) in stages[entry.kind]


def keeps_turns(play: Play) -> None:
    """Seats that owe and seats that may act are in order and distinct; some seat owes while a round is in play (G-9)."""
    for entry in _settled_sample(play, 40):
        turn, stage = play.game.turn(entry.state), play.game.stage(entry.state)
        assert bool(turn.owes) is (stage is Stage.IN_PLAY)
        assert stage is Stage.IN_PLAY or not turn.may
        assert list(turn.owes) == sorted(set(turn.owes))
        assert list(turn.may) == sorted(set(turn.may) - set(turn.owes))
        assert set(turn.owes + turn.may) <= set(range(play.seats))


def lists_actions(play: Play) -> None:
    """A seat that owes has a play, at the latest after any grace period; a seat that neither owes nor may act has none."""
    assert set(play.game.host_offences(play.options)) <= set(play.game.offences) <= set(play.game.actions)
    out_of_turn = {kind.__struct_config__.tag for kind in (*play.game.interrupts, *play.game.offences)}
    for entry in _settled_sample(play, 12):
        turn = play.game.turn(entry.state)
        for seat in range(play.seats):
            legal = play.game.legal_actions(entry.state, seat, entry.now + MAX_GRACE_MS)
            assert len(set(legal)) == len(legal)  # G-5
            assert plays_among(play.game, legal) or seat not in turn.owes
            assert not legal or seat in turn.owes + turn.may
            assert seat in turn.owes or {_kind(action) for action in legal} <= out_of_turn


def _kind(action: LegalAction) -> str | int | None:
    return action.type if isinstance(action, CardChoice) else action.__struct_config__.tag


def waits_as_it_says(play: Play) -> None:
    """Seats that owe can act from `waits_until` on and not before; the action of a run-out clock is legal (G-15)."""
    game = play.game
    for entry in _settled_sample(play, 12):
        until = game.waits_until(entry.state)
        for seat in game.turn(entry.state).owes:
            if until is not None:
                assert not game.legal_actions(entry.state, seat, until - 1)
            now = entry.now if until is None else until
            legal = game.legal_actions(entry.state, seat, now)
            assert legal
            assert game.overdue(entry.state, seat) in {None, *Listing(legal).actions}


def _settled_sample(play: Play, count: int) -> list[Entry]:
    entries = settled(play)
    picked = Random(play.seed).sample(range(len(entries)), min(count, len(entries)))
    return [entries[index] for index in sorted(picked)]


def shows_itself(play: Play) -> None:
    """Views and redacted events can be written as JSON, and the worker's functions answer the same twice."""
    for entry in sampled(play, 8):
        for viewer in viewers(play):
            assert encode(play.game.view(entry.state, viewer))
            if entry.event is not None:
                redacted = redact(entry.event, viewer)
                assert redacted is None or type(redacted) in play.game.events
                assert encode(redacted)
        assert play.game.view(entry.state, "everybody") == play.game.view(entry.state, "everybody")


def redacts_as_declared(play: Play) -> None:
    """Each viewer sees in every kind of event exactly the cards that the rules let it see."""
    rules, chance = ENTITLEMENTS[play.game.name], Random(play.seed)
    events = [play.entries[index].event for index in _one_of_each_kind(play, chance)]
    for event in filter(None, events):
        for viewer in viewers(play):
            redacted = redact(event, viewer)
            assert count_cards(redacted) == count_cards(shown(rules, event, viewer)), (event, viewer)


def speaks_of_what_it_shows(play: Play) -> None:
    """Every event has a sentence, which names no card that the viewer's redacted event does not show."""
    for index in _one_of_each_kind(play, Random(play.seed)):
        entry = play.entries[index]
        for viewer in (*viewers(play), "everybody"):
            event = known(play, entry, viewer)
            if event is not None:
                text = said(play, entry, event)
                assert text.endswith("."), text
                assert cards_named(text) <= set(cards_in(event)), (viewer, text)


def _one_of_each_kind(play: Play, chance: Random) -> list[int]:
    """Returns the positions of one event of each type, so that rare types weigh as much as others."""
    indices = chance.sample(range(len(play.entries)), len(play.entries))
    return list({type(play.entries[index].event): index for index in indices}.values())


def shows_enough(play: Play) -> None:
    """A view holds every card that the viewer may see on the table; after the end it holds all cards (G-3)."""
    rules = ENTITLEMENTS[play.game.name]
    names = [name for name in rules.zones if name not in rules.log_only]
    for entry in _settled_sample(play, 3):
        for viewer in viewers(play):
            seen = picture(rules, look_at(entry, viewer))
            entitled = count_cards([seen[name] for name in names])
            assert entitled <= count_cards(_zones_of(play, entry, viewer))
        hidden = count_cards([getattr(entry.state, name) for name in names])
        assert hidden <= count_cards(_zones_of(play, entry, "everybody"))


def _zones_of(play: Play, entry: Entry, viewer: Viewer) -> GameView:
    """Returns a view without `last`, which repeats cards."""
    return msgspec.structs.replace(play.game.view(entry.state, viewer), last=None)


def shares_one_vocabulary(play: Play) -> None:
    """What every game's view shows is the same to all viewers, and agrees with round, stage, turn and scores."""
    for entry in _settled_sample(play, 12):
        game, state = play.game, entry.state
        view = game.view(state, "spectator")
        for viewer in (*viewers(play), "everybody"):
            assert _common(game.view(state, viewer)) == _common(view)
        assert view.round == entry.round <= (view.rounds or entry.round)
        assert view.dealer in range(play.seats)
        assert (view.step is not None) is (game.stage(state) is Stage.IN_PLAY)
        assert view.to_move is None or game.turn(state).owes == (view.to_move,)
        raised = [shown - score for shown, score in zip(view.scores, game.scores(state), strict=True)]
        assert len(set(raised)) == 1


def _common(view: GameView) -> dict[str, Any]:
    return {name: getattr(view, name) for name in GameView.__struct_fields__}


def completes_in_the_open(play: Play) -> None:
    """What was completed last belongs to the round, and holds only cards that a spectator saw in its events."""
    seen: set[str] = set()
    for entry in play.entries:
        last = play.game.view(entry.state, "spectator").last
        if entry.kind == "deal":
            seen.clear()
            assert last is None
        seen |= set(cards_in(entry.event and redact(entry.event, "spectator")))
        if last is not None:
            assert seen.issuperset(last.cards)
            assert last.winner in (None, *range(play.seats))
            assert not last.seats or len(last.seats) == len(last.cards)


def counts_openly(play: Play) -> None:
    """Everybody sees how many cards lie in each zone: by the zone itself, covered, or by a count (G-7)."""
    names = ENTITLEMENTS[play.game.name].zones
    for entry in _settled_sample(play, 3):
        for viewer in viewers(play):
            view = play.game.view(entry.state, viewer)
            counts = {value for name, value in _fields(view).items() if "count" in name}
            for name in names:
                zone, seen = getattr(entry.state, name), getattr(view, name, None)
                assert covered(seen) == covered(zone) or _sizes(zone) in counts, name


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def _sizes(zone: Any) -> Any:
    """Returns how many cards lie in a zone, for each seat if it has a part for each."""
    by_seat = isinstance(zone, tuple) and zone and all(isinstance(part, tuple) for part in zone)
    return tuple(map(_sizes, zone)) if by_seat else count_cards(zone).total()


def draws_by_the_round(play: Play) -> None:
    """Deck r serves round r, deck 0 the cut, and the first dealer is drawn once (G-6, G-12)."""
    for drawn in play.drawn:
        assert drawn.number == drawn.round or (drawn.round == 1 and drawn.number in {-1, 0})
    assert len([drawn for drawn in play.drawn if drawn.number == -1]) <= 1
    assert {drawn.round for drawn in play.drawn} == {entry.round for entry in play.entries}


def names_the_dealer(play: Play) -> None:
    """The events that start a round name the dealer, in games with one (G-12)."""
    name = ENTITLEMENTS[play.game.name].dealer
    deals = [entry for entry in play.entries if entry.kind == "deal"]
    naming = {entry.round for entry in deals if name is None or hasattr(entry.event, name)}
    assert naming == {entry.round for entry in deals}


def starts_rounds_as_declared(play: Play) -> None:
    """The events that start a round are those that say so: with each of them the game is in play again."""
    stage = play.game.stage(play.start)
    for entry in play.entries:
        starts = stage is Stage.TO_DEAL and play.game.stage(entry.state) is Stage.IN_PLAY
        assert starts is (entry.event is not None and entry.event.starts_round), entry.event
        stage = play.game.stage(entry.state)


def accepts_exactly_what_it_lists(play: Play) -> None:
    """Listed actions are accepted, all others refused with a code that the action lists, for every seat and stage."""
    chance = Random(play.seed)
    for entry in _settled_sample(play, 4):
        before = encode(entry.state)
        universe = build_universe(play.game, _held(entry.state), chance)
        for seat in range(play.seats):
            _judge(play, entry, seat, universe, chance)
        assert encode(entry.state) == before


def _held(state: Any) -> tuple[str, ...]:
    return tuple(count_cards(state).elements())


def _judge(play: Play, entry: Entry, seat: int, universe: tuple[Any, ...], chance: Random) -> None:
    game, state, now = play.game, entry.state, entry.now + chance.choice((0, 1, MAX_GRACE_MS))
    legal = game.legal_actions(state, seat, now)
    listing = Listing(legal)
    for action in expand(game, legal, chance):
        assert verdict(game, state, seat, action, now) is None, (seat, action)
    for action in universe:
        refusal = verdict(game, state, seat, action, now)
        assert (refusal is None) == (action in listing), (seat, action, refusal)
        if refusal is not None:
            code, detail = refusal
            assert _is_well_put(code, detail)
            assert code in action.refusals, (seat, action, code)
            assert game.stage(state) is Stage.IN_PLAY or code == SharedCode.ROUND_NOT_IN_PLAY  # G-2


def _is_well_put(code: str, detail: str) -> bool:
    return code.replace("_", "a").isalnum() and code.islower() and detail.endswith(".")


def voids_at_any_time(play: Play) -> None:
    """A round in play can be stopped at any version: scores as at its deal, and the table goes on (G-15)."""
    for entry in _settled_sample(play, 4):
        if play.game.stage(entry.state) is Stage.IN_PLAY:
            after = play.game.void_round(entry.state)
            assert play.game.stage(after) in {Stage.TO_DEAL, Stage.OVER}
            assert play.game.scores(after) == _scores_at_deal(play, entry.round)
            assert not play.game.turn(after).owes


def _scores_at_deal(play: Play, number: int) -> tuple[int, ...]:
    deal = next(entry for entry in play.entries if entry.round == number and entry.kind == "deal")
    return play.game.scores(deal.state)


LIGHT: tuple[Law, ...] = (
    ends,
    replays_from_bytes,
    records_causes,
    rewrites_actions,
    rewrites_strictly,
    declares_its_events,
    conserves_cards,
    balances,
    progresses,
    keeps_turns,
    lists_actions,
    waits_as_it_says,
    shows_itself,
    redacts_as_declared,
    shows_enough,
    counts_openly,
    shares_one_vocabulary,
    completes_in_the_open,
    draws_by_the_round,
    names_the_dealer,
    starts_rounds_as_declared,
    speaks_of_what_it_shows,
)
"""The laws that are checked on each of thousands of tables."""

HEAVY: tuple[Law, ...] = (
    accepts_exactly_what_it_lists,
    voids_at_any_time,
    keeps_secrets,
    imagines_what_it_saw,
    imagines_from_knowledge_alone,
)
"""The laws that are checked on fewer tables, cut after a few rounds."""
