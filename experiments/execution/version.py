"""Which fairdeal this is, and which one a run is of: its version, and the commit.

The version stands here and nowhere else. The commit is that of the source which runs,
where it is a checkout of git, or was installed from one; it is told beside results, and
has no part in them.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

VERSION = "0.2.0"
PACKAGES = ("sim", "strategies", "experiments", "reports")
"""What fairdeal's results are made by."""
EDITED = "-edited"
"""What follows a commit from which the source differs."""
_ROOT = Path(__file__).resolve().parents[2]
_NUMBER = re.compile(r"\d[\w.+-]{0,40}", re.ASCII)
_COMMIT = re.compile(rf"[0-9a-f]{{40,64}}({EDITED})?", re.ASCII)
_IN_TABLES = 7  # digits of a commit in a table, where there is little room
_SHOWN = 10  # letters of a commit
_PATIENCE = 10  # seconds


@dataclass(frozen=True)
class Version:
    """A fairdeal: ``number`` and ``commit`` are empty where they are not known."""

    number: str
    commit: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Version":
        """The fairdeal that a manifest names, which may be anybody's."""
        return cls(
            _checked(_NUMBER, values.get("fairdeal")),
            _checked(_COMMIT, values.get("commit")),
        )

    @property
    def short(self) -> str:
        """Number and commit for a table: ``0.2.0 8f09b4c``."""
        commit, _, edited = self.commit.partition("-")
        shown = f"{commit[:_IN_TABLES]}{'+' if edited else ''}"
        return f"{self.number or '?'} {shown}".strip()

    @property
    def how(self) -> str:
        """How to have it, for the end of a sentence."""
        commit, _, edited = self.commit.partition("-")
        if commit:
            more = ", and the same edits" if edited else ""
            return f"git checkout {commit} in a clone of it{more}"
        return "install that version in an environment of its own"

    def __str__(self) -> str:
        """In words: ``fairdeal 0.2.0 (commit 8f09b4c0ab)``."""
        commit, _, edited = self.commit.partition("-")
        known = f"commit {commit[:_SHOWN]}" if commit else "commit unknown"
        more = ", edited since" if edited else ""
        return f"fairdeal {self.number or 'of unknown version'} ({known}{more})"


@lru_cache(maxsize=1)
def here() -> Version:
    """The fairdeal that runs; its commit as it was when first asked for."""
    return Version(VERSION, commit_of(_ROOT))


def commit_of(root: Path) -> str:
    """The commit of the source in a folder, as ``Version`` has it."""
    if (root / ".git").exists():
        return _checked_out(root)
    return _installed(root)


def _checked_out(root: Path) -> str:
    """What git says of a checkout; nothing where there is no git, or it fails."""
    git = _git()
    if git is None:
        return ""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    clean |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_CEILING_DIRECTORIES": str(root.parent)}
    asked = ["-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch"]
    try:
        told = subprocess.run(  # noqa: S603 - the system's git, and fixed words
            [git, *asked, "--untracked-files=normal", "--", *PACKAGES],
            cwd=root,
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = told.stdout.decode("utf-8", "replace").splitlines()
    head = next((one for one in lines if one.startswith("# branch.oid ")), "")
    edited = any(not one.startswith("#") for one in lines)
    return _checked(_COMMIT, head.rpartition(" ")[2] + (EDITED if edited else ""))


def _git() -> str | None:
    """The system's git; never one that lies where the user stands."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    known = os.pathsep.join(one for one in places if Path(one).is_absolute())
    found = shutil.which("git", path=known)
    with suppress(OSError):  # of a folder that is gone
        if found and Path(found).parent == Path.cwd():
            return None
    return found


def _installed(root: Path) -> str:
    """The commit that pip installed, where that is what it was given."""
    try:
        ours = distribution("fairdeal")
        if Path(str(ours.locate_file(""))).resolve() != root:
            return ""
        about = json.loads(ours.read_text("direct_url.json") or "{}")
        return _checked(_COMMIT, about.get("vcs_info", {}).get("commit_id"))
    except (PackageNotFoundError, OSError, ValueError, AttributeError):
        return ""


def _checked(pattern: re.Pattern[str], text: Any) -> str:
    """A text of this form; nothing in place of any other."""
    return text if isinstance(text, str) and pattern.fullmatch(text) else ""
