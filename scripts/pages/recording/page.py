# Puts what scripts/pages/show-recording has measured into the page about it.

import csv
import os
import pathlib
import platform
import random
import re
import statistics
import sys


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    blocks = {
        "cost": cost(folder / "cost.csv"),
        "complete": complete(folder / "record.csv"),
        "table": text(table(folder / "table.txt")),
        "hang": text(hang(folder / "hang.txt")),
        "foreign": text(table(folder / "foreign.txt", 9)),
    }
    content = page.read_text(encoding="utf-8")
    for name, block in blocks.items():
        pattern = rf"(<!-- recorded: {name} -->\n).*?(\n<!-- recorded: end -->)"
        content, count = re.subn(pattern, lambda found: found[1] + block + found[2], content, flags=re.S)
        if count != 1:
            sys.exit(f"show-recording: {page} has no comment `recorded: {name}`")
    page.write_text(content, encoding="utf-8")


def text(lines):
    return "```text\n" + "\n".join(line[:120].rstrip() for line in lines) + "\n```"


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval(values):
    """A bootstrapped 95 % confidence interval of the median."""
    draws = random.Random(1)
    medians = sorted(statistics.median(draws.choices(values, k=len(values))) for _ in range(10_000))
    return medians[250], medians[9750]


def cost(path):
    measured = rows(path)
    sides = {side: [row for row in measured if row["recorder"] == side] for side in ("off", "on")}
    pairs = [
        (float(off["cpu_ns_per_request"]), float(on["cpu_ns_per_request"]))
        for off, on in zip(*(sorted(sides[side], key=lambda row: int(row["round"])) for side in ("off", "on")))]
    changes = [100 * (on - off) / off for off, on in pairs]
    low, high = interval(changes)
    thread, handlers = (
        statistics.median(100 * float(row[field]) for row in sides["on"])
        for field in ("recorder_thread_share", "handlers_share"))
    lines = [
        f"{processor()}, {os.cpu_count()} processors, {len(pairs)} pairs of rounds:", "",
        "| | without | with the recorder |", "|---|---:|---:|"]
    for title, field, scale, digits in (
            ("requests a second", "requests_per_second", 1, 0), ("CPU time of a request, µs", "cpu_ns_per_request", 1e-3, 2),
            ("median latency, µs", "median_us", 1, 0), ("99th percentile of latency, µs", "p99_us", 1, 0)):
        values = [statistics.median(float(row[field]) for row in sides[side]) * scale for side in ("off", "on")]
        lines.append(f"| {title} | {values[0]:,.{digits}f} | {values[1]:,.{digits}f} |")
    lines += ["", f"CPU time of a request, with against without: {statistics.median(changes):+.2f} % (95 % confidence interval "
              f"{low:+.2f} % to {high:+.2f} %). The recorder's own thread had {thread:.2f} % of the process's CPU "
              f"time, and taking samples needed {handlers:.2f} % in the threads that were sampled."]
    return "\n".join(wrap(line) for line in lines)


def complete(path):
    values = {row[0]: float(row[1]) for row in csv.reader(open(path, encoding="utf-8"))}
    served = values["cpu_seconds"] - values["recorder_seconds"]
    return wrap(
        f"In ten seconds with {values['requests_per_second']:,.0f} requests each the server used {served:.3f} s of CPU time. The "
        f"samples stand for {values['sampled_seconds']:.3f} s, which is {100 * values['sampled_seconds'] / served:.1f} %; "
        f"{values['lost_seconds']:.3f} s had no room.")


def table(path, limit=24):
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next((index for index, line in enumerate(lines) if line.startswith("at the end")), len(lines))
    profile = next((index for index, line in enumerate(lines) if line.startswith("cpu: ")), len(lines))
    return lines[:start] + [""] + lines[profile:profile + limit] if profile < len(lines) else lines[:limit]


def hang(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    end = next((index for index, line in enumerate(lines) if not line), len(lines))
    return lines[:end]


def wrap(line):
    """A paragraph in lines of at most 120 characters; a row of a table stays one."""
    if line.startswith("|"):
        return line
    lines = [""]
    for word in line.split(" "):
        if len(lines[-1]) + len(word) + 1 > 118:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


main()
