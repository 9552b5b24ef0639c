"""Weighing results: comparisons, tournaments, targets, luck, games needed."""
