# Compares two tables of what a value costs threads that meet; see scripts/checks/check-contention.

import math
import sys

# Figures that vary with the schedules differ by chance by less, but for one in 16,000.
STANDARD_ERRORS = 4


def read(path):
    """The figures of a file: runs, mean and deviation, by program and metric."""
    figures = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split(",")
            if fields[0] == "program":
                continue
            try:
                program, metric, runs, mean, deviation = fields
                figures[program, metric] = (int(runs), float(mean), float(deviation))
            except ValueError:
                sys.exit(f"check-contention: {path}:{number}: not a program, a metric and three numbers: {line.rstrip()}")
    return figures


def verdict(old, new):
    """Whether a figure is identical, the same, worse or better."""
    if old == new:
        return "identical"
    change = new[1] - old[1]
    error = math.sqrt(old[2] ** 2 / old[0] + new[2] ** 2 / new[0])
    if abs(change) <= STANDARD_ERRORS * error:
        return "same"
    return "worse" if change > 0 else "better"


def main():
    old, new = read(sys.argv[1]), read(sys.argv[2])
    counts = dict.fromkeys(["identical", "same", "better", "worse", "missing"], 0)
    for key in sorted(old.keys() | new.keys()):
        name = f"{key[0]} {key[1]}"
        if key not in old or key not in new:
            counts["missing"] += 1
            side = "new" if key not in old else "gone"
            print(f"{side:9} {name}: write the figures with scripts/checks/check-contention --write, and say why")
            continue
        found = verdict(old[key], new[key])
        counts[found] += 1
        if found in ("worse", "better"):
            print(f"{found:9} {name}: {old[key][1]:.3f} -> {new[key][1]:.3f} a value")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(2 if counts["worse"] else 7 if counts["missing"] else 0)


main()
