# The rule that each atomic access which orders more than itself is in the lists of Tests/Interleavings/*Orderings.swift,
# from which scripts/explore makes mutants, and that the page about threads says how many of them are caught.

import re

# What is an access elsewhere is none here: the words themselves, and what is one step to the explorer, or its own.
APART = ("Atomics.swift", "Explored.swift", "SpinLock.swift", "Parker.swift")
LISTS = re.compile(r"Tests/Interleavings/\w+Orderings\.swift$")
NOTICED = "Tests/Interleavings/NoticedMutants.swift"
PAGE = "Sources/Weir/Weir.docc/ThreadSafety.md"

ACCESSES = {
    "relaxedLoad": ("load", None),
    "acquireLoad": ("load", "acquire"),
    "sequentialLoad": ("load", "sequentiallyConsistent"),
    "relaxedStore": ("store", None),
    "publish": ("store", "release"),
    "exchange": ("exchange", "acquireRelease"),
    "sequentialExchange": ("exchange", "sequentiallyConsistent"),
    "compareExchange": ("compareExchange", "acquireRelease"),
    "sequentialCompareExchange": ("compareExchange", "sequentiallyConsistent"),
    "add": ("add", "acquireRelease"),
}
WEAKER = {
    ("load", "sequentiallyConsistent"): ["acq"],
    ("exchange", "sequentiallyConsistent"): ["acqrel"],
    ("compareExchange", "sequentiallyConsistent"): ["acqrel"],
    ("lightBarrier", "sequentiallyConsistent"): ["none"],
    ("load", "acquire"): ["rlx"],
    ("store", "release"): ["rlx"],
}
ACCESS = re.compile(r"(\w+)(?:\[[^\]\n]*\])?\s*\.\s*(%s)\(" % "|".join(ACCESSES))
MAYBE = re.compile(r"\.(acquire|relaxed|sequential|publish|exchange|compareExchange|add)\w*\(|compilerBarrier")
BARRIER = re.compile(r"(?<!func )\bcompilerBarrier\(\)")
WORD = re.compile(r"\b(\w+)(?::\s*(?:borrowing\s+)?|:\s*UnsafeMutablePointer<|\s*=\s*)AtomicWord\b")
FUNCTION = re.compile(r"\b(?:func\s+(\w+)|(?<![.\w])(init)\??)\s*(?:<[^(){}]*>)?\(")
PROPERTY = re.compile(r"\b(?:var\s+(\w+)\s*:[^={}\n]*|(deinit)\s*)\{")
FILE = re.compile(r'OrderedAccesses\(\s*"([^"]+)"')
LISTED = re.compile(
    r'(?:OrderedAccess\(\s*\.(\w+),\s*\.(\w+),|\.(lightBarrier)\()\s*"([^"]+)"(?:,\s*(\d+))?(?:,\s*stays:\s*[^)]+)?\)')
COUNT = re.compile(r"These are (\d+) of the (\d+) accesses")


def check(sources, report):
    lists = [source for source in sources if LISTS.search(source.path)]
    if not lists:
        return
    listed = {}
    for source in lists:
        for place, access, line in entries(source):
            listed.setdefault(place, []).append((access, source.path, line))
    words = {}
    for source in sources:
        module = re.match(r"Sources/(Weir\w*)/.*\.swift$", source.path)
        if module and "AtomicWord" in source.text:
            words.setdefault(module[1], {"pointee"}).update(WORD.findall(source.text))
    total = 0
    for source in sources:
        module = re.match(r"Sources/(Weir(?!Verify/)\w*)/.*\.swift$", source.path)
        if not module or source.path.endswith(APART) or not MAYBE.search(source.text):
            continue
        known = words.get("WeirQueues", set()) | words.get(module[1], set())
        for place, found in sorted(accesses(source, known).items()):
            total += sum(ordering is not None for ordering, _ in found)
            compare(source, place, found, listed.pop(place, []), report)
    for place, entered in listed.items():
        for (ordering, index), path, line in entered:
            report(path, line, f"there is no {described(place, index)} in {place[0]} any more")
    count(sources, lists, total, report)


