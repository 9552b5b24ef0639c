"""Faults planted in the example games: what is replaced, by what, and what is found.

Each is a few lines that an author could have written; the check that finds it, the line
that it names, and words that must be in what it says.
"""

from pathlib import Path
from typing import NamedTuple

from tests.own_game.examples import FOLDER


class Planted(NamedTuple):
    """A fault in an example game."""

    game: str
    old: str
    new: str
    check: str
    line: str
    words: str


N, H, T = "six_nimmt", "oh_hell", "no_thanks"
PLANTED = {
    "a card dealt twice": Planted(
        N,
        "row.append(g.deck.pop())",
        "row.append(g.deck[-1])",
        "cards",
        "row.append(g.deck[-1])",
        "two piles",
    ),
    "a card in no pile": Planted(
        N,
        "            g.played[seat].append(card)\n",
        "",
        "cards",
        "g.hand[seat].remove(card)",
        "no pile",
    ),
    "a strange card": Planted(
        N,
        "row.append(g.deck.pop())",
        'row.append(g.deck.pop()); g.deck.append("x")',
        "cards",
        'g.deck.append("x")',
        "not in cards(g)",
    ),
    "two hands are one list": Planted(
        N,
        "        g.deck = g.shuffled(self.cards(g))",
        "        g.hand = [[]] * g.players\n        g.deck = g.shuffled(self.cards(g))",
        "board",
        "g.hand = [[]] * g.players",
        "one list",
    ),
    "the deck is the box": Planted(
        H,
        "g.deck, g.gone, g.turned_up = g.shuffled(BOX), [], []",
        "g.deck, g.gone, g.turned_up = BOX, [], []",
        "board",
        "hand += sorted((g.deck.pop()",
        "Work on a copy",
    ),
    "kept on self": Planted(
        H,
        'led, trump = "", g.turned_up[0].suit',
        'self.trump = g.turned_up[0].suit; led, trump = "", self.trump',
        "board",
        "self.trump = g.turned_up[0].suit",
        "Keep it on the board",
    ),
    "kept on a card": Planted(
        N,
        "            g.hand[seat].remove(card)",
        "            g.hand[seat].remove(card); card.face_up = True",
        "board",
        "card.face_up = True",
        "same object in all games",
    ),
    "kept in the file": Planted(
        N,
        "        g.over = not g.hand[0]",
        "        TURNS.append(g.turn)\n        g.over = not g.hand[0]",
        "board",
        "TURNS.append(g.turn)",
        "TURNS",
    ),
    "not declared": Planted(
        N,
        "        g.over = not g.hand[0]",
        "        g.rounds = 1\n        g.over = not g.hand[0]",
        "board",
        "g.rounds = 1",
        "rounds = Number()",
    ),
    "a number that is none": Planted(
        N,
        "g.heads[seat] += ",
        "g.heads = ",
        "board",
        "g.heads = ",
        "each=True",
    ),
    "a pile that is none": Planted(
        N,
        "row.clear()",
        "g.taken[seat] = tuple(row); row.clear()",
        "board",
        "g.taken[seat] = tuple(row)",
        "list",
    ),
    "a kind that is none": Planted(
        N,
        'g.secretly("play"',
        'g.secretly("plya"',
        "plays",
        'g.secretly("plya"',
        "did you mean 'play'",
    ),
    "no option": Planted(
        N,
        'g.ask(seat, "row", names)',
        'g.ask(seat, "row", [])',
        "plays",
        'g.ask(seat, "row", [])',
        "without any option",
    ),
    "options that are the same": Planted(
        N,
        'f"row {place + 1}"',
        '"row"',
        "plays",
        'g.ask(seat, "row"',
        "the same",
    ),
    "an option that is not declared": Planted(
        H,
        "options = [n for n in range(size + 1)",
        "options = [n + 9 for n in range(5)",
        "plays",
        'g.ask(seat, "bid"',
        "not among those declared",
    ),
    "a seat that is none": Planted(
        T,
        'g.ask(seat, "offer"',
        'g.ask(seat + 1, "offer"',
        "plays",
        'g.ask(seat + 1, "offer"',
        "seats are 0 to",
    ),
    "an event that is none": Planted(
        T,
        'g.tell("take"',
        'g.tell("taken"',
        "plays",
        'g.tell("taken"',
        "taken",
    ),
    "a number not told": Planted(
        T,
        ", chips_on_it=g.pot)",
        ")",
        "plays",
        'g.tell("take"',
        "chips_on_it",
    ),
    "never over": Planted(
        T,
        "            g.over = not g.deck\n",
        "            g.deck += [g.taken[seat].pop()]\n",
        "plays",
        'if g.ask(seat, "offer"',
        "g.over = True",
    ),
    "a turn that never ends": Planted(
        T,
        "        seat = g.active\n",
        "        seat = g.active\n        while g.chips:\n            pass\n",
        "plays",
        "while g.chips:",
        "does a loop",
    ),
    "chance of its own": Planted(
        N,
        "g.deck = g.shuffled(self.cards(g))",
        "import random; g.deck = random.sample(self.cards(g), len(self.cards(g)))",
        "chance",
        "random.sample",
        "g.shuffled",
    ),
    "chance of numpy": Planted(
        T,
        "g.active = g.shuffled(g.seats)[0]",
        "import numpy as np; g.active = int(np.random.randint(g.players))",
        "chance",
        "np.random.randint",
        "g.die",
    ),
    "a hidden card in a fact": Planted(
        H,
        'g.lacks = [""] * g.players',
        "g.lacks = [hand[:1] for hand in g.hand]",
        "hidden",
        "g.lacks = [hand[:1]",
        "tells everybody",
    ),
    "a secret fact": Planted(
        H,
        'lacks = Fact(each=True, start="")',
        'lacks = Fact(each=True, start="", sees="owner")',
        "hidden",
        "lacks = Fact(",
        "not dealt anew",
    ),
    "options that are hidden": Planted(
        N,
        "            names = [",
        '            g.ask(seat, "row", g.deck[:5])\n            names = [',
        "hidden",
        'g.ask(seat, "row", g.deck[:5])',
        "does not see",
    ),
    "may_hold that is wrong": Planted(
        H,
        "return card.suit not in g.lacks[seat]",
        'return card.suit != "h"',
        "hidden",
        "def may_hold",
        "may_hold",
    ),
    "no score": Planted(
        N,
        "g.heads[seat] += heads_on(row)",
        "g.heads[seat] += float('nan')",
        "score",
        "float('nan')",
        "no number",
    ),
    "who begins is nobody": Planted(
        T,
        "g.active = g.shuffled(g.seats)[0]",
        "g.active = g.players",
        "plays",
        "g.active = g.players",
        "who begins",
    ),
    "a mistake of Python": Planted(
        N,
        "card.number",
        "card.nummer",
        "plays",
        "card.nummer",
        "column 'nummer'",
    ),
}


def plant(planted: Planted, folder: Path) -> Path:
    """Write the game with the fault; return its file."""
    text = (FOLDER / f"{planted.game}.py").read_text()
    assert planted.old in text
    text = text.replace(planted.old, planted.new, 1)
    text = text.replace("\nBOX = ", "\nTURNS = []\nBOX = ", 1)
    file = folder / f"{planted.game}.py"
    file.write_text(text)
    for table in FOLDER.glob("*.csv"):
        (folder / table.name).write_bytes(table.read_bytes())
    return file
