"""Workbooks and exports of plays: read as their apps write them, or refused."""

import json
import sys

import pytest

from experiments.analysis.play_log import read_play_log
from experiments.core import spreadsheets, workbooks
from experiments.core.cells import UsageError
from tests.experiments.test_play_logs import LONG, places, scores, winners
from tests.experiments.workbook_files import ods, xlsx

ROWS = [
    ["session", "player", "score", "position", "winner", "version"],
    [1, "Ana", 5.5, 2, False, "A"],
    [1, "Ben", 9, 1, True, "A"],
    [None] * 6,
    [2, "Ana", 7, 1, True, "B"],
    [2, "Ben", 1, 2, False, "B"],
]


def log(tmp_path, data, name="plays", least=False, **how):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_play_log(path, (2, 3, 4), least, **how)


@pytest.mark.parametrize("written", [xlsx, ods])
def test_a_workbook_says_what_a_csv_file_says(tmp_path, written):
    found = log(tmp_path, written({"Plays": ROWS, "empty": []}))
    assert scores(found) == {"1": {"Ben": 9, "Ana": 5.5}, "2": {"Ana": 7, "Ben": 1}}
    assert winners(found) == [["Ben"], ["Ana"]]
    assert places(found) == [["Ben", "Ana"], ["Ana", "Ben"]]
    assert [session.line for session in found.sessions] == [2, 5]
    assert "version A and B are taken together" in found.understood.sentence


@pytest.mark.parametrize("written", [xlsx, ods])
def test_one_of_several_sheets_is_asked_for(tmp_path, written):
    book = written({"Cards": [["name"], ["Ace"]], "Plays": ROWS})
    with pytest.raises(UsageError, match="several sheets have cells: Cards, Plays"):
        log(tmp_path, book)
    assert len(log(tmp_path, book, where=["sheet=Plays"]).sessions) == 2
    with pytest.raises(UsageError, match="no sheet 'Play'; did you mean 'Plays'"):
        log(tmp_path, book, where=["sheet=Play"])


def test_mistakes_in_a_workbook_are_named_by_row_and_column(tmp_path):
    wrong = [ROWS[0], [1, "Ana", "many", 1, True, "A"], *ROWS[2:]]
    with pytest.raises(UsageError, match="row 2, column score: 'many' is no number"):
        log(tmp_path, xlsx({"Plays": wrong}))


def test_a_workbook_without_its_reader_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(UsageError, match=r"fairdeal\[sheets\].*or save it as CSV"):
        log(tmp_path, xlsx({"Plays": ROWS}))
    assert len(log(tmp_path, LONG).sessions) == 1


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "MAX_BYTES", 100)
    with pytest.raises(UsageError, match="too large"):
        spreadsheets.read_sheet(_written(tmp_path, xlsx({"Plays": ROWS})), "a table")


def _written(tmp_path, data):
    path = tmp_path / "book"
    path.write_bytes(data)
    return path


def bg_stats(*plays):
    """An export of BG Stats with these plays."""
    players = ["Ana", "Ben", "Cleo"]
    return json.dumps(
        {
            "games": [{"id": 1, "name": "Kunitame"}, {"id": 2, "name": "Go"}],
            "players": [{"id": n, "name": name} for n, name in enumerate(players, 1)],
            "plays": plays,
            "userInfo": {"meRefId": 1},
        }
    )


def play(*seats, game=1, **more):
    """A play; each seat is score, winner, start player, seat order."""
    names = ("score", "winner", "startPlayer", "seatOrder")
    rows = [
        {"playerRefId": n, **dict(zip(names, seat, strict=True))}
        for n, seat in enumerate(seats, 1)
    ]
    about = {"gameRefId": game, "playDate": "2025-05-01 20:00:00", "durationMin": 45}
    return {**about, "playerScores": rows, **more}


WON = (("12", False, False, 3), ("10+9", True, True, 2), ("7", False, False, 1))


def test_bg_stats_seats_go_round_from_the_start_player(tmp_path):
    found = log(tmp_path, bg_stats(play(*WON)))
    assert scores(found)["1"] == {"Ben": 19, "Ana": 12, "Cleo": 7}
    assert winners(found) == [["Ben"]]
    assert places(found) == [["Ben", "Ana", "Cleo"]]
    nobody_first = [(score, won, False, seat) for score, won, _, seat in WON]
    assert places(log(tmp_path, bg_stats(play(*nobody_first)))) == [None]


