"""Strategies for Article II."""
