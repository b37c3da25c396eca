# What stands between the markers of a page: the machine, the method, the tables and the verdicts, as Markdown.

import re

from scenarios import FORMS, REFERENCE, column_of, distance, of_either
from tables import UNAVAILABLE, BadFile, Unavailable, is_number, lines_of, number, quantile, table, title

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
# The axes whose plots stand on the page of figures.
PICTURED = ("subscribers", "live-inners", "chain", "threads")
# What measures the instrument itself is no figure of the library.
LEFT_OUT = ("gauge",)


def replaced(path, text):
    """A page with what is between its markers replaced."""
    lines = lines_of(path)
    places = [[number for number, line in enumerate(lines) if line == marker] for marker in (BEGIN, END)]
    for marker, found in zip((BEGIN, END), places):
        if len(found) != 1:
            raise BadFile(f"{path}: has the line `{marker}` {len(found)} times, and needs it once")
    first, last = places[0][0], places[1][0]
    if first > last:
        raise BadFile(f"{path}:{last + 1}: `{END}` stands before `{BEGIN}`")
    return "\n".join(lines[:first + 1] + ["", text.strip(), ""] + lines[last:]) + "\n"


def digits(value):
    """Three digits, as the instrument's own reports have them; a reason stays as it is."""
    if not is_number(value):
        return str(value)
    if value == 0 or abs(value) >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.{1 if abs(value) >= 9.995 else 2 if abs(value) >= 0.9995 else 3}f}"


def exact(value):
    """All digits of a count, up to six."""
    return f"{value:,.6g}" if is_number(value) and abs(value) < 1e6 else digits(value)


def nanoseconds(value):
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if value >= unit:
            return f"{digits(value / unit)} {name}"
    return f"{digits(value)} ns"


def cut(value):
    """A reason as a page has room for; the tables in results have it whole."""
    return "unavailable" if isinstance(value, Unavailable) else value


def times_as(value):
    return f"{digits(value)}x" if is_number(value) else "unavailable"


def machine(run):
    field = lambda name: run.environment.get(name) or "unavailable"
    toolchain = re.search(r"Swift version ([\w.]+)", field("toolchain"))
    swift = f"Swift {toolchain[1]}" if toolchain else f"toolchain {field('toolchain')}"
    guest = ", a virtual machine" if run.environment.get("hypervisor", "none") not in ("none", "absent") else ""
    return f"{field('cpu_model')}, {field('cpu_count')} processors{guest}; {field('kernel')}; {field('libc')}; {swift}"


def origin(run):
    field = lambda name: run.environment.get(name) or "unavailable"
    dirty = ", with changes that are not committed" if run.environment.get("dirty") == "yes" else ""
    return f"commit {field('commit')[:12]}{dirty}; {field('date')[:10]}; gauge run {field('gauge_options')}"


def markdown(head, rows, right_from=1):
    """A table whose columns from `right_from` on stand to the right."""
    marks = ["---" if place < right_from else "---:" for place in range(len(head))]
    lines = [head, marks] + rows
    return "\n".join("| " + " | ".join(str(value).replace("|", "\\|") for value in line) + " |" for line in lines) + "\n"


def figures(rows, axes, verdicts, times, counts, peers):
    """The figures that matter, and pictures of how cost grows: a page to read."""
    return "\n".join([method(times, counts, peers), overall(rows, peers), compared(rows), pictures(axes, verdicts)])


def every_figure(rows, axes, points, verdicts, times, counts, peers, compiled):
    """All tables: a page to look something up in."""
    return "\n".join([
        method(times, counts, peers), targets(rows, peers), shortfalls(rows), forms(times, counts),
        scaling_section(axes, points, verdicts), compiler(compiled), families(times, counts)])


def method(times, counts, peers):
    lines = ["### Machine and method", ""]
    for name, run in (("Times and allocations", times), ("Counts", counts)):
        if run.path is None:
            lines.append(f"- {name}: {run.reason}")
            continue
        words = origin(run).split("; ", 2)
        lines.append(f"- {name}: {machine(run)}; {words[0]}; {words[1]}: `{words[2]}`")
    if not peers.rows:
        lines.append(f"- Peers: {Unavailable(peers.reason or 'the file of peers has no rows')}")
    for peer, words in peers.versions().items():
        lines.append(f"- {peer}: " + "; and ".join(words))
    return "\n".join(lines) + "\n"


def overall(rows, peers):
    lines = ["### Overall", ""]
    for state in ("owned", "shared"):
        mean, count = peers.mean(state)
        said = f"{digits(mean)}x, over {count} scenarios" if is_number(mean) else str(mean)
        lines.append(f"- Geometric mean of the ratios to {REFERENCE}, {state}: {said}"
                     + (" (target: 20x)" if state == "owned" else ""))
    typed = [row for row in rows if row["form"] == "typed"]
    reached = sum(row["verdict"] == "reached" for row in typed)
    below = sum(row["verdict"].startswith("below") for row in typed)
    lines.append(f"- Of {len(typed)} rows, {reached} reach their target, {below} do not, and of "
                 f"{len(typed) - reached - below} a figure is unavailable.")
    return "\n".join(lines) + "\n"


