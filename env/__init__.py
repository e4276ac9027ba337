"""Environments for training: every game as tensors, with numbered actions and masks (docs/ENVIRONMENTS.md)."""
