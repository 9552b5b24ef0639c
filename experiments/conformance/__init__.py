"""Conformance: checks that every game and every strategy must pass."""
