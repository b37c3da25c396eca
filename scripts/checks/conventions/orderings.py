# The rule that each atomic access is in a list, with its ordering: those of the words of Swift in the lists of
# Tests/Interleavings/*Orderings.swift, from which scripts/explore makes mutants, and what these words are made of, in
# Swift and in C, in Tests/machine-orderings.csv. And the page about threads says how many of the mutants are caught.

import collections
import csv
import re

import spans

LISTS = re.compile(r"Tests/Interleavings/\w+Orderings\.swift$")
MACHINE = "Tests/machine-orderings.csv"
NOTICED = "Tests/Interleavings/NoticedMutants.swift"
PAGE = "Sources/Weir/Weir.docc/ThreadSafety.md"
SWIFT = re.compile(r"Sources/(Weir(?!Verify/)\w*)/.*\.swift$")
C = re.compile(r"Sources/(CMachine)/.*\.[ch]$")

# What is found in the sources, and what is written in a list. `failing` is the ordering of a compare-exchange that
# fails.
Access = collections.namedtuple("Access", "ordering failing path line")
Entry = collections.namedtuple("Entry", "file function operation index ordering failing path line")

# The operations of `AtomicWord`, with the orderings that their names stand for.
ACCESSES = {
    "relaxedLoad": ("load", "relaxed"),
    "acquireLoad": ("load", "acquire"),
    "sequentialLoad": ("load", "sequentiallyConsistent"),
    "relaxedStore": ("store", "relaxed"),
    "publish": ("store", "release"),
    "exchange": ("exchange", "acquireRelease"),
    "sequentialExchange": ("exchange", "sequentiallyConsistent"),
    "compareExchange": ("compareExchange", "acquireRelease"),
    "sequentialCompareExchange": ("compareExchange", "sequentiallyConsistent"),
    "add": ("add", "acquireRelease"),
}
# What else has such names: these are accesses if it is a word that has them.
ALSO_ELSEWHERE = ("publish", "exchange", "add")
WEAKER = {
    ("load", "sequentiallyConsistent"): ["acq"],
    ("exchange", "sequentiallyConsistent"): ["acqrel"],
    ("compareExchange", "sequentiallyConsistent"): ["acqrel"],
    ("lightBarrier", "sequentiallyConsistent"): ["none"],
    ("load", "acquire"): ["rlx"],
    ("store", "release"): ["rlx"],
}
ACCESS = re.compile(r"(?:(\w+)(?:\[[^\]\n]*\])?\s*)?\.\s*(%s)\(" % "|".join(ACCESSES))
# The standard library's own, of which a word is made.
BARE = re.compile(r"\b(?:(load|store|exchange|compareExchange|weakCompareExchange|add|wrapping\w+|bitwise\w+|"
                  r"logical\w+|min|max)|(atomicMemoryFence))\(")
BARE_OPERATIONS = {"weakCompareExchange": "compareExchange", "wrappingAdd": "add"}
BARE_ORDERING = re.compile(r"\b(ordering|successOrdering|failureOrdering)\s*:\s*(?:\.(\w+)|)")
BARE_LEVELS = {"relaxed": "relaxed", "acquiring": "acquire", "releasing": "release",
               "acquiringAndReleasing": "acquireRelease", "sequentiallyConsistent": "sequentiallyConsistent"}
MAYBE = re.compile(r"\.\s*(acquire|relaxed|sequential|publish|exchange|compareExchange|add)\w*\(|Barrier\(\)|machine_|"
                   r"[oO]rdering\s*:")
BARRIER = re.compile(r"(?<!func )\b(?:(?:compilerBarrier|machine_compiler_barrier)\(\)|machine_reckoned\()")
HEAVY = re.compile(r"(?<!func )\b(?:heavyBarrier|quickHeavyBarrier|machine_(?:quick_)?heavy_barrier)\(\)")
WORD = re.compile(r"\b(\w+)(?::\s*(?:borrowing\s+)?|:\s*UnsafeMutablePointer<|\s*=\s*)AtomicWord\b")

