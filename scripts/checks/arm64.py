# What scripts/checks/check-arm64 needs to read: a target's settings in the manifest, and disassembly.
#
#   arm64.py settings MODULE < PACKAGE             options of the compiler for a module, one a line
#   arm64.py judge SYMBOLIZER FOLDER [--places]    holds FOLDER/PROCESSOR.elf and PROCESSOR.s against the sources

import collections
import glob
import json
import os
import re
import subprocess
import sys

PROCESSORS = ("armv8-a", "armv8.1-a", "armv8.3-a")
WORDS = "Sources/WeirQueues/Atomics.swift"

# What an access has to become, by what it does and its ordering: instructions that must all be there, and no other that
# touches memory. The mapping of C++20 to Armv8, whose loads `ldapr` order
# less than `ldar`: as an acquire load of C++20 does, but not a sequential one behind a sequential store.
ACQUIRES = {"armv8-a": {"ldar"}, "armv8.1-a": {"ldar"}, "armv8.3-a": {"ldapr"}}
SEQUENTIAL = dict.fromkeys(PROCESSORS, {"ldar"})
RELEASES = dict.fromkeys(PROCESSORS, {"stlr"})
FENCE = dict.fromkeys(PROCESSORS, {"dmb ish"})


def exclusive(instruction):
    """A read-modify-write: a loop, or one instruction."""
    return {"armv8-a": {"ldaxr", "stlxr"}, "armv8.1-a": {instruction}, "armv8.3-a": {instruction}}


SHAPES = {
    ("load", "acquire"): ACQUIRES,
    ("load", "sequentiallyConsistent"): SEQUENTIAL,
    ("store", "release"): RELEASES,
    ("exchange", "acquireRelease"): exclusive("swpal"),
    ("exchange", "sequentiallyConsistent"): exclusive("swpal"),
    ("compareExchange", "acquireRelease"): exclusive("casal"),
    ("compareExchange", "sequentiallyConsistent"): exclusive("casal"),
    ("add", "acquireRelease"): exclusive("ldaddal"),
    ("fence", "sequentiallyConsistent"): FENCE,
}
# The operations of C that order more than themselves, in CMachine.
IN_C = {
    "atomic_thread_fence(memory_order_seq_cst)": ("fence", "sequentiallyConsistent"),
    "atomic_compare_exchange_strong(": ("compareExchange", "sequentiallyConsistent"),
}
LINE = re.compile(r"; (/.*):(\d+)$")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")
MEMORY = re.compile(r"(ld|st|cas|swp|dmb)")
ORDERED = re.compile(r"(lda|stl|ldx|stx|cas|swp|ldadd|dmb)")
# Of these the first register is written only, and if it is none nothing is acquired.
VALUE = re.compile(r"\w+, xzr, \[")


def settings(module):
    package = json.load(sys.stdin)
    mode = "6"
    for setting in next(target for target in package["targets"] if target["name"] == module)["settings"]:
        if setting["tool"] != "swift" or "condition" in setting:
            continue
        ((kind, value),) = setting["kind"].items()
        if kind == "enableUpcomingFeature":
            print("-enable-upcoming-feature", value["_0"], sep="\n")
        elif kind == "swiftLanguageMode":
            mode = value["_0"]
        elif kind == "strictMemorySafety":
            print("-strict-memory-safety")
    print("-swift-version", mode, sep="\n")


def read_sources():
    from source import Source
    paths = glob.glob("Sources/Weir/**/*.swift", recursive=True) + glob.glob("Sources/WeirQueues/*.swift")
    return [Source(path, open(path, encoding="utf-8").read()) for path in sorted(paths)]


class Access:
    """One access in the sources, with the instructions that it became on each processor."""

    def __init__(self, function, operation, ordering):
        self.function, self.operation, self.ordering = function, operation, ordering
        self.instructions = {processor: collections.Counter() for processor in PROCESSORS}

    def problem(self, processor):
        wanted = SHAPES[self.operation, self.ordering][processor]
        found = set(self.instructions[processor])
        if found == wanted:
            return None
        return f"{processor}: {'+'.join(sorted(found)) or 'no instruction'} instead of {'+'.join(sorted(wanted))}"


def read_accesses():
    """The accesses by file, line and operation, and the operations of words by their lines."""
    import orderings
    sources = read_sources()
    accesses = {}
    apart = tuple(name for name in orderings.APART if name != "SpinLock.swift")
    for source, places in orderings.found_in(sources, apart):
        for (_, function, operation), found in places.items():
            if operation == "lightBarrier":
                continue
            for ordering, line in found:
                accesses[source.path, line, operation] = Access(function, operation, ordering)
    words = next(source for source in sources if source.path == WORDS)
    operations = {}
    for start, _, end, name in orderings.functions(words.code):
        access = orderings.ACCESSES.get(name.split("(")[0])
        if access:
            for line in range(words.line_of(start), words.line_of(end) + 1):
                operations[line] = access
    for path in glob.glob("Sources/CMachine/*.c"):
        with open(path, encoding="utf-8") as file:
            for line, text in enumerate(file, 1):
                for words, (operation, ordering) in IN_C.items():
                    if words in text:
                        accesses[path, line, operation] = Access(words.split("(")[0], operation, ordering)
    return accesses, operations


