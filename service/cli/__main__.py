"""Runs `hoodwink` as `python -m hoodwink.service.cli`."""

from hoodwink.service.cli import main

main()
