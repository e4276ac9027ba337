"""Answers to questions, mostly from projections."""
