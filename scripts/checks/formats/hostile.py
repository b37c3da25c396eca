# Hostile names in every format: writes result files that have them, and reads the reports back, each by its consumer's
# own code. hostile.py write NAMES BASE NEW; hostile.py read NAMES FOLDER, with the reports that
# scripts/checks/check-formats has made; hostile.py page NAMES FILE, with a page as scripts/checks/check-report has it
# from a browser; and hostile.py start NAMES FILE and hostile.py benchmark NAMES FILE, with pages of a site as
# scripts/checks/check-site has them.

import csv
import html.parser
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

COLUMNS = "benchmark,parameters,metric,unit,polarity,kind,launch,sequence,iterations,samples,value,note".split(",")


def names_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def value_of(name):
    """A name as a parameter's value, which has no semicolon."""
    return name.replace(";", "")


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def write(names, path, factor):
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write("# gauge-results 1\n# date: 2025-01-01T00:00:00Z\n# machine_id: m\n")
        for number, name in enumerate(names):
            file.write(f"# note{number}: {escaped(name)}\n")
        file.write(f"# cpu_model: {escaped(' '.join(names))}\n# commit: {escaped(names[0])}\n")
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for number, name in enumerate(names):
            benchmark, parameters, metric = f"a{number}/{name}", f"k={value_of(name)};n=1", f"z{number}{name}"
            for launch in range(3):
                time = (10 + launch / 10) * factor
                common = [launch, number, 100, 10]
                rows.writerow([benchmark, parameters, "time", "ns/op", "lower", "sampled", *common, time, ""])
                rows.writerow([benchmark, parameters, metric, metric, "lower", "exact", *common, 3 * factor, ""])
                rows.writerow([benchmark, parameters, "latency_p50", "ns", "lower", "sampled", *common, 5 * time, ""])
            note = "fault: " + escaped(name).replace("|", "\\|") + " | " + escaped(name)
            rows.writerow([benchmark, parameters, "fault", "", "neither", "sampled", 3, number, 0, 0, "", note])


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


class Elements(html.parser.HTMLParser):
    """Names of a page's elements and attributes, and its text."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.texts = set(), set(), []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.texts.append(data)


KNOWN_TAGS = set(
    "html head meta title style link body h1 h2 h3 p input output table thead tbody tr th td code div details summary section "
    "figure figcaption svg line circle polyline polygon text script span pre br button".split())


def read_page(path, names, tags=frozenset(), attributes=frozenset()):
    """A page as gauge has written it, or as a browser has made it of that."""
    page = Elements()
    page.feed(path.read_text(encoding="utf-8"))
    expect(page.tags <= KNOWN_TAGS | tags, f"{path.name}: elements {page.tags - KNOWN_TAGS - tags}")
    handlers = {name for name in page.attributes if name.startswith("on") or name in ("src", "action", "srcdoc")}
    expect(handlers <= attributes, f"{path.name}: attributes {handlers - attributes}")
    text = "".join(page.texts)
    for number, name in enumerate(names):
        if name.isprintable():
            expect(f"a{number}/{name}" in text, f"{path.name}: {name!r} is not there as it was")


def read_site_page(path, names):
    """A page of a site, which links to others and has its scripts beside it."""
    read_page(path, names, set("a select option label noscript".split()), {"src"})


def expect_plain(path):
    """No control character, and none that turns the direction of reading."""
    found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", path.read_text(encoding="utf-8"))
    expect(found is None, f"{path.name}: {found.group()!r}" if found else "")


def check_html(folder, names):
    for path in ("run/report.html", "comparison/comparison.html"):
        expect_plain(folder / path)
        read_page(folder / path, names)


def check_junit(folder, names):
    expect_plain(folder / "comparison/junit.xml")
    tree = xml.etree.ElementTree.parse(folder / "comparison/junit.xml")
    expect({element.tag for element in tree.iter()} <= set(
        "testsuites testsuite properties property testcase failure error skipped system-out system-err".split()), "elements")
    classes = {case.get("classname") for case in tree.iter("testcase")}
    for number, name in enumerate(names):
        if name.isprintable():
            expect(f"a{number}/{name}[k={value_of(name)};n=1]" in classes, f"{name!r} is no class of a case")


def check_csv(folder, names):
    with open(folder / "run/report.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = {(row["benchmark"], row["parameters"], row["metric"]) for row in rows}
    for number, name in enumerate(names):
        expect((f"a{number}/{name}", f"k={value_of(name)};n=1", f"z{number}{name}") in found, f"{name!r} is no row")
    with open(folder / "run/otava.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    expect(len(rows) == 2 and len(rows[0]) == len(rows[1]) == 2 + 3 * len(names), "otava: another number of columns")


def check_json(folder, names):
    run = json.loads((folder / "run/report.json").read_text(encoding="utf-8"))
    found = {(point["benchmark"], point["parameters"]["k"]) for point in run["benchmarks"]}
    expect(found == {(f"a{number}/{name}", value_of(name)) for number, name in enumerate(names)}, "other benchmarks")
    for file in sorted((folder / "run").glob("*.json")) + sorted((folder / "comparison").glob("*.json")):
        json.loads(file.read_text(encoding="utf-8"))


def check_openmetrics(folder, names):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    with open(folder / "run/openmetrics.txt", encoding="utf-8") as file:
        families = list(text_string_to_metric_families(file.read()))
    # One for the times, one for the latencies, and one for each name.
    expect(len(families) == 2 + len(names), f"{len(families)} families")
    found = {sample.labels["benchmark"] for family in families for sample in family.samples}
    expect(len(found) == len(names), f"{len(found)} benchmarks")
    for number, name in enumerate(names):
        if name.isprintable():
            expect(f"a{number}/{name}" in found, f"{name!r} is no label as it was")


def check_influx(folder, names):
    from line_protocol_parser import parse_line

    with open(folder / "run/influx.lp", newline="\n", encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    expect(len(lines) == 3 * len(names), f"{len(lines)} points")
    for line in lines:
        point = parse_line(line)
        expect(point["measurement"] == "gauge", "another measurement")
        expect(set(point["tags"]) <= {"benchmark", "metric", "unit", "machine", "commit", "param_k", "param_n"},
               f"tags {set(point['tags'])}")
        expect(set(point["fields"]) == {"median", "low", "high", "launches"}, f"fields {set(point['fields'])}")


def check_go(folder, names):
    """What benchfmt's reader takes for a line, by its own rules: fields between spaces, of which the first begins so."""
    with open(folder / "run/go-benchmark.txt", newline="\n", encoding="utf-8") as file:
        lines = file.read().split("\n")
    results = [line for line in lines if line.startswith("Benchmark")]
    expect(len(results) == 9 * len(names), f"{len(results)} results")
    expect(all(len(line.split()) == 4 for line in results), "a line of more than a name, a number, a value and a unit")
    keys = {line.split(":")[0] for line in lines if line and not line.startswith(("Benchmark", "Unit "))}
    expect(keys <= {"goos", "pkg", "cpu", "commit", "toolchain"}, f"keys {keys}")


