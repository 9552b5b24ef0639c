"""The page of explore in Chromium, against the real server, with real games."""

import re
import signal
import subprocess
import sys
import time

import psutil
import pytest

from experiments.core.cells import Cell
from experiments.variants import toml
from experiments.variants.variants import resolve_rules
from reports.scorecard.lines import BY_ID
from sim import games
from tests import chromium
from tests.explore.test_explore import told

pytestmark = [pytest.mark.slow, chromium.needs_chromium]
NUMBERS = """(() => {
  const lines = [...document.querySelectorAll('.scorecard tbody tr')];
  const number = (cell) => cell?.firstChild.textContent.trim();
  return Object.fromEntries(lines.map((line) => [line.querySelector('a').textContent,
    ['base', 'changed'].map((of) => number(line.querySelector(`[data-label=${of}]`)))]
  ));
})()"""
GAMES = "document.getElementById('progress')?.textContent"
TITLES = {line: BY_ID[line].title for line in ("choices", "length")}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The server's process, and the address of its page."""
    folder = tmp_path_factory.mktemp("out")
    command = [sys.executable, "-m", "experiments.commands.cli", "explore", "kunitame"]
    run = [*command, "--seed", "1", "-j", "1", "--port", "0", "--out", folder]
    run += ["--strategy", "allround"]  # quicker than those who learned
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(run, **pipes, text=True) as started:
        address = re.search(r"http://\S+", started.stdout.readline())[0]
        yield started, address
        started.send_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.Browser(tmp_path_factory.mktemp("profile") / "one") as one:
        yield one


def changed(browser, name, value):
    """Change a control as a reader does, and wait until the address says so."""
    before = browser.run("location.href")
    ticked = "one.checked = one.checked !== true" if value is True else ""
    browser.run(
        f"""{{ const one = document.querySelector('[name="{name}"]');
        {ticked or f"one.value = {value!r}"};
        one.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"""
    )
    browser.wait(f"location.href !== {before!r}")


def clicked(browser, what):
    before = browser.run("location.href")
    browser.run(f"document.querySelector({what!r}).click()")
    browser.wait(f"location.href !== {before!r}")


def played(browser, sides=2):
    """Games and numbers of the page, as soon as there are any."""
    there = f"document.querySelectorAll('.scorecard thead th').length === {2 * sides}"
    browser.wait(f"{there} && /\\d games/.test({GAMES})")
    found = browser.run(f"[{GAMES}, {NUMBERS}]")
    return int(re.search(r"([\d,]+) games", found[0])[1].replace(",", "")), found[1]


def add_row(browser):
    before = browser.run("location.href")
    browser.run(
        """{ const form = document.querySelector('#rule-squares form');
        form.row.value = 'new'; form.like.value = 'blue'; form.requestSubmit(); }"""
    )
    browser.wait(f"location.href !== {before!r}")


KINDS = {
    "number": (lambda b: changed(b, "set:life", "4"), ["life=4"]),
    "choice": (lambda b: changed(b, "set:trick_take", "may"), ["trick_take=may"]),
    "flag": (lambda b: changed(b, "set:refill_weekly", True), ["refill_weekly=true"]),
    "row edited": (
        lambda b: changed(b, "set:squares.blue.gem", "3"),
        ["squares.blue.gem=3"],
    ),
    "row removed": (
        lambda b: clicked(b, "[aria-label='remove blue']"),
        ["squares.blue.remove=true"],
    ),
    "row added": (add_row, None),
    "players": (lambda b: changed(b, "players", "3"), ["life=4"]),
    "lineup": (lambda b: changed(b, "seat:1", "greedy"), ["life=4"]),
}
"""How each is changed, and what the command line says; the last two of four lives."""