C_ACCESS = re.compile(r"\b(?:(?:__c11_|__)?atomic_(\w+)|__sync_(\w+))\s*\(")
C_OPERATIONS = {"fetch_add": "add", "thread_fence": "fence", "synchronize": "fence", "signal_fence": "lightBarrier"}
C_ORDERING = re.compile(r"\b(?:memory_order_|__ATOMIC_)(\w+)")
C_LEVELS = {"relaxed": "relaxed", "consume": "acquire", "acquire": "acquire", "release": "release",
            "acq_rel": "acquireRelease", "seq_cst": "sequentiallyConsistent"}
C_ASSEMBLY = re.compile(r"\b(?:__asm__|__asm|asm)\s*(?:__?volatile(?:__)?|volatile)?\s*\(")
# The system's barrier for all threads, with what it is told to do.
C_SYSTEM = re.compile(r"\bsyscall\(\s*SYS_membarrier\s*,\s*(\w+)")
C_WORD = re.compile(r"\b_Atomic\b[^;={(]*?\b(\w+)\s*(?:\[[^\]]*\])?\s*[;=]")

# What the explorer puts in place of an operation of a word.
EXPLORED = re.compile(r"\bfunc (\w+)\([^{}]*\{\s*exploredMemory\s*\.(\w+)\(\s*word,([^{}]*?)AccessSite\(")

FILE = re.compile(r'OrderedAccesses\(\s*"([^"]+)"')
LISTED = re.compile(
    r'(?:OrderedAccess\(\s*\.(\w+),\s*\.(\w+),|\.(lightBarrier|heavyBarrier)\()\s*"([^"]+)"(?:,\s*(\d+))?'
    r"(?:,\s*stays:\s*[^)]+)?\)")
COUNT = re.compile(r"These are (\d+) of the (\d+) accesses that ask for more than \*relaxed\*\. These \2, and the "
                   r"(\d+) that ask for no more,")


def check(sources, report):
    if not any(LISTS.search(source.path) for source in sources):
        return
    listed = {}
    for entry in entries(sources):
        listed.setdefault((entry.file, entry.function, entry.operation), []).append(entry)
    there = found(sources)
    total = collections.Counter()
    for place, accesses in sorted(there.items()):
        entered = listed.pop(place, [])
        compare(place, accesses, entered, report)
        if not any(entry.path == MACHINE for entry in entered) and place[2] != "heavyBarrier":
            total.update(access.ordering == "relaxed" for access in accesses)
    for place, entered in listed.items():
        for entry in entered:
            report(entry.path, entry.line, f"there is no {described(place, entry.index)} in {place[0]} any more")
    explored(sources, report)
    count(sources, total[False], total[True], report)


def explored(sources, report):
    """Holds the words of the explorer against the names of their operations."""
    for source in sources:
        if source.path != "Sources/WeirQueues/Explored.swift":
            continue
        there = [(match[1], match.start(), match[2], re.search(r"\.(\w+)", match[3]))
                 for match in EXPLORED.finditer(source.code) if match[1] in ACCESSES]
        for name in ACCESSES.keys() - {name for name, _, _, _ in there}:
            report(source.path, 1, f"no operation of the explorer is found for {name}")
        for name, at, operation, level in there:
            # An addition has no other.
            level = level[1].replace("sequential", "sequentiallyConsistent") if level else "acquireRelease"
            if (operation, level) != ACCESSES[name]:
                report(source.path, source.line_of(at),
                       "{} has to be `{}` with `{}` to the explorer, too".format(name, *ACCESSES[name]))


