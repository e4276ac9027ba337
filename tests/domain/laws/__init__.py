"""The laws that every game keeps, whatever its name: by random play through the contract alone.

A new game adds its entitlements (`entitlement.py`), and everything here holds it against the laws.
A table that breaks one is played again by `python -m tests.domain.laws GAME SEED`.
"""
