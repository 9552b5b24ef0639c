"""Socialism: Users, their Friends, and the networks that they join."""
