"""Tests of the domain: no I/O, no clock."""
