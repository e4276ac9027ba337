"""Repeated log lines are written once, and then at growing intervals."""

from hoodwink.service.adapters.process.repetitions import Repetitions


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


def written(clock, repetitions, seconds, message="store"):
    """Returns when a message that comes twice a second is written, in seconds from now."""
    began, times = clock.now, []
    while clock.now < began + seconds:
        if repetitions.is_due(message):
            times.append(clock.now - began)
        clock.now += 0.5
    return times


def test_a_message_is_written_first_immediately_and_then_at_doubled_intervals():
    clock = Clock()

    assert written(clock, Repetitions(clock), 160) == [0, 5, 15, 35, 75, 155]


def test_the_intervals_end_at_ten_minutes():
    clock = Clock()

    times = written(clock, Repetitions(clock), 3_600)

    assert [later - before for before, later in zip(times[-3:], times[-2:], strict=False)] == [600, 600]


def test_a_message_that_was_silent_for_a_while_is_new():
    clock = Clock()
    repetitions = Repetitions(clock)
    written(clock, repetitions, 20)

    clock.now += 31

    assert written(clock, repetitions, 20) == [0, 5, 15]


def test_each_message_has_its_own_intervals():
    clock = Clock()
    repetitions = Repetitions(clock)

    assert [repetitions.is_due(message) for message in ("redis", "api", "redis")] == [True, True, False]
