"""A table fed message by message to a page in Firefox or WebKit, see `fed_tables`."""

from collections.abc import Sequence
from typing import Final

from tests.service.web.engines.player import enter
from tests.service.web.engines.remote import Remote
from tests.service.web.fed_tables import FEED, PLAY, Message
from tests.service.web.guests import Guest

_GO: Final = """(path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""
_FED: Final = "/tables/fed"
# Before its first frame, Firefox takes a line of cards to be as wide as the window.
_IS_LAID: Final = """() => Boolean(document.querySelector('hw-table')?.info && document.querySelector('.felt'))
    && !document.querySelector(':is(.fan, .row):not([data-laid])')"""


class FedRemote:
    """A page of one table at a service that knows no such table."""

    def __init__(self, remote: Remote, player: Guest) -> None:
        self.remote = remote
        enter(remote, player, "/nowhere")
        remote.run(FEED)

    def begin(self, first: Message) -> None:
        """Opens the table again, with its first message."""
        self.remote.run(_GO, "/nowhere")
        self.remote.run("() => { feed.push = null; }")
        self.remote.run(_GO, _FED)
        self.remote.wait("() => Boolean(feed.push)")
        self.push(first)
        self.remote.wait(_IS_LAID)

    def push(self, message: Message, kind: str = "view") -> None:
        self.remote.run("(...message) => feed.push(...message)", message, kind)

    def play(self, told: Sequence[Message]) -> None:
        """Shows the messages after the first one, clicking wherever the player acted."""
        self.remote.run(PLAY, told)
