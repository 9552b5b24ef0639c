"""Colours: who set each, and the cards won of it."""

from reports.kbernestich import values
from tests.reports.kbernestich.whole import played


def test_a_row_for_every_colour_that_was_set():
    games = played(("random",) * 4, 30)
    cards, rows = games.vocabularies["card"], []
    for suit in range(4):
        for round_ in range(games.rounds):
            for game in range(games.size):
                for seat in range(4):
                    for value in games.rules["marie_from"]:
                        if games.on(f"from-{'BRYG'[suit]}-{value}")[round_, seat, game]:
                            won = [
                                sum(
                                    cards[n][0] == "BRYG"[suit]
                                    for n in range(48)
                                    if int(games.won[round_, one, game]) >> n & 1
                                )
                                for one in range(4)
                            ]
                            rank = games.standing[round_, :, game].tolist()
                            rows.append(
                                (
                                    game,
                                    value,
                                    rank[seat] + 1,
                                    won[seat],
                                    won[rank.index(0)],
                                    won[rank.index(3)],
                                    sum(won),
                                )
                            )
    table = values.tables(games)["colours"]
    names = ("game", "value", "standing", "mine", "leader", "last", "cards")
    assert table.select(names).rows() == rows
