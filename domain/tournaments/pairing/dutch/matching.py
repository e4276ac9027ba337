"""Maximum-weight matching in a general graph, exact for integers of any size.

The primal-dual method with blossoms (J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965). Trees are
grown from one exposed vertex at a time and driven by a queue of events, so that a search stays near its root if the duals
are already good.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

_FREE: Final = 0
_OUTER: Final = 1
_INNER: Final = 2
_SIGN: Final = (0, -1, 1)

# An event that is not about an edge has one of these in place of the edge's far end.
_VERTEX: Final = -1
_BLOSSOM: Final = -2

_Edge = tuple[int, int]


def heaviest_matching(weights: Sequence[Mapping[int, int]], start: Sequence[int]) -> list[int]:
    """Returns each vertex's partner in a matching with maximum total weight, or -1.

    Args:
        weights: each vertex's neighbours with the positive weight of the edge, in both directions.
        start: initial duals. Those of any two neighbours must add up to at least twice the weight of their edge; the
            closer they are to it for edges that will be matched, the faster the search.
    """
    search = _Search(weights, start)
    search.match_greedily()
    for root in range(len(weights)):
        if search.mate[root] < 0 and search.dual[root] > 0:
            search.grow_from(root)
    return search.mate


class _Search:
    """A matching, its dual solution, and the alternating tree that is growing.

    Vertices are 0 to n-1, blossoms have higher numbers, and a vertex is its own trivial blossom. `children[b]` begins with
    the child that contains the base, and `links[b][i]` is the edge from the i-th child to the next.

    Weights are doubled, so that half a slack is an integer. Duals are stored as they would be at time 0: at time t, the
    dual of a vertex is `dual + sign * t`, and the excess of a blossom is `excess - 2 * sign * t`. The sign is -1 in outer
    blossoms, 1 in inner ones and 0 elsewhere. So a change of all duals only advances the time.
    """

    def __init__(self, weights: Sequence[Mapping[int, int]], start: Sequence[int]) -> None:
        count = len(weights)
        self.weights = [{other: 2 * weight for other, weight in row.items()} for row in weights]
        self.mate = [-1] * count
        self.dual = list(start)
        self.sign = [0] * count
        self.top = list(range(count))
        self.base = list(range(count))
        self.label = [_FREE] * count
        self.via: list[_Edge | None] = [None] * count
        self.excess = [0] * count
        self.leaves: list[list[int]] = [[vertex] for vertex in range(count)]
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.links: list[list[_Edge]] = [[] for _ in range(count)]
        self.labelled: list[int] = []
        self.events: list[tuple[int, int, int]] = []
        self.soonest: dict[int, int] = {}
        self.time = 0

    def match_greedily(self) -> None:
        """Lowers each dual as far as its edges allow, and matches along edges that become tight."""
        for vertex, row in enumerate(self.weights):
            if self.mate[vertex] >= 0:
                continue
            self.dual[vertex] = max(
                0, max((weight - self.dual[other] for other, weight in row.items()), default=0)
            )
            for other, weight in row.items():
                if self.mate[other] < 0 and self.dual[vertex] + self.dual[other] == weight:
                    self.mate[vertex], self.mate[other] = other, vertex
                    break

    # ------------------------------------------------------------------------------------ growing

    def grow_from(self, root: int) -> None:
        """Grows a tree until its root is matched, or until another vertex with dual 0 stays exposed instead."""
        self.time, self.events, self.soonest = 0, [], {}
        self._label_outer(self.top[root], None)
        while not self._is_finished(*heappop(self.events)):
            pass
        self._settle(self.labelled)
        self.labelled = []

    def _is_finished(self, time: int, u: int, v: int) -> bool:
        """Handles an event: the dual of a vertex or a blossom reaches 0, or an edge becomes tight."""
        if v == _VERTEX:
            self.time = time
            self._augment(u, _VERTEX)
            return True
        if v == _BLOSSOM:
            if self.label[u] == _INNER and self.top[self.leaves[u][0]] == u:
                self.time = time
                self._expand(u)
            return False
        return self._is_edge_last(time, u, v)

    def _is_edge_last(self, time: int, u: int, v: int) -> bool:
        there = self.top[v]
        if there == self.top[u] or self.label[there] == _INNER or self._slack(u, v, time) != 0:
            return False  # the labels have changed since; another event replaces this one
        self.time = time
        if self.label[there] == _OUTER:
            self._shrink(u, v)
            return False
        base = self.base[there]
        if self.mate[base] < 0:
            self._augment(u, v)
            self._rotate(there, v)
            self.mate[v] = u
            return True
        self._label_inner(there, (u, v))
        self._label_outer(self.top[self.mate[base]], (base, self.mate[base]))
        return False

    def _slack(self, u: int, v: int, time: int) -> int:
        return self.dual[u] + self.dual[v] + (self.sign[u] + self.sign[v]) * time - self.weights[u][v]

    def _label_outer(self, blossom: int, via: _Edge | None) -> None:
        self._label(blossom, _OUTER, via)
        self._scan(self.leaves[blossom])

    def _label_inner(self, blossom: int, via: _Edge) -> None:
        self._label(blossom, _INNER, via)
        if self.children[blossom]:
            heappush(self.events, (self.excess[blossom] // 2, blossom, _BLOSSOM))

    def _label(self, blossom: int, label: int, via: _Edge | None) -> None:
        """Labels or frees an outermost blossom, without changing its duals at this time."""
        sign = _SIGN[label]
        self.excess[blossom] += 2 * (sign - _SIGN[self.label[blossom]]) * self.time
        self.label[blossom] = label
        self.via[blossom] = via
        if label != _FREE:
            self.labelled.append(blossom)
        for vertex in self.leaves[blossom]:
            self.dual[vertex] += (self.sign[vertex] - sign) * self.time
            self.sign[vertex] = sign

    def _scan(self, vertices: Iterable[int]) -> None:
        """Schedules the events of vertices that have become outer."""
        for u in vertices:
            heappush(self.events, (self.dual[u], u, _VERTEX))
            here = self.top[u]
            for v, weight in self.weights[u].items():
                there = self.top[v]
                if there != here and self.label[there] != _INNER:
                    self._schedule(u, v, self.dual[u] + self.dual[v] - weight, self.label[there])

    def _schedule(self, u: int, v: int, reach: int, label: int) -> None:
        """Schedules the time when an edge becomes tight; only the first such edge to a free vertex matters."""
        if label == _OUTER:
            heappush(self.events, (reach // 2, u, v))
        elif v not in self.soonest or reach < self.soonest[v]:
            self.soonest[v] = reach
            heappush(self.events, (reach, u, v))

    def _settle(self, blossoms: Iterable[int]) -> None:
        """Frees the labelled blossoms when a tree is finished, and dissolves those without excess."""
        for blossom in blossoms:
            if self.top[self.leaves[blossom][0]] == blossom:
                self._label(blossom, _FREE, None)
                self._dissolve(blossom)

    def _dissolve(self, blossom: int) -> None:
        if self.children[blossom] and self.excess[blossom] == 0:
            for child in self.children[blossom]:
                self._raise_to_top(child)
                self._dissolve(child)

    def _raise_to_top(self, blossom: int) -> None:
        for vertex in self.leaves[blossom]:
            self.top[vertex] = blossom

    # --------------------------------------------------------------------------------- augmenting

    def _augment(self, u: int, v: int) -> None:
        """Swaps matched and unmatched edges on the path from outer vertex u to the root; v becomes u's partner."""
        while True:
            blossom = self.top[u]
            self._rotate(blossom, u)
            self.mate[u] = v
            via = self.via[blossom]
            if via is None:
                return
            inner = self.top[via[0]]
            up = self.via[inner]
            assert up is not None  # an inner blossom is attached to an outer one
            u, v = up
            self._rotate(inner, v)
            self.mate[v] = u

    def _rotate(self, blossom: int, vertex: int) -> None:
        """Makes a vertex the base of its blossom, swapping matched and unmatched edges inside."""
        if self.base[blossom] == vertex:
            return
        children, links = self.children[blossom], self.links[blossom]
        start = self._index(blossom, vertex)
        for i in _pairs_to_base(start, len(children)):
            x, y = links[i]
            self._rotate(children[i], x)
            self._rotate(children[(i + 1) % len(children)], y)
            self.mate[x], self.mate[y] = y, x
        self._rotate(children[start], vertex)
        self.children[blossom] = children[start:] + children[:start]
        self.links[blossom] = links[start:] + links[:start]
        self.base[blossom] = vertex

    def _index(self, blossom: int, vertex: int) -> int:
        return next(i for i, child in enumerate(self.children[blossom]) if vertex in self.leaves[child])

    # --------------------------------------------------------------------- shrinking and expanding

    def _shrink(self, u: int, v: int) -> None:
        """Shrinks the cycle closed by a tight edge between two outer blossoms into one outer blossom."""
        left, right = self._way_up(u), self._way_up(v)
        meeting = next(blossom for blossom in left if blossom in right)
        left, right = left[: left.index(meeting)], right[: right.index(meeting)]
        children = [meeting, *reversed(left), *right]
        links = [*map(self._hook, reversed(left)), (u, v), *(self._hook(child)[::-1] for child in right)]
        reached = [
            vertex for child in children if self.label[child] == _INNER for vertex in self.leaves[child]
        ]
        via = self.via[meeting]
        for child in children:
            self._label(child, _FREE, None)
        self._label(self._new_blossom(children, links), _OUTER, via)
        self._scan(reached)

    def _way_up(self, vertex: int) -> list[int]:
        way = [self.top[vertex]]
        while (via := self.via[way[-1]]) is not None:
            way.append(self.top[via[0]])
        return way

    def _hook(self, blossom: int) -> _Edge:
        via = self.via[blossom]
        assert via is not None  # only the root has none
        return via

    def _new_blossom(self, children: list[int], links: list[_Edge]) -> int:
        blossom = len(self.children)
        self.children.append(children)
        self.links.append(links)
        self.leaves.append([vertex for child in children for vertex in self.leaves[child]])
        self.base.append(self.base[children[0]])
        self.label.append(_FREE)
        self.via.append(None)
        self.excess.append(0)
        self._raise_to_top(blossom)
        return blossom

    def _expand(self, blossom: int) -> None:
        """Replaces an inner blossom without excess by its children. Those on the way to its base get alternating labels."""
        _, entry = via = self._hook(blossom)
        children = self.children[blossom]
        for child in children:
            self._raise_to_top(child)
        way = self._way_to_base(blossom, self._index(blossom, entry))
        on_way = {children[i] for i, _ in way}
        freed = [child for child in children if child not in on_way]
        for child in freed:
            self._label(child, _FREE, None)
        for i, hook in way[::2]:
            self._label_inner(children[i], hook or via)
        for i, hook in way[1::2]:
            self._label_outer(children[i], hook)
        self._rescan(vertex for child in freed for vertex in self.leaves[child])

    def _way_to_base(self, blossom: int, start: int) -> list[tuple[int, _Edge | None]]:
        """Returns the children on the even path to the base, each with the edge that attaches it."""
        links = self.links[blossom]
        if start % 2 == 1:
            return [(start, None), *((i + 1, links[i]) for i in range(start, len(links) - 1)), (0, links[-1])]
        return [(start, None), *((i, links[i][::-1]) for i in range(start - 1, -1, -1))]

    def _rescan(self, vertices: Iterable[int]) -> None:
        """Schedules the times when outer vertices reach vertices that have become free again."""
        for v in vertices:
            self.soonest.pop(v, None)
            for u, weight in self.weights[v].items():
                if self.label[self.top[u]] == _OUTER:
                    self._schedule(u, v, self.dual[u] + self.dual[v] - weight, _FREE)


def _pairs_to_base(start: int, count: int) -> range:
    """Returns the links of a blossom that become matched when its base moves to a child."""
    return range(start + 1, count, 2) if start % 2 == 1 else range(0, start - 1, 2)
