"""The rules of the games, and what the rules of several games share."""