def test_what_an_export_leaves_open_is_left_out_and_counted(tmp_path):
    nobody = [(score, False, *rest) for score, _, *rest in WON]
    plays = [play(*WON), play(*nobody), play(WON[1]), play(*WON, ignored=True)]
    found = log(tmp_path, bg_stats(*plays))
    assert winners(found) == [["Ben"]]
    for words in ("not finished", "with fewer than two players", "without a winner"):
        assert f"1 of 4 plays are left out, {words}" in found.understood.sentence
    partly = [("", *WON[0][1:]), *WON[1:]]
    assert scores(log(tmp_path, bg_stats(play(*partly))))["1"]["Ben"] is None
    nothing = [(0, *WON[0][1:]), *WON[1:]]
    assert scores(log(tmp_path, bg_stats(play(*nothing))))["1"]["Ana"] == 0
    shared = [(score, True, *rest) for score, _, *rest in WON]
    assert winners(log(tmp_path, bg_stats(play(*shared)))) == [[]]


def test_the_plays_of_the_game_are_taken(tmp_path):
    both = bg_stats(play(*WON), play(*WON, game=2))
    found = log(tmp_path, both, names=("kunitame", "Kunitame"))
    assert "other games than Kunitame are left out" in found.understood.sentence
    assert len(found.sessions) == 1
    with pytest.raises(UsageError, match=r"several games: Kunitame, Go.*game=NAME"):
        log(tmp_path, both, names=("devil", "Devil"))
    assert len(log(tmp_path, both, names=("devil",), where=["game=go"]).sessions) == 1
    one = bg_stats(play(*WON, game=2))
    assert len(log(tmp_path, one, names=("my prototype",)).sessions) == 1


BGG = """<?xml version="1.0" encoding="utf-8"?>
<plays username="me" userid="1" total="3" page="1">
<play id="71" date="2025-05-01" quantity="1" length="45" incomplete="0" nowinstats="0">
<item name="Kunitame" objecttype="thing" objectid="9"/>
<players>
<player username="a" userid="2" name="Ana" startposition="2" score="5" win="0"/>
<player username="" userid="0" name="Ben" startposition="1" score="9" win="1"/>
</players></play>
<play id="72" date="2025-05-02" quantity="1" length="0" incomplete="1" nowinstats="0">
<item name="Kunitame" objecttype="thing" objectid="9"/>
<players><player name="Ana" score="" win="0"/><player name="Ben" win="0"/></players>
</play></plays>
"""


def test_board_game_geek_plays_are_read(tmp_path):
    found = log(tmp_path, BGG)
    assert places(found) == [["Ben", "Ana"]]
    assert winners(found) == [["Ben"]]
    assert scores(found) == {"71": {"Ben": 9, "Ana": 5}}
    assert "1 of 2 plays are left out, not finished" in found.understood.sentence


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("{}", "neither an export of BG Stats"),
        ('{"plays": [', "damaged JSON"),
        ('{"plays": [3]}', "neither an export of BG Stats"),
        ('{"plays": []}', "there is no play to read: it has no plays"),
        ("<plays>", "damaged XML"),
        ("<collection/>", "begins with collection, not with plays"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><plays/>', "DOCTYPE is not read"),
        ("[" * 100_000, "damaged JSON"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path, data, told):
    with pytest.raises(UsageError, match=told):
        log(tmp_path, data)


def test_rows_are_chosen_by_what_they_say(tmp_path):
    text = LONG.replace("winner\n", "winner,version\n")
    text = text.replace("no\n", "no,A\n").replace("yes\n", "yes,A\n")
    text += "2,Ana,5,1,yes,B\n2,Ben,4,2,no,B\n"
    assert len(log(tmp_path, text, where=["version=b"]).sessions) == 1
    with pytest.raises(UsageError, match=r"no version 'C'.*There are: A, B"):
        log(tmp_path, text, where=["version=C"])
    with pytest.raises(UsageError, match="no column 'versoin'; did you mean 'version'"):
        log(tmp_path, text, where=["versoin=A"])
    with pytest.raises(UsageError, match="not HEADING=VALUE"):
        log(tmp_path, text, where=["version"])
