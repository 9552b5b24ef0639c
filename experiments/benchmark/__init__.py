"""Benchmark: the speed of fairdeal, compared with a peer."""
