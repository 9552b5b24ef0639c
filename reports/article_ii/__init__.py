"""The balance report of Article II, with a file for each section."""
