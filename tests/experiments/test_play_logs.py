"""Play logs as people keep them: what is understood of each, or what is asked."""

import json
from pathlib import Path

import numpy as np
import pytest

from experiments.analysis.pasted_sessions import longest
from experiments.analysis.play_log import read_play_log
from experiments.analysis.play_log_vocabulary import (
    NO,
    NOBODY,
    ROLES,
    UNCLEAR,
    YES,
    key,
)
from experiments.core.cells import UsageError
from experiments.core.spreadsheets import Sheet

DOCS = Path(__file__).parents[2] / "docs"


def log(tmp_path, text, columns=(), players=(2, 3, 4), least=False):
    path = tmp_path / "sessions.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return read_play_log(path, players, least, columns)


def scores(found):
    return {s.name: {p.player: p.score for p in s.seats} for s in found.sessions}


def winners(found):
    return [[p.player for p in s.seats if p.won] for s in found.sessions]


def places(found):
    return [[p.player for p in s.seats] if s.placed else None for s in found.sessions]


LONG = "session,player,score,position,winner\n1,Ana,5,2,no\n1,Ben,9,1,yes\n"
WIDE = "session,minutes,Ana,Ben,Cleo\n1,45,9,4,2\n2,50,3,8,7\n3,40,6,2,11\n4,55,5,9,1\n"
UNDERSTOOD = {
    "as documented": (
        LONG,
        "session = session, player = player, score = score, position = position, "
        "winner = winner.",
    ),
    "BoardGameGeek": (
        "playid,date,name,score,startposition,win\n7,2025-01-02,Ana,5,2,0\n"
        "7,2025-01-02,Ben,9,1,1\n",
        "session = playid, player = name, score = score, position = startposition, "
        "winner = win; ignored: date.",
    ),
    "German": (
        "Partie;Spieler;Punkte;Zugreihenfolge;Sieger;Datum;Dauer\n"
        "1;Ana;3,5;2;nein;1.5.;45\n1;Ben;9;1;ja;1.5.;45\n",
        "session = Partie, player = Spieler, score = Punkte, position = "
        "Zugreihenfolge, winner = Sieger, minutes = Dauer; ignored: Datum.",
    ),
    "notes": (
        "Session,Player,VP,Notes,Colour\n1,Ana,5,slow,red\n1,Ben,9,,blue\n",
        "session = Session, player = Player, score = VP; the most points win, as no "
        "column names a winner; ignored: Notes, Colour.",
    ),
    "wide": (
        WIDE,
        "session = session, minutes = minutes; a column of scores for each of Ana, "
        "Ben, Cleo; the most points win, as no column names a winner.",
    ),
    "a sum in a line": (
        "session,Ana,Ben\n1,9,4\n2,3,8\nTotal,12,12\n",
        "session = session; a column of scores for each of Ana, Ben; line 4 (Total) is "
        "left out; the most points win, as no column names a winner.",
    ),
    "empty winners": (
        "session,Ana,Ben,winner\n1,3,4,\n2,5,1,\n",
        "session = session; a column of scores for each of Ana, Ben; winner is empty; "
        "the most points win, as no column names a winner.",
    ),
    "everything is known": (
        "session,player,score,winner,position,result,start player\n"
        "1,Ana,1,no,1,x,1\n1,Ben,3,yes,2,y,0\n",
        "session = session, player = player, score = score, position = position, "
        "winner = winner; ignored: result, start player.",
    ),
}


