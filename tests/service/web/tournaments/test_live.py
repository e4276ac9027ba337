"""Parts of a tournament's page without a tournament: its live updates, its commands, and the marks of results."""

import json

import pytest

from hoodwink.service.web.files import page as page_files

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_FOLLOW = """async ([root, ...bursts]) => {
    const started = new Promise((resolve) => {
        window.fetch = async () => new Response(new ReadableStream({ start: resolve }));
    });
    const { LiveTournament } = await import(`${root}/tournaments/live.js`);
    const live = new LiveTournament('cup');
    live.open();
    const controller = await started;
    const seen = [];
    for (const [version, burst] of bursts) {
        controller.enqueue(new TextEncoder().encode(burst));
        for (let tries = 0; tries < 100 && live.view?.version !== version; tries += 1) {
            await new Promise((done) => setTimeout(done, 10));
        }
        seen.push([live.view?.version, live.events.map((event) => event.version)]);
    }
    return seen;
}"""
_MARK = """async ([root, seats]) => {
    const { mark } = await import(`${root}/tournaments/results/marks.js`);
    return seats.map(([seat, size]) => mark({ state: 'played', ...seat }, size));
}"""
_SEND_TWO = """async (root) => {
    const { TournamentRoom } = await import(`${root}/tournaments/acting.js`);
    customElements.define('empty-room', class extends TournamentRoom { enter() {} template() { return ''; } });
    const room = document.body.appendChild(document.createElement('empty-room'));
    room.live = { path: '/v1/tournaments/cup', take() {} };
    let sent = 0;
    window.fetch = async () => {
        sent += 1;
        return new Response('{}');
    };
    const accepted = await Promise.all(['/check-in', '/byes'].map((path) => room.act(path, path)));
    return [accepted, sent];
}"""


def told(*messages):
    return "".join(f"event: {kind}\ndata: {json.dumps(data)}\n\n" for kind, data in messages)


def snapshot(version):
    return "snapshot", {"tournament": {"version": version, "entrants": [], "rounds": []}}


def event(version):
    return "message", {"version": version, "type": "tournament.described"}


def test_a_tournament_that_was_put_back_is_shown_without_its_lost_events(visit):
    page = visit("/nowhere").page
    before, after = told(snapshot(5), event(5)), told(("reset", {"version": 3}), snapshot(3))

    shown = page.evaluate(_FOLLOW, [page_files().root, [5, before], [3, after]])

    assert shown == [[5, [5]], [3, []]]


def test_only_one_command_is_sent_at_a_time(visit):
    assert visit("/nowhere").page.evaluate(_SEND_TWO, page_files().root) == [[True, False], 1]


def test_draws_and_results_of_bots_have_their_own_marks(visit):
    page = visit("/nowhere").page
    marks = {
        "1": ({"place": 1}, 2),
        "0": ({"place": 2}, 2),
        "½": ({"place": 1, "shared": True}, 2),
        "1*": ({"place": 1, "byBot": True}, 2),
        "=2*": ({"place": 2, "shared": True, "byBot": True}, 4),
    }

    assert page.evaluate(_MARK, [page_files().root, [*marks.values()]]) == [*marks]
