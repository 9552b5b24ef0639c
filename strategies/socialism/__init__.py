"""Strategies for Socialism."""
