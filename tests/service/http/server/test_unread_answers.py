"""Clients that do not read their large answers are cut off: stalled ones, and the slowest if there are too many."""

import asyncio
import socket
from contextlib import ExitStack, closing

import pytest

from hoodwink.service.http.serving.guards import unread_answers
from hoodwink.service.http.serving.guards.unread_answers import MAX_SMALL, UnreadAnswers
from hoodwink.service.http.serving.sockets import Delivery, cut_off, deliveries

LARGE = MAX_SMALL + 1
ADA, BOB, CY = "192.0.2.1:1", "192.0.2.1:2", "192.0.2.2:1"


class World:
    """A clock, the kernel's reports about clients, and the clients cut off."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        self.kernel = {}
        self.cut_off = []
        self.looks = 0
        monkeypatch.setattr(unread_answers, "deliveries", self._deliveries)
        monkeypatch.setattr(unread_answers, "cut_off", self._cut_off)

    def _deliveries(self, clients):
        self.looks += 1
        return {client: found for client, found in self.kernel.items() if client in clients}

    def _cut_off(self, clients, *, discards_unsent):
        assert discards_unsent
        self.cut_off.extend(sorted(clients))

    def answers(self, most=10):
        """Returns the answers of a process with room for this many large ones."""
        return UnreadAnswers(max_bytes=most * LARGE, stalled_seconds=10, clock=lambda: self.now)

    def pass_time(self, answers, seconds, **acknowledged):
        """Runs the check of each second, in which clients receive these numbers of bytes."""
        for _ in range(seconds):
            self.now += 1
            for client, received in {ADA: 0, BOB: 0, CY: 0, **acknowledged}.items():
                if client in self.kernel:
                    before = self.kernel[client]
                    self.kernel[client] = Delivery(before.unsent, before.acknowledged + received)
            asyncio.run(answers.tick())


@pytest.fixture
def world(monkeypatch):
    return World(monkeypatch)


def test_a_client_that_receives_nothing_for_seconds_is_cut_off(world):
    answers = world.answers()
    world.kernel = {ADA: Delivery(5, 100), BOB: Delivery(5, 100)}
    answers.add(ADA, LARGE)
    world.pass_time(answers, 10)
    assert world.cut_off == []
    world.pass_time(answers, 1)
    assert world.cut_off == [ADA]
    assert answers.clients() == set()


def test_a_slow_client_that_receives_something_keeps_its_download(world):
    answers = world.answers()
    world.kernel = {ADA: Delivery(5, 100)}
    answers.add(ADA, LARGE)
    for _ in range(20):
        world.pass_time(answers, 8)
        world.pass_time(answers, 1, **{ADA: 1})
    assert world.cut_off == []
    assert answers.clients() == {ADA}


def test_a_client_that_received_everything_is_left_alone(world):
    answers = world.answers()
    world.kernel = {ADA: Delivery(0, 100), BOB: Delivery(5, 0)}
    world.now = 0.5
    answers.add(ADA, LARGE)
    answers.add(BOB, LARGE)
    world.now = 0
    world.pass_time(answers, 1)
    # The server may not have passed the first bytes to the kernel yet.
    assert answers.clients() == {ADA, BOB}
    world.pass_time(answers, 1)
    assert answers.clients() == {BOB}
    del world.kernel[BOB]
    world.pass_time(answers, 1)
    assert answers.clients() == set()
    world.kernel[ADA] = Delivery(5, 100)
    world.pass_time(answers, 20)
    assert (world.cut_off, world.looks) == ([], 3)


def test_at_capacity_the_longest_stalled_clients_are_cut_off(world):
    answers = world.answers(most=2)
    world.kernel = {client: Delivery(5, 0) for client in (ADA, BOB, CY)}
    answers.add(ADA, LARGE)
    answers.add(BOB, LARGE)
    world.pass_time(answers, 5, **{ADA: 1})
    assert world.cut_off == []

    answers.add(CY, LARGE)

    assert world.cut_off == [BOB]
    assert answers.clients() == {ADA, CY}


def test_delivered_answers_take_no_room(world):
    answers = world.answers(most=1)
    world.kernel = {ADA: Delivery(5, 0), BOB: Delivery(0, LARGE), CY: Delivery(0, LARGE)}
    for client in (ADA, BOB, CY):
        answers.add(client, LARGE)
    assert world.cut_off == []


def test_simultaneous_clients_get_a_second_to_read(world):
    answers = world.answers(most=2)
    world.kernel = {client: Delivery(5, 0) for client in (ADA, BOB, CY)}
    for client in (ADA, BOB, CY):
        answers.add(client, LARGE)
    assert world.cut_off == []
    world.pass_time(answers, 1, **{BOB: 1, CY: 1})
    assert world.cut_off == [ADA]


def test_the_next_answer_on_a_connection_replaces_the_previous(world):
    answers = world.answers(most=2)
    world.kernel = {ADA: Delivery(5, 0), BOB: Delivery(5, 0)}
    for _ in range(5):
        answers.add(ADA, LARGE)
        answers.add(BOB, LARGE)
        world.pass_time(answers, 5)
    assert (world.cut_off, answers.clients()) == ([], {ADA, BOB})


def test_small_answers_are_not_counted(world):
    answers = world.answers(most=0)
    answers.add(ADA, MAX_SMALL)
    world.pass_time(answers, 1)
    assert (answers.clients(), world.looks) == (set(), 0)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="only Linux says what has arrived")
def test_the_kernel_reports_delivered_bytes():
    with ExitStack() as stack:
        door = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
        ends = [stack.enter_context(socket.create_connection(door.getsockname())) for _ in range(2)]
        accepted, _ = (stack.enter_context(door.accept()[0]) for _ in ends)
        client = f"127.0.0.1:{ends[0].getsockname()[1]}"
        accepted.sendall(b"x" * 1000)
        ends[0].recv(1000, socket.MSG_WAITALL)
        assert deliveries({client}) == {client: Delivery(0, deliveries({client})[client].acknowledged)}
        before = deliveries({client})[client].acknowledged

        accepted.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                accepted.send(bytes(1 << 20))
        stalled = deliveries({client})[client]

        assert stalled.unsent > 0
        assert stalled.acknowledged > before
        assert deliveries({"127.0.0.1:1"}) == {}

        cut_off({client}, discards_unsent=True)
        accepted.close()  # like the server
        with pytest.raises(ConnectionResetError):
            while ends[0].recv(1 << 20):
                pass
