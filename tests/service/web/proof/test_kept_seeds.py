"""The page draws, stores and reveals its player's seeds by itself, even after a reload and in two tabs."""

from contextlib import contextmanager

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.proving.verify import verify_log
from tests.pace import AT_ONCE
from tests.service.http.api import new_api
from tests.service.http.cup import Cup
from tests.service.web.modules import Tab, served

pytestmark = pytest.mark.browser

SEEDS = "kit/seeds.js"
TABLE, ME, HASH = "x6hrvkc55adc2s6s", "nv7s2zogj55o53bb", "0" * 64
MONTH_MS = 30 * 24 * 3_600_000


@pytest.fixture(scope="module")
def port():
    with served() as port:
        yield port


@pytest.fixture(scope="module")
def context(chromium):
    """A browser whose tabs share storage."""
    with chromium.new_context() as context:
        yield context


@pytest.fixture(scope="module")
def first_tab(context, port):
    """A tab for one test after another, because each new one starts a process."""
    return Tab(context, port)


@pytest.fixture
def tab(context, first_tab):
    """A tab, with nothing stored by earlier tests."""
    first_tab.page.reload()
    first_tab.page.evaluate("localStorage.clear()")
    yield first_tab
    for page in context.pages:
        if page is not first_tab.page:
            page.close()


@pytest.fixture
def api():
    return new_api()


def view_of(seat=None, host=None, **given):
    """Returns a view with one own seat, which waits for the seeds with given commitments."""
    shown = {"player": ME, "seed_commitment": seat or "", "seed_status": "committed" if seat else "none"}
    other = {"player": "bo", "seed_commitment": HASH, "seed_status": "committed"}
    return {
        "id": TABLE,
        "version": 6,
        "commitment": HASH,
        "phase": "playing",
        "seats": [other, shown],
        "host": ME,
        "host_seed_commitment": host or "",
        "host_seed_status": "committed" if host else "none",
    } | given


def prepare_seed(tab):
    return tab.call(SEEDS, "prepareSeed")


def to_reveal(tab, view, me=ME):
    return [(found["role"], found["seed"]) for found in tab.call(SEEDS, "seedsToReveal", view, me)]


# ------------------------------------------------------------------------------------- keeping


def test_a_seed_is_found_by_its_commitment(tab):
    first, second = prepare_seed(tab), prepare_seed(tab)
    assert first["seed"] != second["seed"]
    assert first["commitment"] == commitment(first["seed"])
    assert tab.call(SEEDS, "keepSeed", TABLE, "seat", first)
    assert tab.call(SEEDS, "keepSeed", TABLE, "host", second)

    tab.page.reload()

    view = view_of(first["commitment"], second["commitment"])
    assert to_reveal(tab, view) == [("seat", first["seed"]), ("host", second["seed"])]
    kept = tab.call(SEEDS, "keptFor", TABLE)
    assert [seed["seed"] for seed in kept["seeds"]] == [first["seed"], second["seed"]]


def test_a_seed_survives_a_reload_before_the_answer(tab):
    seed = prepare_seed(tab)

    tab.page.reload()

    assert to_reveal(tab, view_of(seed["commitment"])) == [("seat", seed["seed"])]


def test_only_our_awaited_seeds_are_revealed(tab):
    seed = prepare_seed(tab)
    tab.call(SEEDS, "keepSeed", TABLE, "seat", seed)
    view = view_of(seed["commitment"])

    assert to_reveal(tab, view | {"phase": "open"}) == []
    assert to_reveal(tab, view | {"phase": "ended"}) == []
    assert to_reveal(tab, view, me="somebody") == []
    assert to_reveal(tab, view_of(HASH)) == []
    revealed = [dict(seat, seed_status="revealed") for seat in view["seats"]]
    assert to_reveal(tab, view | {"seats": revealed}) == []


