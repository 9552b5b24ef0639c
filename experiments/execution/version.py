"""The version and commit of this fairdeal, and of the one that made a run.

The version is defined here and nowhere else. The commit is that of the source, if it is
a git checkout or was installed from one. It is shown with results, but has no part in
them.
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

VERSION = "0.3.0"
PACKAGES = ("sim", "strategies", "experiments", "reports")
"""The packages on which results depend."""
EDITED = "-edited"
"""Follows a commit if the source differs from it."""
_ROOT = Path(__file__).resolve().parents[2]
_NUMBER = re.compile(r"\d[\w.+-]{0,40}", re.ASCII)
_COMMIT = re.compile(rf"[0-9a-f]{{40,64}}({EDITED})?", re.ASCII)
_SHORT = 7  # digits of a commit in a table
_LONG = 10  # digits of a commit in a sentence
_PATIENCE = 10  # seconds for git to answer


@dataclass(frozen=True)
class Version:
    """A version of fairdeal; ``number`` and ``commit`` are empty if unknown."""

    number: str
    commit: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Version":
        """Return the version that a manifest names, which may be anything."""
        return cls(
            _checked(_NUMBER, values.get("fairdeal")),
            _checked(_COMMIT, values.get("commit")),
        )

    @property
    def short(self) -> str:
        """Number and commit for a table: ``0.2.0 8f09b4c``."""
        commit, _, edited = self.commit.partition("-")
        shown = f"{commit[:_SHORT]}{'+' if edited else ''}"
        return f"{self.number or '?'} {shown}".strip()

    @property
    def how(self) -> str:
        """How to get it, for the end of a sentence."""
        commit, _, edited = self.commit.partition("-")
        if commit:
            more = ", and the same edits" if edited else ""
            return f"git checkout {commit} in a clone of it{more}"
        return "install that version in an environment of its own"

    def __str__(self) -> str:
        """Return it in words: ``fairdeal 0.2.0 (commit 8f09b4c0ab)``."""
        commit, _, edited = self.commit.partition("-")
        known = f"commit {commit[:_LONG]}" if commit else "commit unknown"
        more = ", edited since" if edited else ""
        return f"fairdeal {self.number or 'of unknown version'} ({known}{more})"


@lru_cache(maxsize=1)
def this_version() -> Version:
    """Return the version of this fairdeal, with the commit at the first call."""
    return Version(VERSION, commit_of(_ROOT))


def commit_of(root: Path) -> str:
    """Return the commit of the source in a folder, in the form of ``Version``."""
    if (root / ".git").exists():
        return _checked_out(root)
    return _installed(root)


def _checked_out(root: Path) -> str:
    """Return the commit of a checkout; "" if there is no git, or it fails."""
    git = _git()
    if git is None:
        return ""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    clean |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_CEILING_DIRECTORIES": str(root.parent)}
    command = ["-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch"]
    try:
        status = subprocess.run(  # noqa: S603 - the system's git, and fixed words
            [git, *command, "--untracked-files=normal", "--", *PACKAGES],
            cwd=root,
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = status.stdout.decode("utf-8", "replace").splitlines()
    head = next((line for line in lines if line.startswith("# branch.oid ")), "")
    edited = any(not line.startswith("#") for line in lines)
    return _checked(_COMMIT, head.rpartition(" ")[2] + (EDITED if edited else ""))


def _git() -> str | None:
    """Return the system's git, never one in the current directory."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = os.pathsep.join(place for place in places if Path(place).is_absolute())
    git = shutil.which("git", path=absolute)
    with suppress(OSError):  # the current directory may have been removed
        if git and Path(git).parent == Path.cwd():
            return None
    return git


def _installed(root: Path) -> str:
    """Return the commit that pip installed, or "" if it installed something else."""
    try:
        installed = distribution("fairdeal")
        if Path(str(installed.locate_file(""))).resolve() != root:
            return ""
        about = json.loads(installed.read_text("direct_url.json") or "{}")
        return _checked(_COMMIT, about.get("vcs_info", {}).get("commit_id"))
    except (PackageNotFoundError, OSError, ValueError, AttributeError):
        return ""


def _checked(pattern: re.Pattern[str], text: Any) -> str:
    """Return a text of this form, or "" for any other value."""
    return text if isinstance(text, str) and pattern.fullmatch(text) else ""
