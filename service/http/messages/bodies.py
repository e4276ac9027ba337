"""Request bodies: strict JSON, as an object."""

from json import JSONDecoder
from typing import Any, Final

import msgspec
from werkzeug.http import parse_options_header

from hoodwink.service.http.messages.problems import HttpCode, Problem, too_large
from hoodwink.service.http.messages.requests import Request

MAX_BODY: Final = 64 * 1024

_SHORT: Final = 512
"""No body up to this many bytes has nesting or numbers beyond the limits of either decoder."""

_DECODE = msgspec.json.Decoder().decode

Fields = dict[str, Any]


class _DuplicateName(ValueError):
    pass


def _without_duplicates(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _DuplicateName
    return fields


# msgspec is strict about everything but duplicate names: it silently takes the last, and other readers the first.
_check_names = JSONDecoder(object_pairs_hook=_without_duplicates).decode


def read_object(
    request: Request, *, instead: str = "Send a JSON object; one without fields is {}."
) -> tuple[Fields, bytes]:
    """Returns the body as an object and as bytes.

    Args:
        instead: the second sentence of the error for a missing body.

    Raises:
        Problem: 400 `body_missing` or `malformed_json`, 413, or 415.
    """
    body = read_body(request, MAX_BODY)
    if not body:
        raise Problem(HttpCode.BODY_MISSING, f"The request has no body. {instead}")
    if request.headers.get("content-type") != "application/json":  # parsing the header is slow
        check_media_type(request, "application/json")
    return parse_object(body), body


def read_body(request: Request, max_bytes: int) -> bytes:
    """Returns the body's bytes.

    Raises:
        Problem: 413 if there are more than `max_bytes`, 415 if they are compressed or otherwise encoded.
    """
    # Nothing unpacks bodies, so a compressed one would be reported as malformed JSON.
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise Problem(
            HttpCode.UNSUPPORTED_MEDIA_TYPE, "Send the body without a content encoding, such as gzip."
        )
    if len(request.body) > max_bytes:
        raise too_large(max_bytes)
    return request.body


def parse_object(body: bytes) -> Fields:
    """Parses a JSON object.

    Raises:
        Problem: 400 `malformed_json`: bad UTF-8, NaN, nesting too deep, a name twice, no object, …
    """
    try:
        fields = _DECODE(body)
        # A colon follows every name, so with as many colons as fields no name came twice. Only other bodies are
        # parsed a second time, by the slower decoder that notices duplicates.
        if type(fields) is not dict or len(fields) != body.count(b":") or len(body) > _SHORT:
            _check_names(body.decode())
    except UnicodeDecodeError:
        raise _malformed("The body is not UTF-8.") from None
    except RecursionError:
        raise _malformed("The body is nested too deeply.") from None
    except _DuplicateName:
        raise _malformed("The body names a field twice.") from None
    except ValueError as error:  # from msgspec, or from Python for an integer of thousands of digits
        detail = str(error) if isinstance(error, msgspec.MsgspecError) else "A number is too long"
        raise _malformed(
            f"The body is not valid JSON: {detail.removeprefix('JSON is malformed: ')}."
        ) from None
    if type(fields) is not dict:
        raise _malformed("The body must be a JSON object.")
    return fields


def check_media_type(request: Request, expected: str, *others: str) -> None:
    """Raises `Problem` 415 unless the body has one of these media types and, if it names a charset, UTF-8."""
    media_type, options = parse_options_header(request.headers.get("content-type"))
    if media_type.lower() not in (expected, *others):
        raise Problem(HttpCode.UNSUPPORTED_MEDIA_TYPE, f"Send the header `Content-Type: {expected}`.")
    if options.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Problem(HttpCode.UNSUPPORTED_MEDIA_TYPE, f"The body must be {expected} in UTF-8.")


def _malformed(detail: str) -> Problem:
    return Problem(HttpCode.MALFORMED_JSON, detail)
