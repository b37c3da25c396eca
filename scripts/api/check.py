# Compares the list of Combine's declarations with the modules' symbol graphs; see scripts/check-api.

import collections
import glob
import json
import re
import sys

import declaration


def main():
    listed, impossible, graphs = sys.argv[1:4]
    symbols, conformances = read_graphs(graphs)
    if not symbols:
        sys.exit(f"check-api: no symbols in {graphs}")
    reasons = read_reasons(impossible)
    used, missing, excused, found = collections.Counter(), [], [], 0
    for number, line in read_lines(listed):
        try:
            key, path, protocols = declaration.read(line)
        except declaration.Unreadable:
            print(f"check-api: {listed}:{number}: can't read: {line}", file=sys.stderr)
            sys.exit(64)
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
            missing.append((number, line, [name for name in lacks if name != "declaration"]))
    total = found + len(missing)
    print(f"API: {found} of {total}")
    for number, line, lacks in missing:
        because = f"   (does not conform to {', '.join(lacks)})" if lacks else ""
        print(f"missing: {line}{because}")
    for line in excused:
        print(f"impossible on Linux: {line}   ({reasons[line]})")
    sys.exit(1 if missing else 0)


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


def read_graphs(folder):
    """What the modules declare, counted, and who conforms to what."""
    symbols, conformances, texts, aliases = collections.Counter(), set(), [], {}
    for path in sorted(glob.glob(folder + "/*.symbols.json")):
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
    """Whether a member is one that a protocol of the package gives to all its types; those of Swift's own count as declared."""
    return "::SYNTHESIZED::" in precise and re.match(r"s:\d+(Weir|Combine)", precise) is not None


def known_protocol(precise):
    """The name at the end of a mangled protocol of another module of the package, such as `s:4Weir9SchedulerP`."""
    if not precise.startswith("s:4Weir") or not precise.endswith("P"):
        return None
    return precise[len("s:4Weir"):-1].lstrip("0123456789")


main()
