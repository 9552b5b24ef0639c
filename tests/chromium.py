"""Open pages in headless Chromium and tell what a reader and the console would see."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--v=0",
)

_MEASURED = """<script>
addEventListener("load", () => {
  const wide = document.documentElement.clientWidth;
  const beyond = [...document.querySelectorAll("main *")].filter((one) =>
    !one.closest(".scroll, svg") && one.getBoundingClientRect().right > wide + 1);
  document.body.dataset.beyond = beyond.map((one) => one.tagName + one.id).join(" ");
});
</script>"""

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: no page can be opened"
)


def run(
    page: Path | str, profile: Path, *flags: str
) -> subprocess.CompletedProcess[str]:
    """Open a file or an address with a new, empty profile folder.

    More flags say what to do.
    """
    profile.mkdir(parents=True)
    command = [CHROMIUM or "chromium", *FLAGS, f"--user-data-dir={profile}", *flags]
    return subprocess.run(
        [*command, page if isinstance(page, str) else page.resolve().as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def dom(page: Path | str, profile: Path, *flags: str) -> tuple[str, list[str]]:
    """Give the page as it stands after loading, and its console's messages."""
    done = run(page, profile, "--dump-dom", *flags)
    return done.stdout, re.findall(r".*CONSOLE.*", done.stderr)


def screenshot(page: Path, profile: Path, picture: Path, size: str) -> None:
    """Save a picture of the page; size: width,height in pixels."""
    run(page, profile, f"--screenshot={picture}", f"--window-size={size}")


def pdf(page: Path, profile: Path, paper: Path) -> None:
    """Save the page as it would be printed."""
    run(page, profile, f"--print-to-pdf={paper}", "--no-pdf-header-footer")


_PIPED = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, number in zip(ends, (3, 4)):  # where Chromium looks for them
    os.dup2(end, number)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A page that is used: opened, typed into, clicked, looked at.

    Speaks the DevTools protocol over a pipe, so nothing but Chromium is needed.
    """

    def __init__(self, profile: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        ends = [str(ours[0]), str(theirs[1])]
        flags = [*FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        command = [sys.executable, "-c", _PIPED, *ends, CHROMIUM or "chromium", *flags]
        self._process = subprocess.Popen(
            command, pass_fds=(ours[0], theirs[1]), stderr=subprocess.DEVNULL
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = (
            os.fdopen(ours[1], "wb", 0),
            os.fdopen(theirs[0], "rb", 0),
        )
        self._asked, self._session, self._heard = 0, "", b""
        self.console: list[str] = []
        """What was said there, and errors that nobody caught."""

    def __enter__(self) -> "Browser":
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(10)
        self._to.close()
        self._from.close()

    def tab(self, address: str) -> str:
        """Open a tab and turn to it."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        how = {"targetId": target, "flatten": True}
        self._session = ""
        self._session = self.ask("Target.attachToTarget", **how)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.navigate", url=address)
        return self._session

    def turn(self, tab: str) -> None:
        """Turn to another tab."""
        self._session = tab

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command; what came of it."""
        self._asked += 1
        told = {"id": self._asked, "method": method, "params": params}
        if self._session and not method.startswith("Target."):
            told["sessionId"] = self._session
        self._to.write(json.dumps(told).encode() + b"\0")
        while True:
            while b"\0" not in self._heard:
                heard = os.read(self._from.fileno(), 1 << 20)
                assert heard, "Chromium is gone"
                self._heard += heard
            text, _, self._heard = self._heard.partition(b"\0")
            heard = json.loads(text)
            if heard.get("id") == self._asked:
                assert "error" not in heard, heard
                return heard["result"]
            if heard.get("method") in _SAID:
                self.console.append(json.dumps(heard["params"]))

    def run(self, code: str) -> Any:
        """The value of an expression in the page."""
        how = {"awaitPromise": True, "returnByValue": True, "userGesture": True}
        found = self.ask("Runtime.evaluate", expression=code, **how)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, code: str, seconds: float = 60) -> Any:
        """Wait until an expression is true; its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(code)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {code}")

    def key(self, name: str) -> None:
        """Press a key, by its name."""
        code = {"Tab": 9, "Enter": 13}[name]
        how = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        how |= {"text": "\r"} if name == "Enter" else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **how)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **how)

    def size(self, width: int, height: int) -> None:
        """Make the page so wide and high, in pixels."""
        how = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.ask("Emulation.setDeviceMetricsOverride", **how, mobile=False)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Save what is seen."""
        found = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))


_SAID = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def cut_off(page: Path, profile: Path, size: str) -> list[str]:
    """What of a page reaches beyond its right edge; size: width,height in pixels.

    Tables that scroll by themselves aside.
    """
    copy = page.with_name(f"{page.stem} measured.html")
    copy.write_text(page.read_text().replace("</body>", f"{_MEASURED}</body>"))
    text, _ = dom(copy, profile, f"--window-size={size}")
    copy.unlink()
    [found] = re.findall(r'data-beyond="([^"]*)"', text)
    return found.split()
