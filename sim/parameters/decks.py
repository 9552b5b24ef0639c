"""Rules with a deck: printed decks, and decks that a designer has changed."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from sim.parameters import Rules


class DeckRules(Rules):
    """Rules in which ``deck`` names a printed deck, or is "custom" once it is changed.

    A deck that is changed back keeps the printed name if the change sets it.
    """

    deck: Any

    @staticmethod
    def printed_tables(deck: str) -> Mapping[str, Any]:
        """The tables of a printed deck; empty for any other name."""
        raise NotImplementedError

    def problems(self) -> Iterable[str]:
        """Refuse cards other than the printed ones under a printed deck's name."""
        if not self._has(self.printed_tables(self.deck)):
            yield f"deck: these are not the cards of {self.deck!r}; write 'custom'."

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """These rules with these changes; a changed deck becomes "custom"."""
        deck = changes.get("deck", self.deck)
        tables = self.printed_tables(deck)
        base = self
        if deck != self.deck:
            base = self.model_copy(update={"deck": "custom", **tables})
        made = super(DeckRules, base).changed({**changes, "deck": "custom"})
        if deck == "custom":
            return made
        if not tables:
            return super().changed(changes)  # refuses it
        return made.model_copy(update={"deck": deck}) if made._has(tables) else made

    def _has(self, tables: Mapping[str, Any]) -> bool:
        return all(getattr(self, key) == one for key, one in tables.items())