def check_markdown(folder, names):
    """By GitHub's rules as markdown-it has them: no elements, links or pictures, and in text that is no code nothing that
    either service would make a link, a mention or a reference of."""
    from markdown_it import MarkdownIt

    live = re.compile(r"(?i)https?://|www\.|(?<![\w/])@[\w.-]|\w@[\w.-]|(?<!\w)[#!]\w|~[\w?.&-]|%[\w-]|\bgh-\d|\[\[|:\w+:|[{\[][+-]|"
                      r"(?<!\w)[0-9a-f]{7,40}(?!\w)")
    parser = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    # Neither service links a bare domain. An address has a letter, a digit or a mark right behind its @ for both, which
    # is looked for below, and not any character, as for markdown-it.
    parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False}).add("//", None)
    for path in ("run/report.md", "comparison/comparison.md"):
        text = (folder / path).read_text(encoding="utf-8")
        for token in parser.parse(text):
            for inner in [token] + (token.children or []):
                expect(inner.type not in ("link_open", "image", "s_open", "em_open"), f"{path}: {inner.type} of {token.content!r}")
                if inner.type == "text" and (found := live.search(inner.content)):
                    expect(False, f"{path}: {found.group()!r} in {inner.content!r}")
                if inner.type in ("html_inline", "html_block"):
                    allowed = ("<br>", "<details>", "</details>")
                    expect(inner.content.strip().startswith(allowed), f"{path}: {inner.content!r}")
        lines = text.split("\n")
        expect(not any(line.startswith(("/", "@")) for line in lines), f"{path}: a command begins a line")


def main():
    names = names_of(sys.argv[2])
    if sys.argv[1] == "write":
        write(names, sys.argv[3], 1)
        write(names, sys.argv[4], 2)
        return 0
    if sys.argv[1] == "page":
        read_page(pathlib.Path(sys.argv[3]), names)
        return 0
    if sys.argv[1] in ("start", "benchmark"):
        read_site_page(pathlib.Path(sys.argv[3]), names if sys.argv[1] == "start" else [])
        return 0
    folder = pathlib.Path(sys.argv[3])
    failures = 0
    checks = [(name[len("check_"):], check) for name, check in globals().items() if name.startswith("check_")]
    for name, check in checks:
        try:
            check(folder, names)
            print(f"ok      {len(names)} hostile names in {name}")
        except Exception as error:  # a parser's own complaint, of whatever type
            failures += 1
            print(f"FAILED  hostile names in {name}: {type(error).__name__}: {str(error)[:300]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