def compare(place, accesses, entered, report):
    """Holds the accesses of one kind in one function against the lines of the lists."""
    lines = collections.Counter(access.line for access in accesses)
    for line in [line for line, times in lines.items() if times > 1]:
        report(accesses[0].path, line, f"{lines[line]} times {place[2]}: give each a line of its own, by which the "
               "explorer and check-arm64 tell them")
    missing = dict(enumerate(accesses))
    for entry in entered:
        if entry.index is None and len(accesses) > 1:
            report(entry.path, entry.line, f"there are {len(accesses)} times {described(place, None)}: say which")
            continue
        access = missing.pop(entry.index or 0, None)
        if access is None:
            report(entry.path, entry.line, f"{described(place, entry.index)} is not there, or here twice")
        elif (access.ordering, access.failing) != (entry.ordering, entry.failing):
            report(access.path, access.line,
                   f"{described(place, entry.index)} asks for {asked(access)}, and in {entry.path}:{entry.line} for "
                   f"{asked(entry)}")
    for index, access in missing.items():
        is_of_machine = place[0].startswith(("CMachine/", "WeirQueues/Atomics"))
        where = MACHINE if is_of_machine else "Tests/Interleavings/*Orderings.swift"
        name = described(place, index if len(accesses) > 1 else None)
        report(access.path, access.line, f"{name} asks for {asked(access)}: give it a line in {where}")


def described(place, index):
    number = "" if index is None else f" {index + 1}"
    return f"{place[2]}{number} in {place[1]}"


def asked(access):
    return f"`{access.ordering}`" + (f", `{access.failing}` if it fails" if access.failing else "")


# What the sources have


def found(sources):
    """The accesses of all sources by file, function and operation, as they stand there."""
    words = {}
    for source in sources:
        module = SWIFT.match(source.path)
        if module and "AtomicWord" in source.text:
            words.setdefault(module[1], {"pointee"}).update(WORD.findall(source.text))
    places = {}
    for source in sources:
        if module := SWIFT.match(source.path):
            if MAYBE.search(source.text):
                swift(source, module[1], words.get("WeirQueues", set()) | words.get(module[1], set()), places)
        elif module := C.match(source.path):
            c(source, module[1], places)
    return places


def swift(source, module, words, places):
    code = spans.shipped(source.code)
    made = []
    for match in ACCESS.finditer(code):
        inside = code[match.end():spans.closed(code, match.end(), "()")]
        if BARE_ORDERING.search(inside) or (match[2] in ALSO_ELSEWHERE and match[1] not in words):
            continue
        made.append((match.start(2), *ACCESSES[match[2]], failing(*ACCESSES[match[2]])))
    for match in BARE.finditer(code):
        inside = code[match.end():spans.closed(code, match.end(), "()")]
        orderings = {name: BARE_LEVELS.get(level, "unknown") for name, level in BARE_ORDERING.findall(inside)}
        if orderings:
            operation = BARE_OPERATIONS.get(match[1], match[1] or "fence")
            ordering = orderings.get("ordering") or orderings.get("successOrdering")
            fails = failing(operation, ordering)
            made.append((match.start(1) if match[1] else match.start(), operation, ordering,
                         fails and orderings.get("failureOrdering", fails)))
    made += [(match.start(), "lightBarrier", "sequentiallyConsistent", None) for match in BARRIER.finditer(code)]
    made += [(match.start(), "heavyBarrier", "sequentiallyConsistent", None) for match in HEAVY.finditer(code)]
    if made:
        note(source, module, made, spans.functions(code), places)


def failing(operation, ordering):
    """How a compare-exchange of one ordering reads where it fails, unless that is said."""
    if operation != "compareExchange":
        return None
    return {"acquire": "acquire", "release": "relaxed", "relaxed": "relaxed",
            "sequentiallyConsistent": "acquire"}.get(ordering, "acquire")


