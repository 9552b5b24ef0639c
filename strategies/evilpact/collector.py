"""The majority of the elements."""

from dataclasses import dataclass

from strategies.evilpact.heuristic import Heuristic


@dataclass(frozen=True)
class Collector(Heuristic):
    """The majority of the elements wins: it spreads over all, and takes what is close.

    All elements count alike, and most is made by a card where the libraries are level;
    a contract is for it no more than one more spell.
    """

    name = "collector"
