"""The page of explore: what it asks, what it is told, and who is refused."""

import asyncio
import json
import os
import shlex
import signal
import time
from functools import partial
from pathlib import Path

import httpx
import pytest
from markupsafe import escape
from typer.testing import CliRunner

from experiments.analysis.adaptation_verdicts import VERDICTS
from experiments.analysis.compare import compare
from experiments.analysis.scorecard_effects import play
from experiments.commands.cli import app
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution.failures import RunFailed
from experiments.explore import page_sessions
from experiments.explore.explorer import Explorer
from experiments.explore.page_state import PageState
from experiments.explore.page_workers import NoLongerWanted, PageWorkers
from experiments.explore.scorecard_rows import difference_of
from experiments.explore.server import LONGEST, application
from experiments.learning import adapted_arms
from experiments.learning.adaptation import AdaptedPlayer
from experiments.variants.variants import resolve_rules
from reports.scorecard.lines import BY_ID, SECONDS
from reports.scorecard.score_line import text
from sim import games

TOKEN, PORT = "secret", 8_765
HERE = f"http://127.0.0.1:{PORT}"
START = PageState(4, ("allround",), 8_192)
LIVES = "?set=life=4&most=8192"


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    game = games.load("kunitame")
    folder = tmp_path_factory.mktemp("results") / "run"
    one = Explorer(game, game.rules.of(), None, START, 1, folder, PageWorkers(1))
    yield one
    one.workers.close()


class Client:
    """Asks the application without a network, a request at a time."""

    def __init__(self, app):
        self._app = app

    def get(self, place, **how):
        return self._ask("GET", place, **how)

    def post(self, place, **how):
        return self._ask("POST", place, **how)

    def _ask(self, method, place, **how):
        async def ask():
            transport = httpx.ASGITransport(self._app)
            base = f"{HERE}/{TOKEN}/"
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, place, **how)

        return asyncio.run(ask())


@pytest.fixture(scope="module")
def client(explorer):
    return Client(application(explorer, TOKEN, PORT))


def post(client, place, address=LIVES, tab="tab", headers=None, **given):
    values = {"tab": tab, "address": address, **given}
    return client.post(place, json=values, headers=headers)