def test_sitting_down_again_reveals_the_committed_seed(tab):
    first, second = prepare_seed(tab), prepare_seed(tab)
    for seed in (first, second):
        tab.call(SEEDS, "keepSeed", TABLE, "seat", seed)

    for seed in (first, second):
        assert to_reveal(tab, view_of(seed["commitment"])) == [("seat", seed["seed"])]


@pytest.mark.parametrize(
    "obstacle",
    [
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })",
    ],
)
def test_without_storage_no_seed_is_prepared(tab, obstacle):
    tab.page.evaluate(f"() => {{ {obstacle} }}")

    assert prepare_seed(tab) is None
    assert tab.call(SEEDS, "keepSeed", TABLE, "seat", {"seed": "a", "commitment": HASH}) is False
    assert tab.call(SEEDS, "keptFor", TABLE) is None
    assert to_reveal(tab, view_of(HASH)) == []
    assert tab.errors == []


def test_stored_seeds_are_removed_after_a_month(tab):
    tab.call(SEEDS, "keepSeed", "oldtable", "seat", prepare_seed(tab))
    tab.call(SEEDS, "keepSeed", TABLE, "seat", prepare_seed(tab))
    tab.page.evaluate(
        """(month) => {
            const key = 'hoodwink.seed.oldtable.seat';
            const kept = JSON.parse(localStorage.getItem(key));
            localStorage.setItem(key, JSON.stringify({ ...kept, at: Date.now() - month }));
            localStorage.setItem('hoodwink.seed.broken.seat', 'x');
            localStorage.setItem('hoodwink.other', '{}');
        }""",
        MONTH_MS,
    )

    prepare_seed(tab)

    keys = tab.page.evaluate("Object.keys(localStorage).sort()")
    assert keys == ["hoodwink.other", "hoodwink.seed.drawn", f"hoodwink.seed.{TABLE}.seat"]


def test_the_first_head_is_stored(tab):
    for version in (6, 9):
        kept = {"version": version, "head": f"{version}" * 64, "commitment": HASH}
        assert tab.call(SEEDS, "keepHead", TABLE, kept)

    assert tab.call(SEEDS, "keptFor", TABLE) | {"at": 0} == {
        "version": 6,
        "head": "6" * 64,
        "commitment": HASH,
        "seeds": [],
        "at": 0,
    }
    assert tab.call(SEEDS, "keptFor", "another") is None


# ------------------------------------------------------------------------------------- revealing

ANSWERS = """
    async ({ answers, views, me }) => {
        const requests = [];
        const api = {
            async post(path, body, { key }) {
                requests.push({ path, body, key });
                const answer = answers.shift();
                if (answer) throw answer === 'offline' ? new TypeError('Failed to fetch') : answer;
                return {};
            },
        };
        const results = await Promise.all(views.map((view) => modules.seeds.revealSeeds(api, view, me, '1'.repeat(64))));
        return { requests, results };
    }
"""


def run_reveals(tab, answers, *views):
    return tab.run(ANSWERS, {"answers": answers, "views": views, "me": ME})


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([], True),
        (["offline", {"status": 503, "code": "not_replicated"}], True),
        ([{"status": 429, "code": "too_many_requests"}], True),
        ([{"status": 422, "code": "already_revealed"}], True),
        ([{"status": 422, "code": "reveal_over"}], False),
        ([{"status": 401, "code": "token_invalid"}], False),
    ],
)
def test_a_reveal_is_repeated_until_answered(tab, answers, outcome):
    seed = prepare_seed(tab)
    tab.call(SEEDS, "keepSeed", TABLE, "seat", seed)
    is_final = not answers or answers[0] == "offline" or answers[0]["status"] == 429

    done = run_reveals(tab, answers, view_of(seed["commitment"]))

    assert done["results"] == [[{"role": "seat", "isRevealed": outcome}]]
    request = {"path": f"/v1/tables/{TABLE}/seed", "body": {"seed": seed["seed"]}, "key": seed["key"]}
    assert done["requests"] == [request] * (len(answers) + is_final)
    kept = tab.call(SEEDS, "keptFor", TABLE)
    assert (kept["version"], kept["head"], kept["commitment"]) == (6, "1" * 64, HASH)
    assert kept["seeds"][0].get("isRevealed", False) is outcome


