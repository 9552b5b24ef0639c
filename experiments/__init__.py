"""Studies: what to simulate, running it in blocks, results on disk, commands."""
