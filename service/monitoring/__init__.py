"""Reports of every process to the operator: metrics over all processes of a machine, and its own health."""
