"""Webhooks: signed messages about a tournament to addresses that its organisers name."""
