"""The stored rows of projections, and the holds on them."""
