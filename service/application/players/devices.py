"""Names of devices, from the header `User-Agent`: a browser and a system, and nothing that tells two people apart."""

from typing import Final

PROGRAM: Final = "A program"

# The first hit counts, because most browsers also name those that they resemble.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def device_name(user_agent: str) -> str:
    """Returns a short name of the device, made only of words from this module.

    >>> device_name("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    'Firefox on Android'
    >>> device_name("curl/8.5.0")
    'A program'
    """
    browser = next((name for mark, name in _BROWSERS.items() if mark in user_agent), None)
    if browser is None:
        return PROGRAM
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), None)
    return browser if system is None else f"{browser} on {system}"
