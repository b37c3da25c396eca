# The atomic accesses of the package, as its sources have them and as the lists do that scripts/checks/check-conventions
# holds them against.

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "conventions"))
import orderings  # noqa: E402
from source import Source  # noqa: E402

# What the lists call an operation, in the intermediate language. The others are no accesses there, and looked for in
# the sources alone: the costly half of an asymmetric fence, which is a call, and instructions that order none.
KINDS = {"load": "load", "store": "store", "exchange": "update", "add": "update", "compareExchange": "compare",
         "lightBarrier": "barrier", "fence": "fence"}
LEVELS = {"relaxed": "monotonic", "acquire": "acquire", "release": "release", "acquireRelease": "acq_rel",
          "sequentiallyConsistent": "seq_cst"}
# Where words are made of the standard library's: what calls these is an access, too.
WITHIN = ("Sources/WeirQueues/Atomics.swift", "Sources/CMachine/include/CMachine.h")
# Whose barrier of the compiler is a part of something else, and not one where that is called.
WITH_BARRIER = ("publish", "reckonedHere")
OF_A_WORD = (*orderings.ACCESSES, *WITH_BARRIER, "compilerBarrier", "machine_compiler_barrier", "machine_reckoned")


class Listed:
    """One access of the lists."""

    def __init__(self, entry, access):
        self.file = entry.file
        self.function = entry.function
        self.operation = entry.operation
        self.ordering = LEVELS.get(entry.ordering, entry.ordering)
        self.failing = entry.failing and LEVELS[entry.failing]
        self.index = entry.index
        self.path = access.path
        self.line = access.line

    def __str__(self):
        number = "" if self.index is None else f" {self.index + 1}"
        failing = f", {self.failing} if it fails" if self.failing else ""
        return f"{self.file}:{self.line}: {self.operation}{number} in {self.function}, {self.ordering}{failing}"

    def is_kind_of(self, access):
        """Whether an access of the intermediate language is of this operation."""
        if access.kind != KINDS[self.operation]:
            return False
        if self.operation == "fence":
            return not access.one_thread
        if self.operation == "exchange":
            return access.operation == "xchg"
        # Additions of constants may be other operations, for example that of 0.
        return self.operation != "add" or access.operation != "xchg"

    def is_as_strong(self, access):
        """Whether such an access has the ordering of the lists, where it succeeds and where it fails."""
        if self.operation == "lightBarrier":
            return True
        return access.ordering == self.ordering and (not self.failing or access.failure == self.failing)


def read(root):
    """The listed accesses with their lines in the sources, and those of which there is no line."""
    patterns = ("Sources/Weir*/**/*.swift", "Sources/CMachine/**/*.[ch]", "Tests/Interleavings/*.swift", orderings.MACHINE)
    paths = [path for pattern in patterns for path in root.glob(pattern)]
    sources = [Source(str(path.relative_to(root)), path.read_text(encoding="utf-8")) for path in sorted(paths)]
    there = orderings.found(sources)
    listed, missing = [], []
    for entry in orderings.entries(sources):
        if entry.operation not in KINDS:
            continue
        found = there.get((entry.file, entry.function, entry.operation), [])
        if (entry.index or 0) >= len(found):
            missing.append(f"{entry.path}:{entry.line}: {entry.operation} in {entry.function} of {entry.file}: no such "
                           "access")
        else:
            listed.append(Listed(entry, found[entry.index or 0]))
    lines = {}
    for entry in listed:
        other = lines.setdefault((entry.path, entry.line, entry.operation), entry)
        if other is not entry:
            missing.append(f"{entry}: another one is on its line: give each a line of its own, by which they are told")
    return listed, missing


def places_of(access):
    """The lines that an access belongs to: the innermost of the package's own code, and those within a word."""
    place = place_of(access)
    return ({place} if place else set()) | {(path, line) for path, line, _ in access.frames if path in WITHIN}


def place_of(access):
    """The line of the package's own code that an access stands in, and not what that calls; None if it is not known.

    What was inlined from another module has no lines there, only the names of functions: what is within a word is
    passed over, and the rest is a copy of an access that is in its own module, too.
    """
    within = None
    for path, line, name in access.frames:
        if path in WITHIN:
            within = (path, line)
        elif path.startswith("Sources/") and line > 0:
            return path, line
        elif name not in OF_A_WORD:
            return None
    return within


def places_of(access):
    """The lines that an access belongs to: its own, and those within a word."""
    place = place_of(access)
    return ({place} if place else set()) | {(path, line) for path, line, _ in access.frames if path in WITHIN}


def is_part(access):
    """Whether a barrier of the compiler is a part of what a word does."""
    return any(name in WITH_BARRIER for _, _, name in access.frames)


def matches(model):
    """Whether the litmus tests of the explorer allow what `ldapr` may do, and forbid what `ldar` doesn't."""
    wanted = {"SB+rel+acq": True, "SB+sc stores": True, "SB+sc": False}
    text = model.read_text(encoding="utf-8") if model.exists() else ""
    wrong = []
    for name, allowed in wanted.items():
        found = re.search(rf'Litmus\("{re.escape(name)}", "[^"]*", "", (\w+|"[^"]*")', text)
        if not found or (found[1] == "everyPair") != allowed:
            wrong.append(f"{model.name}: {name} has to {'allow' if allowed else 'forbid'} that both loads read the old "
                         "value")
    return wrong
