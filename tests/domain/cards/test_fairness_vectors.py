"""The published vectors of docs/FAIRNESS.md, which checkers in other languages are written against."""

import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from domain.cards import SeededDraws, build_pack, commitment
from domain.tables import GENESIS, chain_hash, chain_key, is_committable
from domain.tournaments.chance import Lots, table_seed
from domain.tournaments.life import table_id

VECTORS = json.loads(Path("docs/fairness-vectors.json").read_text(encoding="utf-8"))


@pytest.fixture
def draws() -> SeededDraws:
    return SeededDraws(VECTORS["server_seed"], VECTORS["player_seeds"], edition=1)


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


@pytest.fixture
def second() -> Any:
    """The vectors of edition 2."""
    return VECTORS["edition_2"]


def counting(second: Any) -> list[str]:
    return [second["host_seed"]["seed"], *(seat["seed"] for seat in second["player_seeds"])]


def test_committed_seeds_match_their_commitments(second):
    revealed = [
        seed for seed in (second["host_seed"], *second["player_seeds"]) if seed["status"] == "revealed"
    ]
    assert len(revealed) == 2
    for seed in revealed:
        assert is_committable(seed["seed"])
        assert commitment(seed["seed"]) == seed["commitment"]


def test_the_key_of_edition_2_follows_from_the_seeds_of_host_and_players(second):
    joined = "".join(f"{len(seed.encode())}:{seed}," for seed in counting(second))
    assert joined == second["joined"]
    key = hmac.digest(VECTORS["server_seed"].encode(), joined.encode(), "sha256")
    assert key.hex() == second["key"]


def test_g_6_and_g_12_the_draws_of_edition_2_follow_from_the_seeds(second):
    draws = SeededDraws(VECTORS["server_seed"], counting(second), edition=2)
    assert draws.seat(second["first_dealer"]["seats"]) == second["first_dealer"]["seat"]
    for deck in second["decks"]:
        pack = build_pack(packs=deck["packs"], jokers=deck["jokers"])
        assert " ".join(draws.deck(pack, deck["number"])) == deck["cards"]


def test_the_chain_follows_from_the_seed_and_every_field():
    key, head = chain_key(VECTORS["server_seed"]), GENESIS
    assert key.hex() == VECTORS["chain"]["key"]
    for event in VECTORS["chain"]["events"]:
        fields = {name: event[name] for name in ("version", "at", "by", "cmd")}
        head = chain_hash(key, head, type_=event["type"], data=event["data"].encode(), **fields)
        assert head == event["hash"]


@pytest.mark.parametrize(
    "other", [["luck", "", "héllo", ""], ["", "luckhéllo", "", ""], ["", "luck", "héllo"]]
)
def test_every_players_seed_and_its_seat_count(draws, other):
    assert SeededDraws(VECTORS["server_seed"], other, edition=1).deck(build_pack(), 1) != draws.deck(
        build_pack(), 1
    )


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
