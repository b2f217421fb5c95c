"""The table as a picture: SVG that reads on light and on dark pages."""

import math
from html import escape

from lines import MET, MISSED, NOT_BUILT, NOT_HERE

WIDTH = 1000
LABELS = 330  # where bars begin
BARS = 400  # how long the longest is
ROW = 22  # a row of the lower part
BAR = 9  # one of the bars of a product
PLAYERS = ("wick", "Eigen", "OpenBLAS", "oneDNN")
# A bar of the lower part reaches from an eighth of the target to eight times it.
OCTAVES = 3

STYLE = """
  text { font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 11px; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .page { fill: #ffffff; }
  .rule { stroke: #d0d7de; stroke-width: 1; }
  .goal { stroke: #1f2328; stroke-width: 1.5; }
  .wick { fill: #d9480f; }
  .Eigen { fill: #8c959f; }
  .OpenBLAS { fill: #4f83cc; }
  .oneDNN { fill: #2f9e77; }
  .met { fill: #2f9e77; }
  .missed { fill: #d9480f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; }
    .rule { stroke: #30363d; }
    .goal { stroke: #e6edf3; }
    .wick { fill: #ff8f5a; }
    .Eigen { fill: #7d8590; }
    .OpenBLAS { fill: #6ea8fe; }
    .oneDNN { fill: #56d4a4; }
    .met { fill: #56d4a4; }
    .missed { fill: #ff8f5a; }
  }
"""


class Drawing:
    def __init__(self):
        self.parts = []

    def text(self, x, y, what, kind=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(what)}</text>')

    def bar(self, x, y, width, height, kind, title):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height}" rx="1.5" class="{kind}">'
                          f"<title>{escape(title)}</title></rect>")

    def line(self, x, top, bottom, kind="rule"):
        self.parts.append(f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" class="{kind}"/>')


def draw_products(drawing, lines, y):
    """Groups of bars: the share of the limit, of each who was there. Returns where it ends."""
    there = [name for name in PLAYERS if any(name in line.bars for line in lines)]
    drawing.text(20, y, "Matrix products: share of the limit", "title")
    x = LABELS
    for name in there:
        drawing.bar(x, y + 14, 11, 11, name, name)
        drawing.text(x + 16, y + 24, name)
        x += 100
    top = y + 48
    bottom = top + len(lines) * (len(there) * BAR + 10)
    for share in (0, 0.25, 0.5, 0.75, 1):
        drawing.line(LABELS + share * BARS, top - 4, bottom)
        drawing.text(LABELS + share * BARS, top - 8, f"{share:.0%}", "small middle")
    y = top
    for line in lines:
        middle = y + len(there) * BAR / 2 + 4
        drawing.text(LABELS - 12, middle, line.work.replace("product ", ""), "end")
        for i, name in enumerate(there):
            share = line.bars.get(name)
            if share is not None:
                drawing.bar(LABELS, y + i * BAR, min(share, 1.05) * BARS, BAR - 1, name, f"{name}: {share:.1%}")
        drawing.text(LABELS + BARS + 30, middle, line.wick if line.vs_peer is None else f"{line.wick}, {line.vs_peer:.2f} × {line.peer}",
                     "small")
        y += len(there) * BAR + 10
    return bottom


def draw_targets(drawing, lines, y):
    """One bar a row, from the target to what was reached, in octaves. Returns where it ends."""
    drawing.text(20, y, "Targets: what was reached, in units of the target", "title")
    top = y + 40
    bottom = top + len(lines) * ROW
    unit = BARS / (2 * OCTAVES)
    goal = LABELS + OCTAVES * unit
    for octave in range(-OCTAVES, OCTAVES + 1):
        x = goal + octave * unit
        drawing.line(x, top - 4, bottom, "rule" if octave else "goal")
        drawing.text(x, top - 8, f"{2 ** octave} ×" if octave > 0 else f"1/{2 ** -octave}" if octave else "the target", "small middle")
    y = top
    for line in lines:
        drawing.text(LABELS - 12, y + 14, line.work, "end")
        if line.score is None:
            drawing.text(goal + 8, y + 14, line.wick if line.wick in (NOT_BUILT, NOT_HERE) else "no verdict", "small")
        else:
            reach = max(-OCTAVES, min(OCTAVES, math.log2(line.score))) * unit
            kind = MET if line.verdict == MET else MISSED
            drawing.bar(goal + min(reach, 0), y + 3, max(abs(reach), 2), ROW - 8, kind, f"{line.work}: {line.score:.2f} of {line.target}")
        drawing.text(LABELS + BARS + 30, y + 14, line.target, "small")
        y += ROW
    return bottom


def draw(lines, subtitle):
    products = [line for line in lines if line.bars]
    others = [line for line in lines if line not in products and line.target != "–"]
    drawing = Drawing()
    drawing.text(20, 28, "wick beside its peers and the machine's limit", "title")
    drawing.text(20, 48, subtitle, "small")
    y = 84
    if products:
        y = draw_products(drawing, products, y) + 40
    if others:
        y = draw_targets(drawing, others, y) + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:.0f}" width="{WIDTH}" height="{y:.0f}" role="img" '
            f'aria-label="wick beside its peers">\n<style>{STYLE}</style>\n<rect class="page" width="100%" height="100%"/>\n'
            + "\n".join(drawing.parts) + "\n</svg>\n")
