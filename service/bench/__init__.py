"""Measurements of Hoodwink on the machine at hand, each beside what it should reach.

Everything here runs the real thing: games through their contract, tables through the store, HTTP
through a service in other processes. What a row means stands in docs/BENCHMARKS.md.
"""
