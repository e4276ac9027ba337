"""The laws that every game keeps, whatever its name: by random play through the contract alone.

A new game adds its entitlements (`entitlement.py`), and everything here holds it against the laws; leaks planted
into it (`leaks.py`) show that the secrecy law would find one. A table that breaks a law is played again by
`python -m tests.domain.laws GAME SEED`, which also asks all viewers of it.
"""
