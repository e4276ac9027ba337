"""The stored rows of projections, and the locks on them."""
