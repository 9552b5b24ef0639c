"""Strategies for Kbernestich."""
