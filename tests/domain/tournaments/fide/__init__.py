"""Agreement with FIDE's own tools (gacrux): the same pairings, tournament after tournament.

`python -m tests.domain.tournaments.fide --tournaments 2000 --ours 500` plays the whole comparison.
"""
