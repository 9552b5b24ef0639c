"""Who sits in the seats: strategies, one folder a game."""
