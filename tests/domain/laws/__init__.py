"""The laws that every game keeps, checked by random play through the contract alone.

A new game adds its entitlements (`entitlement.py`), and all laws are checked on it; leaks planted into it (`leaks.py`)
show that the secrecy law would find one. `python -m tests.domain.laws GAME SEED` plays a table that broke a law again,
and checks it for all viewers.
"""
