"""Keeps the projections up to date with the feed."""