def test_any_message_can_trigger_the_reveal(tab):
    seed = prepare_seed(tab)
    view = view_of(seed["commitment"])

    done = run_reveals(tab, [], view, view, view)

    assert done["results"] == [[{"role": "seat", "isRevealed": True}]] * 3
    assert len(done["requests"]) == 1
    assert run_reveals(tab, [], view_of())["requests"] == []


# ------------------------------------------------------------------------------------- with the service


@contextmanager
def connect(tab, person):
    """Connects a tab with the service as this person, like kit/api.js."""

    def post(path, body, key):
        answer = person.post(path, body, key=key)
        return [answer.status_code, answer.json]

    tab.page.expose_function("ask", post)
    yield """
        const api = {
            async post(path, body, { key }) {
                const [status, answer] = await window.ask(path, body, key);
                if (status >= 400) throw { status, ...answer };
                return answer;
            },
        };
    """


def reveal(tab, person, answer):
    with connect(tab, person) as api:
        given = {"view": answer["view"], "me": person.id, "head": answer["head"]}
        return tab.run(
            f"({{ view, me, head }}) => {{ {api} return modules.seeds.revealSeeds(api, view, me, head); }}",
            given,
        )


def test_two_other_tabs_reveal_a_seated_hosts_seeds_and_verify_the_log(tab, context, port, api):
    ada = api.person("Ada")
    hosts, seats = prepare_seed(tab), prepare_seed(tab)
    form = {"game": "blindside", "seats": 2, "seed_commitment": hosts["commitment"], **AT_ONCE}
    path = ada.post("/v1/tables", form).headers["Location"]
    table = path.rpartition("/")[2]
    ada.post(f"{path}/seats", {"seed_commitment": seats["commitment"]})
    tab.call(SEEDS, "keepSeed", table, "host", hosts)
    tab.call(SEEDS, "keepSeed", table, "seat", seats)
    ada.post(f"{path}/seats", {"policy": "random"})
    started = ada.post(f"{path}/start").json
    first, second = Tab(context, port), Tab(context, port)

    for opened in (first, second):
        done = reveal(opened, ada, started)
        assert done == [{"role": "seat", "isRevealed": True}, {"role": "host", "isRevealed": True}]

    assert to_reveal(tab, ada.get(path).json["view"], ada.id) == []
    api.play_out(path, ada)
    log = ada.get(f"{path}/log").text
    assert verify_log(log.encode()).valid
    kept = second.call(SEEDS, "keptFor", table)
    report = second.call("proof/verify.js", "verify", log, {"kept": kept})
    assert report["passed"]
    outcomes = {check["id"]: check["passed"] for check in report["checks"]}
    assert (outcomes["seeds"], outcomes["kept"]) == (True, True)
    assert first.errors == second.errors == []


def test_an_entrant_reveals_the_seed_of_a_tournament(tab, context, port, api):
    cup, ada = Cup(api, api.person("Olga")), api.person("Ada")
    cup.command("/registration")
    seed = prepare_seed(tab)
    cup.command("/entrants", {"seed_commitment": seed["commitment"]}, by=ada)
    tournament = cup.path.rpartition("/")[2]
    tab.call(SEEDS, "keepSeed", tournament, "entrant", seed)
    cup.enter(api.person("Bob"), api.person("Cy"))
    cup.people.append(ada)
    cup.command("/start")
    assert to_reveal(tab, cup.view, ada.id) == []
    cup.command("/rounds")

    done = reveal(Tab(context, port), ada, {"view": cup.view, "head": HASH})
    assert done == [{"role": "entrant", "isRevealed": True}]

    cup.run_due()
    assert {entrant["name"]: entrant["seed"] for entrant in cup.view["entrants"]}["Ada"] == seed["seed"]
    kept = tab.call(SEEDS, "keptFor", "sometable", tournament)
    assert [found["role"] for found in kept["seeds"]] == ["entrant"]
