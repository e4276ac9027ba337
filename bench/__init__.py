"""Benchmarks of Hoodwink on this machine, with the figures that it should reach.

They run the real parts: games through their contract, tables through the store, HTTP through a service in other
processes. docs/BENCHMARKS.md explains each row. `hoodwink bench` starts them; they are not part of the installed package.
"""
