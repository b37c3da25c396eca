# Reads the files that scripts/checks/check-formats has written, each by its consumer's own code or against its schema.

import csv
import gzip
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree

import duckdb
import google.protobuf.unknown_fields
import jsonschema
import junitparser
import line_protocol_parser
import pandas
import prometheus_client.openmetrics.parser
import xmlschema

import pprof

NUMBER = {"type": "number"}
TEXT = {"type": "string"}


def record(required, **optional):
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


def rows_of(results):
    """The rows of a result file that have a value, read by Python's own CSV reader."""
    with open(results, newline="", encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return [row for row in csv.DictReader(lines) if row["value"]]


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def check_results_with_pandas(folder, results):
    frame = pandas.read_csv(results, comment="#")
    expect(frame["value"].notna().sum() == len(rows_of(results)), "pandas reads another number of rows")


def check_results_with_duckdb(folder, results):
    count = duckdb.sql(f"select count(value) from read_csv('{results}', comment='#', header=true, skip=0, delim=',')").fetchall()[0][0]
    expect(count == len(rows_of(results)), "DuckDB reads another number of rows")


def check_csv(folder, results):
    table = pandas.read_csv(folder / "run/report.csv")
    frame = table[table["launches"] > 0]
    expect(table[table["launches"] == 0]["note"].str.startswith("unavailable: ").all(), "a value is missing without a reason")
    expect(len(frame) == len({(r["benchmark"], r["parameters"], r["metric"]) for r in rows_of(results)}), "rows are missing")
    expect((frame["low"] <= frame["median"]).all() and (frame["median"] <= frame["high"]).all(), "an interval is inverted")
    expect(len(pandas.read_csv(folder / "comparison/comparison.csv")) > 0, "the comparison has no rows")


def check_json(folder, results):
    run = json.loads((folder / "run/report.json").read_text())
    jsonschema.validate(run, record({"format": {"const": "gauge-run"}, "benchmarks": {"type": "array", "minItems": 1}}))
    comparison = json.loads((folder / "comparison/comparison.json").read_text())
    jsonschema.validate(comparison, record({"format": {"const": "gauge-comparison"}, "exit_code": {"type": "integer"}}))


def check_github(folder, results):
    """The schema of github-action-benchmark's src/extract.ts."""
    schema = {"type": "array", "items": record({"name": TEXT, "unit": TEXT, "value": NUMBER}, range=TEXT, extra=TEXT)}
    for name in ("github-smaller.json", "github-bigger.json"):
        document = json.loads((folder / "run" / name).read_text())
        jsonschema.validate(document, schema)
        names = [entry["name"] for entry in document]
        expect(len(set(names)) == len(names), "names repeat")


def check_google(folder, results):
    """What google-benchmark's compare.py, Bencher's adapter and github-action-benchmark read."""
    entry = record(
        {
            "name": TEXT, "run_name": TEXT, "run_type": {"enum": ["iteration", "aggregate"]}, "repetitions": {"type": "integer"},
            "repetition_index": {"type": "integer"}, "threads": {"type": "integer"}, "iterations": {"type": "integer"},
            "real_time": NUMBER, "cpu_time": NUMBER, "time_unit": {"enum": ["ns", "us", "ms", "s"]},
        }
    )
    context = record({"date": TEXT, "num_cpus": {"type": "integer"}, "caches": {"type": "array"}, "library_build_type": TEXT})
    document = json.loads((folder / "run/google-benchmark.json").read_text())
    jsonschema.validate(document, record({"context": context, "benchmarks": {"type": "array", "items": entry, "minItems": 1}}))


def check_jmh(folder, results):
    """What Bencher's adapter and jmh-visualizer read of JMH's JSONResultFormat."""
    metric = record(
        {
            "score": NUMBER, "scoreError": NUMBER, "scoreUnit": TEXT,
            "scoreConfidence": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2},
            "scorePercentiles": {"type": "object"}, "rawData": {"type": "array", "items": {"type": "array", "items": NUMBER}},
        }
    )
    entry = record(
        {
            "jmhVersion": TEXT, "benchmark": {"type": "string", "pattern": "^[^ =]+$"}, "mode": {"enum": ["avgt"]},
            "threads": {"type": "integer"}, "forks": {"type": "integer"}, "primaryMetric": metric,
            "secondaryMetrics": {"type": "object", "additionalProperties": metric},
        }
    )
    document = json.loads((folder / "run/jmh.json").read_text())
    jsonschema.validate(document, {"type": "array", "items": entry, "minItems": 1})
    for unit in {entry["primaryMetric"]["scoreUnit"] for entry in document}:
        expect(re.fullmatch(r"(ns|us|ms|s)/op|ops/(ns|us|ms|s)", unit), f"Bencher does not know the unit {unit}")


