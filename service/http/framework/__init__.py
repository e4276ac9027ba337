"""What carries every operation: its declaration, its route, its checks, its metrics."""
