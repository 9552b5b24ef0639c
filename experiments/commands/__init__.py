"""The command line: its options, and how results are shown."""
