"""The scorecard: what a designer asks of every game, in the same lines for each."""
