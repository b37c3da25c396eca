# The accesses of the package that order more than themselves, as its sources have them and as the lists of
# Tests/Interleavings do, from which scripts/explore weakens them.

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "conventions"))
import orderings  # noqa: E402
from source import Source  # noqa: E402

# What the lists call an operation, in the intermediate language.
KINDS = {"load": "load", "store": "store", "exchange": "update", "add": "update", "compareExchange": "compare",
         "lightBarrier": "barrier"}
LEVELS = {"acquire": "acquire", "release": "release", "acquireRelease": "acq_rel", "sequentiallyConsistent": "seq_cst"}
# Where words are made of the standard library's: what calls these is an access, not they.
WITHIN = ("Sources/WeirQueues/Atomics.swift", "Sources/CMachine/include/CMachine.h")


class Listed:
    """One access of the lists."""

    def __init__(self, file, function, operation, ordering, index, path, line, alone):
        self.file = file
        self.function = function
        self.operation = operation
        self.ordering = LEVELS[ordering]
        self.index = index
        self.path = path
        self.line = line
        # Whether the line has no other access of the kind, which would be taken for this one.
        self.alone = alone

    def __str__(self):
        number = "" if self.index is None else f" {self.index + 1}"
        return f"{self.file}:{self.line}: {self.operation}{number} in {self.function}, {self.ordering}"

    def is_kind_of(self, access):
        """Whether an access of the intermediate language is of this operation."""
        if access.kind != KINDS[self.operation]:
            return False
        if self.operation == "exchange":
            return access.operation == "xchg"
        # Additions of constants may be other operations, for example that of 0.
        return self.operation != "add" or access.operation != "xchg"


def read(root):
    """The listed accesses with their lines in the sources, and those of which there is no line."""
    sources = [Source(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
               for path in sorted([*root.glob("Sources/Weir*/**/*.swift"), *root.glob("Tests/Interleavings/*.swift")])]
    words, places = {}, {}
    for source in sources:
        module = source.path.split("/")[1]
        if source.path.startswith("Sources/") and "AtomicWord" in source.text:
            words.setdefault(module, {"pointee"}).update(orderings.WORD.findall(source.text))
    for source in sources:
        module = source.path.split("/")[1]
        if not source.path.startswith("Sources/") or module == "WeirVerify" or not orderings.MAYBE.search(source.text):
            continue
        if source.path.endswith(orderings.APART):
            continue
        known = words.get("WeirQueues", set()) | words.get(module, set())
        counts = {}
        for match in orderings.ACCESS.finditer(source.code):
            key = (orderings.ACCESSES[match[2]][0], source.line_of(match.start(2)))
            counts[key] = counts.get(key, 0) + 1
        for place, found in orderings.accesses(source, known).items():
            places[place] = [(ordering, line, source.path, counts.get((place[2], line), 1) == 1)
                             for ordering, line in found]
    listed, missing = [], []
    for source in sources:
        if not orderings.LISTS.search(source.path):
            continue
        for (file, function, operation), (ordering, index), line in orderings.entries(source):
            found = places.get((file, function, operation), [])
            if (index or 0) >= len(found):
                missing.append(f"{source.path}:{line}: {operation} in {function} of {file}: no such access")
                continue
            _, at, path, alone = found[index or 0]
            listed.append(Listed(file, function, operation, ordering, index, path, at, alone))
    return listed, missing


def place_of(access):
    """The innermost line of the package's own code that an access comes from; None if it is not known."""
    own = [(path, line) for path, line, _ in access.frames if path.startswith("Sources/") and line > 0]
    return next((place for place in own if place[0] not in WITHIN), own[-1] if own else None)


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
