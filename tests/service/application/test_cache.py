"""A bounded map that drops the least recently used entries."""

from hoodwink.service.application.streams.cache import Cache


def kept(cache, keys):
    return "".join(key for key in keys if cache.get(key) is not None)


def test_a_full_map_drops_the_oldest_entry():
    cache = Cache[str, int](2)
    for number, key in enumerate("abc"):
        cache.put(key, number)

    assert kept(cache, "abc") == "bc"


def test_recently_read_entries_stay():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.get("a") == 1
    cache.put("c", 3)

    assert kept(cache, "abc") == "ac"


def test_recently_written_entries_stay_with_their_new_value():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)

    assert kept(cache, "abc") == "ac"
    assert cache.get("a") == 3


def test_reading_several_values_does_not_count_as_use():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.get_each("ax") == {"a": 1}
    cache.put("c", 3)

    assert kept(cache, "abc") == "bc"


def test_a_single_value_can_be_dropped():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.drop("a")
    cache.drop("b")

    assert cache.get("a") is None
