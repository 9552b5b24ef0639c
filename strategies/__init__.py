"""Who sits in the seats: strategies, one folder a game, and what they share.

Strategies for all games are loaded here, so that the registry knows them whichever
module of this package is imported first.
"""

from strategies import (
    learned,
    restricted_play,
    search,
    strength_levels,
    text_strategy,
)

__all__ = ["learned", "restricted_play", "search", "strength_levels", "text_strategy"]
