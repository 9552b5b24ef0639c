"""Analysis: comparisons, tournaments, targets, luck, power, balance reports."""
