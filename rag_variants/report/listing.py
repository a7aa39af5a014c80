"""What can be chosen: variants with their settings, metrics, judges, files, as text for the terminal."""

from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rag_variants.corpus.loaders import LOADERS
from rag_variants.judges import known_judges
from rag_variants.metrics import METRICS, full_label_of
from rag_variants.pipeline import VARIANTS, Variant
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.plug_ins import left_out_plug_ins
from rag_variants.questions.importers import IMPORTERS
from rag_variants.settings import Settings


def listing_view(settings: Settings) -> RenderableType:
    """Every variant, setting, metric, judge and format of files with one line of help, and what was left out."""
    parts: list[RenderableType] = []
    shared = set.intersection(*(set(settings_of(kind)) for kind in VARIANTS.values()))
    for kind in VARIANTS.values():
        own = [name for name in settings_of(kind) if name not in shared]
        parts += [Text(f"{kind.name}  {kind.summary}", style="bold"), _settings(kind, own, settings), Text()]
    first = next(iter(VARIANTS.values()))
    parts += [
        Text("settings of every variant", style="bold"),
        _settings(first, sorted_by_stage(first, shared), settings),
        Text(),
    ]
    metrics = _table()
    for metric in METRICS.values():
        metrics.add_row("  " + metric.name, Text(f"{full_label_of(metric)}. {metric.set}: {metric.help}"))
    parts += [Text("metrics", style="bold"), metrics, Text()]
    judges = _table()
    for spec, summary in known_judges().items():
        judges.add_row("  " + spec, Text(summary))
    files = _table()
    for noun, formats in (("documents", LOADERS), ("questions", IMPORTERS)):
        for each in formats.values():
            files.add_row(f"  {each.name}", Text(f"{noun}: {', '.join(each.endings)}"))
    parts += [Text("judges", style="bold"), judges, Text(), Text("files", style="bold"), files]
    left_out = left_out_plug_ins()
    if left_out:
        parts += [Text(), Text("left out", style="bold"), *(Padding(Text(each), (0, 0, 0, 2)) for each in left_out)]
    return Group(*parts)


def sorted_by_stage(kind: object, names: set[str]) -> list[str]:
    """The names in the order in which a variant declares them."""
    return [name for name in settings_of(kind) if name in names]


def _table() -> Table:
    """Names that are folded where a terminal is narrower than a name, never cut, beside texts that wrap."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="fold")
    table.add_column(overflow="fold")
    return table


def _settings(kind: type[Variant], names: list[str], settings: Settings) -> Table:
    table = _table()
    for name in names:
        declared, texts = settings_of(kind)[name]
        values = f"{print_value(declared.default)} ({texts.bounds})"
        lines: list[RenderableType] = [Text(values, style="dim"), Text(texts.help)]
        if texts.explain:
            for value in texts.offered(settings):
                changed: dict[str, Any] = {name: value}
                lines.append(Padding(Text(f"{value}: {texts.explain(kind(**changed))}"), (0, 0, 0, 2)))
        table.add_row(f"  {name}", Group(*lines))
    return table