MORE = {*KINDS} - {"number", "row added"}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.soak] * (kind in MORE)) for kind in KINDS],
)
def test_numbers_that_follow_a_change_are_those_of_compare(kind, served, browser):
    use, settings = KINDS[kind]
    browser.tab(served[1] + ("?set=life=4" if kind in ("players", "lineup") else ""))
    played(browser, 2 if kind in ("players", "lineup") else 1)
    start = time.monotonic()
    use(browser)
    if kind in ("players", "lineup"):  # these were there before
        browser.wait(f"!{GAMES}.includes('games')", 5)
    many, numbers = played(browser)
    print(f"{kind}: {many} games after {time.monotonic() - start:.2f} s")
    game = games.load("kunitame")
    if settings is None:
        row = next(o for o in game.rules.of().plain()["squares"] if o["id"] == "blue")
        fields = {k: v for k, v in row.items() if k != "id" and v is not None}
        settings = [f"squares.new.{k}={toml.value(v)}" for k, v in fields.items()]
    players = 3 if kind == "players" else 4
    lineup = ("allround",)
    if kind == "lineup":
        lineup = ("allround", "greedy", "allround", "allround")
    sides = [
        Cell(
            "kunitame", resolve_rules(game, None, some).rules, players, lineup, True, 1
        )
        for some in ([], settings)
    ]
    for line, texts in told(*sides, many).items():
        assert numbers[TITLES[line]] == texts
    assert not browser.console


def test_two_tabs_and_the_back_button(served, browser):
    one = browser.tab(f"{served[1]}?set=life=4")
    other = browser.tab(served[1])
    played(browser, 1)
    changed(browser, "set:life", "5")
    played(browser)
    assert "5 gems" in browser.run("document.body.innerText")
    browser.run("history.back()")
    browser.wait("document.body.innerText.includes('None: these are')")
    browser.turn(one)
    browser.wait("document.body.innerText.includes('4 gems instead of 3')")
    browser.turn(other)
    assert browser.run("document.querySelector('[name=\"set:life\"]').value") == "3"
    assert not browser.console


def test_an_impossible_rule_and_the_keyboard(served, browser):
    browser.tab(f"{served[1]}?set=life=4")
    played(browser)
    browser.run("document.querySelector('[name=\"set:life\"]').select()")
    browser.ask("Input.insertText", text="99")
    browser.key("Enter")
    said = "document.querySelector('#rule-life .wrong')?.textContent"
    assert "less than or equal to 12, not 99" in browser.wait(said)
    assert browser.run("document.activeElement.name") == "set:life"
    browser.run("document.activeElement.select()")
    browser.ask("Input.insertText", text="2")
    browser.key("Tab")
    browser.wait("document.body.innerText.includes('2 gems instead of 3')")
    played(browser)
    browser.run("document.querySelector('.scorecard th a').focus()")
    browser.key("Enter")
    browser.wait("document.getElementById('levers') !== null")
    unnamed = """[...document.querySelectorAll('input:not([type=hidden]), select')]
      .filter((one) => !one.labels.length && !one.ariaLabel).length"""
    assert browser.run(unnamed) == 0
    assert not browser.console


def test_a_section_is_opened_and_closed(served, browser):
    browser.tab(f"{served[1]}?seat=random&most=8192")
    played(browser, 1)
    clicked(browser, "#section-cards a")
    browser.wait("document.querySelector('.opened figure svg') !== null", 120)
    lines = "[...document.querySelectorAll('.opened svg path')]"
    strokes = f"{lines}.filter((one) => getComputedStyle(one).stroke !== 'none').length"
    assert browser.run(strokes)  # figures have their own styles
    browser.run("history.back()")
    browser.wait("document.querySelector('.opened') === null")
    assert not browser.console


def test_ctrl_c_leaves_no_process(served, browser):
    browser.tab(f"{served[1]}?set=life=6&most=131072")
    played(browser)
    process = psutil.Process(served[0].pid)
    workers = process.children(recursive=True)
    assert workers
    start = time.monotonic()
    served[0].send_signal(signal.SIGINT)
    assert served[0].wait(10) == 0
    gone, left = psutil.wait_procs(workers, timeout=5)
    print(f"ended after {time.monotonic() - start:.2f} s, {len(gone)} workers with it")
    assert not left
    assert not served[0].stderr.read()