def compared(rows):
    """What a row costs where its types are known and one thread sends: time, counts, and the distance to others."""
    head = ["scenario", "per", "time", "instructions", "allocations", "times its limit", f"{REFERENCE} takes"]
    lines = []
    for row in rows:
        if row["form"] != "typed" or row["state"] == "shared":
            continue
        time = nanoseconds(row["ns"]) if is_number(row["ns"]) else "unavailable"
        counted = [exact(row[name]) if is_number(row[name]) else "unavailable" for name in ("instructions", "allocations")]
        far = digits(row["distance"]) if is_number(row["distance"]) else "–"
        peer = times_as(row[column_of(REFERENCE)]) if is_number(row[column_of(REFERENCE)]) else "–"
        lines.append([row["title"], row["per"], time, *counted, far, peer])
    return "### One thread\n\n" + markdown(head, lines, 2)


def pictures(axes, verdicts):
    """How cost grows: plots of the axes that are asked about most, and the verdict of all."""
    known = [axis for axis in axes if axis["axis"] in PICTURED]
    grown = [axis["title"] for axis in axes if verdicts[axis["axis"]] != "flat"]
    said = f"Of {len(axes)} axes, {len(axes) - len(grown)} are flat" + (f"; not: {', '.join(grown)}." if grown else ".")
    shown = [f"![{axis['title']}, per {axis['per']}: {verdicts[axis['axis']]}](scaling-{axis['axis']}.svg)\n" for axis in known]
    return "\n".join([f"### How cost grows\n\n{said}\n"] + shown)


def targets(rows, peers):
    """A row for each scenario and state, as a user writes the chain."""
    names = peers.names
    head = ["scenario", "per", "ns", "minimum", "quartiles", "instructions", "allocations", "retains", "releases",
            "times its limit"] + [f"{name} takes" for name in names] + ["its rival of the same run takes", "target", ""]
    lines = []
    for row in rows:
        if row["form"] != "typed":
            continue
        quarters = [row["ns_lower_quartile"], row["ns_upper_quartile"]]
        spread = " to ".join(map(digits, quarters)) if is_number(quarters[0]) else "unavailable"
        distance = f"{digits(row['distance'])} {row['limit']}" if is_number(row["distance"]) else "unavailable"
        line = [row["title"] + (", shared" if row["state"] == "shared" else ""), row["per"]]
        line += [cut(row[name]) if not is_number(row[name]) else digits(row[name]) for name in ("ns", "ns_minimum")]
        line += [spread] + [exact(row[name]) if is_number(row[name]) else "unavailable"
                            for name in ("instructions", "allocations", "retains", "releases")]
        line += [distance] + [times_as(row[column_of(name)]) for name in names]
        rival = f"{times_as(row['ratio_rival'])} {row['rival']}" if row["rival"] != "none" else "–"
        line += [rival, row["target"], short_verdict(row)]
        lines.append(line)
    return "### Scenarios and their targets\n\n" + markdown(head, lines, 2)


def short_verdict(row):
    return "unknown" if row["verdict"].startswith("unavailable") else row["verdict"]


def shortfalls(rows):
    head = ["scenario", "is", "target", "why"]
    lines = []
    for row in rows:
        if not row["verdict"].startswith("below"):
            continue
        reached = row["distance"] if row["target"].startswith("<=") else row[column_of(REFERENCE)]
        is_ = times_as(reached) if "time" in row["verdict"] else f"{exact(row['allocations'])} allocations"
        wanted = row["target"] if "time" in row["verdict"] else f"<= {exact(row['allocations_target'])} allocations"
        lines.append([row["title"] + (", shared" if row["state"] == "shared" else ""), is_, wanted, row["why"]])
    return "### Below their target\n\n" + (markdown(head, lines, 4) if lines else "None.\n")


def forms(times, counts):
    """Instructions of chains as they are, erased at both ends, and built in another module's generic code."""
    points = counts.points or times.points
    lines = []
    for name, parameters in sorted(points):
        others = [(name + FORMS[form], parameters) for form in ("erased", "generic")]
        if not any(other in points for other in others):
            continue
        figures_ = [counts.figure(benchmark, parameters, "instructions") for benchmark, _ in [(name, parameters)] + others]
        allocations = [counts.figure(benchmark, parameters, "allocations") for benchmark, _ in others[:1]]
        lines.append([f"`{title(name, parameters)}`"] + [exact(figure) if is_number(figure) else "unavailable"
                                                         for figure in figures_ + allocations])
    head = ["chain", "typed", "erased", "generic", "allocations, erased"]
    text = ("### Typed, erased, generic\n\nInstructions per operation of a chain whose types are known, that is erased at "
            "both ends, and that another module's generic code builds without specialisation.\n\n")
    return text + (markdown(head, lines) if lines else "unavailable: no chain was counted in more than one form\n")


