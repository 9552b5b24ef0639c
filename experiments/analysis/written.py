"""Write pages of analyses; tables and figures are made in parallel."""

from pathlib import Path

from experiments.execution.backends import as_done
from experiments.execution.disk import saving
from reports import report_files
from reports.report_document import ReportDocument


def write(report: ReportDocument, folder: Path, jobs: int) -> Path:
    """Write page, tables (csv, parquet) and figures (svg); return the page's path.

    ``jobs`` processes make them (-1: all cores).
    """
    return report_files.write_report(
        report,
        folder,
        saving(folder),
        draw=lambda calls: as_done(calls.items(), jobs),
    )
