"""Benchmark: how fast fairdeal is, beside a peer."""
