"""Trump: the start player's points, and the length of the suit he named."""

from reports.kbernestich import trumps
from tests.reports.kbernestich.whole import played


def test_edge_and_length_are_those_of_the_start_player():
    games = played(("random",) * 4, 30)
    cards = games.vocabularies["card"]
    rows = trumps.tables(games)["trumps"].rows(named=True)
    for number, row in enumerate(rows):
        round_, game = divmod(number, games.size)
        seat = int(games.start[round_, game])
        gained = games.score[round_, :, game] - games.before[round_, :, game]
        assert row["edge"] == 4 * gained[seat] - gained.sum()
        mask = int(games.hands[round_, seat, game])
        suits = [cards[n][0] for n in range(48) if mask >> n & 1]
        longest = max(suits.count(suit) for suit in "BRYG")
        own = longest if row["none"] else suits.count("BRYG"[games.trump[round_, game]])
        assert row["length"] == own
        assert row["strategy"] == "random"
