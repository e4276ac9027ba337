"""Requests, streams and rooms of the page, with answers from a script instead of a service."""

import pytest

from tests.service.web.browser import pause_clock
from tests.service.web.modules import Tab, served

pytestmark = pytest.mark.browser

SILENCE_MS = 45_000
PAUSE_MS = 2_000
_ANSWERS = """async (answers) => {
    const [{ api }, { session }, { follow }] = await Promise.all(
        ['api', 'session', 'stream'].map((name) => import(`/kit/${name}.js`)));
    Object.assign(window, { api, session, follow, asked: [] });
    window.fetch = async (path, { headers, signal }) => {
        asked.push(headers);
        const { status = 200, text = '{}', stays, breaks } = answers.shift() ?? {};
        if (!status) throw new TypeError('Failed to fetch');
        const start = (controller) => {
            controller.enqueue(new TextEncoder().encode(text));
            if (breaks) controller.error(new TypeError('network error'));
            else if (!stays) controller.close();
            signal?.addEventListener('abort', () => controller.error(new DOMException('', 'AbortError')));
        };
        return new Response(new ReadableStream({ start }), { status });
    };
}"""
_COME_ONLINE = """async () => {
    const settle = () => new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
    await settle();
    const before = asked.length;
    window.dispatchEvent(new Event('online'));
    await settle();
    return [before, asked.length];
}"""
_ROUTED = """async () => {
    const { route } = await import('/kit/router.js');
    const [main, link] = ['main', 'a'].map((tag) => document.body.appendChild(document.createElement(tag)));
    main.tabIndex = -1;
    link.href = '/next';
    window.taken = [];
    route(main, [[/^.$/, 'p', async () => {}], [/^.next$/, 'section', async () => {}]]);
    document.addEventListener('click', (event) => {
        taken.push(event.defaultPrevented);
        event.preventDefault();
    });
    for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey', '']) {
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, [key]: true }));
    }
    return taken;
}"""


@pytest.fixture(scope="module")
def port():
    with served() as port:
        yield port


@pytest.fixture
def page(chromium, port):
    """A page whose scripts can import the modules, and whose timers a test can run early."""
    with chromium.new_context() as context:
        context.clock.install()
        yield Tab(context, port).page


def await_requests(page, count):
    """Runs the pauses of the page until it has sent this number of requests."""
    for _ in range(count):
        page.clock.run_for(PAUSE_MS)
    page.wait_for_function("count => asked.length === count", arg=count)


def test_a_command_without_an_answer_is_repeated_under_its_key(page):
    lost = [{"status": 0}, {"status": 503}, {"text": '{"vers', "breaks": True}]
    page.evaluate(_ANSWERS, [*lost, {"text": '{"version": 7}'}])

    page.evaluate("() => { window.answer = api.post('/v1/tables/t/actions', { type: 'draw' }); }")
    await_requests(page, 4)

    assert page.evaluate("() => answer") == {"version": 7}
    assert page.evaluate("() => new Set(asked.map((headers) => headers['Idempotency-Key'])).size") == 1


def test_a_command_is_repeated_as_soon_as_the_browser_is_online_again(page):
    page.evaluate(_ANSWERS, [{"status": 0}])
    pause_clock(page)
    page.evaluate("() => { api.post('/v1/tables/t/actions', { type: 'draw' }); }")

    requests = page.evaluate(_COME_ONLINE)

    assert requests == [1, 2]


def test_only_a_refusal_of_the_current_token_signs_out(page):
    page.evaluate(_ANSWERS, [{"status": 401}] * 4)
    page.evaluate("() => session.keep({ id: 'ada', name: 'Ada', token: 'old' })")
    ask = "(given) => api.get('/v1/me', given).catch(() => session.player?.token)"

    assert page.evaluate(ask, {"token": ""}) == "old"
    # Another tab has just replaced the token.
    page.evaluate(
        "() => localStorage.setItem('hoodwink.player', JSON.stringify({ ...session.player, token: 'new' }))"
    )
    assert page.evaluate(ask, {}) == "new"
    assert page.evaluate(ask, {}) is None

    page.evaluate("() => session.keep({ id: 'ada', name: 'Ada', token: 'old' })")
    page.evaluate("() => { follow('/v1/tables/t/events', { onMessages() {} }); }")
    page.wait_for_function("() => !session.player")


def test_a_tab_signs_out_when_another_clears_the_storage(page):
    page.evaluate(_ANSWERS, [])
    page.evaluate("() => session.keep({ id: 'ada', name: 'Ada', token: 'ada' })")

    page.evaluate("() => { localStorage.clear(); window.dispatchEvent(new StorageEvent('storage')); }")

    assert page.evaluate("() => session.player") is None


def test_a_lost_or_silent_stream_resumes_after_its_last_message(page):
    told = 'id: 7\nevent: view\ndata: {"version": 7}\n\n'
    reset = 'id:\nevent: reset\ndata: {"version": 5}\n\n'
    silent = {"text": ": beat\n\n", "stays": True}
    page.evaluate(_ANSWERS, [{"text": told}, silent, {"text": reset}, {"stays": True}])

    page.evaluate("() => { follow('/v1/tables/t/events', { onMessages() {} }); }")
    await_requests(page, 2)
    page.clock.run_for(SILENCE_MS)
    await_requests(page, 4)

    resumed = page.evaluate("() => asked.map((headers) => headers['Last-Event-ID'] ?? null)")
    assert resumed == [None, "7", "7", None]


def test_a_click_enters_a_room_with_the_focus_unless_it_asks_for_a_tab(page):
    assert page.evaluate(_ROUTED) == [False, False, False, False, True]

    page.wait_for_selector("section", state="attached")
    assert page.evaluate("document.activeElement.localName") == "main"
