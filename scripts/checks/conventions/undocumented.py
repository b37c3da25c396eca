# Names the public symbols in symbol graphs that have no documentation, and fails if there are any: undocumented.py
# FILE...

import json
import sys

# What the compiler makes, and what an extension block as such is.
UNWRITTEN = {"swift.extension"}


def undocumented(path):
    """The symbols of a graph without a comment, as `module: name (file)`."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    inherited = {
        edge["source"] for edge in graph["relationships"]
        if edge["kind"] in ("defaultImplementationOf", "overrides") or "sourceOrigin" in edge}
    for symbol in graph["symbols"]:
        if "docComment" in symbol or symbol["kind"]["identifier"] in UNWRITTEN or "location" not in symbol:
            continue
        if symbol["identifier"]["precise"] in inherited:
            continue
        place = symbol["location"]["uri"].rsplit("/", 1)[-1]
        yield f"{graph['module']['name']}: {'.'.join(symbol['pathComponents'])} ({place})"


def main():
    found = sorted({line for path in sys.argv[1:] for line in undocumented(path)})
    for line in found:
        print(f"docs: no documentation: {line}")
    sys.exit(1 if found else 0)


main()
