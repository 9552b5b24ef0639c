"""Write pages of analyses; tables and figures are made in parallel."""

from pathlib import Path

from experiments.execution.atomic_files import folder_writer
from experiments.execution.backends import completed_calls
from reports import report_files
from reports.report_document import ReportDocument


def write_page(report: ReportDocument, folder: Path, jobs: int) -> Path:
    """Write page, tables (csv, parquet) and figures (svg); return the page's path.

    ``jobs`` processes make them (-1: all cores).
    """
    return report_files.write_report(
        report,
        folder,
        folder_writer(folder),
        draw=lambda calls: completed_calls(calls.items(), jobs),
    )
