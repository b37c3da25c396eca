# The axes along which cost has to stay flat: what each size costs, and whether that is flat.

import re

from tables import BadFile, Unavailable, is_number, number, records, lines_of, table, title

AXES = ["axis", "title", "per", "counts", "times", "size", "divide", "judged", "limit", "from", "to"]
COLUMNS = [
    "axis", "size", "benchmark", "instructions", "ns", "ns_minimum", "times_of", "bytes", "judged",
    "ratio_to_smallest", "ratio_to_minimum", "growth", "limit", "verdict"]
JUDGED = {"instructions": "instructions", "time": "ns_minimum", "bytes": "bytes"}
FLAT, NOT_FLAT = "flat", "not flat"


def load(path):
    axes = []
    for line, axis in table(path, AXES):
        if axis["judged"] not in JUDGED:
            raise BadFile(f"{path}:{line}: judged: `{axis['judged']}` is none of {', '.join(JUDGED)}")
        if axis["divide"] not in ("size", "1"):
            raise BadFile(f"{path}:{line}: divide: `{axis['divide']}` is neither size nor 1")
        for column in ("limit", "from", "to"):
            axis[column] = number(path, line, column, axis[column], 0)
        axes.append(axis)
    return axes


def points(axis, times, counts):
    """What every size that a file has costs, smallest first."""
    sizes = {}
    for run in (counts, times):
        for name, parameters in run.points:
            size = size_of(axis, name, parameters)
            if size is not None:
                sizes[size] = (name, parameters)
    return judge(axis, [point(axis, size, *sizes[size], times, counts) for size in sorted(sizes)])


def size_of(axis, name, parameters):
    if not axis["size"]:
        pattern = re.escape(axis["counts"]).replace(r"\{\}", r"(\d+)")
        found = re.fullmatch(pattern, name) if not parameters else None
    else:
        found = re.fullmatch(re.escape(axis["size"]) + r"=(\d+)", parameters) if name == axis["counts"] else None
    return int(found[1]) if found else None


def point(axis, size, name, parameters, times, counts):
    divisor = size if axis["divide"] == "size" else 1
    made = {"axis": axis["axis"], "size": size, "benchmark": title(name, parameters)}
    made["instructions"] = counts.figure(name, parameters, "instructions", divisor)
    values, source = times.times(name, parameters), (name, parameters)
    if isinstance(values, Unavailable) and axis["times"]:
        source = other_times(axis, size)
        values = times.times(*source)
    known = not isinstance(values, Unavailable)
    made["ns"] = middle(values) if known else values
    made["ns_minimum"] = values[0] if known else values
    made["times_of"] = title(*source) if known else values
    made["bytes"] = counts.figure(name, parameters, "allocated_bytes", divisor)
    if not is_number(made["bytes"]):
        other = times.figure(name, parameters, "allocated_bytes", divisor)
        made["bytes"] = other if is_number(other) else made["bytes"]
    return made


def other_times(axis, size):
    name, _, fixed = axis["times"].removesuffix("]").partition("[")
    return name, ";".join(part for part in (f"{axis['size']}={size}", fixed) if part)


def middle(values):
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def judge(axis, found):
    """Adds what each size costs, times others, and whether that is flat: a size may cost less than the smaller ones."""
    column = JUDGED[axis["judged"]]
    inside = [each for each in found if axis["from"] <= each["size"] <= axis["to"]]
    known = [each[column] for each in inside if is_number(each[column])]
    first, least = known[0] if known else None, None
    for each in found:
        each |= {"judged": axis["judged"], "limit": axis["limit"]}
        value = each[column]
        outside = each not in inside
        if outside or not is_number(value):
            reason = Unavailable(f"outside {axis['from']:g} to {axis['to']:g}") if outside else value
            each |= {name: reason for name in ("ratio_to_smallest", "ratio_to_minimum", "growth", "verdict")}
            continue
        each["ratio_to_smallest"] = ratio(value, first)
        each["ratio_to_minimum"] = ratio(value, min(known))
        each["growth"] = ratio(value, value if least is None else least)
        # The figures of an exact count divide with a rounding of their own.
        each["verdict"] = FLAT if each["growth"] <= axis["limit"] * (1 + 1e-9) else NOT_FLAT
        least = value if least is None else min(least, value)
    return found


def ratio(value, base):
    """Of two costs; from nothing to nothing is no growth."""
    return value / base if base else 1.0 if not value else float("inf")


def verdict(axis, found):
    """Of the whole axis: `flat`, `not flat: ` and where, or why it is not known."""
    grown = [each for each in found if each["verdict"] == NOT_FLAT]
    if grown:
        worst = max(grown, key=lambda each: each["growth"])
        return f"{NOT_FLAT}: {axis['judged']} at {worst['size']} x{worst['growth']:.3g}, limit x{axis['limit']:g}"
    inside = [each for each in found if axis["from"] <= each["size"] <= axis["to"]]
    for each in inside:
        if each["verdict"] != FLAT:
            return str(Unavailable(f"{axis['judged']} at {each['size']}: {str.__str__(each['verdict'])}"))
    for end, pick in (("from", min), ("to", max)):
        if not inside or pick(each["size"] for each in inside) != axis[end]:
            return str(Unavailable(f"no row at {axis[end]:g}"))
    return FLAT


def recorded(path, axes):
    """The points of a file that this script wrote before, judged anew."""
    found = {axis["axis"]: [] for axis in axes}
    lines = lines_of(path)
    first = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    for line, row in records(path, lines, first, COLUMNS):
        if row["axis"] not in found:
            raise BadFile(f"{path}:{line}: axis: `{row['axis']}` is not in the list of axes")
        made = {"axis": row["axis"], "size": int(number(path, line, "size", row["size"], 0))}
        for column in JUDGED.values():
            text = row[column]
            reason = text.removeprefix("unavailable: ")
            made[column] = Unavailable(reason) if reason != text else number(path, line, column, text, 0)
        found[row["axis"]].append(made)
    return {axis["axis"]: judge(axis, found[axis["axis"]]) for axis in axes}