def compare(source, place, found, entered, report):
    """Holds the accesses of one kind in one function against the lines of the lists."""
    missing = {index: ordering for index, (ordering, _) in enumerate(found) if ordering}
    for (ordering, index), path, line in entered:
        if index is None and len(found) > 1:
            report(path, line, f"there are {len(found)} times {described(place, None)}: say which")
        elif missing.pop(index or 0, None) != ordering:
            report(path, line, f"{described(place, index)} has another ordering, or is here twice")
    for index, ordering in missing.items():
        report(source.path, found[index][1],
               f"{described(place, index if len(found) > 1 else None)} asks for `{ordering}`: "
               "give it a line in Tests/Interleavings/*Orderings.swift")


def described(place, index):
    number = "" if index is None else f" {index + 1}"
    return f"{place[2]}{number} in {place[1]}"


def accesses(source, words):
    """The accesses of a file by file, function and operation, a line each: (its strongest ordering, the line)."""
    module, name = source.path.split("/")[1], source.path.split("/")[-1]
    scopes = functions(source.code)
    places = {}
    found = [(match.start(2), *ACCESSES[match[2]]) for match in ACCESS.finditer(source.code)
             if match[2].endswith("Load") or match[2].endswith("Store") or match[1] in words]
    found += [(match.start(), "lightBarrier", "sequentiallyConsistent") for match in BARRIER.finditer(source.code)]
    for at, operation, ordering in found:
        scope = max((scope for scope in scopes if scope[0] <= at < scope[2]), default=("",))
        lines = places.setdefault((f"{module}/{name}", scope[-1], operation), {})
        line = source.line_of(at)
        lines[line] = lines.get(line) or ordering
    return {place: [(ordering, line) for line, ordering in sorted(lines.items())] for place, lines in places.items()}


def functions(code):
    """Bodies of functions and properties: (begin, what they belong to, end, `#function` there)."""
    found = []
    for match in FUNCTION.finditer(code):
        closing = closed(code, match.end(), "()")
        opening = code.find("{", closing)
        if opening >= 0:
            name = match[1] or match[2]
            name += "(" + labels(code[match.end():closing - 1]) + ")"
            found.append((opening, match.start(), closed(code, opening + 1, "{}"), name))
    for match in PROPERTY.finditer(code):
        found.append((match.end() - 1, match.start(), closed(code, match.end(), "{}"), match[1] or match[2]))
    return found


def labels(parameters):
    depth, names, start = 0, [], 0
    parameters = parameters.replace("->", "  ")
    for at, character in enumerate(parameters + ","):
        depth += {"(": 1, "[": 1, "<": 1, "{": 1, ")": -1, "]": -1, ">": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            label = re.match(r"\s*(\w+)", parameters[start:at])
            names.append(label[1] + ":" if label else "")
            start = at + 1
    return "".join(names)


def closed(code, start, pair):
    """The place behind what closes a parenthesis or brace whose inside begins at `start`."""
    depth = 1
    for match in re.compile("[" + re.escape(pair) + "]").finditer(code, start):
        depth += 1 if match[0] == pair[0] else -1
        if depth == 0:
            return match.end()
    return len(code)


def entries(source):
    """The lines of a list: ((file, function, operation), (ordering, index), line)."""
    starts = [(match.start(), match[1]) for match in FILE.finditer(source.text)]
    for match in LISTED.finditer(source.text):
        file = [name for start, name in starts if start < match.start()]
        if not file:
            continue
        operation = match[1] or match[3]
        ordering = match[2] or "sequentiallyConsistent"
        yield (file[-1], match[4], operation), (ordering, match[5] and int(match[5])), source.line_of(match.start())


def count(sources, lists, total, report):
    """Holds the page's numbers against the lists and what has noticed their mutants."""
    noticed = {line.strip() for source in sources if source.path == NOTICED for line in source.lines}
    noticed = {line.split(" ", 2)[2] for line in noticed if line.count(" ") > 2}
    caught = 0
    for source in lists:
        for (file, function, operation), (ordering, index), _ in entries(source):
            name = re.split("[/.]", file)[1]
            number = "" if index is None else f" {index + 1}"
            weaker = WEAKER.get((operation, ordering), ["acq", "rel"])
            caught += any(f"order: {name} {function} {operation}{number}: {mutant}" in noticed for mutant in weaker)
    for source in sources:
        if source.path != PAGE:
            continue
        found = COUNT.search(" ".join(source.lines))
        if not found or (int(found[1]), int(found[2])) != (caught, total):
            report(PAGE, 1, f"say: These are {caught} of the {total} accesses")
