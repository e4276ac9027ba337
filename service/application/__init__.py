"""Use cases and the ports they need; no framework, no database."""
