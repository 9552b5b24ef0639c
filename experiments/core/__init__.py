"""What is simulated, in blocks, and what is counted: cells, sums, tables, traces."""
