"""Explore a game in the browser: change a rule, and watch the scorecard change."""
