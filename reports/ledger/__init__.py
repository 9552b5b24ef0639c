"""The economy of a game: cubes, lives, cards or tokens, each with a ledger.

A game declares a thing with its sources and sinks, and makes a section of it:

    CUBES = Ledger("cubes", "round", account, sources={"received": "by the table"},
                   sinks={"placed": "on the sheet"})
    SECTION = ledger.section((CUBES,), note="A player holds 5 cubes at most.")

``account`` returns the ``Account`` of the games that the report reads. The section says
what one more is worth if the game has a ``grant`` of that name (``sim.games.Grant``).
"""

from reports.ledger.account import Account
from reports.ledger.ledger import Brake, Ledger
from reports.ledger.section import section

__all__ = ["Account", "Brake", "Ledger", "section"]