def read_code(path, root):
    """The instructions that touch memory: (address, name, operands, file, line)."""
    file, line = None, 0
    with open(path, encoding="utf-8", errors="replace") as text:
        for row in text:
            if found := LINE.match(row):
                file, line = os.path.relpath(found[1], root), int(found[2])
            elif (found := INSTRUCTION.match(row)) and MEMORY.match(found[2]):
                address, name, operands = found.groups()
                if name == "dmb":
                    name += " " + operands
                yield "0x" + address, name, operands, file, line
            elif row.strip() and not row.startswith(";") and not found:
                file, line = None, 0


def frames(symbolizer, binary, addresses):
    """For each address the places that it stands for, from what was inlined outwards."""
    said = subprocess.run([symbolizer, "--obj=" + binary, "--inlines", "--output-style=JSON"], check=True,
                          input="".join(address + "\n" for address in addresses), capture_output=True, text=True).stdout
    return [[(frame["FileName"], frame["Line"]) for frame in json.loads(row).get("Symbol", [])]
            for row in said.splitlines()]


def attribute(processor, symbolizer, folder, accesses, operations):
    """Gives each instruction to its access; returns what is wrong, and how many belong to none."""
    root = os.getcwd()
    problems, others, inlined = [], collections.Counter(), []
    for address, name, operands, file, line in read_code(f"{folder}/{processor}.s", root):
        if file == WORDS and line in operations and "[sp" not in operands and "[x29" not in operands:
            inlined.append((address, name, operands, line))
        elif ORDERED.match(name) and file and file.startswith("Sources/CMachine/"):
            for operation in ("fence", "compareExchange"):
                if (file, line, operation) in accesses:
                    accesses[file, line, operation].instructions[processor][name] += 1
        elif ORDERED.match(name):
            others[os.path.basename(file or "no file")] += 1
    stacks = frames(symbolizer, f"{folder}/{processor}.elf", [address for address, *_ in inlined])
    for (_, name, operands, line), stack in zip(inlined, stacks, strict=True):
        operation, ordering = operations[line]
        # What stands alone is the operation itself, for callers that don't inline it.
        file, at = stack[1] if len(stack) > 1 else (os.path.join(root, WORDS), line)
        place = os.path.relpath(file, root), at, operation
        if len(stack) == 1:
            accesses.setdefault(place, Access("AtomicWord", operation, ordering))
        access = accesses.get(place)
        if access is None:
            problems.append(f"{place[0]}:{at}: an access that is not seen in the sources: {operation} ({name})")
        elif access.ordering:
            access.instructions[processor][name] += 1
            if VALUE.match(operands) and name in ("swpal", "ldaddal"):
                problems.append(f"{place[0]}:{at}: {processor}: {name} into no register acquires nothing")
    return problems, others


def judge(symbolizer, folder, prints_places):
    accesses, operations = read_accesses()
    problems = []
    for processor in PROCESSORS:
        found, others = attribute(processor, symbolizer, folder, accesses, operations)
        problems += found
        if others:
            print(f"{processor}: elsewhere " + ", ".join(f"{count} in {file}" for file, count in others.most_common(8)))
    has_c = any(sum(access.instructions[PROCESSORS[0]].values()) for key, access in accesses.items()
                if key[0].endswith(".c"))
    totals = {}
    for (path, line, _), access in sorted(accesses.items()):
        if access.ordering is None or path.endswith(".c") and not has_c:
            continue
        problems += [f"{path}:{line}: {access.operation} ({access.ordering}) in {access.function}: {problem}"
                     for problem in map(access.problem, PROCESSORS) if problem]
        total = totals.setdefault((access.operation, access.ordering), [0, *(collections.Counter() for _ in PROCESSORS)])
        total[0] += 1
        for number, processor in enumerate(PROCESSORS, 1):
            total[number].update(access.instructions[processor])
        if prints_places:
            print(f"{path}:{line} {access.operation} {access.ordering}: "
                  + "; ".join(described(access.instructions[processor]) for processor in PROCESSORS))
    print(f"{'access':40} {'places':>6}  " + "".join(f"{processor:26}" for processor in PROCESSORS))
    for (operation, ordering), (count, *instructions) in sorted(totals.items()):
        print(f"{operation + ', ' + ordering:40} {count:6}  " + "".join(f"{described(found):26}" for found in instructions))
    for problem in problems:
        print("FAILED  " + problem)
    return 1 if problems or not totals else 0


def described(instructions):
    return " ".join(f"{name} {count}" for name, count in sorted(instructions.items())) or "none"


if __name__ == "__main__":
    if sys.argv[1] == "settings":
        settings(sys.argv[2])
    else:
        sys.exit(judge(sys.argv[2], sys.argv[3], "--places" in sys.argv[4:]))
