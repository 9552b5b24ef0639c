"""How many words a page has: all of its text, page one, and each section unfolded."""

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

PAGE, PAGE_ONE, SECTION = 6_000, 300, 150
"""The most words of a default page, of its page one, and of a section unfolded."""
_NO_TEXT = ("style", "script", "title")


class Words(HTMLParser):
    """Words by place: "" all; less what is folded, "one" page one, and sections by id.

    The text is that of ``textContent``, without scripts and styles.
    """

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self._first = True
        self._hidden = self._in_menu = self._folded = 0
        self._sections: list[str] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins."""
        self._hidden += tag in _NO_TEXT
        self._in_menu += tag == "nav"
        self._folded += tag == "details"
        if tag == "section":
            self._sections.append(str(dict(attrs)["id"]))
            if self._sections[-1] not in ("verdict", "scorecard"):
                self._first = False

    def handle_endtag(self, tag: str) -> None:
        """Note what ends."""
        self._hidden -= tag in _NO_TEXT
        self._in_menu -= tag == "nav"
        self._folded -= tag == "details"
        if tag == "section":
            self._sections.pop()

    def handle_data(self, data: str) -> None:
        """Count words; those of the menu are in all of the page alone."""
        count = 0 if self._hidden else len(data.split())
        self.counts[""] += count
        if self._in_menu:
            return
        if not self._folded and (self._first or self._sections):
            place = "one" if self._first else self._sections[-1]
            self.counts[place] += count

    @property
    def beyond(self) -> dict[str, int]:
        """What has more words than it may have."""
        most = {"": PAGE, "one": PAGE_ONE}
        return {k: n for k, n in self.counts.items() if n > most.get(k, SECTION)}
