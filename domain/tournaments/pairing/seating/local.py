"""Good tables for many entrants: a start by score, followed by a fixed number of evaluated swaps (P-5)."""

from hoodwink.domain.tournaments.pairing.search import Plateau, improve, words
from hoodwink.domain.tournaments.pairing.seating.plan import SeatingPlan
from hoodwink.domain.tournaments.pairing.seating.problem import Members, Problem
from hoodwink.domain.tournaments.pairing.seating.settle import settled
from hoodwink.domain.tournaments.pairing.seating.start import tables_by_score

_SEPARATING = 400_000  # swaps evaluated to separate entrants who have met
_PATIENCE = 400  # swaps without a better result after which the separation ends
# The moves for which a swapped entrant stays, and the number of random additions to them.
_TABU, _TABU_MORE = 3, 4
_POLISHING = 200_000  # swaps evaluated to bring similar scores together
_MEMORY = 500


def good_tables(problem: Problem, *, seed: int) -> list[Members]:
    """Returns tables of low cost; criterion 1 is the least possible unless forbidden pairs prevent it."""
    plan = SeatingPlan(problem, tables_by_score(problem))
    least = plan.spans()
    _separate(plan, seed)
    plan = SeatingPlan(problem, plan.best)
    improve(plan, steps=_POLISHING, memory=_MEMORY, seed=seed, target=least, plateau=Plateau(plan))
    return settled(problem, plan.best, seed=seed, least=least)


def _separate(plan: SeatingPlan, seed: int) -> None:
    """Separates entrants who should not sit together, by tabu search: makes the best swap even if it increases the cost."""
    numbers = words(seed)
    free_from = [0] * plan.count
    looked, move, best_at = 0, 0, 0
    while looked < _SEPARATING and move < best_at + _PATIENCE:
        together = [index for index in range(plan.entrants) if plan.company_cost(index)]
        if not together:
            return
        move += 1
        looked += len(together) * plan.count
        swap = _best_swap(plan, together, [moment <= move for moment in free_from])
        if swap is None:
            continue
        plan.swap(*swap)
        for index in swap:
            free_from[index] = move + _TABU + next(numbers) % _TABU_MORE
        if plan.cost < plan.best_cost:
            best_at = move
            plan.remember()


def _best_swap(plan: SeatingPlan, together: list[int], is_free: list[bool]) -> tuple[int, int] | None:
    """Returns the cheapest swap of an entrant in `together`; one swapped recently moves only for a new best result."""
    everybody = [True] * plan.count
    below, best = plan.beyond, None
    for index in together:
        if is_free[index]:
            partner, cost = plan.best_swap(index, below=below, allowed=is_free)
        else:
            record = min(below, plan.best_cost - plan.cost)
            partner, cost = plan.best_swap(index, below=record, allowed=everybody)
        if partner != index:
            below, best = cost, (index, partner)
    return best
