"""Rules that differ: files, where values come from, and differences in English."""