def scaling_section(axes, points, verdicts):
    text = ("### Scaling\n\nA size costs at most so many times the cheapest smaller one; `scaling-AXIS.svg` beside "
            "this page is a plot of each axis, and `results/scaling.csv` every size.\n\n")
    head = ["axis", "per", "judged", "cost by size", "verdict"]
    lines = []
    for axis in axes:
        column = {"time": "ns_minimum"}.get(axis["judged"], axis["judged"])
        costs = [f"{point['size']:,}: {digits(point[column]) if is_number(point[column]) else 'unavailable'}"
                 for point in points[axis["axis"]]]
        lines.append([axis["title"], axis["per"], f"{axis['judged']}, {axis['limit']:g}x",
                      ", ".join(costs) or "unavailable", verdicts[axis["axis"]]])
    return text + markdown(head, lines, 5)


def compiler(path):
    """What chains of operators and the core cost the compiler, of the table of `scripts/checks/check-compile-costs`."""
    text = "### What the compiler takes\n\n"
    if path is None:
        return text + f"{Unavailable('there is no results/compile.csv')}\n"
    lines = []
    for line, row in table(path, ["what", "operators", "seconds", "limit", "code_bytes", "bytes_per_operator"]):
        seconds = row["seconds"].removeprefix(UNAVAILABLE)
        if seconds == row["seconds"]:
            seconds = f"{digits(number(path, line, 'seconds', seconds, 0))} s"
        limit = row["limit"] if row["limit"] == "none" else f"<= {row['limit']} s"
        lines.append([row["what"], row["operators"], seconds, limit] +
                     [row[name] or "–" for name in ("code_bytes", "bytes_per_operator")])
    words = [line.removeprefix("# ") for line in lines_of(path) if line.startswith("#")]
    head = ["", "operators", "time", "limit", "code, bytes", "bytes an operator"]
    return text + " ".join(words) + "\n\n" + markdown(head, lines)


def families(times, counts):
    """Every benchmark, by family: the first part of its name."""
    found = {}
    for key in set(times.points) | set(counts.points):
        found.setdefault(key[0].split("/")[0], []).append(key)
    parts = ["### Every benchmark\n\nPer operation; where an operation is of several elements, the time of one is beside "
             "it. Figures that a run does not have are unavailable; the tables in `results` say why.\n"]
    head = ["benchmark", "time", "quartiles", "per element", "instructions", "allocations", "retains", "releases",
            "times its limit"]
    for family in sorted(found):
        if family in LEFT_OUT:
            continue
        lines = [benchmark_line(*key, times, counts) for key in sorted(found[family], key=natural)]
        parts.append(f"#### {family}\n\n" + markdown(head, lines))
    return "\n".join(parts)


def natural(key):
    """Orders names as text, and numbers in them by size."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", title(*key))]


def benchmark_line(name, parameters, times, counts):
    values = times.values(name, parameters, "time")
    known = not isinstance(values, Unavailable)
    spread = f"{nanoseconds(quantile(values, 0.25))} to {nanoseconds(quantile(values, 0.75))}" if known else "unavailable"
    element = times.figure(name, parameters, "time_per_element")
    limit, _, far = distance(times, name, parameters)
    line = [f"`{title(name, parameters)}`", nanoseconds(quantile(values, 0.5)) if known else "unavailable", spread,
            nanoseconds(element) if is_number(element) else "–" if known else "unavailable"]
    for metric in ("instructions", "allocations", "retains", "releases"):
        figure = of_either(counts, times, name, parameters, metric, 1)
        line.append(exact(figure) if is_number(figure) else "unavailable")
    if is_number(far):
        return line + [f"{digits(far)} `{limit}`"]
    return line + ["–" if times.path and name not in times.limits else "unavailable"]


def readme(path, times):
    """README's table, of the run of times alone."""
    lines = []
    for line, row in table(path, ["title", "benchmark", "parameters", "divisor"]):
        divisor = number(path, line, "divisor", row["divisor"], 1e-9)
        values = times.values(row["benchmark"], row["parameters"], "time")
        time = str(values)
        if not isinstance(values, Unavailable):
            middle, lower, upper = (nanoseconds(quantile(values, share) / divisor) for share in (0.5, 0.25, 0.75))
            time = f"{middle} ({lower} to {upper})"
        lines.append([row["title"], time, exact(times.figure(row["benchmark"], row["parameters"], "allocations"))])
    if times.path is None:
        return str(times.reason)
    words = origin(times).split("; ", 2)
    return (f"`{words[2]}` on {machine(times)}; {words[0]}; {words[1]}.\n\n"
            + markdown(["", "time, median (quartiles over launches)", "allocations"], lines))
