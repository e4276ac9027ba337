"""The published vectors of docs/FAIRNESS.md, which checkers in other languages are written against."""

import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.cards import KeyedDraws, SeededDraws, build_pack, commitment
from hoodwink.domain.tables.fairness import is_committable
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    chain_hash,
    chain_key,
)
from hoodwink.domain.tournaments.chance import Lots, deal_key, table_seed
from hoodwink.domain.tournaments.life import table_id
from hoodwink.domain.tournaments.life.scoring.engine import draw_of
from hoodwink.domain.tournaments.pairing.round_robin import arrangement_of, schedule_of, shape_of
from hoodwink.domain.tournaments.terms import Format, Terms

VECTORS = json.loads(Path("docs/fairness-vectors.json").read_text(encoding="utf-8"))
HOLDERS = [VECTORS["host_seed"], *VECTORS["player_seeds"]]
SEEDS = [holder["seed"] for holder in HOLDERS]


@pytest.fixture
def draws() -> SeededDraws:
    return SeededDraws(VECTORS["server_seed"], SEEDS)


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment(VECTORS["server_seed"]) == VECTORS["commitment"]


def test_g_12_the_first_dealer_follows_from_the_seeds(draws):
    assert draws.seat(VECTORS["first_dealer"]["seats"]) == VECTORS["first_dealer"]["seat"]


@pytest.mark.parametrize(
    "deck", VECTORS["decks"], ids=lambda deck: f"deck-{deck['number']}-of-{deck['packs']}"
)
def test_g_6_decks_follow_from_the_seeds(draws, deck):
    pack = build_pack(packs=deck["packs"], jokers=deck["jokers"])
    assert " ".join(draws.deck(pack, deck["number"])) == deck["cards"]


def test_committed_seeds_match_their_commitments():
    revealed = [seed for seed in HOLDERS if seed["status"] == "revealed"]
    assert len(revealed) == 2
    for seed in revealed:
        assert is_committable(seed["seed"])
        assert commitment(seed["seed"]) == seed["commitment"]


def test_the_key_follows_from_the_seeds_of_host_and_players():
    joined = "".join(f"{len(seed.encode())}:{seed}," for seed in SEEDS)
    assert joined == VECTORS["joined"]
    key = hmac.digest(VECTORS["server_seed"].encode(), joined.encode(), "sha256")
    assert key.hex() == VECTORS["key"]


def test_the_chain_follows_from_the_seed_and_every_field():
    key, head = chain_key(VECTORS["server_seed"]), GENESIS
    assert key.hex() == VECTORS["chain"]["key"]
    for event in VECTORS["chain"]["events"]:
        fields = {name: event[name] for name in ("version", "at", "by", "cmd")}
        head = chain_hash(key, head, type_=event["type"], data=event["data"].encode(), **fields)
        assert head == event["hash"]


@pytest.mark.parametrize(
    "other",
    [
        [SEEDS[0], SEEDS[2], SEEDS[1], *SEEDS[3:]],
        ["", SEEDS[0] + SEEDS[2], *SEEDS[3:]],
        SEEDS[:-1],
        SEEDS[1:],
    ],
)
def test_every_seed_and_its_place_count(draws, other):
    assert SeededDraws(VECTORS["server_seed"], other).deck(build_pack(), 1) != draws.deck(build_pack(), 1)


@pytest.fixture
def tournament() -> Any:
    """The vectors of a tournament."""
    return VECTORS["tournament"]


def test_t_14_the_seeds_and_ids_of_tables_follow_from_their_places_in_the_tournament(tournament):
    for table in tournament["tables"]:
        place = {"round_": table["round"], "board": table["board"], "deal": table["deal"]}
        assert table_id(tournament["id"], **place) == table["table"]
        assert table_seed(VECTORS["server_seed"], **place) == table["server_seed"]


def test_t_14_the_lots_follow_from_the_seeds_of_tournament_and_entrants(tournament):
    drawn = tournament["pairing"]
    joined = "".join(f"{len(seed.encode())}:{seed}," for seed in drawn["seeds"])
    assert joined == drawn["joined"]
    key = hmac.digest(VECTORS["server_seed"].encode(), joined.encode(), "sha256")
    assert key.hex() == drawn["key"]
    for lots in (tournament["ranks"], drawn):
        draws = Lots(VECTORS["server_seed"], lots["seeds"], purpose=lots["purpose"], round_=lots["round"])
        assert " ".join(map(str, draws.shuffled(range(8)))) == lots["of_eight"]


def test_d_2_the_decks_of_a_shared_deal_follow_from_the_seeds_of_tournament_and_entrants(tournament):
    vector = tournament["shared_deal"]
    label = f"deal:{vector['round']}:{vector['deal']}"
    secret = hmac.new(VECTORS["server_seed"].encode(), label.encode(), "sha256").hexdigest()
    assert secret == vector["secret"]
    joined = "".join(f"{len(seed.encode())}:{seed}," for seed in vector["seeds"])
    assert hmac.digest(secret.encode(), joined.encode(), "sha256").hex() == vector["key"]
    place = {"round_": vector["round"], "deal": vector["deal"]}
    assert deal_key(VECTORS["server_seed"], vector["seeds"], **place) == vector["key"]
    draws = KeyedDraws(bytes.fromhex(vector["key"]), first_dealer=0)
    for deck in vector["decks"]:
        assert " ".join(draws.deck(build_pack(), deck["number"])) == deck["cards"]


def test_t_14_p_1_the_lot_gives_the_numbers_of_an_arrangement_to_the_entrants(tournament):
    vector = tournament["schedule"]
    seats, rounds, entrants = (vector[name] for name in ("seats", "rounds", "entrants"))
    terms = Terms(format=Format.ROUND_ROBIN, seats=seats, table_min=2, table_max=10, rounds=rounds)
    shape, draw = shape_of(terms, entrants), draw_of(VECTORS["server_seed"], (), 0)
    assert shape is not None
    assert " ".join(map(str, arrangement_of(shape))) == vector["arrangement"].translate({44: "", 59: ""})
    assert " ".join(map(str, draw("schedule").shuffled(range(entrants)))) == vector["of_nine"]
    schedule = schedule_of(terms, entrants, draw)
    assert vector["tables"] == "; ".join(
        ", ".join(" ".join(map(str, table)) for table in tables) for tables in schedule
    )
