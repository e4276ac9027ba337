"""A bounded map that forgets the least recently used."""

from collections import OrderedDict
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
        """Returns the value and marks it as used, or `None`."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Keeps the value; the least recently used one goes if the map is full."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)

    def discard(self, key: K, value: V) -> bool:
        """Forgets the value if it is still this very one; returns whether it was."""
        with self._lock:
            if self._values.get(key) is not value:
                return False
            del self._values[key]
            return True

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._values.clear()
