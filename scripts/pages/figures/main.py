# The command behind scripts/pages/performance: reads what it is given, and writes the tables, the plots and the pages.

import argparse
import csv
import io
import pathlib
import sys

import page
import plots
import scaling
import scenarios
from tables import BadFile, MissingFile, NoRun, Run, Unavailable

HERE = pathlib.Path(__file__).resolve().parent
NOT_FLAT, MISSING_VALUE, BAD, MISSING, CANNOT_WRITE = 2, 7, 65, 66, 73


def complain(words):
    print(f"performance: {words}", file=sys.stderr)


def cell(value):
    """A figure as the tables have it: short, but exact enough to divide by."""
    if isinstance(value, float):
        return f"{value:.6g}" if value < 1e6 else f"{value:.0f}"
    return str(value)


def table_text(head, columns, rows):
    file = io.StringIO()
    file.write("".join(f"# {line}\n" for line in head))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell(row[column]) for column in columns] for row in rows)
    return file.getvalue()


def head_of(times, counts):
    """Where the figures of a table come from."""
    lines = ["Made by scripts/pages/performance; figures that there are none of say why."]
    for name, run in (("times", times), ("counts", counts)):
        if run.path is None:
            lines.append(f"{name}: {run.reason}")
        else:
            lines.append(f"{name}: {page.machine(run)}; {page.origin(run)}")
    return lines


def read(options, root):
    times = Run(options.times) if options.times else NoRun("--times FILE")
    counts = Run(options.counts) if options.counts else NoRun("--counts FILE")
    path, reason = options.peers, None
    if not path:
        path = root / "results/peers.csv"
        if not path.exists():
            path, reason = None, "there is no file of peers"
    return times, counts, scenarios.Peers(path, reason)


def check(axes, found):
    """Names the axes that aren't flat, and those that are not known."""
    grown, unknown = 0, 0
    for axis in axes:
        verdict = scaling.verdict(axis, found[axis["axis"]])
        print(f"{axis['axis']}: {verdict}")
        grown += verdict.startswith(scaling.NOT_FLAT)
        unknown += verdict.startswith("unavailable")
    return NOT_FLAT if grown else MISSING_VALUE if unknown else 0


def make(options, root):
    axes = scaling.load(HERE / "axes.csv")
    if options.check and not (options.times or options.counts):
        return check(axes, scaling.recorded(root / "results/scaling.csv", axes))
    times, counts, peers = read(options, root)
    points = {axis["axis"]: scaling.points(axis, times, counts) for axis in axes}
    if options.check:
        return check(axes, points)
    wanted = scenarios.load(HERE / "scenarios.csv")
    rows = scenarios.rows(wanted, times, counts, peers)
    unknown = {scenario for scenario, _, _ in peers.rows} - {row["scenario"] for row in wanted}
    if unknown:
        raise BadFile(f"{peers.path}: scenario: `{sorted(unknown)[0]}` is none of scripts/pages/figures/scenarios.csv")
    verdicts = {axis["axis"]: scaling.verdict(axis, points[axis["axis"]]) for axis in axes}
    commits = {run.environment.get("commit") for run in (times, counts) if run.path}
    if len(commits) > 1:
        complain(f"{times.path} and {counts.path} are of different commits; the figures say which")
    head = head_of(times, counts)
    catalog = root / "Sources/Weir/Weir.docc"
    # Everything is made before anything is written.
    files = {
        root / "results/performance.csv": table_text(head, list(rows[0]), rows),
        root / "results/scaling.csv": table_text(
            head, scaling.COLUMNS, [point for axis in axes for point in points[axis["axis"]]]),
    }
    for axis in axes:
        name = axis["axis"]
        files[catalog / f"scaling-{name}.svg"] = plots.plot(axis, points[name], verdicts[name])
    compiled = root / "results/compile.csv"
    for name, text in (
            ("Figures", page.figures(rows, axes, verdicts, times, counts, peers)),
            ("EveryFigure", page.every_figure(
                rows, axes, points, verdicts, times, counts, peers, compiled if compiled.exists() else None))):
        article = catalog / f"{name}.md"
        files[article] = page.replaced(article, text)
    if options.readme:
        readme = root / "README.md"
        files[readme] = page.replaced(readme, page.readme(HERE / "readme.csv", times))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for row in rows:
        if row["verdict"].startswith("below") and isinstance(row["why"], Unavailable):
            complain(f"{row['scenario']} ({row['state']}) is {row['verdict']}, and its `why` is empty")
    print(f"performance: {len(rows)} rows, {len(axes)} axes; written below {root.resolve()}")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/pages/performance", add_help=False)
    for option in ("--times", "--counts", "--peers", "--root"):
        parser.add_argument(option)
    for option in ("--check", "--readme"):
        parser.add_argument(option, action="store_true")
    options = parser.parse_args()
    try:
        return make(options, pathlib.Path(options.root))
    except BadFile as error:
        complain(error)
        return BAD
    except MissingFile as error:
        complain(error)
        return MISSING
    except OSError as error:
        complain(f"cannot write {error.filename}: {error.strerror}")
        return CANNOT_WRITE


sys.exit(main())
