"""The command line: what a user asks for, and how answers are shown."""
