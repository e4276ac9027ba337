"""Benchmarks of Hoodwink on this machine, with targets.

They run the real parts: games through their interface, tables through the store, HTTP through a service in other
processes. docs/BENCHMARKS.md explains each row. `hoodwink bench` starts them; they are not in the installed package.
"""
