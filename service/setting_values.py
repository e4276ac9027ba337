"""Descriptions of settings, derived from the types of their fields."""

from typing import Any, Final, get_args, get_type_hints

import msgspec
from msgspec import Meta

from hoodwink.service.application.limits import LEVEL_PATTERN, RATE_PATTERN

ADMINISTRATORS: Final = "HOODWINK_ADMINISTRATORS"


def meaning_of(hint: Any) -> str:
    return _meta(hint).description or ""


def _meta(hint: Any) -> Meta:
    (meta,) = (extra for extra in get_args(hint) if isinstance(extra, Meta))
    return meta


def allowed_values(settings: type[msgspec.Struct], name: str) -> str:
    # Not msgspec's own message, which shows regular expressions and the names of Python types.
    hints = get_type_hints(settings, include_extras=True)
    fields = msgspec.structs.fields(settings)
    hint = next(hints[setting.name] for setting in fields if setting.encode_name == name)
    kind, meta = get_args(hint)[0], _meta(hint)
    if kind in {int, float}:
        number = "a whole number" if kind is int else "a number"
        return (
            f"{number} from {meta.ge} to {meta.le}"
            if meta.ge is not None
            else f"{number} above {meta.gt} and up to {meta.le}"
        )
    if meta.pattern == RATE_PATTERN:
        return "a number per second, minute or hour, such as 20/second, or off"
    if meta.pattern == LEVEL_PATTERN:
        return "a whole number from 1 to 999999, or off"
    if name == "HOODWINK_PROXIES":
        return "addresses or networks, such as 10.0.0.0/8, separated by commas"
    if name == ADMINISTRATORS:
        return "NAME=SHA256 for each administrator, separated by commas: `hoodwink admin token NAME` creates an entry"
    if name == "HOODWINK_SECURITY_CONTACT":
        return "an address that starts with https://, mailto: or tel:"
    if name in {"HOODWINK_ORIGINS", "HOODWINK_EMBED_ORIGINS"}:
        return "origins as browsers send them, such as https://play.example.org, separated by commas, or *"
    choices = [str(choice) for choice in get_args(kind) if isinstance(choice, str)]
    return " or ".join(choices) or "a text"


def default_text(default: object) -> str:
    return "" if default is None else str(default)
