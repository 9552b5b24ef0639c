"""Page one of a report in a terminal: what to do, and the scorecard."""

from collections.abc import Sequence

from experiments.commands import output
from reports.report_document import LABELS, Finding, PageOne


def show_page_one(verdict: PageOne) -> None:
    """Print the sentences, then the scorecard, then what was not measured."""
    for text in verdict.notes:
        output.print_line(text)
        output.print_line()
    for number, sentence in enumerate(verdict.sentences, start=1):
        output.print_line(f"{number}. {sentence.told}")
    output.print_line()
    known = [line for line in verdict.lines if line.value]
    rows = [
        (line.title, f"{line.shape} {line.word}", line.told, line.tolerance)
        for line in known
    ]
    output.table("Scorecard", ["line", "verdict", "number", "allowed"], rows)
    rest = ", ".join(line.title for line in verdict.lines if not line.value)
    if rest:
        output.print_line(f"Not measured: {rest}.")


def show_findings(found: Sequence[Finding]) -> None:
    """Print all findings, and what their labels mean."""
    for finding in found:
        output.print_line(f"- {finding.labelled}")
    if found:
        output.print_line()
        words = "; ".join(f"{label}: {means}" for label, means in LABELS.items())
        output.print_line(words)
