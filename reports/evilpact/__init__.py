"""The report of Evilpact."""
