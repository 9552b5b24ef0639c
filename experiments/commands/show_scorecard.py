"""Page one of a report in a terminal: what to do, and the scorecard."""

from experiments.commands import show
from reports.report_document import PageOne


def show_page_one(verdict: PageOne) -> None:
    """Print the sentences, then the scorecard, then what was not measured."""
    if verdict.left_out:
        show.line(verdict.left_out)
        show.line()
    if verdict.assumed:
        show.line(verdict.assumed)
        show.line()
    for number, sentence in enumerate(verdict.sentences, start=1):
        show.line(f"{number}. {sentence.text}")
    show.line()
    known = [line for line in verdict.lines if line.value]
    rows = [
        (line.title, f"{line.shape} {line.word}", line.value, line.tolerance)
        for line in known
    ]
    show.table("Scorecard", ["line", "verdict", "number", "allowed"], rows)
    rest = ", ".join(line.title for line in verdict.lines if not line.value)
    if rest:
        show.line(f"Not measured: {rest}.")
