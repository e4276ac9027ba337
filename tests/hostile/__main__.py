"""Attacks a service: `python -m tests.hostile [ATTACK …] [--seconds 30] [--clients 16] [--short]`.

Each attack runs against a new service with the default limits. Sixteen niced clients with an address each repeat it, while
other clients measure `/readyz`, the lobby and the actions of players, before the attack and during it. Prints a table, and
exits with 1 if a bar was missed:

    /readyz and an action   p99.9 at most 200 ms, and never above 500 ms
    the lobby               p50 at most three times as long as before the attack
    every request           answered, and no hostile one with a fault of the service

`--short` uses small targets and takes a few seconds per attack; its times are meaningless.
"""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from tests.hostile.attacks import ATTACKS
from tests.hostile.campaign import Outcome, Plan, run
from tests.hostile.probes import Times
from tests.hostile.world import SHORT, Size


def main() -> None:
    """Runs the attacks named in the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; by default all"
    )
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    if unknown := set(asked.attacks) - set(ATTACKS):
        parser.error(f"there is no attack {min(unknown)}; choose from {', '.join(ATTACKS)}")
    plan = Plan(
        clients=asked.clients,
        seconds=asked.seconds or (3.0 if asked.short else 30.0),
        quiet_seconds=2.0 if asked.short else 10.0,
        size=SHORT if asked.short else Size(),
    )
    outcomes = list[Outcome]()
    for attack in asked.attacks or ATTACKS:
        print(f"{attack} …", file=sys.stderr)
        outcomes.append(run(attack, plan))
    missed = {outcome.attack: list(outcome.misses()) for outcome in outcomes}
    print_table(outcomes)
    for attack, misses in missed.items():
        for miss in misses:
            print(f"MISSED by {attack}: {miss}")
    sys.exit(any(missed.values()))


def print_table(outcomes: list[Outcome]) -> None:
    """Prints the figures of attacks."""
    table = Table(title="ms: p50 / p99 / p99.9 / longest")
    for column in (
        "attack",
        "/readyz",
        "action",
        "lobby p50: quiet, attacked",
        "hostile answers",
        "unanswered",
    ):
        table.add_column(column, justify="left" if column == "attack" else "right")
    for outcome in outcomes:
        quiet, attacked = outcome.quiet, outcome.attacked
        table.add_row(
            outcome.attack,
            _shown(attacked.readyz),
            _shown(attacked.action),
            f"{quiet.lobby.quantile(0.5):.1f}, {attacked.lobby.quantile(0.5):.1f} ({outcome.lobby_ratio:.1f} times)",
            ", ".join(f"{status}: {count:,}" for status, count in sorted(outcome.answers.statuses.items())),
            str(outcome.answers.unanswered + attacked.unanswered),
        )
    Console(width=180).print(table)


def _shown(times: Times) -> str:
    return " / ".join(f"{times.quantile(share):.0f}" for share in (0.5, 0.99, 0.999, 1.0))


if __name__ == "__main__":
    main()
