"""The table of deltas alone, for a page that has its own frame: the same that the file holds."""

from collections.abc import Sequence

from rag_variants.report.charts import ChartRow, Colours, axis_ends
from rag_variants.report.page.axis import Axis
from rag_variants.report.page.filling import open_templates
from rag_variants.report.page.style import deltas_style

HEADS = ("metric", "B − A", "verdict")


def deltas_html(
    rows: Sequence[ChartRow], colours: Colours, heads: tuple[str, str, str] = HEADS, *, comma: bool = False
) -> str:
    """B − A of every metric with its interval on one axis, beside the numbers in words; every text escaped.

    `heads` are the words above the columns, `comma` stands before the decimals of the axis.
    """
    drawn = open_templates().get_template("parts.html.jinja").module
    table = drawn.deltas(rows, Axis(*axis_ends(rows)), heads, comma)  # type: ignore[attr-defined]
    return f"<style>{deltas_style(colours)}</style>{table}"
