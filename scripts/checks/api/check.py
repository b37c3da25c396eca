# Compares the lists of declarations with the modules' symbol graphs and with the modules' documentation; see
# scripts/checks/check-api.

import collections
import glob
import json
import os
import pathlib
import re
import sys

import declaration
import names
import suites


CORE = ("Weir", "WeirDispatch", "WeirFoundation")


def main():
    listed, additions, impossible, deliberate, graphs, root = sys.argv[1:7]
    reasons = read_reasons(impossible)
    lists, texts, code = [], [], 0
    if listed:
        lists.append(("API", listed, read_graphs(graphs, CORE)))
    if additions:
        lists.append(("additions", additions, read_graphs(graphs)))
    for title, path, (symbols, conformances) in lists:
        if not symbols:
            sys.exit(f"check-api: no symbols in {graphs}")
        found, missing, excused = compare(path, impossible, reasons, symbols, conformances, root)
        texts.append((f"{title}: {found} of {found + len(missing)}", missing, excused))
    if additions:
        texts.append(("", undocumented(additions, reasons, root), []))
    if deliberate:
        texts.append(("", unlike_combine(listed, deliberate, lists[0][2][1]), []))
    print("; ".join(text for text, _, _ in texts if text))
    for _, missing, excused in texts:
        for line in missing:
            code = 1
            print(line)
        for line in excused:
            print(f"impossible on Linux: {line}   ({reasons[line]})")
    sys.exit(code)


def compare(listed, impossible, reasons, symbols, conformances, root):
    """How many declarations of a list are there, what is said of those that aren't, and those that can't be."""
    used, missing, excused, found = collections.Counter(), [], [], 0
    samples = None
    for number, line in read_lines(listed):
        if line.startswith("sample "):
            samples = read_samples(root) if samples is None else samples
            lacks = [] if line.split()[1] in samples else ["declaration"]
        else:
            key, path, protocols = read_declaration(listed, number, line)
            used[key] += key is not None
            lacks = [] if key is None or used[key] <= symbols[key] else ["declaration"]
            lacks += [protocol for protocol in protocols if (path, protocol) not in conformances]
        if not lacks:
            found += 1
            if line in reasons:
                print(f"check-api: {impossible}: exists after all: {line}", file=sys.stderr)
        elif line in reasons:
            excused.append(line)
        else:
            protocols = [name for name in lacks if name != "declaration"]
            because = f"   (does not conform to {', '.join(protocols)})" if protocols else ""
            missing.append(f"missing: {line}{because}")
    return found, missing, excused


def undocumented(listed, reasons, root):
    """What is said of names without a row in the modules' tables, and of tests in these that don't exist."""
    tests, documented, findings = suites.existing(root), set(), []
    for row in names.rows(root):
        documented |= row.names
        findings += [f"no such test: {test} ({row.place})" for test in row.tests if test not in tests]
        if not row.tests:
            findings.append(f"no test: {', '.join(sorted(row.names))} ({row.place})")
    wanted = {}
    for number, line in read_lines(listed):
        if line in reasons:
            continue
        if line.startswith("sample "):
            wanted.setdefault(line.split()[1], line)
            continue
        key, owner, _ = read_declaration(listed, number, line)
        if key is not None:
            wanted.setdefault(names.name_of(key, owner), line)
    findings += [f"no row in a Names.md: {name}" for name in wanted if name not in documented]
    return findings


def unlike_combine(listed, deliberate, conformances):
    """What is said of Combine's types that are Sendable here alone and not listed so, or listed and not Sendable."""
    types, theirs = set(), set()
    for number, line in read_lines(listed):
        _, path, protocols = read_declaration(listed, number, line)
        types.add(path)
        theirs |= {path for protocol in protocols if protocol == "Sendable"}
    ours = {path for path, protocol in conformances if protocol == "Sendable" and path in types} - theirs
    told = set(read_reasons(deliberate))
    return ([f"Sendable, and not in Combine nor in {deliberate}: {path}" for path in sorted(ours - told)]
            + [f"{deliberate}: not Sendable: {path}" for path in sorted(told - ours)])


