"""Conformance: what every game and every strategy is held to."""
