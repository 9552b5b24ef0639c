"""Strategies for Devil."""