def read_declaration(listed, number, line):
    try:
        return declaration.read(line)
    except declaration.Unreadable:
        print(f"check-api: {listed}:{number}: can't read: {line}", file=sys.stderr)
        sys.exit(64)


def read_samples(root):
    """The types and functions that the tests of published examples declare."""
    samples = set()
    for path in pathlib.Path(root, "Tests", "PatternTests").rglob("*.swift"):
        text = path.read_text(encoding="utf-8")
        samples.update(re.findall(r"^ *(?:\w+ )*(?:struct|class|enum|protocol|func) (\w+)", text, re.M))
    return samples


def read_lines(path):
    """Every line that is neither empty nor a comment, with its number."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                yield number, line


def read_reasons(path):
    """Lines of the list that can't exist, with the reason behind ` -- `."""
    return dict(line.split(" -- ", 1) for _, line in read_lines(path))


def read_graphs(folder, modules=None):
    """What the modules declare, or those of the given names, counted, and who conforms to what."""
    symbols, conformances, texts, aliases = collections.Counter(), set(), [], {}
    for path in sorted(glob.glob(folder + "/*.symbols.json")):
        if modules and re.match(r"\w+", os.path.basename(path))[0] not in modules:
            continue
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        paths = {}
        for symbol in graph["symbols"]:
            if inherited_from_package(symbol["identifier"]["precise"]):
                continue
            name = ".".join(symbol["pathComponents"])
            paths[symbol["identifier"]["precise"]] = name
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            texts.append((name, text))
            target = re.match(r"typealias \w+ = (\w+)(?:<[^<>]*>)?$", text)
            if target:
                aliases[name] = target[1]
        for relation in graph["relationships"]:
            if relation["kind"] != "conformsTo" or relation["source"] not in paths:
                continue
            target = paths.get(relation["target"]) or relation.get("targetFallback", "")
            conformances.add((paths[relation["source"]], target.split(".")[-1]))
            protocol = known_protocol(relation["target"])
            if protocol:
                conformances.add((paths[relation["source"]], protocol))
    for name, text in texts:
        count(symbols, name, text)
        for alias, target in aliases.items():
            if name == target or name.startswith(target + "."):
                # A type that has another name is there under both, with all its members.
                own = re.sub(rf"\b{target}\b(?:<[^<>]*>)?", alias.split(".")[-1], text)
                count(symbols, alias + name[len(target):], own)
    for alias, target in aliases.items():
        conformances |= {(alias + path[len(target):], protocol) for path, protocol in conformances
                         if path == target or path.startswith(target + ".")}
    for path, protocol in conformances:
        if protocol == "Equatable":
            # The compiler's own `==` is in no graph.
            key, _, _ = declaration.read("static func == (lhs: Self, rhs: Self) -> Bool", path)
            symbols[key] = max(symbols[key], 1)
    return symbols, conformances


def count(symbols, name, text):
    """Counts the declaration `text` of what is called `name`, if it is of a kind that lists hold."""
    try:
        key, _, _ = declaration.read(text, ".".join(name.split(".")[:-1]) or None)
    except declaration.Unreadable:
        return
    if key is not None:
        symbols[key] += 1


def inherited_from_package(precise):
    """Whether a member is one that a protocol of the package gives to all its types.

    Those of Swift's own count as declared, and those of WeirFoundation's, which write once what two schedulers have.
    """
    return "::SYNTHESIZED::" in precise and re.match(r"s:\d+(Weir(?!Foundation)|Combine)", precise) is not None


def known_protocol(precise):
    """The name at the end of a mangled protocol of another module of the package, such as `s:4Weir9SchedulerP`."""
    if not precise.startswith("s:4Weir") or not precise.endswith("P"):
        return None
    return precise[len("s:4Weir"):-1].lstrip("0123456789")


main()
