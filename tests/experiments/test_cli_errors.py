"""Every mistake of a user: exit code 2, and what is wrong, allowed and near."""

import pytest

RUN = ("run", "kunitame", "-n", "100")

MISTAKES = {
    "unknown game": (("run", "kunitme"), "did you mean 'kunitame'?"),
    "unknown game, rules": (("rules", "chess"), "Games: article_ii, devil, "),
    "unknown key": ((*RUN, "--set", "lif=4"), "did you mean 'life'?"),
    "wrong type": ((*RUN, "--set", "life=many"), "Allowed: whole number 1 to 12"),
    "out of range": ((*RUN, "--set", "weeks=0"), "Allowed: whole number 1 to 12"),
    "wrong choice": ((*RUN, "--set", "trick_take=mus"), "must | may"),
    "no value": ((*RUN, "--set", "life"), "write key=value"),
    "impossible": ((*RUN, "--set", "hand=11"), "the Strength deck has 43"),
    "impossible together": ((*RUN, "--set", "rounds=8"), "at most the hand of 7"),
    "unknown row": ((*RUN, "--set", "squares.blu.gem=3"), "did you mean 'blue'?"),
    "unknown field": ((*RUN, "--set", "squares.blue.gems=3"), "did you mean 'gem'?"),
    "unknown strategy": ((*RUN, "--lineup", "plannr"), "did you mean 'planner'?"),
    "former strategy": ((*RUN, "--lineup", "balanced"), "called 'allround' now"),
    "former command": (("plan", "kunitame"), "called 'power' now"),
    "unknown parameter": ((*RUN, "--lineup", "planner:margn=1"), "'margin'?"),
    "wrong parameter": ((*RUN, "--lineup", "planner:margin=x"), "margin is a number"),
    "no setting": ((*RUN, "--lineup", "planner:margin"), "Write field=value"),
    "lineup size": ((*RUN, "--lineup", "random,random"), "Allowed: 1 (it fills"),
    "players": ((*RUN, "--players", "6"), "Allowed: 3, 4, 5"),
    "players, text": ((*RUN, "--players", "four"), "numbers, as in 3,4 or 3-5"),
    "players, turned": ((*RUN, "--players", "5-3"), "numbers, as in 3,4 or 3-5"),
    "players, too many": ((*RUN, "--players", "3-9"), "6 cannot play kunitame"),
    "games": (("run", "kunitame", "-n", "0"), "at least 1"),
    "jobs": ((*RUN, "-j", "0"), "-1 for all cores"),
    "seed": ((*RUN, "--seed", "-1"), "seed: 0 to"),
    "raw tables": ((*RUN, "--tables", "trik"), "did you mean 'trick'?"),
    "no such file": (
        (*RUN, "--add-strategy", "none.py:Bold"),
        "there is no file none.py",
    ),
    "no such class": ((*RUN, "--add-strategy", "my.py:Bald"), "did you mean 'Bold'?"),
    "file without class": ((*RUN, "--lineup", "my.py"), "my.py:Bold"),
    "broken file": (
        (*RUN, "--add-strategy", "broken.py:X"),
        "does not load: SyntaxError",
    ),
    "not empty": ((*RUN, "--out", "."), "is not empty"),
    "option": ((*RUN, "--bogus"), "No such option"),
    "option, number": (("run", "kunitame", "-n", "many"), "Invalid value"),
    "command": (("rnu",), "No such command"),
    "trace, two tables": (("trace", "kunitame", "--players", "3,4"), "one number"),
    "trace, games": (("trace", "kunitame", "--games", "0"), "at least 1"),
    "trace, form": (("trace", "kunitame", "--format", "xml"), "Invalid value"),
    "check": (("check-strategy", "bold", "--game", "kunitame"), "no strategy 'bold'"),
    "check, games": (
        ("check-strategy", "random", "--game", "kunitame", "-n", "1"),
        "at least 10",
    ),
    "report, lineup": (("report", "kunitame", "--lineup", "a"), "no strategy 'a'"),
    "report, players": (("report", "kunitame", "--players", "2"), "Allowed: 3, 4, 5"),
    "report, rules": (("report", "kunitame", "--set", "hand=10"), "at most 8 each"),
    "bench, game": (("bench", "chess"), "Games: article_ii, devil, "),
    "bench, no game": (("bench",), "Missing argument"),
    "check, no game": (("check-strategy", "random"), "Missing option '--game'"),
    "bench, samples": (("bench", "kunitame", "--repeats", "0"), "at least 1"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(fairdeal, here, mistake):
    (here / "broken.py").write_text("class X(:\n")
    words, expected = MISTAKES[mistake]
    result = fairdeal(*words)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert not (here / "results").exists()


def test_debug_shows_the_error_itself(fairdeal):
    result = fairdeal("--debug", "run", "kunitame", "--set", "lif=4")
    assert type(result.exception).__name__ == "RuleError"
