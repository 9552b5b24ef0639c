"""Statistics: intervals, families, verdicts, pairs, ratings; of sums, not of games."""
