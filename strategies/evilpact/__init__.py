"""Strategies for Evilpact."""
