"""The Virtues of the Drake: a Dragon's Virtues fill their piles from shared decks."""
