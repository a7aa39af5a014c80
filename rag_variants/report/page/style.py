"""How the file looks: light or dark as the reader's system is, and on paper."""

from rag_variants.report.charts import DARK, LIGHT, Colours
from rag_variants.report.slice_chart import DIVERGING

GOLD = "#b58900"
# Chinese fonts last: what they have of Polish letters is put together from pieces.
FONTS = 'body { font-family: "Source Sans 3", "Noto Sans", system-ui, sans-serif, "Noto Sans CJK SC"; }'


def page_style() -> str:
    """The style sheet."""
    light, dark = _variables(LIGHT, "#ffffff", "#f4f4f2"), _variables(DARK, "#191817", "#242220")
    dark_too = f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f":root {{ {light} }}\n{dark_too}\n{FONTS}{_SHEET}{_DELTAS}"


def deltas_style(colours: Colours) -> str:
    """The style sheet of the table of deltas alone, in one theme's colours, for a page that has its own style."""
    return f".deltas {{ {_variables(colours, 'transparent', 'transparent')} }}\n{_DELTAS}"


def _variables(colours: Colours, paper: str, soft: str) -> str:
    named = {
        "a": colours.a,
        "b": colours.b,
        "grey": colours.grey,
        "text": colours.text,
        "quiet": colours.quiet,
        "line": colours.line,
        "gold": GOLD,
        "worse": DIVERGING[colours][0],
        "better": DIVERGING[colours][2],
        "paper": paper,
        "soft": soft,
    }
    return " ".join(f"--{name}: {value};" for name, value in named.items())


_SHEET = """
:root { color-scheme: light dark; }
body { font-size: 16px; line-height: 1.5; color: var(--text);
  background: var(--paper); max-width: 80rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1rem 0 0.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p { margin: 0.3rem 0; } code { font-size: 0.92em; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
.side { font-weight: 700; } .a { color: var(--a); } .b { color: var(--b); }
.note { background: var(--soft); border-left: 4px solid var(--quiet); padding: 0.5rem 0.8rem; margin: 0.5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; font-size: 0.9rem; } tbody tr { border-top: 1px solid var(--line); }
td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.group td { font-weight: 700; padding-top: 0.9rem; border-top: 0; }
.plot { width: 38%; padding: 0; vertical-align: middle; }
svg.flow { display: block; width: 100%; max-width: 52rem; margin: 0.3rem 0; }
svg text { fill: var(--quiet); font-size: 12px; }
.flow .same line { stroke: var(--grey); opacity: 0.55; stroke-linecap: round; }
.flow .same .gold { stroke: var(--gold); }
.flow .cut { stroke: var(--quiet); stroke-dasharray: 5 4; } .flow .cut-b, .flow .names.a { text-anchor: end; }
.flow .a .over, .dots.a { fill: var(--a); } .flow .b .over, .dots.b { fill: var(--b); }
.flow .over { font-size: 15px; font-weight: 700; } .flow .name { font-size: 14px; fill: var(--text); }
.flow .names .gold { font-size: 14px; font-weight: 700; fill: var(--gold); }
.flow .dots .gold { fill: var(--gold); } .flow .part { fill: none; stroke: var(--gold); stroke-width: 2.5; }
.met, .not-met, .undecided { white-space: nowrap; }
.met { font-weight: 600; } .not-met { font-weight: 700; text-decoration: underline; } .undecided { font-style: italic; }
.plot.strong { --side: var(--text); } .plot.faint { --side: var(--grey); }
.points td, .points th { overflow-wrap: normal; } .points .interval { white-space: nowrap; }
.crossed { width: auto; } .crossed td { min-width: 4.5rem; }
.points .plot { min-width: 14rem; width: auto; }
.crossed td { text-align: center; border: 2px solid var(--paper); } .crossed th[scope=row] { text-align: right; }
.crossed .start { outline: 1px dashed var(--text); outline-offset: -3px; }
.crossed .taken { outline: 3px solid var(--text); outline-offset: -3px; }
svg.frontier { display: block; width: 100%; max-width: 52rem; margin: 0.6rem 0; }
.frontier .on { fill: var(--text); } .frontier .off { fill: none; stroke: var(--grey); stroke-width: 2; }
.frontier .edge { fill: none; stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 5 4; }
details { border-top: 1px solid var(--line); padding: 0.4rem 0; } summary { cursor: pointer; }
summary .figures { float: right; font-variant-numeric: tabular-nums; padding-left: 1rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; } .two > * { min-width: 0; }
.box { border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.7rem; margin: 0.4rem 0; }
.box.a { border-top: 3px solid var(--a); color: inherit; } .box.b { border-top: 3px solid var(--b); color: inherit; }
.box.gold { border-left: 4px solid var(--gold); } .mark { color: var(--gold); font-weight: 600; }
.typed { white-space: pre-wrap; }
@media (max-width: 45rem) { .two { grid-template-columns: 1fr; } }
@media print { body { font-size: 9.5pt; padding: 0; max-width: none; } .wide { overflow: visible; }
  tr, .box, .note { break-inside: avoid; } h2 { break-after: avoid; } }
"""

