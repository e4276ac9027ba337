"""Plays a table against a bot with random legal actions: python play.py http://127.0.0.1:8000 blindside"""

import sys
from typing import cast

from hoodwink_client import Client, Turn, models, random_action


def choose(turn: Turn) -> models.Action:
    return random_action(turn.legal)


def main(url: str, game: str) -> None:
    with Client(url) as client:
        client.register("Ada")
        form = {"game": game, "seats": 2, "bot_delay": 0, "round_pause": 0}
        table = client.open_table(cast("models.TableForm", form))
        table.sit()
        table.sit(policy="steady")
        table.start()
        result = table.play(choose)
    print(f"{result['outcome']}: places {result['places']}, scores {result['scores']}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
