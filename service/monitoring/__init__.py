"""Reports to the operator: metrics of all processes of a machine, and each process's health."""
