"""The start of the search: entrants with similar scores together, the optimum by criteria 1 and 3 alone."""

from hoodwink.domain.tournaments.pairing.seating.problem import Members, Problem


def tables_by_score(problem: Problem) -> list[Members]:
    """Returns tables whose spans have the minimum cost.

    It is enough to consider tables that do not overlap in score. If two overlap, put their lower entrants at one table and
    their upper ones at the other: either no span grows, or one span is divided between them, which does not cost more. So
    only the order of larger and smaller tables remains to be chosen.
    """
    ranked = sorted(range(len(problem.entrants)), key=problem.groups.__getitem__)
    large, small = problem.sizes[0], problem.sizes[-1]
    larger = problem.sizes.count(large)
    counts = (larger, len(problem.sizes) - larger)
    tables: list[Members] = []
    ends = _ends(problem, ranked, counts)
    larger, smaller = counts
    while larger or smaller:
        end = larger * large + smaller * small
        is_large = ends[larger, smaller][1]
        size = large if is_large else small
        tables.append(tuple(sorted(ranked[end - size : end])))
        larger, smaller = larger - is_large, smaller - (not is_large)
    return tables


def _ends(
    problem: Problem, ranked: list[int], counts: tuple[int, int]
) -> dict[tuple[int, int], tuple[int, bool]]:
    """Returns the minimum cost for the lowest entrants by numbers of large and small tables, and whether the last is large."""
    large, small = problem.sizes[0], problem.sizes[-1]
    groups = [problem.groups[index] for index in ranked]
    best = {(0, 0): (0, False)}
    for larger in range(counts[0] + 1):
        for smaller in range(counts[1] + 1):
            end = larger * large + smaller * small
            choices = [
                (best[before][0] + problem.spans[groups[end - size]][groups[end - 1]], is_large)
                for before, size, is_large in (
                    ((larger - 1, smaller), large, True),
                    ((larger, smaller - 1), small, False),
                )
                if before in best
            ]
            if choices:
                best[larger, smaller] = min(choices)
    return best
