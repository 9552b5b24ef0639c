"""Write a new game in one file that plays at once, with its cards and a test."""

import keyword
import re
from pathlib import Path

from experiments.core.cells import UsageError
from experiments.execution.output_paths import check_new, new_file

_COMMAND = "new-game"


def new(name: str) -> list[Path]:
    """Write a game, its cards and its test, and return the files.

    ``name`` is what the files are called, and may have a folder before it. Raises
    ``UsageError``, and then writes nothing.
    """
    path = Path(name)
    word = path.name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word) or keyword.iskeyword(word):
        raise UsageError(
            f"{_COMMAND}: {path.name!r} cannot be the name of a game's file. Allowed: "
            "letters, digits and _, such as my_game."
        )
    title = word.replace("_", " ").strip().capitalize()
    texts = {
        path.with_name(f"{word}.py"): _GAME,
        path.with_name(f"{word}.csv"): _CARDS,
        path.with_name(f"test_{word}.py"): _TEST,
    }
    for file in (path, *texts):
        check_new(file, _COMMAND)
    class_name = "".join(part.capitalize() for part in word.split("_"))
    for file, text in texts.items():
        filled = text.replace("NAME", word).replace("TITLE", title)
        new_file(file, filled.replace("CLASS", class_name), _COMMAND)
    return [*texts]


_GAME = '''"""TITLE: what your game is, in a line."""

from dataclasses import dataclass
from pathlib import Path

from fairdeal import CardGame, ChoiceOf, Event, Number, Pile, Scalar, cards_of, rule


class CLASS(CardGame):
    """A card is up for auction; who bids the strongest card in secret takes it."""

    title, players = "TITLE", range(2, 6)
    score = "points"  # most points win; with fewest = True the fewest do
    decisions = {"bid": ChoiceOf("a card to bid, in secret", "cards")}

    # The cards, with their columns name, strength and points: g.rules.box
    box = cards_of(Path(__file__).with_name("NAME.csv"))

    # Rules that you may want to vary: value, meaning, least, most
    dealt = rule(6, "cards dealt to each player", 1, 8)
    tied = rule(False, "of equal bids that of the first seat wins; else none does")

    # What lies on the table, and who sees it
    hand = Pile(each=True, sees="owner")
    deck = Pile(sees="nobody")
    auction = Pile()
    won = Pile(each=True)
    discard = Pile()
    points = Number(each=True)
    sold = Event("a card is sold", {"worth": "its points", "price": "the bid"})

    def problem(self, rules, players):
        needed, cards = rules.dealt * (players + 1), len(rules.box)
        return f"{needed} cards are needed, of {cards}." if needed > cards else ""

    def setup(self, g):
        g.deck = g.shuffled(g.rules.box)
        for hand in g.hand:
            hand += [g.deck.pop() for _ in range(g.rules.dealt)]

    def turn(self, g):
        """A card is turned up, all bid a card, and the strongest takes it."""
        g.auction.append(g.deck.pop())
        bids = g.secretly("bid", {seat: g.hand[seat] for seat in g.seats})
        for seat, card in bids.items():
            g.hand[seat].remove(card)
            g.discard.append(card)
        best = max(card.strength for card in bids.values())
        winners = [seat for seat in g.seats if bids[seat].strength == best]
        card = g.auction.pop()
        if len(winners) > 1 and not g.rules.tied:
            g.discard.append(card)
        else:
            g.won[winners[0]].append(card)
            g.points[winners[0]] += card.points
            g.tell("sold", winners[0], worth=card.points, price=best)
        g.over = not g.hand[0]


@dataclass(frozen=True)
class Thrifty(Scalar):
    """Bids high for what is worth much, low for the rest."""

    name = "thrifty"

    def bid(self, view):
        cards = sorted(view.legal, key=lambda card: card.strength)
        return cards[-1] if view.auction[0].points >= 4 else cards[0]
'''

_CARDS = "\n".join(
    ["name,strength,points,copies"]
    + [
        f"{name} {n},{n},{(n + 2) // 3},1"
        for name in ("sun", "moon", "rain")
        for n in range(1, 16)
    ]
    + ["comet,16,0,4", "star,0,6,4"]
)

_TEST = '''"""Run with: pytest test_NAME.py"""

from pathlib import Path

import fairdeal as fd

GAME = str(Path(__file__).with_name("NAME.py"))


def test_the_game_has_no_faults():
    found = fd.check_game(GAME, games=4)
    assert found["ok"].all(), found.filter(ok=False)["found"].to_list()


def test_a_game_ends_when_all_cards_are_played():
    run = fd.play(GAME, lineup="random", players=3, games=50, seed=1, jobs=1)
    assert run["turns"]["estimate"].item() == 6
'''
