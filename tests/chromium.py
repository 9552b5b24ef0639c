"""Open pages in headless Chromium and tell what a reader and the console would see."""

import re
import shutil
import subprocess
from pathlib import Path

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
