# A history made up for pages: histories.py FILE COMMITS ROWS. Every row is a metric of a benchmark; some change at a
# commit for good, for the worse or the better, and at three quarters the toolchain is another one. The same numbers
# give the same file.

import csv
import datetime
import hashlib
import random
import sys

COLUMNS = "run,benchmark,parameters,metric,unit,polarity,kind,launches,median,low,high,deciles".split(",")
SUBJECTS = ["Words: split by scalars", "Lists keep their room", "Read by lines", "Mend the end of a line", "Copies less",
            "A cache for what is asked twice", "Parser: numbers with signs", "Locks held for less long"]
FAMILIES = ["words/count", "words/split", "parser/numbers", "parser/lines", "queue/push", "queue/steal", "cache/find"]
METRICS = [("time", "ns/op", "sampled"), ("allocations", "1/op", "exact"), ("latency_p50", "ns", "sampled"),
           ("instructions", "1/op", "exact")]
LAUNCHES = 16


def commit(number):
    return hashlib.sha1(f"commit {number}".encode()).hexdigest()


def level(start, steps, number):
    """What a metric is at a commit, behind the steps before it."""
    for at, factor in steps:
        if number >= at:
            start *= factor
    return start


def steps_of(chance, commits):
    """None for most rows, one or two for others."""
    return [(chance.randrange(commits // 8 + 1, commits), chance.choice([0.9, 1.04, 1.08, 1.2]))
            for _ in range(chance.choices([0, 1, 2], [70, 22, 8])[0])]


def main():
    path, commits, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(30)
    rows = []
    for number in range(count):
        metric, unit, kind = METRICS[number % len(METRICS)]
        place = number // len(METRICS)
        size = 10 ** (place // len(FAMILIES) % 6)
        start = 80 * size ** 0.6 * (1 + chance.random()) if kind == "sampled" else 1 + size // 10
        rows.append((FAMILIES[place % len(FAMILIES)], f"n={size};v={place // 42}", metric, unit, kind, start,
                     steps_of(chance, commits)))
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write("# gauge-history 1\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for run in range(1, commits + 1):
            date = f"{datetime.date(2026, 1, 5) + datetime.timedelta(days=run * 300 // commits)}T12:00:00Z"
            toolchain = "Swift version 6.2" if run < commits * 3 // 4 else "Swift version 6.3"
            for name, value in [
                    ("results", commit(-run)[:16]), ("date", date), ("commit", commit(run)), ("dirty", "no"),
                    ("cpu_model", "AMD EPYC"), ("cpu_count", "2"), ("microcode", "0x1"), ("kernel", "6.1"),
                    ("libc", "glibc 2.39"), ("machine_id", "0123456789abcdef"), ("toolchain", toolchain),
                    ("allocator", "hooks over the C library's allocator"), ("subject", SUBJECTS[run % len(SUBJECTS)])]:
                file.write(f"# {run} {name}: {value}\n")
            for benchmark, parameters, metric, unit, kind, start, steps in rows:
                value = level(start, steps, run)
                launches = 1
                low = high = value = round(value) if kind == "exact" else value
                deciles = ""
                if kind == "sampled":
                    machine = 1 + 0.004 * chance.gauss(0, 1)
                    values = sorted(value * machine * (1 + 0.01 * chance.expovariate(1)) for _ in range(LAUNCHES))
                    value, launches = (values[7] + values[8]) / 2, LAUNCHES
                    low, high = values[4], values[11]
                    deciles = " ".join(f"{values[round(tenth * 1.5)]:.6g}" for tenth in range(11))
                writer.writerow([run, benchmark, parameters, metric, unit, "lower", kind, launches, f"{value:.10g}",
                                 f"{low:.10g}", f"{high:.10g}", deciles])


main()
