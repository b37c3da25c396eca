# Reading the result files of `gauge run` and the tables that are written by hand; what is wrong names file, line and
# field.

import csv
import math
import statistics

COLUMNS = [
    "benchmark", "parameters", "metric", "unit", "polarity", "kind", "launch", "sequence", "iterations", "samples",
    "value", "note"]
VERSION = "# gauge-results 1"
UNAVAILABLE = "unavailable: "


class BadFile(Exception):
    """What is wrong with a file, with its place."""


class MissingFile(Exception):
    """A file that is not there."""


class Unavailable(str):
    """Why there is no figure; written where the figure would stand."""

    def __str__(self):
        return UNAVAILABLE + str.__str__(self)


def title(benchmark, parameters):
    return f"{benchmark}[{parameters}]" if parameters else benchmark


def is_number(value):
    return isinstance(value, (int, float))


def lines_of(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFile(f"there is no {path}") from None
    except IsADirectoryError:
        raise BadFile(f"{path}: is a folder, not a file") from None
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: is not a text file: {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise MissingFile(f"cannot read {path}: {error.strerror}") from None


def records(path, lines, first, columns):
    """The records below a header, as (line, {column: field}); `first` is the header's place among the lines."""
    if first >= len(lines):
        raise BadFile(f"{path}:{first + 1}: breaks off before its header: {','.join(columns)}")
    header = next(csv.reader([lines[first]]))
    for column in columns:
        if column not in header:
            raise BadFile(f"{path}:{first + 1}: {column}: is missing from the header")
    found = []
    for number, line in enumerate(lines[first + 1:], first + 2):
        if not line or line.startswith("#"):
            continue
        try:
            fields = next(csv.reader([line], strict=True))
        except csv.Error as error:
            raise BadFile(f"{path}:{number}: {header[0]}: {error}") from None
        if len(fields) != len(header):
            missing = header[len(fields)] if len(fields) < len(header) else header[-1]
            raise BadFile(f"{path}:{number}: {missing}: {len(fields)} fields where there must be {len(header)}")
        found.append((number, dict(zip(header, fields))))
    return found


def table(path, columns):
    """A table written by hand: comment lines, a header, rows."""
    lines = lines_of(path)
    first = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return records(path, lines, first, columns)


def number(path, line, column, text, least=None):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or (least is not None and value < least):
        wanted = "a number" if least is None else f"a number from {least:g}"
        raise BadFile(f"{path}:{line}: {column}: `{text}` is not {wanted}")
    return value


class Run:
    """A result file: what was measured of each benchmark over its launches, and what the run says of itself."""

    def __init__(self, path):
        self.path = path
        self.environment = {}
        # Benchmark and parameters -> metric -> one value per launch, or why there is none.
        self.points = {}
        lines = lines_of(path)
        if not lines or lines[0] != VERSION:
            raise BadFile(f"{path}:1: version: is not `{VERSION}`")
        first = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
        for line in lines[1:first]:
            name, colon, value = line[1:].strip().partition(":")
            if colon:
                self.environment[name] = value.strip()
        for line, fields in records(path, lines, first, COLUMNS):
            self.add(line, fields)
        pairs = (pair.split("=") for pair in self.environment.get("limits", "").split(";"))
        self.limits = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}

    def add(self, line, fields):
        if fields["metric"] == "end":
            return
        point = self.points.setdefault((fields["benchmark"], fields["parameters"]), {})
        values, reasons = point.setdefault(fields["metric"], ([], []))
        if fields["value"]:
            values.append(number(self.path, line, "value", fields["value"]))
        elif fields["note"].startswith((UNAVAILABLE, "fault: ")):
            reasons.append(fields["note"].removeprefix(UNAVAILABLE).split(" | ")[0])
        else:
            raise BadFile(f"{self.path}:{line}: value: is empty, and the note does not say why")

    def values(self, benchmark, parameters, metric):
        """One value per launch, or why there are none."""
        point = self.points.get((benchmark, parameters))
        if point is None:
            return Unavailable("the run has no such row")
        values, reasons = point.get(metric, ([], []))
        if values:
            return sorted(values)
        if reasons:
            return Unavailable(reasons[0])
        broken = point.get("fault", ([], []))[1]
        return Unavailable(broken[0] if broken else "the run did not measure it")

    def figure(self, benchmark, parameters, metric, divisor=1):
        """The median over launches, of so many parts of an operation."""
        values = self.values(benchmark, parameters, metric)
        return values if isinstance(values, Unavailable) else statistics.median(values) / divisor

    def times(self, benchmark, parameters):
        """Nanoseconds per element, one per launch; an operation of one element has no such metric of its own."""
        values = self.values(benchmark, parameters, "time_per_element")
        return self.values(benchmark, parameters, "time") if isinstance(values, Unavailable) else values

    def limit(self, benchmark, parameters):
        """The limit that the benchmark's author names, as the run measured it: its title and nanoseconds per element.

        Taken at the same parameters, else at its first ones in the order of names, as `gauge report` does.
        """
        limit = self.limits.get(benchmark)
        if limit is None:
            return None, Unavailable("no limit is declared")
        points = sorted(parameters for name, parameters in self.points if name == limit)
        if not points:
            return limit, Unavailable(f"the run did not measure {limit}")
        point = parameters if parameters in points else points[0]
        values = self.times(limit, point)
        return title(limit, point), values if isinstance(values, Unavailable) else statistics.median(values)


class NoRun:
    """What stands for a file that was not given."""

    path, environment, points, limits = None, {}, {}, {}

    def __init__(self, option):
        self.reason = Unavailable(f"no {option} was given")

    def values(self, *_):
        return self.reason

    figure = times = values

    def limit(self, *_):
        return None, self.reason


def quantile(values, share):
    """Of sorted values, by the line between the two nearest."""
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])
