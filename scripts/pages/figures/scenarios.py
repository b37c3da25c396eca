# The scenarios: what a run says of each, its ratio to the peers, and whether it reaches its target.

import math
import re

from tables import BadFile, Unavailable, is_number, lines_of, number, quantile, records, table, title

COLUMNS = [
    "scenario", "title", "benchmark", "parameters", "state", "per", "divisor", "target", "allocations", "rival", "why"]
PEER_COLUMNS = [
    "scenario", "benchmark", "parameters", "state", "peer", "version", "peer_ns", "weir_ns", "ratio", "rounds",
    "statistic", "machine", "date"]
PEER_VERSION = "# weir-peers 1"
# What follows a benchmark's name where its chain is built otherwise.
FORMS = {"typed": "", "erased": "/erased-ends", "generic": "/generic"}
REFERENCE = "OpenCombine"
# By how much a ratio written by hand may differ from the quotient of its two times: the rounding of all three.
ROUNDING = 0.02


class Peers:
    """Other libraries, measured beside this one: (scenario, state, peer) -> row."""

    def __init__(self, path, reason=None):
        self.path, self.reason, self.rows = path, reason, {}
        if path is None:
            return
        lines = lines_of(path)
        if not lines or lines[0] != PEER_VERSION:
            raise BadFile(f"{path}:1: version: is not `{PEER_VERSION}`")
        first = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
        for line, row in records(path, lines, first, PEER_COLUMNS):
            self.add(line, row)

    def add(self, line, row):
        path = self.path
        for column in ("scenario", "peer", "version", "statistic", "machine", "date"):
            if not row[column]:
                raise BadFile(f"{path}:{line}: {column}: is empty")
        if row["state"] not in ("owned", "shared"):
            raise BadFile(f"{path}:{line}: state: `{row['state']}` is neither owned nor shared")
        peer, weir, ratio = (number(path, line, name, row[name], 1e-6) for name in ("peer_ns", "weir_ns", "ratio"))
        number(path, line, "rounds", row["rounds"], 1)
        if abs(peer / weir / ratio - 1) > ROUNDING:
            raise BadFile(f"{path}:{line}: ratio: {ratio:g} is not peer_ns / weir_ns, {peer / weir:.4g}")
        key = row["scenario"], row["state"], row["peer"]
        if key in self.rows:
            raise BadFile(f"{path}:{line}: peer: {' '.join(key)} was there before")
        self.rows[key] = row | {"peer_ns": peer, "weir_ns": weir, "ratio": ratio}

    @property
    def names(self):
        return sorted({peer for _, _, peer in self.rows} | {REFERENCE})

    def ratio(self, scenario, state, peer):
        row = self.rows.get((scenario, state, peer))
        return row["ratio"] if row else Unavailable(self.reason or "the file of peers has no such row")

    def versions(self):
        """Peer -> what its rows say of their making, in the order of the file."""
        found = {}
        for row in self.rows.values():
            words = f"{row['version']}, {row['statistic']} of {row['rounds']} rounds, {row['machine']}, {row['date']}"
            found.setdefault(row["peer"], {})[words] = True
        return {peer: list(words) for peer, words in sorted(found.items())}

    def mean(self, state):
        """The geometric mean of the ratios to the reference, and of how many."""
        ratios = [row["ratio"] for (_, of, peer), row in self.rows.items() if (of, peer) == (state, REFERENCE)]
        if not ratios:
            return Unavailable(self.reason or f"the file of peers has no {state} row of {REFERENCE}"), 0
        return math.exp(sum(map(math.log, ratios)) / len(ratios)), len(ratios)


def load(path):
    found = []
    for line, row in table(path, COLUMNS):
        if row["state"] not in ("owned", "shared"):
            raise BadFile(f"{path}:{line}: state: `{row['state']}` is neither owned nor shared")
        row["divisor"] = number(path, line, "divisor", row["divisor"], 1e-9)
        row["allocations_target"] = number(path, line, "allocations", row["allocations"], 0)
        target = re.fullmatch(r"(limit )?([0-9.]+)|none", row["target"])
        if not target:
            raise BadFile(f"{path}:{line}: target: `{row['target']}` is not a number, `limit` and a number, or none")
        row["target_of"] = "limit" if target[1] else REFERENCE
        row["target_value"] = number(path, line, "target", target[2], 0) if target[2] else None
        found.append(row)
    return found


