"""Functions run side by side in one thread, and what they ask at the same moment travels together."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import fakeredis
import pytest

from hoodwink.service.adapters.redis.gathering import exchange_together, gather, is_gathered
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable


class Line:
    """Answers commands in capitals and keeps what it was sent."""

    def __init__(self):
        self.sent = []
        self.is_cut = False

    def exchange(self, commands):
        self.sent.append(list(commands))
        if self.is_cut:
            raise OSError("the line is cut")
        return [command.upper() for command in commands]


@pytest.fixture
def line():
    return Line()


def ask(line, *commands):
    return exchange_together(line.exchange, commands)


def test_commands_of_one_moment_travel_together_and_each_gets_its_own_replies(line):
    def twice(name):
        return [*ask(line, name, f"{name}{name}"), *ask(line, f"{name}!")]

    assert gather([partial(twice, name) for name in "abc"]) == [
        ["A", "AA", "A!"],
        ["B", "BB", "B!"],
        ["C", "CC", "C!"],
    ]
    assert line.sent == [["a", "aa", "b", "bb", "c", "cc"], ["a!", "b!", "c!"]]


def test_those_that_ask_more_often_go_on_without_the_others(line):
    def count(times):
        return [reply for turn in range(times) for reply in ask(line, f"x{turn}")]

    assert [len(replies) for replies in gather([partial(count, times) for times in (0, 1, 3)])] == [0, 1, 3]
    assert [len(commands) for commands in line.sent] == [2, 1, 1]


def test_each_line_gets_its_own_commands(line):
    other = Line()
    assert gather([partial(ask, line, "a"), partial(ask, other, "b")]) == [["A"], ["B"]]
    assert (line.sent, other.sent) == ([["a"]], [["b"]])


def test_an_error_is_raised_after_the_other_functions_have_ended(line):
    ended = []

    def wrong():
        ask(line, "a")
        raise ZeroDivisionError

    def right():
        ended.extend([*ask(line, "b"), *ask(line, "c")])

    with pytest.raises(ZeroDivisionError):
        gather([wrong, right])
    assert ended == ["B", "C"]


def test_a_lost_line_is_each_functions_own_to_handle(line):
    line.is_cut = True

    def patient(name):
        try:
            return ask(line, name)
        except OSError as error:
            return f"{name}: {error}"

    assert gather([partial(patient, name) for name in "ab"]) == ["a: the line is cut", "b: the line is cut"]
    with pytest.raises(OSError, match="cut"):
        gather([partial(ask, line, "c")])


def test_an_error_has_only_the_trace_of_its_own_function(line):
    line.is_cut = True
    errors = []

    def noting(name):
        try:
            ask(line, name)
        except OSError as error:
            errors.append(error)

    gather([partial(noting, name) for name in "ab"])
    assert errors[0] is not errors[1]


def test_calls_cannot_be_nested(line):
    with pytest.raises(AssertionError, match="nested"):
        gather([lambda: gather([partial(ask, line, "a")])])


def test_an_interruption_ends_those_that_still_wait(line):
    ended = []

    def waiting():
        try:
            ask(line, "a")
        finally:
            ended.append("waiting")

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather([waiting, interrupted])
    assert ended == ["waiting"]
    assert gather([partial(ask, line, "b")]) == [["B"]]


def test_one_that_asks_while_it_is_ended_is_refused_and_the_interruption_stays(line):
    ended = []

    def releasing(name):
        try:
            ask(line, name)
        finally:
            try:
                ask(line, "release")
            except StoreUnavailable:
                ended.append(name)

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather([lambda: releasing("a"), lambda: releasing("b"), interrupted])
    assert ended == ["a", "b"]
    assert gather([partial(ask, line, "c")]) == [["C"]]


def test_only_gathered_code_is_called_gathered():
    assert gather([is_gathered]) == [True]
    assert not is_gathered()


def test_threads_gather_by_themselves(line):
    with ThreadPoolExecutor(4) as threads:
        tasks = [
            threads.submit(gather, [partial(ask, line, f"{task}{letter}") for letter in "ab"])
            for task in range(50)
        ]
    assert [task.result() for task in tasks] == [[[f"{task}A"], [f"{task}B"]] for task in range(50)]


def test_commands_to_redis_travel_in_one_write(monkeypatch):
    transport, writes = Transport(fakeredis.FakeRedis()), []
    exchange = transport._exchange

    def counted(commands):
        writes.append(len(commands))
        return exchange(commands)

    monkeypatch.setattr(transport, "_exchange", counted)

    def added(number):
        transport.call("k", "SADD", "k", number)
        return transport.call("k", "SISMEMBER", "k", number)

    assert gather([partial(added, number) for number in range(20)]) == [1] * 20
    assert writes == [20, 20]
