"""Claims that hold on fresh games, and those that do not."""

import json

import pytest

from experiments.analysis.replication import compare_claims, replication_seed
from reports.report_document import Finding


def test_a_claim_holds_in_the_same_words_with_other_numbers():
    first = (
        Finding(
            "The last wins 27.1 % [26.9, 27.4], more than 2 points.",
            "sure",
            "a",
            tested="5 %",
        ),
        Finding("Black is worth \N{MINUS SIGN}1.20 more.", "likely", "b", tested="5 %"),
        Finding("Red is worth 3 more.", "sure", "b", tested="5 %"),
        Finding("A game has 12 rounds.", "", "c"),
        Finding("Not decided.", "open", "c"),
    )
    again = (
        Finding(
            "The last wins 26.8 % [26.5, 27.0], more than 2 points.",
            "sure",
            "a",
            tested="5 %",
        ),
        Finding("Black is worth 0.85 more.", "open", "b"),
        Finding("Blue is worth 3 more.", "sure", "b", tested="5 %"),
    )
    found = compare_claims(first, again, 5)
    assert found.held == (first[0].labelled,)
    assert found.missed == (first[1].labelled, first[2].labelled)
    assert found.sentences()[0] == "Played again with seed 5: 1 of 3 claims held."
    none = compare_claims(first[3:], again, 5)
    assert "no claim" in none.sentences()[0]


def test_fresh_games_have_a_seed_of_their_own():
    seeds = {replication_seed(seed) for seed in range(1_000)}
    assert len(seeds) == 1_000
    assert not seeds & set(range(10_000))


@pytest.mark.slow
def test_the_command(fairdeal, here):
    words = ("report", "devil", "--players", "3", "--lineup", "random", "-n", "20")
    told = fairdeal(*words, "--seed", "1", "--replicate", "--out", "r", "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    assert found["replication"]["seed"] == replication_seed(1)
    assert (here / "r" / "replication" / "report.html").is_file()
