"""A game in one file: what its author declares, and what follows from that."""
