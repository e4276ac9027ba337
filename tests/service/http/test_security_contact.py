"""`/.well-known/security.txt`: where to report a vulnerability (RFC 9116)."""

from datetime import UTC, datetime, timedelta

from hoodwink.service.http.app import create_app
from hoodwink.service.settings import Settings
from tests.service.http.api import new_service, problem

ADDRESS = "/.well-known/security.txt"
CONTACT = "mailto:security@example.org"


def test_the_operators_contact_is_shown_with_its_expiry_date():
    client = create_app(new_service(Settings(security_contact=CONTACT))).test_client()

    answer = client.get(ADDRESS)

    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert (answer.status_code, answer.content_type) == (200, "text/plain; charset=utf-8")
    assert fields["Contact"] == CONTACT
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)


def test_without_a_contact_the_file_is_not_found():
    problem(create_app(new_service()).test_client().get(ADDRESS), 404, "route_not_found")
