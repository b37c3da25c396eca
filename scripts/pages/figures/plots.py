# Plots of cost over size as SVG: two panels side by side, a logarithmic axis of sizes, the same bytes for the same
# points.

import math
from xml.sax.saxutils import escape

from tables import is_number

WIDTH, HEIGHT = 900, 330
PANEL, TOP, BOTTOM, GAP = 350, 62, 270, 90
LEFT = 74
INK, SOFT, GRID = "#24292f", "#57606a", "#d8dee4"


def plot(axis, points, verdict):
    """The plot of one axis: what is judged on the left, time beside it (instructions beside time)."""
    panels = {
        "instructions": [("instructions", "instructions", "#1668c7"), ("ns", "ns", "#1b7f3b")],
        "time": [("ns_minimum", "ns, minimum over launches", "#1b7f3b"), ("instructions", "instructions", "#1668c7")],
        "bytes": [("bytes", "bytes allocated", "#7a4fbf"), ("ns", "ns", "#1b7f3b")],
    }[axis["judged"]]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(20, 26, f"Cost per {axis['per']}, over: {axis['title']}", size=16),
        text(20, 46, f"{axis['judged']}: {verdict}", colour=SOFT),
    ]
    for place, (column, label, colour) in enumerate(panels):
        parts += panel(LEFT + place * (PANEL + GAP), axis, points, column, label, colour)
    return "\n".join(parts + ["</svg>"]) + "\n"


def panel(left, axis, points, column, label, colour):
    known = [(point["size"], point[column]) for point in points if is_number(point[column])]
    parts = [text(left, TOP + 10, f"{label} per {axis['per']}", colour=colour)]
    floor, ceiling = BOTTOM, TOP + 24
    top, step = ticks(max([value for _, value in known] or [1]))
    place_y = lambda value: floor - (floor - ceiling) * value / top
    for turn in range(round(top / step) + 1):
        y = place_y(turn * step)
        parts.append(f'<line x1="{left}" x2="{left + PANEL}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(text(left - 8, y + 4, f"{turn * step:.10g}" if known else "", anchor="end", colour=SOFT))
    if not points:
        return parts + [text(left + PANEL / 2, (floor + ceiling) / 2, "unavailable: no sizes", anchor="middle")]
    places = positions([point["size"] for point in points])
    place_x = lambda size: left + 14 + (PANEL - 28) * places[size]
    shown = -math.inf
    for size in sorted(places):
        x = place_x(size)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{floor}" y2="{floor + 5}" stroke="{SOFT}"/>')
        if x - shown >= 28:
            parts.append(text(x, floor + 20, short(size), anchor="middle", colour=SOFT))
            shown = x
    parts.append(text(left + PANEL / 2, floor + 44, axis["title"] + ", logarithmic", anchor="middle", colour=SOFT))
    if not known:
        reason = points[-1][column]
        return parts + [text(left + PANEL / 2, (floor + ceiling) / 2, str(reason), anchor="middle", colour=SOFT)]
    path = " ".join(f"{place_x(size):.1f},{place_y(value):.1f}" for size, value in known)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for size, value in known:
        x, y = place_x(size), place_y(value)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{size}: {value:.6g}</title></circle>')
    for size, value in (known[0], known[-1])[: len(known)]:
        parts.append(text(place_x(size), place_y(value) - 9, f"{value:.4g}", anchor="middle"))
    return parts


def positions(sizes):
    """Where each size stands between 0 and 1; nothing stands a decade before the smallest of something."""
    smallest = min([size for size in sizes if size] or [1])
    logarithms = {size: math.log10(size if size else smallest / 10) for size in sizes}
    low, high = min(logarithms.values()), max(logarithms.values())
    return {size: (value - low) / (high - low) if high > low else 0.5 for size, value in logarithms.items()}


def ticks(largest):
    """The end of an axis from 0, and its step: 1, 2 or 5 times a power of ten."""
    if largest <= 0:
        return 1, 1
    rough = largest * 1.1 / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    return step * math.ceil(largest * 1.1 / step), step


def short(size):
    for unit, name in ((1_000_000, "M"), (1000, "k")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def text(x, y, words, anchor="start", colour=INK, size=None):
    style = f' font-size="{size}"' if size else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{style}>{escape(words)}</text>'
