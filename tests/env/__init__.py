"""The environments for training."""
