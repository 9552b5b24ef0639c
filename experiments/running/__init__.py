"""Blocks on processes, clusters and disk: who plays them, and what is kept."""
