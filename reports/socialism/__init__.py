"""The report of Socialism."""
