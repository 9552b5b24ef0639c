"""Exploring a game in the browser: move a rule, watch the scorecard move."""
