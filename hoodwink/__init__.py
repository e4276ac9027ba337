"""Hoodwink: card games in which everybody is partly blind.

`hoodwink.domain` is the library (docs/LIBRARY.md). The extra `service` adds `hoodwink.service` and `hoodwink.workers`. All three are
at the top of the repository; the links here give them their installed names.
"""