def c(source, module, places):
    made = []
    for match in C_ACCESS.finditer(source.code):
        inside = source.code[match.end():spans.closed(source.code, match.end(), "()")]
        name = re.sub(r"(_explicit|_n)$", "", match[1] or match[2])
        orderings = [C_LEVELS.get(level.lower(), "unknown") for level in C_ORDERING.findall(inside)]
        ordering = orderings[0] if orderings else "sequentiallyConsistent"
        operation = C_OPERATIONS.get(name, "compareExchange" if "compare" in name else name)
        fails = (orderings + [ordering])[1 if len(orderings) > 1 else 0] if operation == "compareExchange" else None
        made.append((match.start(), operation, ordering, fails))
    for match in C_ASSEMBLY.finditer(source.code):
        # The code has no words in its literals.
        inside = source.text[match.end():spans.closed(source.code, match.end(), "()")]
        if '"memory"' in inside:
            template = re.match(r'\s*"([^"]*)"', inside)[1].replace(",", "")
            made.append((match.start(), "assembly" if template else "lightBarrier",
                         template or "sequentiallyConsistent", None))
    made += [(match.start(), "membarrier", match[1], None) for match in C_SYSTEM.finditer(source.code)]
    for word in set(C_WORD.findall(source.code)):
        declared = [match.start(1) for match in C_WORD.finditer(source.code)]
        for match in re.finditer(rf"(?<![&\w.]){word}\b", source.code):
            if match.start() not in declared:
                made.append((match.start(), "access without a word about its ordering", "sequentiallyConsistent", None))
    if made:
        note(source, module, made, spans.functions_of_c(source.code), places)


def note(source, module, made, scopes, places):
    """Sorts the accesses of a file into functions and operations, as they come."""
    file = f"{module}/{source.path.split('/')[-1]}"
    for at, operation, ordering, fails in sorted(made):
        scope = max((scope for scope in scopes if scope[0] <= at < scope[2]), default=("",))
        access = Access(ordering, fails, source.path, source.line_of(at))
        places.setdefault((file, scope[-1], operation), []).append(access)


# What the lists have


def entries(sources):
    """The lines of all lists."""
    for source in sources:
        if LISTS.search(source.path):
            yield from entries_of_swift(source)
        elif source.path == MACHINE:
            for row in csv.DictReader(source.lines):
                index = int(row["number"]) - 1 if row["number"] else None
                start = ",".join([row["file"], row["function"], row["operation"], row["number"]])
                line = next(number for number, text in enumerate(source.lines, 1) if text.startswith(start))
                yield Entry(row["file"], row["function"], row["operation"], index, row["ordering"],
                            row["failing"] or None, source.path, line)


def entries_of_swift(source):
    starts = [(match.start(), match[1]) for match in FILE.finditer(source.text)]
    for match in LISTED.finditer(source.text):
        file = [name for start, name in starts if start < match.start()]
        if not file:
            continue
        operation = match[1] or match[3]
        ordering = match[2] or "sequentiallyConsistent"
        yield Entry(file[-1], match[4], operation, match[5] and int(match[5]), ordering, failing(operation, ordering),
                    source.path, source.line_of(match.start()))


def count(sources, ordered, relaxed, report):
    """Holds the page's numbers against the lists and what has noticed their mutants."""
    noticed = {line.strip() for source in sources if source.path == NOTICED for line in source.lines}
    noticed = {line.split(" ", 2)[2] for line in noticed if line.count(" ") > 2}
    caught = 0
    for entry in entries(sources):
        if entry.path == MACHINE or entry.ordering == "relaxed":
            continue
        name = re.split("[/.]", entry.file)[1]
        number = "" if entry.index is None else f" {entry.index + 1}"
        weaker = WEAKER.get((entry.operation, entry.ordering), ["acq", "rel"])
        mutant = f"order: {name} {entry.function} {entry.operation}{number}"
        caught += any(f"{mutant}: {ordering}" in noticed for ordering in weaker)
    for source in sources:
        if source.path != PAGE:
            continue
        said = COUNT.search(" ".join(source.lines))
        if not said or tuple(map(int, said.groups())) != (caught, ordered, relaxed):
            report(PAGE, 1, f"say: These are {caught} of the {ordered} accesses that ask for more than *relaxed*. "
                   f"These {ordered}, and the {relaxed} that ask for no more,")
