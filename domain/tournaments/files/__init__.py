"""Tournament files: what leaves and enters a tournament as text."""
