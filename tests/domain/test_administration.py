"""What administrators did, as events of the installation."""

import msgspec

from hoodwink.domain.administration import Act, ActRecorded, decode_act, is_reason_digest, reason_digest


def test_an_act_is_read_as_it_was_written():
    act = ActRecorded("root", Act.BAN_PLAYER, "p1", reason_digest("salt", "Spam."))

    assert decode_act(msgspec.json.encode(act)) == act


def test_a_reason_is_recorded_as_a_hash_that_depends_on_its_salt():
    hashed = reason_digest("salt", "Spam.")

    assert hashed != reason_digest("pepper", "Spam.")
    assert is_reason_digest(hashed)
    assert not is_reason_digest("Spam.")