@pytest.mark.parametrize(("text", "said"), UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_what_is_understood_is_said(tmp_path, text, said):
    assert log(tmp_path, text).understood.sentence == f"Understood: {said}"


def test_bookkeeping_wins_nothing(tmp_path):
    for name in (
        "minutes",
        "Total",
        "date",
        "Dauer",
        "rounds",
        "version",
        "#",
        "Notes",
    ):
        found = log(tmp_path, WIDE.replace("minutes", name))
        timed = name in ("minutes", "Dauer")
        assert found.understood.ignored == (() if timed else (name,))
        assert found.sessions[0].minutes == (45 if timed else None)
        assert winners(found) == [["Ana"], ["Ben"], ["Cleo"], ["Ben"]]
    of_age = log(tmp_path, WIDE.replace("minutes", "Total"), ["person=Total"])
    assert winners(of_age) == [["Total"]] * 4


ASKED = {
    "another size": (
        WIDE.replace("minutes", "how long"),
        r"line 1, column how long: its numbers \(40 to 55\) differ in size from those "
        r"of the others \(1 to 11\). Is it a player\? Then say --columns "
        "'person=how long', else --columns 'ignore=how long'.",
    ),
    "years": (
        "session,A,B,C,Y\n1,1,2,3,2024\n2,2,3,1,2025\n3,2,1,5,2025\n",
        "column Y: its numbers",
    ),
    "a sum": (
        "session,Ana,Ben,Cleo,all\n1,9,4,2,15\n2,3,8,7,18\n",
        "column all: it is the sum of the others",
    ),
    "a sum beside minutes": (
        "session,time we sat,Ana,Ben,all\n1,90,9,4,13\n2,95,3,8,11\n3,99,5,6,11\n",
        "column time we sat: its numbers",
    ),
    "a mean": (
        "session,Ana,Ben,Cleo,all\n1,9,4,2,5\n2,3,8,7,6\n",
        "column all: it is the mean of the others",
    ),
    "how many they were": (
        "session,Ana,Ben,Cleo,sat\n1,9,4,2,3\n2,3,8,,2\n3,3,8,1,3\n",
        "column sat: it is the number of players",
    ),
    "a number of lines": (
        "session,Ana,Ben,at\na,9,4,1\nb,3,8,2\nc,4,1,3\nd,1,2,4\n",
        "column at: it counts the lines",
    ),
    "always the same": (
        "session,Ana,Ben,v\na,9,4,7\nb,3,8,7\nc,4,1,7\nd,1,2,7\n",
        "column v: it is 7 in every line",
    ),
    "words": (
        "session,Ana,Ben,town\n1,9,4,Rome\n2,3,8,Bonn\n",
        "column town: 'Rome' in line 2 is not a score, so this is not a player. Say "
        "--columns ignore=town",
    ),
    "a misspelt heading": (
        "session,Ana,Ben,wnner\n1,9,4,Ana\n2,3,8,Ben\n",
        "column wnner: .*did you mean 'winner'",
    ),
    "seats in a row a session": (
        "session,Ana,Ben,starter\n1,9,4,1\n2,3,8,2\n",
        "column starter: this does not fit one row per session",
    ),
    "scores without a player": (
        "session,who is it,score\n1,Ana,3\n1,Ben,4\n",
        "column player: there is no such column. Needed: player, beside score",
    ),
    "seat": (
        "session,player,score,seat\n1,Ana,3,1\n1,Ben,4,2\n",
        r"column seat: it is not clear what this is. Say --columns position=seat "
        r"\(1 is the first at the table\) or --columns ignore=seat.",
    ),
    "place": (
        "session,player,score,place\n1,Ana,3,1\n1,Ben,4,2\n",
        "column place: .*position=place .*rank=place .*ignore=place",
    ),
    "result": (
        "session,player,result\n1,Ana,3\n1,Ben,4\n",
        "column result: .*score=result .*winner=result .*ignore=result",
    ),
    "total": (
        "session,player,total\n1,Ana,3\n1,Ben,4\n",
        "column total: .*score=total",
    ),
    "who was first": (
        "session,player,score,start player\n1,Ana,3,1\n1,Ben,4,0\n",
        "column start player: this only says who was first; position is needed",
    ),
    "misspelt": (
        "session,player,scor\n1,Ana,3\n1,Ben,4\n",
        "column scor: .*did you mean 'score'.*--columns score=scor",
    ),
    "two of one": (
        "session,player,score,points\n1,Ana,3,3\n1,Ben,4,4\n",
        "column points: score and points both say score. Choose one",
    ),
    "neither scores nor winners": (
        "session,player\n1,Ana\n1,Ben\n",
        "there is no such column. Needed: score or winner",
    ),
    "no session": (
        "date,Ana,Ben\n1.5.,3,4\n",
        "column session: there is no such column. Needed: session "
        r"\(--columns session=date\)",
    ),
    "a session without a name": (
        "session,Ana,Ben\n1,3,4\n,5,6\n",
        "line 3, column session: is empty",
    ),
    "unlabelled sums": (
        "session,Ana,Ben\n1,9,4\n2,3,8\nx,12,12\n",
        "line 4: this row holds the sums of the rows above",
    ),
    "one in three spellings": (
        "session,Ana,ana,ANA\n1,3,4,5\n",
        r"Ana, ana and ANA: one person\? Use one spelling",
    ),
    "spaces": (
        "session,player,score\n1,Jo Lee,3\n1,B,4\n2,Jo  Lee,3\n2,B,4\n",
        r"line 4: 'Jo Lee' and 'Jo  Lee': one person\?",
    ),
    "letters with marks": (
        "session,player,score\n1,Zo\xeb,3\n1,B,4\n2,Zoe\u0308,3\n2,B,4\n",
        r"line 4: 'Zo\\xeb' and 'Zoe\\u0308': one person\?",
    ),
    "pasted twice": (
        LONG + LONG.split("\n", 1)[1],
        "line 4: session 1 has Ana more than once, here and in line 2: lines 2 to 3 "
        r"are repeated here, up to line 5. Was the sheet pasted twice\?",
    ),
    "a wide sheet pasted twice": (
        WIDE + WIDE.split("\n", 1)[1],
        "line 6: session 1 stands in two rows, here and in line 2: lines 2 to 5 are "
        r"repeated here, up to line 9. Was the sheet pasted twice\?",
    ),
    "two evenings with one name": (
        "session,Ana,Ben\n1,3,4\n1,5,2\n",
        "line 3: session 1 stands in two rows.*its own name",
    ),
    "nobody is marked": (
        "session,player,score,winner\n1,A,3,x\n1,B,4,\n2,A,3,\n2,B,4,\n",
        "line 4, column winner: session 2 names no winner",
    ),
    "nobody is named": (
        "session,Ana,Ben,winner\n1,3,4,Ben\n2,5,1,\n",
        "line 3, column winner: is empty. Write who won, or nobody.",
    ),
    "a stranger won": (
        "session,Ana,Ben,winner\n1,3,4,Ana & Bob\n",
        "no player 'Bob'.*Allowed: Ana, Ben; several as Ana & Ben; nobody",
    ),
    "ranks missing": (
        "session,player,rank\n1,A,1\n1,B,\n",
        "session 1 lacks some ranks",
    ),
    "a position of many digits": (
        f"session,player,score,position\n1,A,1,{'1' * 5000}\n1,B,2,2\n",
        r"line 2, column position: '1{40}\.\.\.' is not a position",
    ),
    "a score beyond all games": (
        "session,player,score\n1,A,1e300\n1,B,2\n",
        "line 2, column score: '1e300' is not a score",
    ),
    "too many players": (
        "session,A,B,C,D,E\n1,1,2,3,4,5\n",
        r"session 1 has 5 players \(A, B, C, D, E\). Allowed: 2, 3, 4",
    ),
}


@pytest.mark.parametrize(("text", "told"), ASKED.values(), ids=ASKED)
def test_what_is_not_understood_is_asked_about(tmp_path, text, told):
    with pytest.raises(UsageError, match=told):
        log(tmp_path, text)


ROWS = [f"{a},{b},{a * b % 7}" for a, b in zip(range(12), (5, 9, 2) * 4, strict=True)]


def numbered(rows, date="1.5."):
    head = "session,date,Ana,Ben,Cleo,notes\n"
    return head + "".join(f"{n},{date},{row},\n" for n, row in enumerate(rows, 1))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            ROWS[:6] * 2,
            r"line 8: sessions 7 to 12 \(lines 8 to 13\) repeat sessions 1 to 6 "
            r"\(lines 2 to 7\)\. Was the sheet pasted twice\?",
        ),
        (
            ROWS + ROWS[3:6],
            r"sessions 13 to 15 \(lines 14 to 16\) repeat sessions 4 to 6",
        ),
        (ROWS[:6] * 3, r"sessions 7 to 12 .* repeat sessions 1 to 6"),
    ],
    ids=["all", "some", "three times"],
)
def test_sessions_pasted_with_new_numbers_are_refused(tmp_path, rows, told):
    text = numbered(rows)
    with pytest.raises(UsageError, match=told):
        log(tmp_path, text)
    other_dates = "".join(
        line.replace("1.5.", f"{n}.5.") for n, line in enumerate(text.splitlines(True))
    )
    with pytest.raises(UsageError, match=told):
        log(tmp_path, other_dates)
    played = "".join(
        line.replace(",\n", f",{(n - 1) // 6}\n")
        for n, line in enumerate(text.splitlines(True))
    )
    assert len(log(tmp_path, played).sessions) == len(rows)


