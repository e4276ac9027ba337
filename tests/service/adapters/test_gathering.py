"""Functions run side by side in one thread, and what they ask at the same moment travels together."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import fakeredis
import pytest

from service.adapters.gathering import exchange_together, gather, is_gathered
from service.adapters.transport import Transport


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


def test_one_that_raises_is_told_of_after_the_others_have_ended(line):
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


def test_what_is_gathered_within_runs_in_turn(line):
    def within():
        return gather([partial(ask, line, "a"), partial(ask, line, "b")])

    assert gather([within, within]) == [[["A"], ["B"]], [["A"], ["B"]]]
    assert line.sent == [["a", "a"], ["b", "b"]]


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


def test_only_gathered_code_is_told_so():
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