# The deltas, in a file and on a page: a table, and where its place is narrow each metric a block of three lines.
_DELTAS = """
.plot .line { position: relative; height: 2.4rem; } .plot .line i { position: absolute; font-style: normal; }
.plot .zero, .plot .grid { top: 0; bottom: 0; width: 1px; background: var(--line); }
.plot .zero { background: var(--quiet); }
.plot .interval { top: calc(50% - 3px); height: 6px; border-radius: 3px; background: var(--side); opacity: 0.5; }
.plot .noise { top: calc(50% - 13px); height: 26px; background: var(--grey); opacity: 0.25; }
.plot .mean { top: calc(50% - 6px); width: 12px; height: 12px; margin-left: -6px; border-radius: 6px;
  background: var(--side); }
.plot .tick { font-size: 12px; color: var(--quiet); white-space: nowrap; transform: translateX(-50%); }
.plot .tick.start { transform: none; } .plot .tick.end { transform: translateX(-100%); }
.deltas { container-type: inline-size; color: var(--text); }
.deltas table { border-collapse: collapse; width: 100%; border: 0; }
.deltas th, .deltas td { border: 0; padding: 0.2rem 0.6rem 0.2rem 0; text-align: left; vertical-align: middle;
  line-height: 1.3; }
.deltas th { color: var(--quiet); font-weight: 400; font-size: 0.85rem; }
.deltas .quiet { color: var(--quiet); font-size: 0.82rem; }
.deltas .group td { font-weight: 700; padding-top: 0.8rem; }
.deltas .plot { width: auto; min-width: 6rem; } .deltas th:nth-child(2) { text-align: center; }
.deltas td:nth-child(1) { width: 1%; white-space: nowrap; } .deltas .group td { width: auto; }
.deltas td:nth-child(4) { width: 1%; padding-left: 0.6rem; } .deltas td:nth-child(4) div { white-space: nowrap; }
.deltas .scale .line { height: 1.3rem; }
.deltas .change { text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums; }
.deltas .change b { display: block; font-size: 1.05rem; color: var(--side); }
.won-a { --side: var(--a); } .won-b { --side: var(--b); } .won-grey { --side: var(--grey); }
.won-a .verdict, .won-b .verdict { font-weight: 700; }
@container (max-width: 38rem) {
  .deltas thead { display: none; } .deltas table, .deltas tbody { display: block; }
  .deltas tr { display: grid; grid-template-columns: 1fr auto; align-items: baseline; padding: 0.35rem 0; }
  .deltas tr.group, .deltas tr.scale { display: block; }
  .deltas td { padding: 0; } .deltas td:nth-child(1) { grid-area: 1 / 1; width: auto;
    white-space: normal; } .deltas .change { grid-area: 1 / 2; }
  .deltas .change b { display: inline; padding-right: 0.6rem; }
  .deltas .plot { grid-area: 2 / 1 / 3 / 3; width: auto; display: block; } .deltas .line { height: 1.5rem; }
  .deltas td:nth-child(4) { grid-area: 3 / 1 / 4 / 3; padding: 0; width: auto; }
  .deltas td:nth-child(4) div { white-space: normal; }
}
"""