def test_sessions_in_rows_of_players_are_compared_too(tmp_path):
    head, *rows = (DOCS / "sessions.csv").read_text().splitlines(True)
    again = [
        f"{int(number) + 12},{rest}" for number, rest in (r.split(",", 1) for r in rows)
    ]
    told = r"sessions 13 to 24 \(lines 50 to 97\) repeat sessions 1 to 12 \(lines 2 to "
    with pytest.raises(UsageError, match=told):
        log(tmp_path, "".join([head, *rows, *again]))


def test_a_repeat_that_may_be_chance_is_said_at_most(tmp_path):
    said = log(tmp_path, numbered(ROWS[:3] * 2)).understood.sentence
    assert (
        "sessions 4 to 6 (lines 5 to 7) repeat sessions 1 to 3 (lines 2 to 4), " in said
    )
    assert "which may be chance" in said
    assert "repeat" not in log(tmp_path, numbered(ROWS + ROWS[:1])).understood.sentence


@pytest.mark.parametrize("options", [2, 4, 30])
def test_sessions_that_are_equal_by_chance_are_no_paste(options):
    rng = np.random.default_rng(options)
    found = [longest(rng.integers(options, size=40).tolist()) for _ in range(300)]
    assert sum(one is not None and one.chance < 0.01 for one in found) <= 3


