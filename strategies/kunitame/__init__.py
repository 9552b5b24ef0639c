"""Schools of play for Kunitame."""
