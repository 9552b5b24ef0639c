"""Workbooks for tests, written as small as the formats allow."""

import io
import zipfile
from xml.sax.saxutils import escape, quoteattr

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_ODS = "urn:oasis:names:tc:opendocument:xmlns"


def _zipped(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else None
            archive.writestr(name, text, stored)
    return file.getvalue()


def xlsx(sheets):
    """The bytes of an xlsx file: {sheet: rows of texts, numbers, True, False, None}."""
    related = "".join(
        f'<Relationship Id="r{n}" Type="{_RELATED}/worksheet" '
        f'Target="worksheets/sheet{n}.xml"/>'
        for n, _ in enumerate(sheets, 1)
    )
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="r{n}"/>'
        for n, name in enumerate(sheets, 1)
    )
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for n, _ in enumerate(sheets, 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/'
        'vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        f"{types}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_RELATED}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_RELATED}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships "
        f'xmlns="{_PACKAGE}/relationships">{related}</Relationships>',
    }
    for n, rows in enumerate(sheets.values(), 1):
        data = "".join(
            f'<row r="{at}">'
            + "".join(_xlsx_cell(f"{chr(65 + x)}{at}", v) for x, v in enumerate(row))
            + "</row>"
            for at, row in enumerate(rows, 1)
        )
        parts[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{_SHEET}"><sheetData>{data}</sheetData></worksheet>'
        )
    return _zipped(parts)


def _xlsx_cell(place, value):
    match value:
        case None:
            return ""
        case bool():
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        case int() | float():
            return f'<c r="{place}"><v>{value!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def ods(sheets):
    """The bytes of an ods file; sheets as for ``xlsx``."""
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(
            f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>"
            for row in rows
        )
        + "</table:table>"
        for name, rows in sheets.items()
    )
    content = (
        f'<office:document-content xmlns:office="{_ODS}:office:1.0" '
        f'xmlns:table="{_ODS}:table:1.0" xmlns:text="{_ODS}:text:1.0">'
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_ODS}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        "</manifest:manifest>"
    )
    parts = {"META-INF/manifest.xml": manifest, "content.xml": content}
    return _zipped({"mimetype": kind, **parts})


def _ods_cell(value):
    match value:
        case None:
            return "<table:table-cell/>"
        case bool():
            kind = f'boolean" office:boolean-value="{str(value).lower()}'
        case int() | float():
            kind = f'float" office:value="{value!r}'
        case _:
            text = "</text:p><text:p>".join(escape(value).split("\n"))
            return (
                '<table:table-cell office:value-type="string"><text:p>'
                f"{text}</text:p></table:table-cell>"
            )
    return f'<table:table-cell office:value-type="{kind}"/>'