def test_every_way_out_that_is_offered_is_one(tmp_path):
    text = WIDE.replace("minutes", "how long")
    assert len(scores(log(tmp_path, text, ["ignore=how long"]))["1"]) == 3
    assert scores(log(tmp_path, text, ["person=how long"]))["1"]["how long"] == 45
    text = "session,player,score,seat\n1,Ana,3,2\n1,Ben,4,1\n"
    assert places(log(tmp_path, text, ["position=seat"])) == [["Ben", "Ana"]]
    assert places(log(tmp_path, text, ["ignore=seat"])) == [None]
    text = "session,player,place\n1,Ana,2\n1,Ben,1\n"
    assert winners(log(tmp_path, text, ["rank=place"])) == [["Ben"]]
    text = "session,player,score,points\n1,Ana,3,7\n1,Ben,4,5\n"
    assert winners(log(tmp_path, text, ["score=points"])) == [["Ana"]]
    text = "date,Ana,Ben\n1.5.,3,4\n"
    assert winners(log(tmp_path, text, ["session=date"])) == [["Ben"]]
    text = 'playid,"points, in all",who\n1,3,Ana\n1,4,Ben\n'
    several = ['session=playid,"score=points, in all"', "player=who"]
    assert winners(log(tmp_path, text, several)) == [["Ben"]]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("sesion=session", "no role 'sesion'; did you mean 'session'"),
        ("ignore=scre", "no column 'scre'; did you mean 'score'"),
        ("score", "'score' is not of the form ROLE=HEADING"),
        ("ignore=score,score=score", "score is declared twice"),
        ("score=score,score=position", "a role is given to two columns"),
        ("person=score", "each row here is of one player"),
    ],
)
def test_mistakes_in_what_is_declared_are_named(tmp_path, said, told):
    with pytest.raises(UsageError, match=told):
        log(tmp_path, LONG, [said])


WORDS = (
    "ja nein, WAHR FALSCH, oui non, VRAI FAUX, sí no, si no, VERDADERO FALSO, да нет, "
    "ИСТИНА ЛОЖЬ, sì no, sim não, tak nie, TRUE FALSE, 1 0, x no, Y N, ✓ ✗, won lost"
)


@pytest.mark.parametrize("yes_no", WORDS.split(", "))
def test_yes_and_no_in_the_language_of_the_user(tmp_path, yes_no):
    yes, no = yes_no.split()
    text = LONG.replace("no\n", f"{no}\n").replace("yes\n", f"{yes}\n")
    assert winners(log(tmp_path, text)) == [["Ben"]]


def test_no_word_says_two_things():
    assert not YES & NO
    assert not NOBODY & YES
    known = [word for words in ROLES.values() for word in words]
    assert len(known) == len({*known})
    assert not UNCLEAR.keys() & {*known}
    for role, words in ROLES.items():
        assert key(role) in words


TIES = ["Ana & Ben", "Ana; Ben", "Ana, Ben", "Ana/Ben", "Ana + Ben", "Ana und Ben"]


@pytest.mark.parametrize(
    "cell", [*TIES, "Ben and Ana", "nobody", "Tie", "unentschieden"]
)
def test_ties_are_read_in_a_row_a_session(tmp_path, cell):
    text = f'session,Ana,Ben,Cleo,winner\n1,4,4,1,"{cell}"\n2,4,5,1,Ben\n'
    assert winners(log(tmp_path, text)) == [[], ["Ben"]]


