"""A bounded map that forgets the least recently used."""

from hoodwink.service.application.streams.cache import Cache


def kept(cache, keys):
    return "".join(key for key in keys if cache.get(key) is not None)


def test_the_oldest_goes_when_the_map_is_full():
    cache = Cache[str, int](2)
    for number, key in enumerate("abc"):
        cache.put(key, number)

    assert kept(cache, "abc") == "bc"


def test_what_was_asked_for_lately_stays():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.get("a") == 1
    cache.put("c", 3)

    assert kept(cache, "abc") == "ac"


def test_what_was_put_again_lately_stays_as_it_is_now():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)

    assert kept(cache, "abc") == "ac"
    assert cache.get("a") == 3


def test_several_values_are_asked_for_together_which_is_no_use_of_them():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.get_each("ax") == {"a": 1}
    cache.put("c", 3)

    assert kept(cache, "abc") == "bc"


def test_one_value_is_dropped():
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.drop("a")
    cache.drop("b")

    assert cache.get("a") is None
