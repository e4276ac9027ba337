"""Link previews show what a stranger may see, at addresses of the operator's choice."""

from html.parser import HTMLParser
from unittest.mock import patch

from hoodwink.service.application.ports import StoreUnavailable, StreamId
from hoodwink.service.settings import Settings
from tests.service.application.world import add_malformed_entry
from tests.service.http.api import new_api
from tests.service.http.cup import Cup


class _Tags(HTMLParser):
    def __init__(self, document: str) -> None:
        super().__init__()
        self.shown: dict[str, str] = {}
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "meta" and "property" in given:
            self.shown[given["property"].removeprefix("og:")] = given["content"]
        assert tag not in {"b", "base", "iframe"}


def preview(api, path):
    answer = api.spectator.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 200
    assert "evil.example" not in answer.text
    return _Tags(answer.text).shown


def test_tables_and_games_are_described_without_names():
    api = new_api(Settings(origin="https://play.example.org"))
    path = api.table(api.person("Secret Name"), game="coconut", bots=1).removeprefix("/v1")

    shown = preview(api, path)

    assert shown["title"] == "Coconut: a table at Hoodwink"
    assert shown["description"].startswith("0 of 2 seats are free. ")
    assert shown["url"] == f"https://play.example.org{path}"
    assert "Secret Name" not in str(shown)
    picture = shown["image"].removeprefix("https://play.example.org")
    assert picture.endswith("/coconut.png")
    assert api.spectator.get(picture).content_type == "image/png"
    assert preview(api, "/games/shithead")["title"] == "Shithead"
    assert preview(api, "/")["title"] == preview(api, "/tables/zzzz")["title"] == "Hoodwink"


def test_a_table_behind_an_invitation_shows_nothing_of_itself():
    api = new_api()
    host = api.person()
    opened = host.post("/v1/tables", {"game": "coconut", "seats": 3, "private": True, "watch": "invited"})
    code = host.get(f"{opened.headers['Location']}/invitation").json["invitation"]

    path = opened.headers["Location"].removeprefix("/v1")
    for shown in (preview(api, path), preview(api, f"{path}?invitation={code}")):
        assert shown["title"] == "A table at Hoodwink"
        assert shown["image"].startswith("http://localhost:8000/page/")
        assert shown["image"].endswith("/hoodwink.png")
        assert code not in str(shown)
        assert "oconut" not in str(shown)


def test_the_name_of_a_tournament_is_only_text():
    api = new_api()
    cup = Cup(api, api.person(), name='"><b>& Cup')

    assert preview(api, cup.path.removeprefix("/v1"))["title"] == '"><b>& Cup'


def test_the_page_is_served_while_the_store_is_unavailable():
    api = new_api()
    path = api.table(api.person(), bots=1).removeprefix("/v1")

    with patch.object(api.service.tables, "load", side_effect=StoreUnavailable("down")):
        assert preview(api, path)["title"] == "Hoodwink"


def test_the_page_is_served_for_a_table_with_a_damaged_log():
    api = new_api()
    path = api.table(api.person("Ada"), bots=1).removeprefix("/v1")
    add_malformed_entry(api.service, StreamId("table", path.rpartition("/")[2]))
    assert preview(api, path)["title"] == "Hoodwink"


def test_a_changed_preview_is_a_changed_document():
    api = new_api()
    ada, bob = api.person(), api.person()
    path = api.table(ada, bots=1)
    page = path.removeprefix("/v1")
    tag = api.spectator.get(page).headers["ETag"]
    assert api.spectator.get(page, headers={"If-None-Match": tag}).status_code == 304

    ada.close(path)

    assert api.spectator.get(page, headers={"If-None-Match": tag}).status_code == 200
    assert bob.get(page).headers["ETag"] != tag
