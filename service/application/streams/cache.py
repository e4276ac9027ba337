"""A bounded cache that drops the least recently used value."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Keeps up to `size` values. Safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Returns the value, or `None`, and counts this as its latest use."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def get_each(self, keys: Iterable[K]) -> dict[K, V]:
        """Returns the cached values by key. This does not count as a use."""
        # Without the lock, which only a change of the order needs: this runs for every name in every answer.
        get = self._values.get
        return {key: value for key in keys if (value := get(key)) is not None}

    def put(self, key: K, value: V) -> None:
        """Caches the value; if the cache is full, drops the least recently used one."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)

    def discard(self, key: K, value: V) -> bool:
        """Drops the value if it is still this object; returns whether it was."""
        with self._lock:
            # Compared by identity: a value that another thread has put in meanwhile stays, even if it is equal.
            if self._values.get(key) is not value:
                return False
            del self._values[key]
            return True

    def drop(self, key: K) -> None:
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
