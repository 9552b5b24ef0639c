"""Oh Hell (traditional): bid your tricks exactly, the dealer bids last."""

from dataclasses import dataclass

from fairdeal import CardGame, ChoiceOf, Fact, Number, Pile, Scalar, cards_of, rule

RANKS = "23456789TJQKA"
BOX = cards_of(
    {"name": rank + suit, "suit": suit, "rank": RANKS.index(rank)}
    for suit in "cdhs"
    for rank in RANKS
)


class OhHell(CardGame):
    """Hands of 7, 6 ... 1 ... 6, 7 cards; who takes as many tricks as bid scores."""

    title, players = "Oh Hell", range(3, 8)
    score = "points"
    starts = "opener"
    decisions = {
        "bid": ChoiceOf("how many tricks to take", range(11)),
        "play": ChoiceOf("a card to the trick", "cards"),
    }

    longest = rule(7, "cards in the longest hand", 1, 10)
    hook = rule(True, "the dealer may not make the bids add up to the tricks")
    bonus = rule(10, "points for an exact bid, beside the tricks", 0, 20)

    hand = Pile(each=True, sees="owner")
    trick = Pile(each=True)
    turned_up = Pile()
    gone = Pile()
    deck = Pile(sees="nobody")
    bid = Number(each=True)
    tricks = Number(each=True)
    points = Number(each=True)
    lacks = Fact(each=True, start="")  # suits that a seat has shown not to hold
    dealer, opener, leader, round = Number(), Number(), Number(), Number()

    def problem(self, rules, players):
        needed = players * rules.longest + 1
        return f"{needed} cards are needed, of 52." if needed > len(BOX) else ""

    def cards(self, g):
        return BOX

    def setup(self, g):
        g.deck = list(BOX)
        g.dealer = g.shuffled(g.seats)[0]
        g.opener = g.after(g.dealer)

    def turn(self, g):
        """A trick; before the first of a round, the deal and the bids."""
        if not any(g.hand):
            self.deal(g)
            self.bidding(g)
        self.one_trick(g)
        if not any(g.hand):
            for seat in g.seats:
                if g.bid[seat] == g.tricks[seat]:
                    g.points[seat] += g.rules.bonus + g.tricks[seat]
            g.round += 1
            g.dealer = g.after(g.dealer)
            g.over = g.round == 2 * g.rules.longest - 1

    def deal(self, g):
        g.deck, g.gone, g.turned_up = g.shuffled(BOX), [], []
        size = abs(g.rules.longest - 1 - g.round) + 1
        for hand in g.hand:
            hand += sorted((g.deck.pop() for _ in range(size)), key=str)
        g.turned_up.append(g.deck.pop())
        g.tricks, g.bid = [0] * g.players, [0] * g.players
        g.lacks = [""] * g.players
        g.leader = g.after(g.dealer)

    def bidding(self, g):
        size, said = len(g.hand[0]), 0
        for seat in g.around(g.leader):
            last = g.rules.hook and seat == g.dealer
            options = [n for n in range(size + 1) if not (last and said + n == size)]
            g.bid[seat] = g.ask(seat, "bid", options)
            said += g.bid[seat]

    def one_trick(self, g):
        led, trump = "", g.turned_up[0].suit
        for seat in g.around(g.leader):
            following = [card for card in g.hand[seat] if card.suit == led]
            card = g.ask(seat, "play", following or g.hand[seat])
            g.hand[seat].remove(card)
            g.trick[seat].append(card)
            led = led or card.suit
            if card.suit != led and led not in g.lacks[seat]:
                g.lacks[seat] += led

        def strength(seat):
            card = g.trick[seat][0]
            return card.suit == trump, card.suit == led, card.rank

        g.leader = max(g.seats, key=strength)
        g.tricks[g.leader] += 1
        for cards in g.trick:
            g.gone.append(cards.pop())

    def may_hold(self, g, seat, card):
        return card.suit not in g.lacks[seat]


@dataclass(frozen=True)
class Careful(Scalar):
    """Bids its high cards and trumps, and takes what it still needs."""

    name = "careful"

    def bid(self, view):
        trump = view.turned_up[0].suit
        sure = [c for c in view.hand if c.rank > 10 or (c.suit == trump and c.rank > 6)]
        return min(view.legal, key=lambda tricks: abs(tricks - len(sure)))

    def play(self, view):
        trump = view.turned_up[0].suit
        choose = max if view.tricks[0] < view.bid[0] else min
        return choose(view.legal, key=lambda card: (card.suit == trump, card.rank))