def check_bencher(folder, results):
    """Bencher Metric Format's schema."""
    measure = record({"value": NUMBER}, lower_value=NUMBER, upper_value=NUMBER)
    slugs = {"type": "object", "propertyNames": {"pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}, "additionalProperties": measure}
    schema = {"type": "object", "propertyNames": {"maxLength": 1024}, "additionalProperties": slugs, "minProperties": 1}
    jsonschema.validate(json.loads((folder / "run/bencher.json").read_text()), schema)


def check_hgrm(folder, results):
    """The lines that HdrHistogram's plotFiles.html takes: value, percentile, count, and the inverse but for the last."""
    files = sorted((folder / "run/hgrm").glob("*.hgrm"))
    expect(files, "there is no file")
    for file in files:
        lines = file.read_text().splitlines()
        expect(lines[0].split() == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"], f"{file.name}: its head")
        before = (-math.inf, -math.inf, -math.inf)
        for line in (line for line in lines[2:] if not line.startswith("#")):
            numbers = tuple(float(word) for word in line.split()[:3])
            expect(all(a <= b for a, b in zip(before, numbers)), f"{file.name}: '{line}' falls")
            before = numbers
        expect(before[1] == 1, f"{file.name}: the last line is not the maximum")


def check_influx(folder, results):
    lines = (folder / "run/influx.lp").read_text().splitlines()
    titles = set()
    for line in lines:
        point = line_protocol_parser.parse_line(line)
        expect({"median", "low", "high", "launches"} <= set(point["fields"]), f"fields are missing: {line}")
        titles.add(point["tags"]["benchmark"])
    expect(titles == {row["benchmark"] for row in rows_of(results)}, "benchmarks are missing")


def check_openmetrics(folder, results):
    text = (folder / "run/openmetrics.txt").read_text()
    families = list(prometheus_client.openmetrics.parser.text_string_to_metric_families(text))
    names = {sample.labels["benchmark"] for family in families for sample in family.samples}
    expect(names == {row["benchmark"] for row in rows_of(results)}, "benchmarks are missing")


def check_go(folder, results):
    """Go's benchmark format as its design document gives it, and the Unit lines of golang.org/x/perf/benchfmt."""
    known = 0
    for line in (folder / "run/go-benchmark.txt").read_text().splitlines():
        if line.startswith("Benchmark"):
            words = line.split()
            expect(re.match(r"Benchmark[^a-z\s]\S*$", words[0]), f"a name that is none: {words[0]}")
            expect(int(words[1]) > 0 and len(words) % 2 == 0 and len(words) >= 4, f"'{line}'")
            expect(all(math.isfinite(float(value)) for value in words[2::2]), f"'{line}'")
            known += 1
        elif line.startswith("Unit "):
            expect(re.match(r"Unit \S+ assume=(exact|nothing)$", line), f"'{line}'")
        else:
            expect(re.match(r"[a-z][^A-Z\s:]*: ", line), f"no configuration: '{line}'")
    expect(known > 0, "there is no benchmark")


def check_hyperfine(folder, results):
    """The fields of hyperfine's export that Bencher's adapter and its own scripts read."""
    entry = record(
        {name: NUMBER for name in ("mean", "median", "user", "system", "min", "max")}
        | {"command": TEXT, "times": {"type": "array", "items": NUMBER}, "exit_codes": {"type": "array"}}
    )
    schema = record({"results": {"type": "array", "items": entry, "minItems": 1}})
    jsonschema.validate(json.loads((folder / "run/hyperfine.json").read_text()), schema)


def check_otava(folder, results):
    frame = pandas.read_csv(folder / "run/otava.csv", parse_dates=["time"])
    expect(len(frame) == 1 and frame["time"].notna().all(), "the run's line can't be read")
    expect(frame.drop(columns=["time", "commit"]).map(lambda value: isinstance(value, (int, float))).all(axis=None), "text")


SCHEMA = """<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <xs:element name="testsuites"><xs:complexType><xs:sequence>
    <xs:element name="testsuite" maxOccurs="unbounded"><xs:complexType><xs:sequence>
      <xs:element name="properties"><xs:complexType><xs:sequence>
        <xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
          <xs:attribute name="name" type="xs:token" use="required"/>
          <xs:attribute name="value" type="xs:string" use="required"/>
        </xs:complexType></xs:element>
      </xs:sequence></xs:complexType></xs:element>
      <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
        <xs:choice minOccurs="0">
          <xs:element name="skipped"><xs:complexType><xs:attribute name="message" type="xs:string"/></xs:complexType></xs:element>
          <xs:element name="error" type="problem"/><xs:element name="failure" type="problem"/>
        </xs:choice>
        <xs:attribute name="name" type="xs:token" use="required"/>
        <xs:attribute name="classname" type="xs:token" use="required"/>
        <xs:attribute name="time" type="xs:decimal" use="required"/>
      </xs:complexType></xs:element>
      <xs:element name="system-out" type="xs:string"/><xs:element name="system-err" type="xs:string"/>
    </xs:sequence>
      <xs:attribute name="package" type="xs:token" use="required"/><xs:attribute name="id" type="xs:int" use="required"/>
      <xs:attribute name="name" type="xs:token" use="required"/>
      <xs:attribute name="timestamp" use="required"><xs:simpleType><xs:restriction base="xs:dateTime">
        <xs:pattern value="[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"/></xs:restriction></xs:simpleType></xs:attribute>
      <xs:attribute name="hostname" type="xs:token" use="required"/>
      <xs:attribute name="tests" type="xs:int" use="required"/><xs:attribute name="failures" type="xs:int" use="required"/>
      <xs:attribute name="errors" type="xs:int" use="required"/><xs:attribute name="skipped" type="xs:int"/>
      <xs:attribute name="time" type="xs:decimal" use="required"/>
    </xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
  <xs:complexType name="problem"><xs:simpleContent><xs:extension base="xs:string">
    <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string" use="required"/>
  </xs:extension></xs:simpleContent></xs:complexType>
</xs:schema>"""


def check_junit(folder, results):
    """By junitparser, and by the order and the attributes that the published JUnit.xsd asks for."""
    file = folder / "comparison/junit.xml"
    xmlschema.XMLSchema(SCHEMA).validate(str(file))
    report = junitparser.JUnitXml.fromfile(str(file))
    suite = next(iter(report))
    cases = list(suite)
    expect(suite.tests == len(cases) and len(cases) > 0, "the number of cases is wrong")


def check_html(folder, results):
    """Well-formed but for the document type and the empty elements, and nothing from outside."""
    for name in ("run/report.html", "comparison/comparison.html"):
        text = (folder / name).read_text()
        # Scripts are the page's own, as its policy has it, and no XML.
        text = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
        expect(not re.search(r"(src|href)=\"(?!data:)|<script|url\(", text), f"{name} refers to the outside")
        body = re.sub(r"<(meta|link|input)([^>]*)>", r"<\1\2/>", text.split("\n", 1)[1])
        body = re.sub(r"(<[^<>]* (hidden|open))(?=[ >])", r'\1=""', body)
        xml.etree.ElementTree.fromstring(body)


def profile(folder, ending):
    files = list((folder / "profile").glob("*.cpu." + ending))
    expect(len(files) == 1, f"there is no profile that ends with {ending}")
    return files[0]


def check_folded(folder, results):
    """The lines that flamegraph.pl and inferno take: frames joined by semicolons, a space and a count."""
    lines = profile(folder, "folded").read_text().splitlines()
    expect(lines and all(re.fullmatch(r"[^;]+(;[^;]+)* [1-9][0-9]*", line) for line in lines), "a line is no stack")
    expect(len({line.rsplit(" ", 1)[0] for line in lines}) == len(lines), "stacks repeat")


def check_speedscope(folder, results):
    """The published schema, https://www.speedscope.app/file-format-schema.json, for what is sampled."""
    frame = record({"name": TEXT}, file=TEXT, line=NUMBER, col=NUMBER)
    sampled = record(
        {
            "type": {"enum": ["sampled"]}, "name": TEXT, "startValue": NUMBER, "endValue": NUMBER,
            "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]},
            "samples": {"type": "array", "items": {"type": "array", "items": NUMBER}},
            "weights": {"type": "array", "items": NUMBER},
        }
    )
    schema = record(
        {
            "$schema": {"enum": ["https://www.speedscope.app/file-format-schema.json"]},
            "profiles": {"type": "array", "items": sampled, "minItems": 1},
            "shared": record({"frames": {"type": "array", "items": frame}}),
        },
        name=TEXT, exporter=TEXT, activeProfileIndex=NUMBER,
    )
    document = json.loads(profile(folder, "speedscope.json").read_text())
    jsonschema.validate(document, schema)
    for one in document["profiles"]:
        expect(len(one["samples"]) == len(one["weights"]), "samples without weights")
        expect(sum(one["weights"]) == one["endValue"] - one["startValue"], "the weights are not the whole")
        frames = {index for sample in one["samples"] for index in sample}
        expect(frames <= set(range(len(document["shared"]["frames"]))), "a frame is missing")


def check_pprof(folder, results):
    """What pprof's own CheckValid asks of a profile, read by Google's Protocol Buffers."""
    message = pprof.message()
    message.ParseFromString(gzip.decompress(profile(folder, "pb.gz").read_bytes()))
    expect(len(google.protobuf.unknown_fields.UnknownFieldSet(message)) == 0, "fields that pprof does not know")
    strings = message.string_table
    expect(strings[0] == "", "the first string is not empty")
    types = [(strings[kind.type], strings[kind.unit]) for kind in message.sample_type]
    expect(types == [("cpu", "nanoseconds")], f"the kinds are {types}")
    mappings, functions, locations = (
        {one.id: one for one in table} for table in (message.mapping, message.function, message.location))
    for table in (mappings, functions, locations):
        expect(0 not in table, "0 is used as a number")
    expect(message.sample and len(locations) == len(message.location), "numbers repeat, or there is no sample")
    for location in locations.values():
        expect(location.mapping_id in mappings and location.line, "a place without mapping or function")
        expect(all(strings[functions[line.function_id].name] for line in location.line), "a function without name")
    for sample in message.sample:
        expect(len(sample.value) == len(types), "a sample has too few values")
        expect(sample.location_id and all(number in locations for number in sample.location_id), "a place is missing")
    root = message.sample[0].location_id[-1]
    expect(strings[functions[locations[root].line[-1].function_id].name] == "gauge/allocate", "the root is not the last")
    total = sum(int(line.rsplit(" ", 1)[1]) for line in profile(folder, "folded").read_text().splitlines())
    expect(sum(sample.value[0] for sample in message.sample) == total, "the values are not those of the folded stacks")


def main():
    folder, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    failures = 0
    checks = [(name[len("check_"):], check) for name, check in globals().items() if name.startswith("check_")]
    for name, check in checks:
        try:
            check(folder, results)
            print(f"ok      {name}")
        except Exception as error:  # a parser's own complaint, of whatever type
            failures += 1
            print(f"FAILED  {name}: {type(error).__name__}: {str(error)[:300]}")
    print(f"check-formats: {len(checks) - failures} of {len(checks)} formats read")
    return 1 if failures else 0


sys.exit(main())
