"""A game whose scores are told the other way round has the same report."""

import shutil

import pytest

import fairdeal as fd
from tests.own_game.examples import FOLDER

DIRECTIONS = {  # the fewest win; here the most do
    "no_thanks": ('"points", True, "points"', '"points", False, "points"'),
    "six_nimmt": ('"heads", True,', '"heads", False,'),
}
SCORES = {
    "no_thanks": (
        "cost(g.taken[seat]) - g.chips[seat]",
        "g.chips[seat] - cost(g.taken[seat])",
    ),
    "six_nimmt": ("g.heads[seat] += ", "g.heads[seat] -= "),
}
LEADS = {"no_thanks": "thrifty", "six_nimmt": "near"}


@pytest.mark.slow
@pytest.mark.parametrize("name", DIRECTIONS)
def test_mirrored_scores_give_the_same_report(name, tmp_path):
    plain = reported(name, tmp_path / "plain")
    mirrored = reported(name, tmp_path / "mirrored", DIRECTIONS[name], SCORES[name])
    assert {"early", "runaway", "half", "comeback"} <= {*plain.scorecard["line"]}
    assert plain.scorecard.equals(mirrored.scorecard)
    assert plain.sentences == mirrored.sentences
    assert plain.findings == mirrored.findings
    other = reported(name, tmp_path / "other", DIRECTIONS[name])  # the worst seat wins
    assert not plain.scorecard.equals(other.scorecard)


def reported(name, place, *changes):
    """Report the game with parts of its file changed."""
    place.mkdir()
    for file in FOLDER.glob(f"{name}.*"):
        shutil.copy(file, place)
    file = place / f"{name}.py"
    text = file.read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text)
    return fd.report(
        str(file),
        out=place / "report",
        games=64,
        search_games=0,
        players=3,
        lead=LEADS[name],
        settle=0,
        adapt=0,
        cures=0,
        seed=1,
        jobs=1,
    )
