"""Strategies for The Virtues of the Drake."""