def test_a_name_with_an_and_is_a_name(tmp_path):
    text = "session,Ana & Ben,Cleo,winner\n1,4,1,Ana & Ben\n2,4,5,Cleo\n"
    assert winners(log(tmp_path, text)) == [["Ana & Ben"], ["Cleo"]]


def test_a_player_may_always_win_or_always_be_there(tmp_path):
    text = "session,Ana,Ben,Cleo\n" + "".join(f"{n},1,0,0\n" for n in range(9))
    assert winners(log(tmp_path, text)) == [["Ana"]] * 9
    text = "session,Ana,Ben,Cleo\n1,19,4,\n2,13,,7\n3,16,2,\n"
    assert winners(log(tmp_path, text)) == [["Ana"]] * 3


def test_scores_of_real_tables_are_never_asked_about(tmp_path):
    """Players of one strength, a dozen sessions: 300 tables, and none is strange."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        rows = 2 * rng.integers(0, 30, size=(12, 4))
        rows[np.arange(12), rng.integers(4, size=12)] += 1
        names = ["ABCD"[at] for at in rows.argmax(axis=1)]
        text = "".join(
            f"s{n},{','.join(map(str, row))},{name}\n"
            for n, (row, name) in enumerate(zip(rows, names, strict=True))
        )
        found = log(tmp_path, f"session,A,B,C,D,winner\n{text}")
        assert found.understood.persons == ("A", "B", "C", "D")


def test_the_command_says_first_what_it_understood(tmp_path, fairdeal):
    path = tmp_path / "wide.csv"
    path.write_text(WIDE)
    words = ("--game", "kunitame", "--strategies", "timid,random", "-n", "1000")
    told = fairdeal("playtest", str(path), *words, "--seed", "1").stdout
    assert told.startswith("Understood: session = session, minutes = minutes; a column")
    assert "Minutes a game in 4 sessions: 47.5" in told
    plain = fairdeal("playtest", str(path), *words, "--seed", "1", "--json").stdout
    assert json.loads(plain)["understood"] == {
        "roles": {"session": "session", "minutes": "minutes"},
        "persons": ["Ana", "Ben", "Cleo"],
        "ignored": [],
        "remarks": ["the most points win, as no column names a winner"],
    }
    refused = fairdeal("playtest", str(path), *words, "--columns", "person=minute")
    assert refused.exit_code == 2
    assert "did you mean 'minutes'" in refused.stderr
    path.write_bytes("session;Ana;B\xf6b;C\n1;1;2;3\n".encode("cp1252"))
    refused = fairdeal("playtest", str(path), *words)
    assert (refused.exit_code, "--encoding cp1252" in refused.stderr) == (2, True)
    told = fairdeal("playtest", str(path), *words, "--encoding", "cp1252").stdout
    assert "Ana, B\xf6b, C" in told


def test_the_sessions_of_the_docs_are_understood():
    found = read_play_log(DOCS / "sessions.csv", (4,), False)
    assert len(found.sessions) == 12
    told = " ".join((DOCS / "playtest.md").read_text().replace(">", " ").split())
    assert found.understood.sentence in told


def test_columns_are_taken_once_however_many_sessions(tmp_path, monkeypatch):
    """Reading takes as many looks at a column for 400 sessions as for one."""
    looks = []
    column = Sheet.column
    monkeypatch.setattr(
        Sheet, "column", lambda self, name: looks.append(name) or column(self, name)
    )
    head, ana, ben = LONG.splitlines()
    rows = [f"{n}{row[1:]}" for n in range(400) for row in (ana, ben)]
    assert len(log(tmp_path, LONG).sessions) == 1
    few, looks[:] = len(looks), []
    assert len(log(tmp_path, "\n".join([head, *rows])).sessions) == 400
    assert len(looks) == few
    rng = np.random.default_rng(1)
    points = rng.integers(9, size=(400, 3)).tolist()
    wide = "".join(f"s{n},45,{a},{b},{c},Ana\n" for n, (a, b, c) in enumerate(points))
    looks[:] = []
    assert (
        len(log(tmp_path, f"session,minutes,Ana,Ben,Cleo,winner\n{wide}").sessions)
        == 400
    )
    assert len(looks) < 30
