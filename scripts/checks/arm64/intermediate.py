# The atomic accesses of LLVM's intermediate language, and where in the sources each comes from.
#
# Each access gets a line number of its own, in place of its source's, under which the instructions that it becomes
# stand in the object file: lines survive what the compiler does to code behind the intermediate language.

import re

ORDERINGS = "unordered|monotonic|acquire|release|acq_rel|seq_cst"
# Lines that may hold an access; of a module with a million lines these are few.
MAYBE = re.compile(r" atomic | cmpxchg |= atomicrmw |^\s+fence | asm sideeffect \"\"")
SCOPE = r"(?:syncscope\(\"(?P<scope>[^\"]*)\"\) )?"
ACCESSES = [
    ("load", re.compile(rf"= load atomic (?:volatile )?(?P<type>[\w*]+), .* ?{SCOPE}(?P<ordering>{ORDERINGS}), align")),
    ("store", re.compile(rf"^\s+store atomic (?:volatile )?(?P<type>[\w*]+) .* ?{SCOPE}(?P<ordering>{ORDERINGS}), align")),
    ("update", re.compile(rf"= atomicrmw (?:volatile )?(?P<operation>\w+) ptr.*, (?P<type>[\w*]+) \S+ "
                          rf"{SCOPE}(?P<ordering>{ORDERINGS})(?:, align|,|$)")),
    ("compare", re.compile(rf"= cmpxchg (?:weak )?(?:volatile )?ptr.*, (?P<type>[\w*]+) \S+ {SCOPE}(?P<ordering>{ORDERINGS}) "
                           rf"(?P<failure>{ORDERINGS})(?:, align|,|$)")),
    ("fence", re.compile(rf"^\s+fence {SCOPE}(?P<ordering>{ORDERINGS})(?:,|$)")),
    ("barrier", re.compile(r"call [^\"]*asm sideeffect \"\", \"[^\"]*~\{memory\}")),
]
DEFINITION = re.compile(r"define .*?@(\"[^\"]+\"|[\w.$-]+)\(")
DEBUG = re.compile(r"!dbg !(\d+)")
NODE = re.compile(r"!(\d+) = (?:distinct )?!(DILocation|DISubprogram|DILexicalBlock|DILexicalBlockFile|DIFile)\((.*)\)$")
FIELD = {name: re.compile(rf"\b{name}: !?(\d+)") for name in ("line", "column", "scope", "inlinedAt", "file")}
NAME = {name: re.compile(rf"\b{name}: \"([^\"]*)\"") for name in ("name", "filename", "directory")}
PROCESSOR = re.compile(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
# Accesses are numbered from here: no source has as many lines.
FIRST_NUMBER = 1_000_000
STRENGTH = {"unordered": 0, "monotonic": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}


class Access:
    """One atomic access, fence or barrier of the compiler, as the compiler kept it."""

    def __init__(self, number, kind, match, function, frames):
        groups = match.groupdict()
        self.number = number
        self.kind = kind
        self.operation = groups.get("operation")
        self.ordering = groups.get("ordering") or "none"
        self.failure = groups.get("failure")
        self.type = groups.get("type")
        self.one_thread = groups.get("scope") == "singlethread"
        self.function = function
        # From the innermost inlined function outwards: (file, line, name of the function).
        self.frames = frames
        # A compare-exchange that fails has read with another ordering, by the same instructions.
        if self.failure and STRENGTH[self.failure] and self.ordering in ("monotonic", "release"):
            self.ordering = "acq_rel" if self.ordering == "release" else "acquire"

    def described(self):
        what = {"update": self.operation, "compare": "compare-exchange"}.get(self.kind, self.kind)
        return f"{what} {self.ordering}"


def numbered(text, first, root):
    """The module with a line number for each of its accesses, from `first` on, and the accesses."""
    lines = text.splitlines()
    nodes = {int(node[1]): node[3] for line in lines if line.startswith("!") and (node := NODE.match(line))}
    last = max((int(line[1:line.index(" ")]) for line in lines if re.match(r"!\d+ = ", line)), default=0)
    function, subprogram = "", None
    accesses, added = [], []
    for index, line in enumerate(lines):
        if line.startswith("!") and "DILocation(line: 0," in line:
            # Disassemblers show line 0 as the one before it.
            lines[index] = line.replace("DILocation(line: 0,", "DILocation(line: 1,")
        elif line.startswith("define "):
            function = DEFINITION.match(line)[1].strip('"')
            own = DEBUG.search(line)
            subprogram = own and int(own[1])
        elif line.startswith("attributes #"):
            lines[index] = PROCESSOR.sub("", line)
        elif line[:1] == " " and MAYBE.search(line):
            kind, match = next(((kind, match) for kind, pattern in ACCESSES if (match := pattern.search(line))),
                               (None, None))
            if not kind:
                if " asm sideeffect " in line:
                    continue
                raise ValueError(f"an atomic access that this script can't read: {line.strip()}")
            number = first + len(accesses)
            place = DEBUG.search(line)
            location = nodes.get(int(place[1])) if place else None
            frames = frames_of(location, nodes, root)
            scope = FIELD["scope"].search(location)[1] if location else subprogram
            if scope is not None:
                last += 1
                inlined = FIELD["inlinedAt"].search(location) if location else None
                added.append(f"!{last} = !DILocation(line: {number}, column: 0, scope: !{scope}"
                             + (f", inlinedAt: !{inlined[1]})" if inlined else ")"))
                lines[index] = (DEBUG.sub(f"!dbg !{last}", line, count=1) if place else f"{line}, !dbg !{last}")
            accesses.append(Access(number, kind, match, function, frames))
    return "\n".join(lines + added) + "\n", accesses


def frames_of(location, nodes, root):
    """Where an access is, from the innermost inlined function outwards."""
    frames = []
    while location:
        line = int(FIELD["line"].search(location)[1])
        scope = nodes.get(int(FIELD["scope"].search(location)[1]), "")
        file = FIELD["file"].search(scope)
        described = nodes.get(int(file[1]), "") if file else ""
        path = NAME["filename"].search(described)
        path = path[1] if path else ""
        folder = NAME["directory"].search(described)
        if path and not path.startswith(("/", "<")) and folder and folder[1].startswith("/"):
            path = f"{folder[1]}/{path}"
        name = NAME["name"].search(scope)
        frames.append((path.removeprefix(root + "/"), line, name[1] if name else ""))
        outer = FIELD["inlinedAt"].search(location)
        location = nodes.get(int(outer[1])) if outer else None
    return frames
