"""Repeated log lines are written immediately, and then at growing intervals."""

from hoodwink.service.adapters.process.repetitions import Repetitions


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


def written(clock, repetitions, seconds, message="store"):
    """Returns the times, in seconds from now, at which a message logged twice a second is written."""
    began, times = clock.now, []
    while clock.now < began + seconds:
        if repetitions.is_due(message):
            times.append(clock.now - began)
        clock.now += 0.5
    return times


def test_a_message_is_logged_immediately_and_then_at_doubled_intervals():
    clock = Clock()

    assert written(clock, Repetitions(clock), 160) == [0, 5, 15, 35, 75, 155]


def test_the_intervals_grow_to_ten_minutes():
    clock = Clock()

    times = written(clock, Repetitions(clock), 3_600)

    assert [later - before for before, later in zip(times[-3:], times[-2:], strict=False)] == [600, 600]


def test_a_message_after_a_long_silence_counts_as_new():
    clock = Clock()
    repetitions = Repetitions(clock)
    written(clock, repetitions, 20)

    clock.now += 31

    assert written(clock, repetitions, 20) == [0, 5, 15]


def test_messages_have_separate_intervals():
    clock = Clock()
    repetitions = Repetitions(clock)

    assert [repetitions.is_due(message) for message in ("redis", "api", "redis")] == [True, True, False]
