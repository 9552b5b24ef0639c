"""Matches of parties from the results."""

import numpy as np

from reports.article_ii import parties
from reports.article_ii.game_arrays import ArticleIIArrays
from tests.reports.article_ii.recount import by_name, cell, raw_of


def test_matches():
    """Points of each player over four games, by whom he sits with."""
    raw, known = raw_of(cell(4, changes={"parties": True}, seed=4), 203)
    played = ArticleIIArrays(raw, known)
    points, named = np.zeros((50, 4, 2), int), np.zeros((50, 4, 2), int)
    for row in raw["result"].rows(named=True):
        match, game = divmod(row["game"], 4)
        if match == 50:
            continue
        player = (row["seat"] + row["game"]) % 4
        points[match, game, player % 2] += row["points"]
        named[match, game, player % 2] += row["candidates"] >> row["seat"] & 1
    lead = points[..., 0] - points[..., 1]
    end, before = lead.sum(axis=1), lead[:, :3].sum(axis=1)
    assert abs(lead).max() <= parties.SWING
    found = by_name(parties.counts(played))
    assert found["match"]["tied",] == ((end == 0).sum(), 50)
    assert found["match"]["early",] == ((abs(before) > 5).sum(), 50)
    assert found["match"]["led",] == ((before * end > 0).sum(), (before != 0).sum())
    assert found["match"]["both",] == ((named == 2).any(axis=2).sum(), 200)
    assert found["mean margin"][()] == (abs(end).sum(), 50)
    assert parties.counts(ArticleIIArrays(*raw_of(cell(4), 8))) == []


def test_matches_begin_with_every_fourth_game():
    """A block that begins within a match leaves it out."""
    raw, known = raw_of(cell(4, changes={"parties": True}), 12)
    later = {name: table.filter(table["game"] >= 2) for name, table in raw.items()}
    both = (ArticleIIArrays(tables, known) for tables in (raw, later))
    whole, part = (parties.by_match(played, played.points) for played in both)
    assert np.array_equal(whole[:, 1:], part)