def rows(scenarios, times, counts, peers):
    """A row for each scenario, and for each of its other forms that a file has."""
    found = []
    for scenario in scenarios:
        for form, suffix in FORMS.items():
            name, parameters = scenario["benchmark"] + suffix, scenario["parameters"]
            if form == "typed" or (name, parameters) in times.points or (name, parameters) in counts.points:
                found.append(row(scenario, form, name, times, counts, peers))
    return found


def row(scenario, form, name, times, counts, peers):
    parameters, divisor = scenario["parameters"], scenario["divisor"]
    made = {"scenario": scenario["scenario"], "title": scenario["title"], "form": form, "state": scenario["state"]}
    made |= {"benchmark": name, "parameters": parameters or "none", "per": scenario["per"]}
    launches = times.values(name, parameters, "time")
    known = not isinstance(launches, Unavailable)
    made["launches"] = len(launches) if known else launches
    for column, share in (("ns", 0.5), ("ns_minimum", 0), ("ns_lower_quartile", 0.25), ("ns_upper_quartile", 0.75)):
        made[column] = quantile(launches, share) / divisor if known else launches
    for metric in ("instructions", "allocations", "retains", "releases"):
        made[metric] = of_either(counts, times, name, parameters, metric, divisor)
    made["limit"], made["limit_ns"], made["distance"] = distance(times, name, parameters)
    for peer in peers.names:
        reason = Unavailable("the peers were measured beside the typed form")
        made[column_of(peer)] = peers.ratio(scenario["scenario"], scenario["state"], peer) if form == "typed" else reason
    made["rival"], made["ratio_rival"] = against(times, scenario, form, name)
    made["target"] = "none"
    if scenario["target_value"] is not None and form == "typed":
        sign = "<= {:g} limits" if scenario["target_of"] == "limit" else ">= {:g} " + REFERENCE
        made["target"] = sign.format(scenario["target_value"])
    made["allocations_target"] = scenario["allocations_target"]
    made["verdict"] = verdict(made, scenario, form)
    made["why"] = "none needed"
    if made["verdict"].startswith("below"):
        made["why"] = scenario["why"] or Unavailable("no reason is written down yet")
    return made


def of_either(counts, times, name, parameters, metric, divisor):
    """A figure of the counts, or else of the other run, which counts allocations, too."""
    figure = counts.figure(name, parameters, metric, divisor)
    other = times.figure(name, parameters, metric, divisor)
    return other if is_number(other) and not is_number(figure) else figure


def column_of(peer):
    return "ratio_" + re.sub(r"\W+", "_", peer.lower())


def distance(times, name, parameters):
    """The limit, its time per element, and how many times as long as that the benchmark takes per element."""
    limit, least = times.limit(name, parameters)
    launches = times.times(name, parameters)
    if limit is None and isinstance(launches, Unavailable):
        least = launches
    if not is_number(least):
        return limit or str(least), least, least
    if isinstance(launches, Unavailable):
        return limit, least, launches
    return limit, least, quantile(launches, 0.5) / least if least > 0 else Unavailable("the limit takes no time")


def against(times, scenario, form, name):
    """How many times as long as this benchmark its rival of the same run takes, by medians per element."""
    if not scenario["rival"] or form != "typed":
        return "none", Unavailable("no rival is named")
    parameters = scenario["parameters"] if (scenario["rival"], scenario["parameters"]) in times.points else ""
    rival = title(scenario["rival"], parameters)
    both = [times.times(scenario["rival"], parameters), times.times(name, scenario["parameters"])]
    missing = next((values for values in both if isinstance(values, Unavailable)), None)
    return rival, missing if missing is not None else quantile(both[0], 0.5) / quantile(both[1], 0.5)


def verdict(made, scenario, form):
    """`reached`, `below: ` and of what, or why it is not known."""
    if form != "typed":
        return "no target of its own"
    below, unknown = [], []
    if scenario["target_value"] is not None:
        of_limit = scenario["target_of"] == "limit"
        figure = made["distance"] if of_limit else made[column_of(REFERENCE)]
        if not is_number(figure):
            unknown.append(figure)
        elif figure > scenario["target_value"] if of_limit else figure < scenario["target_value"]:
            below.append("time")
    if not is_number(made["allocations"]):
        unknown.append(made["allocations"])
    elif made["allocations"] > scenario["allocations_target"]:
        below.append("allocations")
    if below:
        return "below: " + " and ".join(below)
    return str(unknown[0]) if unknown else "reached"
