"""Learning to play: networks taught by what each answer is worth."""