def answered(explorer, tab="tab", games=0, done=lambda answer: True):
    """The answer once it has so many games and is done, or is finished."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = explorer.session(tab).answer
        if found.done or (found.games >= max(games, 1) and done(found)):
            return found
        time.sleep(0.02)
    raise AssertionError("no answer in a minute")


def told(left, right, many):
    """Lines that ``compare`` knows, as their numbers are printed of both sides."""
    rows = compare([left], [right], many).rows
    found = {}
    for line, measure, scale in (
        ("choices", "decisions with a choice", 1),
        ("length", "decisions in turn", SECONDS / 60),
    ):
        [row] = rows.filter(measure=measure).to_dicts()
        sides = (scale * row[side] for side in ("one", "other"))
        found[line] = [text(BY_ID[line], value) for value in sides]
    return found


def test_numbers_are_those_of_the_commands(client, explorer):
    asked = post(client, "ask").json()
    assert "4 gems instead of 3 (life)" in asked["html"]
    found = answered(explorer, games=512)
    rules = games.load("kunitame").rules
    cells = [
        Cell("kunitame", rules.of(one), 4, ("allround",), True, 1)
        for one in ({}, {"life": 4})
    ]
    scores = play(cells, found.games)
    rows = {row["line"]: row for row in scores.effects().to_dicts()}
    for row in found.lines:
        line, wanted = scores.line(row["id"]), rows[row["id"]]
        sure = difference_of(line, wanted)
        assert row["text"].split("[")[0] == sure.split("[")[0]
        assert row["half"] >= (wanted["high"] - wanted["low"]) / 2 or not row["half"]
    shown = {row["id"]: row for row in found.lines}
    for name, texts in told(*cells, found.games).items():
        assert [side["text"] for side in shown[name]["sides"]] == texts
    html = post(client, "answer").json()["html"]
    assert shown["choices"]["sides"][1]["text"] in html


def test_a_change_drops_what_was_begun(client, explorer):
    post(client, "ask", "?set=life=5&most=131072", "drop")
    first = explorer.session("drop").question
    post(client, "ask", "?set=life=2&most=8192", "drop")
    assert answered(explorer, "drop", 512).games
    assert explorer.session("drop").question is not first
    with pytest.raises(NoLongerWanted):
        explorer.session("drop")._know(first, games=1)
    assert explorer.session("another").answer.games == 0
    post(client, "ask", "?set=life=5&most=131072", "drop")
    post(client, "leave", tab="drop")
    assert explorer.session("drop").question is None


def test_what_cannot_be_is_said_beside_the_control_and_nothing_is_played(
    client, explorer
):
    post(client, "ask", tab="wrong")
    changes = {"set:life": "99"}
    said = post(client, "ask", tab="wrong", changes=changes).json()
    beside = said["html"].split('id="rule-life"')[1].split("</section>")[0]
    assert "--set life: input should be less than or equal to 12" in beside
    assert explorer.session("wrong").question is None
    near = post(client, "ask", "?set=squares.blu.gem=3").json()["html"]
    assert "did you mean &#39;blue&#39;?" in near
    assert "no strategy" in post(client, "ask", "?seat=./my.py:A").json()["html"]
    hostile = post(client, "ask", "?set=life=%3Cscript%3E").json()["html"]
    assert "<script>" not in hostile
    assert "&lt;script&gt;" in hostile


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"set:life": "4"}, {"settings": {"life": "4"}}),
        ({"set:life": "3"}, {"settings": {}}),  # as it is
        ({"set:refill_weekly": "true"}, {"settings": {"refill_weekly": "true"}}),
        ({"players": "3"}, {"players": 3}),
        ({"seat:1": "greedy"}, {"lineup": ("allround", "greedy", *["allround"] * 2)}),
        ({"seat:0": "greedy"}, {"lineup": ("greedy",)}),
        ({"keep:squares": "true"}, {"keep": ("squares",)}),
        ({"within": "0.01"}, {"within": 0.01}),
    ],
)
def test_what_controls_do(explorer, changes, wanted):
    state = explorer.changed(START, changes)
    assert {name: getattr(state, name) for name in wanted} == wanted
    assert PageState.of(state.to(), START) == state


def test_a_row_is_added_like_another(explorer):
    added = {"table": "squares", "row": "new", "like": "card-1-5"}
    question = explorer.question(explorer.changed(START, added))
    assert len(question.rules.squares) == len(explorer.base.squares) + 1
    gone = PageState.of(START.adding({"squares.blue.remove": "true"}), START)
    assert len(explorer.question(gone).rules.squares) == len(explorer.base.squares) - 1


@pytest.mark.parametrize(
    "given",
    [
        {"address": 4},
        {"address": "?set=\ud800"},
        {"changes": ["life"]},
        {"changes": 5},
        {"changes": None},
        {"changes": {"x": "1"}},
        {"changes": {"set:\udfff": "1"}},
        {"tab": []},
    ],
)
def test_what_is_no_question(client, given):
    body = json.dumps({"tab": "tab", "address": LIVES, **given})
    json_ = {"content-type": "application/json"}
    told = client.post("ask", content=body, headers=json_)
    assert told.status_code == 422 or 'role="alert"' in told.json()["html"]


@pytest.mark.parametrize("body", ["[]", "5", "null", '"a"', "", "{", "\udcff"])
def test_what_is_no_object(client, body):
    json_ = {"content-type": "application/json"}
    content = body.encode(errors="surrogateescape")
    assert client.post("ask", content=content, headers=json_).status_code == 422


SECTION = "?seat=random&most=8192&section=cards"


def opened(client, address, tab="opened"):
    """The row of a section, once it is made."""
    post(client, "ask", address, tab)
    end = time.monotonic() + 120
    while time.monotonic() < end:
        html = post(client, "answer", tab=tab).json()["html"]
        row = html.split('id="section-cards"')[1].split('id="section-')[0]
        if 'class="opened"' in row or 'role="alert"' in row:
            return row
        time.sleep(0.05)
    raise AssertionError("no section in two minutes")


def test_sections_are_listed_closed(client):
    html = post(client, "ask", tab="listed").json()["html"]
    for section in report_of("kunitame").sections:
        assert f'id="section-{section.id}"' in html
        assert section.title in html
        assert str(escape(section.question)) in html
    assert 'aria-expanded="true"' not in html
    assert 'class="opened"' not in html


def test_a_section_follows_the_rules(client):
    before = opened(client, SECTION)
    assert 'id="cards-' in before
    assert "Tricks won by a card" in before
    asked = post(client, "ask", f"{SECTION}&set=life=2", "opened").json()["html"]
    assert 'class="opened"' not in asked  # nothing of other rules beside new numbers
    assert opened(client, f"{SECTION}&set=life=2") != before
    assert opened(client, SECTION) == before
    closed = post(client, "ask", SECTION.replace("section=cards", ""), "opened")
    assert 'class="opened"' not in closed.json()["html"]


def test_a_section_stays_while_a_line_is_moved(client):
    before = opened(client, SECTION, "moved")
    asked = post(client, "ask", f"{SECTION}&line=positions", "moved").json()["html"]
    assert 'class="opened"' in asked
    assert before.count("<article") == asked.count("<article")


def test_no_such_section(client, explorer):
    html = post(client, "ask", "?section=card", "none").json()["html"]
    assert "did you mean &#39;cards&#39;?" in html
    assert explorer.session("none").question is None


def test_a_section_that_fails_says_why(client, monkeypatch):
    def broken(*_, **__):
        raise RunFailed("the disk is full")

    monkeypatch.setattr(page_sessions, "lone_section", broken)
    assert "the disk is full" in opened(client, SECTION, "broken")


def test_who_is_refused(client):
    foreign = {"origin": "http://evil.example"}
    assert post(client, "ask", headers=foreign).status_code == 403
    site = {"sec-fetch-site": "cross-site"}
    assert client.get("", headers=site).status_code == 403
    assert client.get("", headers={"host": f"evil.example:{PORT}"}).status_code == 421
    assert client.get(f"{HERE}/wrong/").status_code == 404
    assert client.get(f"{HERE}/secret").status_code == 404
    assert client.post("ask", content="life=4").status_code == 415
    assert post(client, "ask", "x" * LONGEST).status_code == 413
    json_ = {"content-type": "application/json"}

    async def pieces():  # its length is not said
        yield b"x" * LONGEST
        yield b"x"

    assert client.post("ask", content=pieces(), headers=json_).status_code == 413
    assert client.get("..%2f..%2fpyproject.toml").status_code == 404


def test_the_page_allows_its_own_files_only(client):
    page = client.get("")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script>" not in page.text
    for name in ("explore.js", "explore.css"):
        assert client.get(name).status_code == 200
    assert "style=" not in page.text + post(client, "ask").json()["html"]


@pytest.mark.parametrize("game", list(games.REGISTRY))
def test_every_rule_is_a_control(game, tmp_path):
    known = games.load(game)
    rules = known.rules.of()
    one = Explorer(known, rules, None, START, 1, tmp_path, PageWorkers(1))
    made = list(one.controls.rules({}))
    assert [rule.about.key for rule in made] == list(type(rules).model_fields)
    for rule in made:
        assert rule.about.doc
        assert rule.about.allowed
        for _, _, added, fields in rule.rows:
            assert fields
            assert not added
            for control in fields:  # what stands there changes nothing
                assert one.controls.same(control.key, control.text)


def test_what_is_taken_along(client, explorer):
    path = Path(post(client, "save").json()["saved"])
    assert path.parent == explorer.folder
    assert resolve_rules(explorer.game, path).rules.life == 4
    html = post(client, "ask").json()["html"]
    assert f"compare kunitame {path} -n" in html
    answered(explorer, games=8_192)
    end = time.monotonic() + 30
    while not (explorer.folder / "tried.json").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    kept = json.loads((explorer.folder / "tried.json").read_text())["tried"]
    assert kept[-1]["scores"]["positions"]["verdict"]


@pytest.mark.slow
def test_a_lost_worker_is_replaced(explorer):
    workers = PageWorkers(1)
    cell = Cell("kunitame", explorer.base, 4, ("allround",), True, 1)
    backend = partial(workers.play, wanted=lambda: True)
    try:
        one = play([cell], 512, backend=backend)
        for worker in workers._started_pool()._workers:
            os.kill(worker._process.pid, signal.SIGKILL)
        workers._kept.clear()
        other = play([cell], 512, backend=backend)
    finally:
        workers.close()
    assert one.results.sums.equals(other.results.sums)


@pytest.mark.slow
def test_printed_commands_give_what_is_seen(client, explorer, monkeypatch):
    monkeypatch.chdir(explorer.folder.parent)

    def printed():
        session = explorer.session("print")
        command = explorer.commands(session.question, session.answer)[-1]
        words = [*shlex.split(command)[1:], "--json", "-j", "1"]
        return session.answer, json.loads(CliRunner().invoke(app, words).stdout)

    address = "?set=life=5&most=8192"
    post(client, "save", address)
    post(client, "ask", address, "print")
    answered(explorer, "print")
    seen, compared = printed()
    [wanted] = [
        r for r in compared["rows"] if r["measure"] == "decisions with a choice"
    ]
    [line] = [one for one in seen.lines if one["id"] == "choices"]
    for side, name in zip(line["sides"], ("one", "other"), strict=True):
        assert side["text"] == text(BY_ID["choices"], wanted[name])
    keep = "&".join(f"keep={key}" for key in type(explorer.base).model_fields)
    post(client, "ask", f"{address}&line=positions&{keep}", "print")
    assert "every rule" in answered(explorer, "print", 1 << 20).note
    keep = keep.replace("keep=life&", "")
    post(client, "ask", f"{address}&line=positions&{keep}", "print")
    answered(explorer, "print", 1 << 20)
    seen, moved = printed()
    assert {row["key"] for row in moved["rows"]} == {"life"}
    wanted = seen.levers.rows["difference"].to_list()
    assert [row["difference"] for row in moved["rows"]] == pytest.approx(wanted)


def test_those_who_learned_are_asked_at_a_click(explorer, client, monkeypatch):
    def learned(game, rules, *, lessons, **_):
        lessons.say("a round")
        who = "greedy" if rules == explorer.base else "allround"
        return AdaptedPlayer(who, f"{who} by lessons", 1)

    monkeypatch.setattr(adapted_arms, "adapted", learned)
    monkeypatch.setattr(page_sessions, "_LEAST_GAMES", 512)
    monkeypatch.setattr(page_sessions, "_ADAPTED_GAMES", 128)
    page = f"{LIVES}&seat=learned&players=4"
    offered = post(client, "ask", page, tab="adapt").json()["html"]
    assert "Let players learn both rule sets" in offered
    assert "adapt=True" in offered
    post(client, "ask", f"{page}&adapt=True", tab="adapt")
    found = answered(explorer, "adapt", done=lambda answer: answer.adapted.lines)
    assert found.adapted.told == ("greedy by lessons", "allround by lessons")
    lines = [row["id"] for row in found.adapted.lines]
    assert lines == [row["id"] for row in found.lines]
    greedy = [row["sides"][0]["text"] for row in found.adapted.lines]
    assert greedy != [row["sides"][0]["text"] for row in found.lines]
    assert {row["both"] for row in found.adapted.lines} <= {*VERDICTS.values()}
    shown = post(client, "answer", tab="adapt").json()["html"]
    assert "Changed: allround by lessons" in shown
    heuristics = post(client, "ask", LIVES, tab="adapt").json()["html"]
    assert "Once players adapt" not in heuristics
