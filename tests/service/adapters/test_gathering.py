"""Functions run together in one thread, and their simultaneous commands are sent together."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import fakeredis
import pytest

from hoodwink.service.adapters.redis.gathering import exchange_together, gather, is_gathered
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable


class Line:
    """Answers commands in capitals and records what it receives."""

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


def test_simultaneous_commands_are_sent_together_and_get_own_replies(line):
    def twice(name):
        return [*ask(line, name, f"{name}{name}"), *ask(line, f"{name}!")]

    assert gather([partial(twice, name) for name in "abc"]) == [
        ["A", "AA", "A!"],
        ["B", "BB", "B!"],
        ["C", "CC", "C!"],
    ]
    assert line.sent == [["a", "aa", "b", "bb", "c", "cc"], ["a!", "b!", "c!"]]


def test_functions_with_more_commands_continue_alone(line):
    def count(times):
        return [reply for turn in range(times) for reply in ask(line, f"x{turn}")]

    assert [len(replies) for replies in gather([partial(count, times) for times in (0, 1, 3)])] == [0, 1, 3]
    assert [len(commands) for commands in line.sent] == [2, 1, 1]


def test_each_connection_gets_its_own_commands(line):
    other = Line()
    assert gather([partial(ask, line, "a"), partial(ask, other, "b")]) == [["A"], ["B"]]
    assert (line.sent, other.sent) == ([["a"]], [["b"]])


def test_an_error_is_raised_after_the_other_functions_ended(line):
    ended = []

    def wrong():
        ask(line, "a")
        raise ZeroDivisionError

    def right():
        ended.extend([*ask(line, "b"), *ask(line, "c")])

    with pytest.raises(ZeroDivisionError):
        gather([wrong, right])
    assert ended == ["B", "C"]


def test_each_function_handles_a_lost_connection_itself(line):
    line.is_cut = True

    def patient(name):
        try:
            return ask(line, name)
        except OSError as error:
            return f"{name}: {error}"

    assert gather([partial(patient, name) for name in "ab"]) == ["a: the line is cut", "b: the line is cut"]
    with pytest.raises(OSError, match="cut"):
        gather([partial(ask, line, "c")])


def test_an_error_has_only_its_functions_traceback(line):
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


def test_an_interrupt_ends_waiting_functions(line):
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


def test_a_command_during_an_interrupt_is_refused(line):
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


def test_only_gathered_code_counts_as_gathered():
    assert gather([is_gathered]) == [True]
    assert not is_gathered()


def test_each_thread_gathers_separately(line):
    with ThreadPoolExecutor(4) as threads:
        tasks = [
            threads.submit(gather, [partial(ask, line, f"{task}{letter}") for letter in "ab"])
            for task in range(50)
        ]
    assert [task.result() for task in tasks] == [[[f"{task}A"], [f"{task}B"]] for task in range(50)]


def test_gathered_redis_commands_are_sent_in_one_write(monkeypatch):
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
