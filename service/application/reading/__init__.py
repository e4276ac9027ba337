"""What answers a question, mostly from projections."""
