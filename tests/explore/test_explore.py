"""The page of explore: what it asks, what it is told, and who is refused."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from experiments.analysis.compare import compare
from experiments.analysis.effects import play
from experiments.core.cells import Cell, UsageError
from experiments.explore import server
from experiments.explore.explorer import Explorer
from experiments.explore.server import LONGEST, application
from experiments.explore.sides import Side
from experiments.explore.sides import play as look
from experiments.explore.workers import Workers
from experiments.variants.variants import resolve_rules
from sim import games
from tests import chromium

TOKEN, PORT = "secret", 8_765
HERE = f"http://127.0.0.1:{PORT}"
TABLE = {"players": 4, "strategy": "allround", "most": 8_192}
LIVES = [["life", 4]]


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    game = games.load("kunitame")
    folder = tmp_path_factory.mktemp("results") / "run"
    workers = Workers(1)
    base = game.rules.of()
    one = Explorer(game, base, None, (), "allround", 4, 1, folder, workers)
    yield one
    one.close()


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


def post(client, place, tab="tab", headers=None, **given):
    return client.post(place, json={"tab": tab, **given}, headers=headers)


def answer(client, tab, games=0):
    """The answer once it has so many games, or is finished."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = post(client, "answer", tab).json()
        if found["error"] or found["done"] or found["games"] >= max(games, 1):
            return found
        time.sleep(0.02)
    raise AssertionError("no answer in a minute")


def test_numbers_are_those_of_the_commands(client, explorer):
    told = post(client, "ask", settings=LIVES, **TABLE).json()
    assert told["sentences"] == [
        "Life gems of a player at the start: 4 gems instead of 3 (life)."
    ]
    found = answer(client, "tab", 512)
    many = found["games"]
    rules = games.load("kunitame").rules
    cells = [
        Cell("kunitame", rules.of(one), 4, ("allround",), True, 1)
        for one in ({}, {"life": 4})
    ]
    rows = {row["line"]: row for row in play(cells, many).effects().to_dicts()}
    for row in found["lines"]:
        change, wanted = row["change"], rows[row["id"]]
        scale = row["base"]["value"] / wanted["base"] if wanted["base"] else 1.0
        assert change["difference"] == pytest.approx(scale * wanted["difference"])
        assert change["low"] <= scale * wanted["low"] + 1e-9  # wider: many looks
    compared = compare(cells[:1], cells[1:], many).rows
    [same] = compared.filter(measure="decisions with a choice").to_dicts()
    [choices] = [row for row in found["lines"] if row["id"] == "choices"]
    assert choices["change"]["difference"] == pytest.approx(100 * same["difference"])


def test_a_change_drops_what_was_begun(client):
    first = post(client, "ask", "drop", settings=[["life", 5]], **TABLE).json()
    second = post(client, "ask", "drop", settings=[["life", 2]], **TABLE).json()
    found = answer(client, "drop")
    assert found["number"] == second["number"] > first["number"]
    other = post(client, "answer", "another tab").json()
    assert other["games"] == 0


def test_what_cannot_be_is_said_and_nothing_is_played(client):
    post(client, "ask", "wrong", settings=LIVES, **TABLE)
    said = post(client, "ask", "wrong", settings=[["life", 99]], **TABLE)
    assert said.status_code == 422
    assert said.json()["error"].startswith("--set life: input should be less than")
    assert post(client, "answer", "wrong").json()["games"] == 0
    near = post(client, "ask", settings=[["squares.blu.gem", 3]], **TABLE).json()
    assert "did you mean 'blue'?" in near["error"]
    code = post(client, "ask", settings=[], **TABLE | {"strategy": "./my.py:A"})
    assert "no strategy" in code.json()["error"]


@pytest.mark.parametrize("given", [[["life"]], "life=4", [["a=b", 1]], [["life", {}]]])
def test_settings_that_are_none(client, given):
    assert post(client, "ask", settings=given, **TABLE).status_code == 422


def test_who_is_refused(client):
    ask = {"settings": [], **TABLE}
    foreign = {"origin": "http://evil.example"}
    assert post(client, "ask", headers=foreign, **ask).status_code == 403
    site = {"sec-fetch-site": "cross-site"}
    assert client.get("", headers=site).status_code == 403
    assert client.get("", headers={"host": f"evil.example:{PORT}"}).status_code == 421
    assert client.get(f"{HERE}/wrong/").status_code == 404
    assert client.get(f"{HERE}/secret").status_code == 404
    assert client.post("ask", content="life=4").status_code == 415
    huge = "x" * (LONGEST + 1)
    assert post(client, "ask", settings=huge).status_code == 413
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
    assert "style=" not in page.text
    for name in ("explore.js", "explore.css"):
        assert client.get(name).status_code == 200
    assert "innerHTML" not in client.get("explore.js").text


@pytest.mark.parametrize("game", list(games.REGISTRY))
def test_every_rule_is_a_control(game, tmp_path):
    known = games.load(game)
    players, rules = known.players[0], known.rules.of()
    one = Explorer(known, rules, None, (), "allround", players, 1, tmp_path, Workers(1))
    about = json.loads(json.dumps(one.about()))
    assert [c["key"] for c in about["controls"]] == list(type(rules).model_fields)
    for control in about["controls"]:
        assert ("row" in control) != ("schema" in control)
        assert control["doc"]
        assert control["allowed"]


def test_what_is_taken_along(client, explorer):
    told = post(client, "save", settings=LIVES, **TABLE).json()
    path = Path(told["saved"])
    assert path.parent == explorer.folder
    assert path.read_text() == told["variant"]
    assert f"compare kunitame {path}" in told["commands"][0]
    assert resolve_rules(explorer.game, path).rules.life == 4


def test_a_lost_worker_is_replaced(explorer):
    workers = Workers(1)
    cell = Cell("kunitame", explorer.base, 4, ("allround",), True, 1)
    sides = [Side.of(cell), Side.of(cell)]
    try:
        look(sides[:1], 512, workers, lambda: True)
        for number in workers._there()._processes:
            os.kill(number, signal.SIGKILL)
        look(sides[1:], 512, workers, lambda: True)
    finally:
        workers.close()
    one, other = (side.seen[512] for side in sides)
    assert {name: value.tolist() for name, value in one.items()} == {
        name: value.tolist() for name, value in other.items()
    }


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match=r"pip install 'fairdeal\[explore\]'"):
        server.needed()


@pytest.mark.slow
@chromium.needs_chromium
def test_the_page_in_a_browser_and_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "experiments.commands.cli", "explore", "kunitame"]
    run = [*command, "--seed", "1", "-j", "1", "--port", "0", "--out", tmp_path / "out"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as started:
        try:
            address = re.search(r"http://\S+", started.stdout.readline())[0]
            where = f"{address}#players=4&strategy=allround&most=8192&set=life%3D4"
            wait = "--virtual-time-budget=20000"
            text, console = chromium.dom(where, tmp_path / "profile", wait)
            workers = children(started.pid)
        finally:
            started.send_signal(signal.SIGINT)
        assert started.wait(10) == 0
    assert not console
    assert "4 gems instead of 3 (life)" in text
    assert re.search(r'<td[^>]* data-label="changed">[^<]+ points', text)
    assert workers
    time.sleep(1.5)
    assert not [one for one in workers if alive(one)]


def children(number):
    """The numbers of a process's children."""
    return [one.pid for one in psutil.Process(number).children(recursive=True)]


def alive(number):
    """Whether a process runs; one that nobody has asked for its end does not."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
