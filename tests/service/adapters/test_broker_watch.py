"""Detection of a lost broker."""

import subprocess
import threading

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.tasks.broker_watch import await_loss
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.adapters.servers import slow_down_loading
from tests.service.processes import await_true


def test_a_restarted_broker_counts_as_lost(tmp_path):
    server = EmbeddedRedis(folder=tmp_path / "redis")
    waiting = threading.Thread(target=await_loss, args=(server.url,), daemon=True)
    waiting.start()  # nothing answers yet
    with server:
        await_true(lambda: is_held(server))
        assert waiting.is_alive()
        server.stop()
        server.start()
        waiting.join(60)
        assert not waiting.is_alive()


def test_a_broker_loading_its_data_is_awaited(tmp_path):
    server = EmbeddedRedis(folder=tmp_path / "redis")
    with server, connect(server.url) as client:
        pipeline = client.pipeline(transaction=False)
        for _ in range(4 * 1024):  # while it loads, a server accepts connections once in 1,024 commands
            pipeline.incr("key")
        pipeline.execute()
    server.prepare()
    slow_down_loading(tmp_path / "redis", seconds=2)
    with subprocess.Popen(server.argv, stdout=subprocess.DEVNULL) as process:
        try:
            waiting = threading.Thread(target=await_loss, args=(server.url,), daemon=True)
            waiting.start()
            await_true(server.answers)
            await_true(lambda: is_held(server))
            assert waiting.is_alive()
        finally:
            process.kill()
    waiting.join(60)
    assert not waiting.is_alive()


def is_held(server: EmbeddedRedis) -> bool:
    """Returns whether the watch's connection is open, in addition to those of the client and the caller.

    A single connection may be a client's that still waits for the server to load its data.
    """
    with connect(server.url) as client:
        return len(client.client_list()) == 3
